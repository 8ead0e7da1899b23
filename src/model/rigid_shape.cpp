#include "model/rigid_shape.hpp"

#include "model/cell_faces.hpp"

#include <algorithm>
#include <array>
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

/// The flat triangles between the nodes of a face.
const std::vector<std::array<std::size_t, 3>>& triangles_of(CellShape face) {
  static const std::vector<std::array<std::size_t, 3>> of_tri3{{0, 1, 2}}, of_tri6{{0, 3, 5}, {1, 4, 3}, {2, 5, 4}, {3, 4, 5}},
      of_quad4{{0, 1, 2}, {0, 2, 3}}, of_quad8{{0, 4, 7}, {1, 5, 4}, {2, 6, 5}, {3, 7, 6}, {4, 5, 6}, {4, 6, 7}},
      of_quad9{{0, 4, 8}, {4, 1, 8}, {1, 5, 8}, {5, 2, 8}, {2, 6, 8}, {6, 3, 8}, {3, 7, 8}, {7, 0, 8}};
  switch (face) {
    case CellShape::tri3: return of_tri3;
    case CellShape::tri6: return of_tri6;
    case CellShape::quad4: return of_quad4;
    case CellShape::quad8: return of_quad8;
    default: return of_quad9;
  }
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
  struct Seen {
    int count = 0;
    CellShape shape = CellShape::tri3;
    std::vector<int> nodes;  ///< as seen from outside
  };
  std::map<std::vector<int>, Seen> faces;  // by their sorted corners
  for (const CellBlock& block : mesh.volumes)
    for (int cell = 0; cell < block.size(); ++cell)
      for (const CellFace& face : cell_faces(block.shape)) {
        std::vector<int> nodes;
        for (const int node : face.nodes) nodes.push_back(block.cell(cell)[static_cast<std::size_t>(node)]);
        std::vector<int> key(nodes.begin(), nodes.begin() + shape_info(face.shape).num_corners);
        std::sort(key.begin(), key.end());
        Seen& seen = faces[key];
        ++seen.count;
        seen.shape = face.shape;
        seen.nodes = std::move(nodes);
      }
  TriangleSurface surface;
  std::map<int, int> number;
  const auto point = [&](int node) {
    const auto [at, is_new] = number.emplace(node, static_cast<int>(surface.points.size()));
    const Point3& x = mesh.points[static_cast<std::size_t>(node)];
    if (is_new) surface.points.push_back(Vec3<double>{{x[0], x[1], x[2]}});
    return at->second;
  };
  for (const auto& [key, face] : faces)
    for (const auto& [a, b, c] : triangles_of(face.shape))
      if (face.count == 1) surface.triangles.push_back({point(face.nodes[a]), point(face.nodes[b]), point(face.nodes[c])});
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
