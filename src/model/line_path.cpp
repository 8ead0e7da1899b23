#include "model/line_path.hpp"

#include "base/error.hpp"
#include "model/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sinew {

namespace {

/// Unit tangent of the parabola through three points, at the first (-1), the middle (0) or the last of them (1).
Vec3<double> parabola_tangent(const Vec3<double> (&points)[3], int at) {
  const double h0 = norm(points[1] - points[0]), h1 = norm(points[2] - points[1]);
  const Vec3<double> d0 = (1 / h0) * (points[1] - points[0]);
  const Vec3<double> d1 = (1 / h1) * (points[2] - points[1]);
  const Vec3<double> bend = (1 / (h0 + h1)) * (d1 - d0);  // half the second derivative
  Vec3<double> tangent = d0 + h0 * bend;
  if (at < 0) tangent = d0 - h0 * bend;
  if (at > 0) tangent = d1 + h1 * bend;
  return (1 / norm(tangent)) * tangent;
}

}  // namespace

LinePath::LinePath(std::vector<Vec3<double>> places, std::vector<int> corners, LineEnds ends)
    : places_(std::move(places)), corners_(std::move(corners)), ends_(ends) {
  starts_.reserve(corners_.size());
  starts_.push_back(0);
  for (int k = 0; k < num_elements(); ++k) starts_.push_back(starts_.back() + element_length(k));
}

LinePath LinePath::through(std::vector<Vec3<double>> places, LineEnds ends) {
  std::vector<int> corners(places.size() + (ends == LineEnds::closed ? 1 : 0));
  std::iota(corners.begin(), corners.end(), 0);
  return {std::move(places), std::move(corners), ends};
}

/// Those of a closed line go on behind the last one and before the first.
const Vec3<double>& LinePath::place(int k) const {
  const int count = static_cast<int>(places_.size());
  return places_[static_cast<std::size_t>(k < 0 ? k + count : k < count ? k : k - count)];
}

Vec3<double> LinePath::tangent(int k) const {
  const int at = corners_[static_cast<std::size_t>(k)], last = static_cast<int>(places_.size()) - 1;
  if (last == 1) {
    const Vec3<double> span = places_[1] - places_[0];
    return (1 / norm(span)) * span;
  }
  const int middle = is_closed() ? at : std::clamp(at, 1, last - 1);
  return parabola_tangent({place(middle - 1), place(middle), place(middle + 1)}, at - middle);
}

double LinePath::element_length(int k) const {
  const Vec3<double> chord = corner(k + 1) - corner(k);
  const double c = norm(chord);
  if (corners_[static_cast<std::size_t>(k) + 1] - corners_[static_cast<std::size_t>(k)] == 1) return c;
  const Vec3<double> mean = 0.25 * (tangent(k) + tangent(k + 1));
  // |u chord - mean| = 1 with u = 3/(2 L): one root is positive, since |mean| <= 1/2
  const double along = dot(chord, mean);
  const double u = (along + std::sqrt(along * along + c * c * (1 - dot(mean, mean)))) / (c * c);
  return 1.5 / u;
}

CableStation LinePath::station(double part) const {
  const double at = std::clamp(part, 0.0, 1.0) * length();
  const auto end = std::lower_bound(starts_.begin() + 1, starts_.end() - 1, at);
  const auto k = static_cast<int>(end - starts_.begin()) - 1;
  return {k, std::clamp((at - starts_[static_cast<std::size_t>(k)]) / element_length(k), 0.0, 1.0)};
}

Vec3<double> LinePath::middle() const {
  const int count = num_elements() + (is_closed() ? 0 : 1);
  Vec3<double> middle;
  for (int k = 0; k < count; ++k) middle += (1.0 / count) * corner(k);
  return middle;
}

double LinePath::turn(std::size_t place) const {
  const Vec3<double> before = places_[place] - places_[place - 1], after = places_[place + 1] - places_[place];
  return std::atan2(norm(cross(before, after)), dot(before, after));
}

