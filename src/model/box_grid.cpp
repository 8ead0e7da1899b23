#include "model/box_grid.hpp"

#include "base/error.hpp"
#include "kernels/shape/hex27.hpp"

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
    points *= order * static_cast<double>(elements[k]) + 1.0;
  }
  if (8 * points > std::numeric_limits<int>::max())
    throw InputError(fmt::format("box: {:.3g} points are too many; use fewer elements", points));
}

/// Points of a plane of hex20: rows of even number hold `whole` points, the others only every second one.
struct ThinnedPlane {
  int whole, half;

  explicit ThinnedPlane(int elements) : whole(2 * elements + 1), half(elements + 1) {}
  int number(int i, int j) const { return j / 2 * (whole + half) + (j % 2 == 0 ? i : whole + i / 2); }
  std::array<int, 2> position(int n) const {
    const int pair = n / (whole + half), rest = n % (whole + half);
    if (rest < whole) return {rest, 2 * pair};
    return {2 * (rest - whole), 2 * pair + 1};
  }
  int num_points(int rows) const { return (rows + 1) * whole + rows * half; }
};

}  // namespace

BoxGrid::BoxGrid(const std::array<double, 3>& size, const std::array<int, 3>& elements, CellShape shape)
    : size_(size),
      elements_(elements),
      shape_(shape),
      order_(shape_info(shape).order),
      steps_{order_ * elements[0], order_ * elements[1], order_ * elements[2]} {
  check(size, elements, order_);
}

int BoxGrid::num_points() const {
  if (has_all_points()) return (steps_[0] + 1) * (steps_[1] + 1) * (steps_[2] + 1);
  const int between = (elements_[0] + 1) * (elements_[1] + 1);
  return (elements_[2] + 1) * ThinnedPlane(elements_[0]).num_points(elements_[1]) + elements_[2] * between;
}

std::int64_t BoxGrid::num_cells() const { return std::int64_t{elements_[0]} * elements_[1] * elements_[2]; }

std::array<int, 3> BoxGrid::position(int n) const {
  if (has_all_points()) {
    const int nx = steps_[0] + 1, ny = steps_[1] + 1;
    return {n % nx, n / nx % ny, n / nx / ny};
  }
  const ThinnedPlane plane(elements_[0]);
  const int whole = plane.num_points(elements_[1]), nx = elements_[0] + 1, both = whole + nx * (elements_[1] + 1);
  const int rest = n % both;
  if (rest < whole) return {plane.position(rest)[0], plane.position(rest)[1], 2 * (n / both)};
  return {2 * ((rest - whole) % nx), 2 * ((rest - whole) / nx), 2 * (n / both) + 1};
}

int BoxGrid::number(const std::array<int, 3>& at) const {
  if (has_all_points()) return at[0] + (steps_[0] + 1) * (at[1] + (steps_[1] + 1) * at[2]);
  const ThinnedPlane plane(elements_[0]);
  const int whole = plane.num_points(elements_[1]), nx = elements_[0] + 1, both = whole + nx * (elements_[1] + 1);
  const int first = at[2] / 2 * both;
  return at[2] % 2 == 0 ? first + plane.number(at[0], at[1]) : first + whole + at[0] / 2 + nx * (at[1] / 2);
}

Point3 BoxGrid::point(int n) const {
  const auto at = position(n);
  Point3 x{};
  for (std::size_t k = 0; k < 3; ++k) x[k] = at[k] == steps_[k] ? size_[k] : size_[k] * at[k] / steps_[k];
  return x;
}

std::vector<int> BoxGrid::cell(std::int64_t c) const {
  const std::array<int, 3> first{static_cast<int>(c % elements_[0]), static_cast<int>(c / elements_[0] % elements_[1]),
                                 static_cast<int>(c / elements_[0] / elements_[1])};
  std::vector<int> nodes;
  for (int a = 0; a < shape_info(shape_).num_nodes; ++a) {
    std::array<int, 3> at{};
    for (std::size_t k = 0; k < 3; ++k)
      at[k] = order_ * first[k] + order_ * (QuadraticHexahedron::place(a, static_cast<int>(k)) + 1) / 2;
    nodes.push_back(number(at));
  }
  return nodes;
}

