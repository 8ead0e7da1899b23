/// \file
/// Shape functions from first principles: the monomials a shape spans, made nodal by inverting their values at the nodes.
#include "model/cell_shape.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace sinew {

namespace {

constexpr std::array<CellShapeInfo, num_cell_shapes> infos{{{"point1", 0, 1, 1, 1},
                                                            {"line2", 1, 1, 2, 2},
                                                            {"line3", 1, 2, 3, 2},
                                                            {"tri3", 2, 1, 3, 3, ReferenceCell::simplex},
                                                            {"tri6", 2, 2, 6, 3, ReferenceCell::simplex},
                                                            {"quad4", 2, 1, 4, 4},
                                                            {"quad8", 2, 2, 8, 4},
                                                            {"quad9", 2, 2, 9, 4},
                                                            {"tet4", 3, 1, 4, 4, ReferenceCell::simplex},
                                                            {"tet10", 3, 2, 10, 4, ReferenceCell::simplex},
                                                            {"hex8", 3, 1, 8, 8},
                                                            {"hex20", 3, 2, 20, 8},
                                                            {"hex27", 3, 2, 27, 8},
                                                            {"prism6", 3, 1, 6, 6, ReferenceCell::prism},
                                                            {"prism15", 3, 2, 15, 6, ReferenceCell::prism},
                                                            {"prism18", 3, 2, 18, 6, ReferenceCell::prism}}};

bool is_simplex(CellShape shape) { return shape_info(shape).reference == ReferenceCell::simplex; }

bool is_prism(CellShape shape) { return shape_info(shape).reference == ReferenceCell::prism; }

/// True for shapes without the nodes (and monomials) inside faces and cell.
bool is_serendipity(CellShape shape) {
  return shape == CellShape::quad8 || shape == CellShape::hex20 || shape == CellShape::prism15;
}

/// Reference coordinates of the corners of `shape`.
std::vector<Point3> corners_of(CellShape shape) {
  if (shape == CellShape::point1) return {{0, 0, 0}};
  if (is_simplex(shape)) {
    std::vector<Point3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    corners.resize(static_cast<std::size_t>(shape_info(shape).num_corners));
    return corners;
  }
  if (is_prism(shape)) return {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const int dimension = shape_info(shape).dimension;
  const double y = dimension > 1 ? -1 : 0;
  const double z = dimension > 2 ? -1 : 0;
  std::vector<Point3> corners{{-1, y, z}, {1, y, z}};
  if (dimension > 1) corners.insert(corners.end(), {{1, 1, z}, {-1, 1, z}});
  if (dimension > 2) corners.insert(corners.end(), {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}});
  return corners;
}

/// For every node behind the corners, the corners it is the mean of, in node order (those of the richest shape).
std::vector<std::vector<int>> inner_nodes_of(CellShape shape) {
  switch (shape) {
    case CellShape::line3: return {{0, 1}};
    case CellShape::tri6: return {{0, 1}, {1, 2}, {2, 0}};
    case CellShape::quad8:
    case CellShape::quad9: return {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1, 2, 3}};
    case CellShape::tet10: return {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}};
    case CellShape::hex20:
    case CellShape::hex27:
      return {{0, 1},
              {0, 3},
              {0, 4},
              {1, 2},
              {1, 5},
              {2, 3},
              {2, 6},
              {3, 7},
              {4, 5},
              {4, 7},
              {5, 6},
              {6, 7},
              {0, 3, 2, 1},
              {0, 1, 5, 4},
              {0, 4, 7, 3},
              {1, 2, 6, 5},
              {2, 3, 7, 6},
              {4, 5, 6, 7},
              {0, 1, 2, 3, 4, 5, 6, 7}};
    case CellShape::prism15:
    case CellShape::prism18:
      return {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}, {0, 1, 4, 3}, {0, 2, 5, 3}, {1, 2, 5, 4}};
    default: return {};
  }
}