namespace {

/// Cells of a mesh on their way into a line.
class CellChain {
 public:
  CellChain(const Mesh& mesh, std::span<const CellRef> cells, const std::string& what) : mesh_(mesh), cells_(cells), what_(what) {
    if (cells.empty()) throw InputError(locate(mesh.origin, -1, what + " has no elements, and a line needs one at least"));
    join();
    walk();
  }

  LinePath path(LineEnds wanted) const {
    if (is_closed_ && wanted == LineEnds::open)
      fail(0, fmt::format("{} comes back to where it starts, at {} (type: ring is such a line; or take one element out)", what_,
                          text(node(0, 0))));
    if (!is_closed_ && wanted == LineEnds::closed)
      fail(order_.back().cell, fmt::format("{} does not close: it ends here, at {}, and began at {} (type: cable has two ends)",
                                           what_, text(last_node()), text(first_node(order_.front()))));
    std::vector<Vec3<double>> places;
    std::vector<int> corners;
    for (const Step& step : order_) {
      corners.push_back(static_cast<int>(places.size()));
      places.push_back(point(first_node(step)));
      if (nodes(step.cell).size() > 2) places.push_back(point(nodes(step.cell)[2]));
    }
    corners.push_back(static_cast<int>(places.size()));
    if (!is_closed_) places.push_back(point(last_node()));
    require_forward(places, corners);
    return {std::move(places), std::move(corners), wanted};
  }

 private:
  /// A cell that the line goes through, from its first node to its second or back.
  struct Step {
    int cell;
    bool is_forward;
  };

  std::span<const int> nodes(int cell) const {
    const CellRef ref = cells_[static_cast<std::size_t>(cell)];
    return mesh_.edges[static_cast<std::size_t>(ref.block)].cell(ref.cell);
  }
  int node(int cell, int k) const { return nodes(cell)[static_cast<std::size_t>(k)]; }
  int first_node(const Step& step) const { return node(step.cell, step.is_forward ? 0 : 1); }
  int last_node() const { return node(order_.back().cell, order_.back().is_forward ? 1 : 0); }
  Vec3<double> point(int node) const {
    const Point3& x = mesh_.points[static_cast<std::size_t>(node)];
    return {{x[0], x[1], x[2]}};
  }
  std::string text(int node) const {
    const Vec3<double> x = point(node);
    return fmt::format("({:g}, {:g}, {:g})", x[0], x[1], x[2]);
  }
  std::string describe(int cell) const { return describe_cell(mesh_, 1, cells_[static_cast<std::size_t>(cell)]); }
  /// The number of a cell in the file, and its shape.
  std::string short_name(int cell) const {
    const CellRef ref = cells_[static_cast<std::size_t>(cell)];
    const CellBlock& block = mesh_.edges[static_cast<std::size_t>(ref.block)];
    return fmt::format("element {} ({})", block.tags[static_cast<std::size_t>(ref.cell)], shape_info(block.shape).name);
  }
  [[noreturn]] void fail(int cell, const std::string& message) const { throw InputError(describe(cell) + ": " + message); }

  bool have_same_ends(int one, int other) const {
    return std::minmax({node(one, 0), node(one, 1)}) == std::minmax({node(other, 0), node(other, 1)});
  }
  void require_single(int cell, int other) const {
    if (have_same_ends(cell, other))
      fail(cell, fmt::format("it joins the same two nodes of {} as {} does, at {} and {} (take one of them out)", what_,
                             short_name(other), text(node(cell, 0)), text(node(cell, 1))));
  }

  /// Fails unless a cell leads from each of its places to another one.
  void require_length(int cell) const {
    const std::span<const int> list = nodes(cell);
    const auto coincide = [&](std::size_t a, std::size_t b) { return !(norm(point(list[a]) - point(list[b])) > 0); };
    if (coincide(0, 1))
      fail(cell, fmt::format("it has no length: both its ends are at {} (take it out of {})", text(list[0]), what_));
    if (list.size() > 2 && (coincide(0, 2) || coincide(1, 2)))
      fail(cell, fmt::format("its middle node lies at one of its ends, {} (put it between them)", text(list[2])));
  }

