#include "model/plate_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// Which of the lines of points across an axis a group holds: all, the first or the last.
enum class Lines { all, first, last };

/// Of both axes.
struct GroupLines {
  const char* name;
  Lines x, y;
};

constexpr std::array<GroupLines, 9> groups{{{"surface", Lines::all, Lines::all},
                                            {"x-", Lines::first, Lines::all},
                                            {"x+", Lines::last, Lines::all},
                                            {"y-", Lines::all, Lines::first},
                                            {"y+", Lines::all, Lines::last},
                                            {"x-y-", Lines::first, Lines::first},
                                            {"x+y-", Lines::last, Lines::first},
                                            {"x-y+", Lines::first, Lines::last},
                                            {"x+y+", Lines::last, Lines::last}}};

/// All four edges together, each corner once.
constexpr const char* boundary = "boundary";

const GroupLines* find_lines(const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupLines& g) { return g.name == name; });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace

PlateGrid::PlateGrid(const std::array<double, 2>& size, const std::array<int, 2>& elements, CellShape shape)
    : size_(size), elements_(elements), shape_(shape) {}

std::int64_t PlateGrid::num_cells() const {
  return std::int64_t{elements_[0]} * elements_[1] * (shape_ == CellShape::tri3 ? 2 : 1);
}

Point3 PlateGrid::point(int n) const {
  const std::array<int, 2> at{n % (elements_[0] + 1), n / (elements_[0] + 1)};
  Point3 x{};
  for (std::size_t k = 0; k < 2; ++k) x[k] = at[k] == elements_[k] ? size_[k] : size_[k] * at[k] / elements_[k];
  return x;
}

/// The diagonals of neighbouring rectangles cross: no direction is preferred.
std::vector<int> PlateGrid::cell(std::int64_t c) const {
  const bool is_split = shape_ == CellShape::tri3;
  const std::int64_t rectangle = is_split ? c / 2 : c;
  const int i = static_cast<int>(rectangle % elements_[0]), j = static_cast<int>(rectangle / elements_[0]);
  const std::array<int, 4> corners{number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)};
  if (!is_split) return {corners.begin(), corners.end()};
  const std::size_t first = static_cast<std::size_t>((i + j) % 2 + 2 * (c % 2));
  return {corners[first], corners[(first + 1) % 4], corners[(first + 2) % 4]};
}

/// Triangles share the area of a rectangle as their corners have it: the ends of its diagonal 1/3, the others 1/6.
std::vector<PlateGrid::WeightedPoint> PlateGrid::group(const std::string& name) const {
  const GroupLines* lines = find_lines(name);
  std::vector<WeightedPoint> points;
  const bool is_boundary = name == boundary;
  if (!lines && !is_boundary) return points;
  const auto holds = [](Lines held, int k, int last) { return held == Lines::all || k == (held == Lines::first ? 0 : last); };
  const auto length = [&](std::size_t axis, int k) {  // of an edge that falls to a point
    return size_[axis] / elements_[axis] * (k == 0 || k == elements_[axis] ? 0.5 : 1.0);
  };
  const auto share = [&](Lines held, std::size_t axis, int k) { return held == Lines::all ? length(axis, k) : 1.0; };
  const bool is_by_triangles = shape_ == CellShape::tri3 && group_dimension(name) == 2;
  const double area = size_[0] / elements_[0] * size_[1] / elements_[1];
  for (int j = 0; j <= elements_[1]; ++j)
    for (int i = 0; i <= elements_[0]; ++i) {
      if (is_boundary) {
        const bool ends_x = i == 0 || i == elements_[0], ends_y = j == 0 || j == elements_[1];
        if (ends_x || ends_y) points.push_back({number(i, j), (ends_y ? length(0, i) : 0) + (ends_x ? length(1, j) : 0)});
        continue;
      }
      if (!holds(lines->x, i, elements_[0]) || !holds(lines->y, j, elements_[1])) continue;
      double weight = share(lines->x, 0, i) * share(lines->y, 1, j);
      if (is_by_triangles) {
        const int across = (i > 0 && i < elements_[0] ? 2 : 1) * (j > 0 && j < elements_[1] ? 2 : 1);
        weight = across * area * ((i + j) % 2 == 0 ? 1.0 / 3 : 1.0 / 6);
      }
      points.push_back({number(i, j), weight});
    }
  return points;
}

int PlateGrid::group_dimension(const std::string& name) {
  if (name == boundary) return 1;
  const GroupLines* lines = find_lines(name);
  if (!lines) return -1;
  return (lines->x == Lines::all ? 1 : 0) + (lines->y == Lines::all ? 1 : 0);
}

const std::vector<std::string>& plate_groups() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const GroupLines& g : groups) all.emplace_back(g.name);
    all.emplace_back(boundary);
    return all;
  }();
  return names;
}

std::string list_plate_groups() {
  constexpr std::array<const char*, 3> kinds{"point", "curve", "surface"};
  std::string text;
  for (const std::string& name : plate_groups())
    text += fmt::format("{}\"{}\" ({})", text.empty() ? "" : ", ", name,
                        kinds[static_cast<std::size_t>(PlateGrid::group_dimension(name))]);
  return text;
}

}  // namespace sinew