/// Corners and means of corners: the nodes of `shape`.
std::vector<Point3> nodes_of(CellShape shape) {
  std::vector<Point3> nodes = corners_of(shape);
  const auto corners = nodes;
  for (const auto& parents : inner_nodes_of(shape)) {
    if (nodes.size() == static_cast<std::size_t>(shape_info(shape).num_nodes)) break;
    Point3 mean{0, 0, 0};
    for (const int corner : parents) {
      for (std::size_t k = 0; k < 3; ++k) {
        mean[k] += corners[static_cast<std::size_t>(corner)][k] / static_cast<double>(parents.size());
      }
    }
    nodes.push_back(mean);
  }
  return nodes;
}

/// Exponents of the monomials x^a y^b z^c that span the shape functions.
std::vector<std::array<int, 3>> monomials_of(CellShape shape) {
  const auto& facts = shape_info(shape);
  const auto limit = [&](int axis) { return facts.dimension > axis ? facts.order : 0; };
  const auto superlinear = [](int exponent) { return exponent > 1 ? exponent : 0; };
  std::vector<std::array<int, 3>> result;
  for (int a = 0; a <= limit(0); ++a) {
    for (int b = 0; b <= limit(1); ++b) {
      for (int c = 0; c <= limit(2); ++c) {
        if (is_simplex(shape) && a + b + c > facts.order) continue;
        if (is_prism(shape) && (a + b > facts.order || (is_serendipity(shape) && a + b > 1 && c > 1))) continue;
        if (is_serendipity(shape) && !is_prism(shape) && superlinear(a) + superlinear(b) + superlinear(c) > 2) continue;
        result.push_back({a, b, c});
      }
    }
  }
  return result;
}

/// x^n for n = 0, 1, 2.
double power(double x, int n) { return n == 0 ? 1 : n == 1 ? x : x * x; }

/// d/dx x^n for n = 0, 1, 2.
double power_slope(double x, int n) { return n == 0 ? 0 : n == 1 ? 1 : 2 * x; }

/// Inverse of a dense n x n matrix (row-major) by Gauss-Jordan elimination with row exchange.
std::vector<double> inverse(std::vector<double> a, std::size_t n) {
  std::vector<double> b(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) b[i * n + i] = 1;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row * n + column]) > std::abs(a[pivot * n + column])) pivot = row;
    }
    const double scale = 1 / a[pivot * n + column];
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(a[pivot * n + k], a[column * n + k]);
      std::swap(b[pivot * n + k], b[column * n + k]);
      a[column * n + k] *= scale;
      b[column * n + k] *= scale;
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double factor = a[row * n + column];
      if (row == column || factor == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        a[row * n + k] -= factor * a[column * n + k];
        b[row * n + k] -= factor * b[column * n + k];
      }
    }
  }
  return b;
}

/// The nodes of a shape and the coefficients that make its monomials nodal: N_a(x) = sum_m coefficients[m, a] monomial_m(x).
struct NodalBasis {
  std::vector<Point3> nodes;                  ///< reference coordinates
  std::vector<std::array<int, 3>> monomials;  ///< exponents
  std::vector<double> coefficients;           ///< [monomials * nodes]
};

NodalBasis make_basis(CellShape shape) {
  NodalBasis basis{nodes_of(shape), monomials_of(shape), {}};
  const std::size_t n = basis.nodes.size();
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& x = basis.nodes[i];
    for (std::size_t m = 0; m < n; ++m) {
      const auto& e = basis.monomials[m];
      values[i * n + m] = power(x[0], e[0]) * power(x[1], e[1]) * power(x[2], e[2]);
    }
  }
  basis.coefficients = inverse(std::move(values), n);
  return basis;
}

/// One object per shape, made by `make` at first use.
template <class Make>
auto make_for_every_shape(Make make) {
  std::vector<decltype(make(CellShape::point1))> all;
  all.reserve(num_cell_shapes);
  for (int i = 0; i < num_cell_shapes; ++i) all.push_back(make(static_cast<CellShape>(i)));
  return all;
}

const NodalBasis& basis_of(CellShape shape) {
  static const auto all = make_for_every_shape(make_basis);
  return all[static_cast<std::size_t>(shape)];
}

