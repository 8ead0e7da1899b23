#include "model/rigid_shape.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace sinew {

namespace {

/// Sides that a circle is drawn with.
constexpr int sides = 32;

Mat3<double> diagonal(double x, double y, double z) {
  Mat3<double> m;
  m(0, 0) = x;
  m(1, 1) = y;
  m(2, 2) = z;
  return m;
}

void add_to(VolumeMoments& sum, const VolumeMoments& part, double factor) {
  sum.volume += factor * part.volume;
  sum.first = sum.first + factor * part.first;
  sum.second = sum.second + factor * part.second;
}

/// A ring of points about z.
void add_ring(double radius, double z, TriangleSurface& surface) {
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    surface.points.push_back(Vec3<double>{{radius * std::cos(angle), radius * std::sin(angle), z}});
  }
}

/// The faces between two rings, given by their first points: outside is to the right of the way from the first to the second
/// ring's z.
void join_rings(int below, int above, TriangleSurface& surface) {
  for (int k = 0; k < sides; ++k) {
    const int next = (k + 1) % sides;
    surface.triangles.push_back({below + k, below + next, above + next});
    surface.triangles.push_back({below + k, above + next, above + k});
  }
}

/// The flat faces of a cell, seen from outside.
std::vector<std::vector<int>> faces_of(CellShape shape) {
  if (shape == CellShape::tet10)
    return {{0, 6, 4}, {2, 5, 6}, {1, 4, 5}, {4, 6, 5}, {0, 4, 7}, {1, 9, 4}, {3, 7, 9}, {4, 9, 7},
            {1, 5, 9}, {2, 8, 5}, {3, 9, 8}, {5, 8, 9}, {2, 6, 8}, {0, 7, 6}, {3, 8, 7}, {6, 7, 8}};
  if (shape_info(shape).reference == ReferenceCell::simplex) return {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  if (shape_info(shape).reference == ReferenceCell::prism)
    return {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  return {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
}

}  // namespace

void TriangleSurface::add(const TriangleSurface& other, const Frame<double>& placed) {
  const int before = static_cast<int>(points.size());
  for (const Vec3<double>& x : other.points) points.push_back(placed.x + placed.R * x);
  for (const auto& t : other.triangles) triangles.push_back({before + t[0], before + t[1], before + t[2]});
}

VolumeMoments moved(const VolumeMoments& m, const Frame<double>& frame) {
  VolumeMoments out;
  const Vec3<double> turned = frame.R * m.first;
  out.volume = m.volume;
  out.first = turned + m.volume * frame.x;
  out.second = frame.R * m.second * transpose(frame.R) + outer(turned, frame.x) + outer(frame.x, turned) +
               m.volume * outer(frame.x, frame.x);
  return out;
}

VolumeMoments box_moments(const Vec3<double>& size) {
  const double V = size[0] * size[1] * size[2];
  return {V, {}, diagonal(V * size[0] * size[0] / 12, V * size[1] * size[1] / 12, V * size[2] * size[2] / 12)};
}

VolumeMoments cylinder_moments(double radius, double inner, double length) {
  const double V = std::numbers::pi * (radius * radius - inner * inner) * length;
  const double across = V * (radius * radius + inner * inner) / 4;
  return {V, {}, diagonal(across, across, V * length * length / 12)};
}

VolumeMoments sphere_moments(double radius) {
  const double V = 4 * std::numbers::pi / 3 * radius * radius * radius, each = V * radius * radius / 5;
  return {V, {}, diagonal(each, each, each)};
}

/// Of the tetrahedron 0, a, b, c: V = det(a, b, c)/6, the integral of x is V s/4 with s = a + b + c, that of x x^T is
/// V/20 (s s^T + a a^T + b b^T + c c^T).
VolumeMoments surface_moments(const TriangleSurface& surface) {
  VolumeMoments sum;
  for (const auto& t : surface.triangles) {
    const Vec3<double>&a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
    const Vec3<double> s = a + b + c;
    const double V = dot(a, cross(b, c)) / 6;
    add_to(sum, {V, (V / 4) * s, (V / 20) * (outer(s, s) + outer(a, a) + outer(b, b) + outer(c, c))}, 1.0);
  }
  return sum;
}

TriangleSurface box_surface(const Vec3<double>& size) {
  TriangleSurface surface;
  for (int k = 0; k < 8; ++k)
    surface.points.push_back(
        Vec3<double>{{(k & 1 ? 0.5 : -0.5) * size[0], (k & 2 ? 0.5 : -0.5) * size[1], (k & 4 ? 0.5 : -0.5) * size[2]}});
  for (const auto& f : {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4}, std::array{2, 6, 7, 3},
                        std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
    surface.triangles.push_back({f[0], f[1], f[2]});
    surface.triangles.push_back({f[0], f[2], f[3]});
  }
  return surface;
}

TriangleSurface cylinder_surface(double radius, double inner, double length) {
  TriangleSurface surface;
  add_ring(radius, -length / 2, surface);
  add_ring(radius, length / 2, surface);
  join_rings(0, sides, surface);
  if (inner > 0) {
    add_ring(inner, -length / 2, surface);
    add_ring(inner, length / 2, surface);
    join_rings(3 * sides, 2 * sides, surface);
    join_rings(2 * sides, 0, surface);
    join_rings(sides, 3 * sides, surface);
    return surface;
  }
  const int bottom = static_cast<int>(surface.points.size());
  surface.points.push_back(Vec3<double>{{0, 0, -length / 2}});
  surface.points.push_back(Vec3<double>{{0, 0, length / 2}});
  for (int k = 0; k < sides; ++k) {
    const int next = (k + 1) % sides;
    surface.triangles.push_back({bottom, next, k});
    surface.triangles.push_back({bottom + 1, sides + k, sides + next});
  }
  return surface;
}

TriangleSurface sphere_surface(double radius) {
  constexpr int rings = sides / 2;
  TriangleSurface surface;
  for (int k = 1; k < rings; ++k) {
    const double angle = std::numbers::pi * k / rings;
    add_ring(radius * std::sin(angle), -radius * std::cos(angle), surface);
    if (k > 1) join_rings((k - 2) * sides, (k - 1) * sides, surface);
  }
  const int pole = static_cast<int>(surface.points.size()), top = pole - sides;
  surface.points.push_back(Vec3<double>{{0, 0, -radius}});
  surface.points.push_back(Vec3<double>{{0, 0, radius}});
  for (int k = 0; k < sides; ++k) {
    const int next = (k + 1) % sides;
    surface.triangles.push_back({pole, next, k});
    surface.triangles.push_back({pole + 1, top + k, top + next});
  }
  return surface;
}

TriangleSurface mesh_surface(const Mesh& mesh) {
  std::map<std::vector<int>, std::pair<int, std::vector<int>>> faces;  // by their sorted corners: how often, as seen from outside
  for (const CellBlock& block : mesh.volumes) {
    const auto corners = faces_of(block.shape);
    for (int cell = 0; cell < block.size(); ++cell) {
      for (const auto& face : corners) {
        std::vector<int> nodes;
        for (const int corner : face) nodes.push_back(block.cell(cell)[static_cast<std::size_t>(corner)]);
        std::vector<int> key = nodes;
        std::sort(key.begin(), key.end());
        auto& [count, seen] = faces[key];
        ++count;
        seen = nodes;
      }
    }
  }
  TriangleSurface surface;
  std::map<int, int> number;
  const auto point = [&](int node) {
    const auto [at, is_new] = number.emplace(node, static_cast<int>(surface.points.size()));
    const Point3& x = mesh.points[static_cast<std::size_t>(node)];
    if (is_new) surface.points.push_back(Vec3<double>{{x[0], x[1], x[2]}});
    return at->second;
  };
  for (const auto& [key, face] : faces) {
    if (face.first != 1) continue;
    const auto& nodes = face.second;
    for (std::size_t k = 2; k < nodes.size(); ++k)
      surface.triangles.push_back({point(nodes[0]), point(nodes[k - 1]), point(nodes[k])});
  }
  return surface;
}

void RigidShape::add(const VolumeMoments& part, double density, const TriangleSurface& part_surface, const Frame<double>& frame) {
  const VolumeMoments placed = moved(part, frame);
  add_to(weighted_, placed, density);
  volume += placed.volume;
  surface.add(part_surface, frame);
}

void RigidShape::close(double given_mass) {
  const double factor = given_mass > 0 ? given_mass / weighted_.volume : 1.0;
  mass = factor * weighted_.volume;
  centre = (1 / weighted_.volume) * weighted_.first;
  const Mat3<double> second = factor * weighted_.second - mass * outer(centre, centre);
  const double trace = second(0, 0) + second(1, 1) + second(2, 2);
  inertia = trace * identity<double, 3>() - second;
  for (Vec3<double>& x : surface.points) x = x - centre;
}

}  // namespace sinew
