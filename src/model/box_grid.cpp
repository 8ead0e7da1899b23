#include "model/box_grid.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr std::array<const char*, 6> side_names{"x-", "x+", "y-", "y+", "z-", "z+"};

/// The two axes of a side, the one that is numbered faster first.
std::array<std::size_t, 2> axes_of(int side) {
  const std::array<std::array<std::size_t, 2>, 3> axes{{{1, 2}, {0, 2}, {0, 1}}};
  return axes[static_cast<std::size_t>(side / 2)];
}

void check(const std::array<double, 3>& size, const std::array<int, 3>& elements, int order) {
  double points = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const char axis = "xyz"[k];
    if (!(size[k] > 0) || !std::isfinite(size[k]))
      throw InputError(fmt::format("box: size along {} is {}, expected a positive length", axis, size[k]));
    if (elements[k] < 1) throw InputError(fmt::format("box: {} elements along {}, expected at least 1", elements[k], axis));
    points *= elements[k] + 1.0;
  }
  if (order == 2)
    throw InputError("box: order 2 is not offered yet: use order 1, or mesh the box with Gmsh (Mesh.ElementOrder = 2)");
  if (order != 1) throw InputError(fmt::format("box: order {}, expected 1", order));
  if (8 * points > std::numeric_limits<int>::max())
    throw InputError(fmt::format("box: {:.3g} points are too many; use fewer elements", points));
}

}  // namespace

BoxGrid::BoxGrid(const std::array<double, 3>& size, const std::array<int, 3>& elements, int order)
    : size_(size), elements_(elements) {
  check(size, elements, order);
}

int BoxGrid::num_points() const { return (elements_[0] + 1) * (elements_[1] + 1) * (elements_[2] + 1); }

std::int64_t BoxGrid::num_cells() const { return std::int64_t{elements_[0]} * elements_[1] * elements_[2]; }

std::array<int, 3> BoxGrid::position(int n) const {
  const int nx = elements_[0] + 1, ny = elements_[1] + 1;
  return {n % nx, n / nx % ny, n / nx / ny};
}

Point3 BoxGrid::point(int n) const {
  const auto at = position(n);
  Point3 x{};
  for (std::size_t k = 0; k < 3; ++k) x[k] = at[k] == elements_[k] ? size_[k] : size_[k] * at[k] / elements_[k];
  return x;
}

std::array<int, 8> BoxGrid::cell(std::int64_t c) const {
  const int i = static_cast<int>(c % elements_[0]);
  const int j = static_cast<int>(c / elements_[0] % elements_[1]), k = static_cast<int>(c / elements_[0] / elements_[1]);
  const int nx = elements_[0] + 1, layer = nx * (elements_[1] + 1), first = i + nx * j + layer * k;
  return {first,         first + 1,         first + 1 + nx,         first + nx,
          first + layer, first + 1 + layer, first + 1 + nx + layer, first + nx + layer};
}

int BoxGrid::side(const std::string& name) {
  const auto found = std::find(side_names.begin(), side_names.end(), name);
  return found == side_names.end() ? -1 : static_cast<int>(found - side_names.begin());
}

int BoxGrid::num_side_points(int side) const {
  const auto [u, v] = axes_of(side);
  return (elements_[u] + 1) * (elements_[v] + 1);
}

std::array<int, 2> BoxGrid::side_position(int side, int i) const {
  const int nu = elements_[axes_of(side)[0]] + 1;
  return {i % nu, i / nu};
}

int BoxGrid::side_point(int side, int i) const {
  const auto [u, v] = axes_of(side);
  const auto [a, b] = side_position(side, i);
  std::array<int, 3> at{};
  at[static_cast<std::size_t>(side / 2)] = side % 2 == 0 ? 0 : elements_[static_cast<std::size_t>(side / 2)];
  at[u] = a;
  at[v] = b;
  return at[0] + (elements_[0] + 1) * (at[1] + (elements_[1] + 1) * at[2]);
}

double BoxGrid::side_weight(int side, int i) const {
  const auto [u, v] = axes_of(side);
  const auto [a, b] = side_position(side, i);
  const auto length = [&](std::size_t axis, int k) {
    return size_[axis] / elements_[axis] * (k == 0 || k == elements_[axis] ? 0.5 : 1.0);
  };
  return length(u, a) * length(v, b);
}

double BoxGrid::side_area(int side) const {
  const auto [u, v] = axes_of(side);
  return size_[u] * size_[v];
}

Point3 BoxGrid::side_centre(int side) const {
  Point3 centre{size_[0] / 2, size_[1] / 2, size_[2] / 2};
  const auto axis = static_cast<std::size_t>(side / 2);
  centre[axis] = side % 2 == 0 ? 0 : size_[axis];
  return centre;
}

/// The trapezoidal rule on n intervals gives the mean of (x - L/2)^2 as L^2/12 + L^2/(6 n^2).
double BoxGrid::side_gyration_radius(int side) const {
  double square = 0;
  for (const std::size_t k : axes_of(side))
    square += size_[k] * size_[k] * (1.0 / 12 + 1.0 / (6.0 * elements_[k] * elements_[k]));
  return std::sqrt(square);
}

std::string list_box_groups() {
  std::string text = "\"volume\" (volume)";
  for (const char* name : side_names) text += fmt::format(", \"{}\" (surface)", name);
  return text;
}

}  // namespace sinew