int BoxGrid::side(const std::string& name) {
  const auto found = std::find(side_names.begin(), side_names.end(), name);
  return found == side_names.end() ? -1 : static_cast<int>(found - side_names.begin());
}

std::int64_t BoxGrid::num_side_cells(int side) const {
  const auto [u, v] = axes_of(side);
  return std::int64_t{elements_[u]} * elements_[v];
}

std::int64_t BoxGrid::side_cell(int side, std::int64_t i) const {
  const auto [u, v] = axes_of(side);
  const auto across = static_cast<std::size_t>(side / 2);
  std::array<std::int64_t, 3> at{};
  at[across] = side % 2 == 0 ? 0 : elements_[across] - 1;
  at[u] = i % elements_[u];
  at[v] = i / elements_[u];
  return at[0] + elements_[0] * (at[1] + elements_[1] * at[2]);
}

int BoxGrid::num_side_points(int side) const {
  const auto [u, v] = axes_of(side);
  if (has_all_points()) return (steps_[u] + 1) * (steps_[v] + 1);
  return ThinnedPlane(elements_[u]).num_points(elements_[v]);
}

std::array<int, 2> BoxGrid::side_position(int side, int i) const {
  const auto u = axes_of(side)[0];
  if (!has_all_points()) return ThinnedPlane(elements_[u]).position(i);
  return {i % (steps_[u] + 1), i / (steps_[u] + 1)};
}

int BoxGrid::side_point(int side, int i) const {
  const auto [u, v] = axes_of(side);
  const auto [a, b] = side_position(side, i);
  std::array<int, 3> at{};
  at[static_cast<std::size_t>(side / 2)] = side % 2 == 0 ? 0 : steps_[static_cast<std::size_t>(side / 2)];
  at[u] = a;
  at[v] = b;
  return number(at);
}

namespace {

/// What a function of an edge has of its length, at a middle of order 2 or an end.
double share_of_edge(int order, bool is_middle) { return order == 1 ? 0.5 : is_middle ? 4.0 / 6 : 1.0 / 6; }

/// What one of a face of hex20 has of its area.
double share_of_serendipity(bool is_corner) { return is_corner ? -1.0 / 12 : 1.0 / 3; }

}  // namespace

double BoxGrid::side_weight(int side, int i) const {
  const auto [u, v] = axes_of(side);
  const auto [a, b] = side_position(side, i);
  const double du = size_[u] / elements_[u], dv = size_[v] / elements_[v];
  const auto intervals = [&](std::size_t axis, int k) {  // that meet at the point
    return k % order_ != 0 || k == 0 || k == steps_[axis] ? 1.0 : 2.0;
  };
  const double faces = intervals(u, a) * intervals(v, b);
  if (!has_all_points()) return du * dv * faces * share_of_serendipity(a % 2 == 0 && b % 2 == 0);
  const auto share = [&](int k) { return share_of_edge(order_, k % 2 != 0); };
  return du * dv * faces * share(a) * share(b);
}

