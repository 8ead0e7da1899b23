#include "model/cell_inversion.hpp"

#include "kernels/shape/hex8.hpp"
#include "kernels/shape/prism.hpp"
#include "kernels/shape/tet10.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sinew {

namespace {

/// So often a part of a cell is cut. What is undecided then has det = 0 within some 10^-4 of its size, and counts as good.
constexpr int most_cuts_of_box = 5, most_cuts_of_tetrahedron = 15, most_cuts_of_slice = 13;

Vec3<double> to_vec(const Point3& x) { return Vec3<double>{{x[0], x[1], x[2]}}; }

/// det dx/dxi of a cell.
template <class Shape>
class Map {
 public:
  explicit Map(std::span<const Point3> nodes) : nodes_(nodes) {}

  double determinant(const Vec3<double>& xi) const {
    const Columns J = columns(xi);
    return dot(J.of[0], cross(J.of[1], J.of[2]));
  }
  double quality(const Vec3<double>& xi) const {
    const Columns J = columns(xi);
    const double scale = norm(J.of[0]) * norm(J.of[1]) * norm(J.of[2]);
    return scale > 0 ? dot(J.of[0], cross(J.of[1], J.of[2])) / scale : 0.0;
  }

 private:
  struct Columns {
    Vec3<double> of[3];
  };
  Columns columns(const Vec3<double>& xi) const {
    double dN[3][Shape::num_nodes];
    Shape::gradients(xi, dN);
    Columns J;
    for (std::size_t a = 0; a < nodes_.size(); ++a)
      for (int k = 0; k < 3; ++k) J.of[k] += dN[k][a] * to_vec(nodes_[a]);
    return J;
  }

  std::span<const Point3> nodes_;
};

/// A box in the reference cube; polynomials of degree 2 in every direction.
struct Box {
  static constexpr int num_points = 27;
  static constexpr int most_cuts = most_cuts_of_box;
  Vec3<double> low;
  double size = 0;

  Vec3<double> point(int n) const {
    const double half = size / 2;
    return low + Vec3<double>{{half * (n % 3), half * (n / 3 % 3), half * (n / 9)}};
  }
  /// Values at the points become coefficients: along every direction the one in the middle is 2 f1 - (f0 + f2) / 2.
  static void to_bernstein(double (&f)[num_points]) {
    for (const int stride : {1, 3, 9})
      for (int n = 0; n < num_points; ++n)
        if (n / stride % 3 == 1) f[n] = 2 * f[n] - (f[n - stride] + f[n + stride]) / 2;
  }
  std::vector<Box> parts() const {
    std::vector<Box> parts;
    const double half = size / 2;
    for (int n = 0; n < 8; ++n) parts.push_back({low + Vec3<double>{{half * (n % 2), half * (n / 2 % 2), half * (n / 4)}}, half});
    return parts;
  }
};

/// A tetrahedron in the reference cell; polynomials of degree 3. Points: corners, two on every edge, one in every face.
struct Tetrahedron {
  static constexpr int num_points = 20;
  static constexpr int most_cuts = most_cuts_of_tetrahedron;
  static constexpr int first_face = 16;
  Vec3<double> corner[4];