/// See vtk_order.
std::vector<int> make_vtk_order(CellShape shape) {
  std::vector<int> order(static_cast<std::size_t>(shape_info(shape).num_nodes));
  std::iota(order.begin(), order.end(), 0);
  if (shape == CellShape::tet10) std::swap(order[8], order[9]);
  if (shape == CellShape::hex20 || shape == CellShape::hex27) {
    constexpr std::array<int, 19> inner{8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};
    for (std::size_t a = 8; a < order.size(); ++a) order[a] = inner[a - 8];
  }
  if (shape == CellShape::prism15 || shape == CellShape::prism18) {
    constexpr std::array<int, 12> inner{6, 9, 7, 12, 14, 13, 8, 10, 11, 15, 17, 16};
    for (std::size_t a = 6; a < order.size(); ++a) order[a] = inner[a - 6];
  }
  return order;
}

/// A quadrature rule: points and weights.
struct Rule {
  std::vector<Point3> points;
  std::vector<double> weights;
};

/// Appends every distinct cyclic permutation of the barycentric coordinates (a, b, b[, b]) with weight w: the orbit of a point.
void add_orbit(Rule& rule, int num_corners, double a, double b, double w) {
  for (int corner = 0; corner < num_corners; ++corner) {
    const auto at = [&](int k) { return k < num_corners ? (k == corner ? a : b) : 0.0; };
    rule.points.push_back({at(1), at(2), at(3)});
    rule.weights.push_back(w);
  }
}

/// Gauss-Legendre on [-1, 1]^dimension with order + 1 points a direction.
Rule tensor_rule(int dimension, int order) {
  const Rule line = order == 1 ? Rule{{{-std::sqrt(1.0 / 3), 0, 0}, {std::sqrt(1.0 / 3), 0, 0}}, {1, 1}}
                               : Rule{{{-std::sqrt(0.6), 0, 0}, {0, 0, 0}, {std::sqrt(0.6), 0, 0}}, {5. / 9, 8. / 9, 5. / 9}};
  Rule rule{{{0, 0, 0}}, {1}};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis) {
    Rule next;
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      for (std::size_t k = 0; k < line.points.size(); ++k) {
        next.points.push_back(rule.points[i]);
        next.points.back()[axis] = line.points[k][0];
        next.weights.push_back(rule.weights[i] * line.weights[k]);
      }
    }
    rule = std::move(next);
  }
  return rule;
}

/// Symmetric rules on the unit simplex: triangles of degree 2 (order 1) and 5 (order 2), tetrahedra of degree 2 and 3.
Rule simplex_rule(int dimension, int order) {
  Rule rule;
  if (dimension == 2 && order == 1) {
    add_orbit(rule, 3, 2. / 3, 1. / 6, 1. / 6);
  } else if (dimension == 2) {
    const double root = std::sqrt(15.0);  // Radon's seven points
    add_orbit(rule, 3, (9 - 2 * root) / 21, (6 + root) / 21, (155 + root) / 2400);
    add_orbit(rule, 3, (9 + 2 * root) / 21, (6 - root) / 21, (155 - root) / 2400);
    rule.points.push_back({1. / 3, 1. / 3, 0});
    rule.weights.push_back(9. / 80);
  } else if (order == 1) {
    const double root = std::sqrt(5.0);
    add_orbit(rule, 4, (5 + 3 * root) / 20, (5 - root) / 20, 1. / 24);
  } else {
    add_orbit(rule, 4, 1, 0, 1. / 240);  // corners and face centres: degree 3
    add_orbit(rule, 4, 0, 1. / 3, 9. / 240);
  }
  return rule;
}

/// That of the triangle at every point of the line's.
Rule prism_rule(int order) {
  const Rule triangle = simplex_rule(2, order), line = tensor_rule(1, order);
  Rule rule;
  for (std::size_t k = 0; k < line.points.size(); ++k)
    for (std::size_t i = 0; i < triangle.points.size(); ++i) {
      rule.points.push_back({triangle.points[i][0], triangle.points[i][1], line.points[k][0]});
      rule.weights.push_back(triangle.weights[i] * line.weights[k]);
    }
  return rule;
}