/// With s, t = -1, 0, 1 the point's place in a face, in halves of it: along an edge a function has the first moment s/6 of the
/// length at either order. On a face of hex20 a corner has (s, t)/36 of the area, the middle of an edge (s, t)/9.
Point3 BoxGrid::side_moment(int side, int i) const {
  const auto [u, v] = axes_of(side);
  const auto [a, b] = side_position(side, i);
  const double du = size_[u] / elements_[u], dv = size_[v] / elements_[v];
  const auto share = [&](int s) { return share_of_edge(order_, s == 0); };
  const auto first_face = [&](int k) { return k % order_ != 0 || k == 0 ? k / order_ : k / order_ - 1; };
  const auto last_face = [&](std::size_t axis, int k) { return std::min(k / order_, elements_[axis] - 1); };
  Point3 moment{};
  for (int p = first_face(a); p <= last_face(u, a); ++p)
    for (int q = first_face(b); q <= last_face(v, b); ++q) {
      const int s = 2 * (a - order_ * p) / order_ - 1, t = 2 * (b - order_ * q) / order_ - 1;
      double weight = share(s) * share(t), along_u = s / 6.0 * share(t), along_v = share(s) * t / 6.0;
      if (!has_all_points()) {
        const bool is_corner = s != 0 && t != 0;
        weight = share_of_serendipity(is_corner);
        along_u = is_corner ? s / 36.0 : s / 9.0;
        along_v = is_corner ? t / 36.0 : t / 9.0;
      }
      moment[u] += du * dv * (weight * (du * (p + 0.5) - size_[u] / 2) + along_u * du / 2);
      moment[v] += du * dv * (weight * (dv * (q + 0.5) - size_[v] / 2) + along_v * dv / 2);
    }
  return moment;
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

/// The mean of (x - L/2)^2 is L^2/12; the trapezoidal rule on n intervals, that of order 1, gives L^2/12 + L^2/(6 n^2).
double BoxGrid::side_gyration_radius(int side) const {
  double square = 0;
  for (const std::size_t k : axes_of(side)) {
    const double excess = order_ == 1 ? 1.0 / (6.0 * elements_[k] * elements_[k]) : 0.0;
    square += size_[k] * size_[k] * (1.0 / 12 + excess);
  }
  return std::sqrt(square);
}

namespace {

/// Which sides meet in a group: -1 or 1 for the lower or upper one across an axis, 0 for none.
using Ends = std::array<int, 3>;

/// Of the name of a side, an edge or a corner; of no side where it is none.
Ends ends_of(const std::string& name) {
  Ends ends{0, 0, 0};
  std::size_t next = 0;  // axes come in turn
  for (std::size_t at = 0; at < name.size(); at += 2, ++next) {
    while (next < 3 && "xyz"[next] != name[at]) ++next;
    if (next == 3 || at + 1 == name.size() || (name[at + 1] != '-' && name[at + 1] != '+')) return {0, 0, 0};
    ends[next] = name[at + 1] == '-' ? -1 : 1;
  }
  return ends;
}

}  // namespace

std::vector<std::vector<int>> BoxGrid::outline(const std::string& name) const {
  const int dimension = group_dimension(name);
  if (dimension < 0 || dimension > 1) return {};
  const Ends ends = ends_of(name);
  std::array<int, 3> at{};
  for (std::size_t k = 0; k < 3; ++k) at[k] = ends[k] > 0 ? steps_[k] : 0;
  if (dimension == 0) return {{number(at)}};
  const auto along = static_cast<std::size_t>(std::find(ends.begin(), ends.end(), 0) - ends.begin());
  std::vector<std::vector<int>> lines;
  for (int e = 0; e < elements_[along]; ++e) {
    lines.emplace_back();
    for (const int step : {0, order_, 1}) {
      at[along] = order_ * e + step;
      if (static_cast<int>(lines.back().size()) <= order_) lines.back().push_back(number(at));
    }
  }
  return lines;
}

std::vector<std::int64_t> BoxGrid::cells_at(int n) const {
  const auto at = position(n);
  std::array<int, 3> first{}, last{};
  for (std::size_t k = 0; k < 3; ++k) {
    first[k] = std::max(0, (at[k] + order_ - 1) / order_ - 1);
    last[k] = std::min(elements_[k] - 1, at[k] / order_);
  }
  std::vector<std::int64_t> cells;
  for (std::int64_t z = first[2]; z <= last[2]; ++z)
    for (std::int64_t y = first[1]; y <= last[1]; ++y)
      for (std::int64_t x = first[0]; x <= last[0]; ++x) cells.push_back(x + elements_[0] * (y + elements_[1] * z));
  return cells;
}

int BoxGrid::group_dimension(const std::string& name) {
  if (name == "volume") return 3;
  const Ends ends = ends_of(name);
  const auto count = static_cast<int>(std::count_if(ends.begin(), ends.end(), [](int end) { return end != 0; }));
  return count == 0 ? -1 : 3 - count;
}

std::string list_box_groups() {
  std::string text = "\"volume\" (volume)";
  for (const char* name : side_names) text += fmt::format(", \"{}\" (surface)", name);
  return text + ", edges like \"x-y+\" (curve), corners like \"x-y-z+\" (point)";
}

}  // namespace sinew