  Vec3<double> point(int n) const {
    if (n < 4) return corner[n];
    if (n >= first_face) {
      Vec3<double> sum;
      for (int c = 0; c < 4; ++c)
        if (c != n - first_face) sum += corner[c];
      return (1.0 / 3) * sum;
    }
    const int edge = (n - 4) / 2, far = (n - 4) % 2;
    return (1.0 / 3) * ((2.0 - far) * corner[Tet10::edge(edge, 0)] + (1.0 + far) * corner[Tet10::edge(edge, 1)]);
  }
  /// From the interpolation on the edges, and on each face sum B = f in its middle.
  static void to_bernstein(double (&f)[num_points]) {
    for (int edge = 0; edge < 6; ++edge) {
      const double f0 = f[Tet10::edge(edge, 0)], f3 = f[Tet10::edge(edge, 1)], f1 = f[4 + 2 * edge], f2 = f[5 + 2 * edge];
      f[4 + 2 * edge] = (-5 * f0 + 18 * f1 - 9 * f2 + 2 * f3) / 6;
      f[5 + 2 * edge] = (2 * f0 - 9 * f1 + 18 * f2 - 5 * f3) / 6;
    }
    for (int face = 0; face < 4; ++face) {
      double corners = 0, edges = 0;
      for (int c = 0; c < 4; ++c) corners += c == face ? 0.0 : f[c];
      for (int edge = 0; edge < 6; ++edge)
        if (Tet10::edge(edge, 0) != face && Tet10::edge(edge, 1) != face) edges += f[4 + 2 * edge] + f[5 + 2 * edge];
      f[first_face + face] = (27 * f[first_face + face] - corners - 3 * edges) / 6;
    }
  }
  /// Halved at its longest edge.
  std::vector<Tetrahedron> parts() const {
    int longest = 0;
    double length = 0;
    for (int edge = 0; edge < 6; ++edge) {
      const double here = norm(corner[Tet10::edge(edge, 0)] - corner[Tet10::edge(edge, 1)]);
      if (here > length) longest = edge;
      length = std::max(length, here);
    }
    const int a = Tet10::edge(longest, 0), b = Tet10::edge(longest, 1);
    Tetrahedron first = *this, second = *this;
    first.corner[b] = second.corner[a] = 0.5 * (corner[a] + corner[b]);
    return {first, second};
  }
};

/// A slice of the reference prism: its three upright edges; polynomials that are linear between them, of degree 2 along them.
struct PrismSlice {
  static constexpr int num_points = 9;
  static constexpr int most_cuts = most_cuts_of_slice;
  double low = -1, height = 2;

  Vec3<double> point(int n) const {
    const int corner = n % 3;
    return Vec3<double>{{corner == 1 ? 1.0 : 0.0, corner == 2 ? 1.0 : 0.0, low + height / 2 * (n / 3)}};
  }
  static void to_bernstein(double (&f)[num_points]) {
    for (int n = 3; n < 6; ++n) f[n] = 2 * f[n] - (f[n - 3] + f[n + 3]) / 2;
  }
  std::vector<PrismSlice> parts() const { return {{low, height / 2}, {low + height / 2, height / 2}}; }
};

/// The quality at a point of the part with det <= 0; empty where it is positive in all of it.
template <class Shape, class Part>
std::optional<double> search(const Map<Shape>& map, const Part& part, int cuts) {
  double f[Part::num_points];
  for (int n = 0; n < Part::num_points; ++n) {
    f[n] = map.determinant(part.point(n));
    if (!(f[n] > 0)) return map.quality(part.point(n));
  }
  Part::to_bernstein(f);
  if (*std::min_element(f, f + Part::num_points) > 0 || cuts == 0) return {};
  for (const Part& half : part.parts())
    if (const auto found = search(map, half, cuts - 1)) return found;
  return {};
}

template <class Shape>
std::optional<double> search_tetrahedron(std::span<const Point3> nodes) {
  Tetrahedron whole;
  for (int c = 0; c < 4; ++c) whole.corner[c] = Tet4::node(c);
  return search(Map<Shape>(nodes), whole, Tetrahedron::most_cuts);
}

}  // namespace

std::optional<double> inverted_quality(std::span<const Point3> nodes, CellShape shape) {
  switch (shape) {
    case CellShape::hex8: return search(Map<Hex8>(nodes), Box{Vec3<double>{{-1, -1, -1}}, 2}, Box::most_cuts);
    case CellShape::prism6: return search(Map<Prism6>(nodes), PrismSlice{}, PrismSlice::most_cuts);
    case CellShape::tet4: return search_tetrahedron<Tet4>(nodes);
    case CellShape::tet10: return search_tetrahedron<Tet10>(nodes);
    default: return {};
  }
}

}  // namespace sinew
