#include "model/cell_place.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// dX/dxi.
Mat3<double> jacobian(const ShapeTable& at, std::span<const Vec3<double>> nodes) {
  Mat3<double> J;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) J(i, k) += nodes[a][i] * at.gradients[a][static_cast<std::size_t>(k)];
  return J;
}

/// Within the box around a cell's nodes, a tenth of its diagonal larger: quadratic edges bulge out of it.
bool is_near(std::span<const Vec3<double>> nodes, const Vec3<double>& X) {
  Vec3<double> low = nodes.front(), high = low;
  for (const Vec3<double>& x : nodes)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], x[i]);
      high[i] = std::max(high[i], x[i]);
    }
  const double margin = 0.1 * norm(high - low);
  for (int i = 0; i < 3; ++i)
    if (X[i] < low[i] - margin || X[i] > high[i] + margin) return false;
  return true;
}

double excess_of(CellShape shape, const Point3& xi) {
  switch (shape_info(shape).reference) {
    case ReferenceCell::simplex: return std::max({-xi[0], -xi[1], -xi[2], xi[0] + xi[1] + xi[2] - 1});
    case ReferenceCell::prism: return std::max({-xi[0], -xi[1], xi[0] + xi[1] - 1, std::abs(xi[2]) - 1});
    case ReferenceCell::cube: break;
  }
  return std::max({std::abs(xi[0]), std::abs(xi[1]), std::abs(xi[2])}) - 1;
}

Point3 centre_of(CellShape shape) {
  switch (shape_info(shape).reference) {
    case ReferenceCell::simplex: return {0.25, 0.25, 0.25};
    case ReferenceCell::prism: return {1.0 / 3, 1.0 / 3, 0};
    case ReferenceCell::cube: break;
  }
  return {};
}

}  // namespace

CellPlace locate_in_cell(CellShape shape, std::span<const Vec3<double>> nodes, const Vec3<double>& X) {
  constexpr int most_iterations = 50;
  constexpr double close = 1e-13, found = 1e-6;  // in the reference cell, of size 1 or 2
  if (!is_near(nodes, X)) return {};
  CellPlace place{centre_of(shape)};
  double last = 1;
  for (int n = 0; n < most_iterations && last > close; ++n) {
    const ShapeTable at = shape_functions(shape, place.xi);
    Vec3<double> left = X;
    for (std::size_t a = 0; a < nodes.size(); ++a) left -= at.values[a] * nodes[a];
    const Mat3<double> J = jacobian(at, nodes);
    const Vec3<double> step = inverse(J, determinant(J)) * left;
    for (int i = 0; i < 3; ++i) place.xi[static_cast<std::size_t>(i)] += step[i];
    last = norm(step);
    if (!(norm(Vec3<double>{{place.xi[0], place.xi[1], place.xi[2]}}) < 10)) return {};  // of a cell far away, or not a number
  }
  if (last < found) place.excess = excess_of(shape, place.xi);
  return place;
}

CellWeights weights_in_cell(CellShape shape, std::span<const Vec3<double>> nodes, const Point3& xi) {
  ShapeTable at = shape_functions(shape, xi);
  const Mat3<double> J = jacobian(at, nodes), inverse_J = inverse(J, determinant(J));
  CellWeights weights{std::move(at.values), {}};
  for (const Point3& g : at.gradients) weights.gradients.push_back(transpose_times(inverse_J, Vec3<double>{{g[0], g[1], g[2]}}));
  return weights;
}

}  // namespace sinew