  /// Notes at every node which cells end there.
  void join() {
    at_.assign(mesh_.points.size(), {-1, -1});
    for (int cell = 0; cell < static_cast<int>(cells_.size()); ++cell) {
      require_length(cell);
      for (int k = 0; k < 2; ++k) {
        std::array<int, 2>& here = at_[static_cast<std::size_t>(node(cell, k))];
        int& free = here[0] < 0 ? here[0] : here[1];
        if (free < 0) {
          free = cell;
          continue;
        }
        for (const int other : here) require_single(cell, other);
        fail(cell, fmt::format("a third element of {} at {}, beside {} and {}: a line has no branches (take a physical group and "
                               "a body for each branch)",
                               what_, text(node(cell, k)), short_name(here[0]), short_name(here[1])));
      }
    }
  }

  /// The step behind one; none at an end.
  Step after(const Step& step) const {
    const int node = this->node(step.cell, step.is_forward ? 1 : 0);
    const std::array<int, 2>& here = at_[static_cast<std::size_t>(node)];
    const int next = here[0] == step.cell ? here[1] : here[0];
    if (next < 0) return {-1, true};
    require_single(next, step.cell);
    return {next, this->node(next, 0) == node};
  }

  void walk() {
    const Step first{0, true};
    Step step = first;
    for (; step.cell >= 0 && !(is_closed_ = step.cell == 0 && !order_.empty()); step = after(step)) order_.push_back(step);
    if (!is_closed_) {
      std::vector<Step> before;
      for (step = after({0, false}); step.cell >= 0; step = after(step)) before.push_back({step.cell, !step.is_forward});
      order_.insert(order_.begin(), before.rbegin(), before.rend());
    }
    if (order_.size() == cells_.size()) return;
    std::vector<bool> passed(cells_.size(), false);
    for (const Step& one : order_) passed[static_cast<std::size_t>(one.cell)] = true;
    const auto lost = std::ranges::find(passed, false) - passed.begin();
    fail(static_cast<int>(lost),
         fmt::format("{} falls into pieces: its first line, of {} of {} elements, does not reach this one at {} (take a physical "
                     "group and a body for each piece; `Coherence Mesh` in Gmsh makes one of nodes that coincide)",
                     what_, order_.size(), cells_.size(), text(node(static_cast<int>(lost), 0))));
  }

  /// Fails where the line goes back the way it came: it has no tangent there.
  void require_forward(const std::vector<Vec3<double>>& places, const std::vector<int>& corners) const {
    const std::size_t count = places.size(), turns = is_closed_ ? count : count - 2;
    for (std::size_t k = 0; k < turns; ++k) {
      const Vec3<double> before = places[(k + 1) % count] - places[k], after = places[(k + 2) % count] - places[(k + 1) % count];
      if (norm((1 / norm(before)) * before + (1 / norm(after)) * after) > same_place) continue;
      const auto next = std::upper_bound(corners.begin(), corners.end() - 1, static_cast<int>((k + 1) % count));
      const Vec3<double>& x = places[(k + 1) % count];
      fail(order_[static_cast<std::size_t>(next - corners.begin()) - 1].cell,
           fmt::format("{} turns right round at ({:g}, {:g}, {:g}) and has no direction there (take a body for each way)", what_,
                       x[0], x[1], x[2]));
    }
  }

  const Mesh& mesh_;
  std::span<const CellRef> cells_;
  const std::string& what_;
  std::vector<std::array<int, 2>> at_;  // by node: the cells that end there
  std::vector<Step> order_;
  bool is_closed_ = false;
};

}  // namespace

LinePath order_path(const Mesh& mesh, std::span<const CellRef> cells, const std::string& what, LineEnds ends) {
  return CellChain(mesh, cells, what).path(ends);
}

}  // namespace sinew