/// The quadrature rule of a shape.
Rule rule_of(CellShape shape) {
  const auto& facts = shape_info(shape);
  if (is_prism(shape)) return prism_rule(facts.order);
  if (is_simplex(shape)) return simplex_rule(facts.dimension, facts.order);
  return tensor_rule(facts.dimension, facts.order);
}

/// The points where a cell is checked for inversion, with zero weights.
Rule check_rule_of(CellShape shape) {
  Rule rule = rule_of(shape);
  const auto add = [&](const std::vector<Point3>& points) {
    rule.points.insert(rule.points.end(), points.begin(), points.end());
  };
  add(corners_of(shape));
  if (shape == CellShape::tet10) add(simplex_rule(3, 1).points);
  rule.weights.assign(rule.points.size(), 0.0);
  return rule;
}

/// Evaluates the shape functions of `shape` at the points of `rule`.
ShapeTable tabulate(CellShape shape, const Rule& rule) {
  const auto& basis = basis_of(shape);
  const std::size_t n = basis.nodes.size();
  ShapeTable table{static_cast<int>(rule.points.size()), static_cast<int>(n), rule.weights, {}, {}};
  table.values.assign(rule.points.size() * n, 0.0);
  table.gradients.assign(rule.points.size() * n, Point3{0, 0, 0});
  for (std::size_t p = 0; p < rule.points.size(); ++p) {
    const auto& x = rule.points[p];
    for (std::size_t m = 0; m < n; ++m) {
      const auto& e = basis.monomials[m];
      const Point3 value{power(x[0], e[0]), power(x[1], e[1]), power(x[2], e[2])};
      const Point3 slope{power_slope(x[0], e[0]), power_slope(x[1], e[1]), power_slope(x[2], e[2])};
      for (std::size_t a = 0; a < n; ++a) {
        const double c = basis.coefficients[m * n + a];
        auto& gradient = table.gradients[p * n + a];
        table.values[p * n + a] += c * value[0] * value[1] * value[2];
        gradient[0] += c * slope[0] * value[1] * value[2];
        gradient[1] += c * value[0] * slope[1] * value[2];
        gradient[2] += c * value[0] * value[1] * slope[2];
      }
    }
  }
  return table;
}

}  // namespace

const CellShapeInfo& shape_info(CellShape shape) { return infos[static_cast<std::size_t>(shape)]; }

std::span<const CellShape> volume_shapes() {
  static constexpr std::array shapes{CellShape::hex8,  CellShape::hex20,  CellShape::hex27,   CellShape::tet4,
                                     CellShape::tet10, CellShape::prism6, CellShape::prism15, CellShape::prism18};
  return shapes;
}

std::optional<CellShape> shape_of_family(std::string_view name) {
  for (const CellShape shape : volume_shapes())
    if (name.substr(0, name.find('-')) == shape_info(shape).name) return shape;
  return {};
}

std::optional<CellShape> cell_of_family(std::string_view name) {
  if (name == "shell3") return CellShape::tri3;
  if (name == "shell4") return CellShape::quad4;
  return shape_of_family(name);
}

std::span<const Point3> reference_nodes(CellShape shape) { return basis_of(shape).nodes; }

std::span<const int> vtk_order(CellShape shape) {
  static const auto all = make_for_every_shape(make_vtk_order);
  return all[static_cast<std::size_t>(shape)];
}

ShapeTable shape_functions(CellShape shape, const Point3& xi) { return tabulate(shape, {{xi}, {0}}); }

const ShapeTable& quadrature_table(CellShape shape) {
  static const auto all = make_for_every_shape([](CellShape s) { return tabulate(s, rule_of(s)); });
  return all[static_cast<std::size_t>(shape)];
}

const ShapeTable& check_table(CellShape shape) {
  static const auto all = make_for_every_shape([](CellShape s) { return tabulate(s, check_rule_of(s)); });
  return all[static_cast<std::size_t>(shape)];
}

}  // namespace sinew
