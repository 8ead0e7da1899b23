#include "partition/mesh_parts.hpp"

#include "base/joined_sets.hpp"
#include "base/star_forest.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace sinew {

namespace {

/// So many parts are named.
constexpr std::size_t most_named = 4;

/// Sets of near points that cells of this rank join, each with the smallest number that it knows of its part.
class JoinedPoints {
 public:
  explicit JoinedPoints(const MeshSlice& slice) : sets_(slice.near.size()), label_(slice.near.size()) {
    for (std::size_t k = 0; k < slice.near.size(); ++k) label_[k] = slice.near[k].number;
    for (const CellSlice& cells : slice.volumes)
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const int* nodes = cells.nodes.data() + c * static_cast<std::size_t>(cells.num_nodes());
        for (int a = 1; a < cells.num_nodes(); ++a) join(nodes[0], nodes[a]);
      }
  }

  int label(int point) { return label_[static_cast<std::size_t>(root(point))]; }

  /// Takes the number that others know for a point; sets with the same one are of one part and go on together.
  bool take(int point, int label, std::map<int, int>& sets) {
    const int mine = root(point);
    bool has_changed = label < label_[static_cast<std::size_t>(mine)];
    if (has_changed) label_[static_cast<std::size_t>(mine)] = label;
    const auto [other, is_new] = sets.emplace(label, mine);
    if (!is_new && root(other->second) != mine) {
      join(other->second, mine);
      has_changed = true;
    }
    return has_changed;
  }

 private:
  int root(int point) { return static_cast<int>(sets_.of(static_cast<std::size_t>(point))); }
  void join(int a, int b) {
    const auto p = static_cast<std::size_t>(root(a)), q = static_cast<std::size_t>(root(b));
    if (p == q) return;
    label_[p] = std::min(label_[p], label_[q]);
    sets_.join(p, q);
  }

  JoinedSets sets_;
  std::vector<int> label_;
};

/// The points that volume cells of this rank use, and where they live.
StarForest forest_of(MPI_Comm comm, const MeshSlice& slice, std::vector<int>& leaves) {
  std::vector<LeafRoot> roots;
  for (std::size_t k = 0; k < slice.near.size(); ++k) {
    const int number = slice.near[k].number;
    if (number < 0) continue;
    const int home = slice.home(number);
    leaves.push_back(static_cast<int>(k));
    roots.push_back({home, static_cast<PetscInt>(number - slice.first_points[static_cast<std::size_t>(home)])});
  }
  return make_star_forest(comm, static_cast<PetscInt>(slice.points.size()), roots);
}

/// Until every point knows the smallest number of its part. Returns the numbers of the points held here.
std::vector<int> settle(MPI_Comm comm, const MeshSlice& slice, JoinedPoints& joined) {
  std::vector<int> leaves;
  const StarForest forest = forest_of(comm, slice, leaves);
  const auto first = slice.first_points[static_cast<std::size_t>(comm_rank(comm))];
  std::vector<int> known(slice.points.size()), at_leaves(leaves.size());
  std::iota(known.begin(), known.end(), static_cast<int>(first));
  for (int goes_on = 1; goes_on != 0;) {
    for (std::size_t k = 0; k < leaves.size(); ++k) at_leaves[k] = joined.label(leaves[k]);
    petsc(PetscSFReduceBegin(forest.get(), MPI_INT, at_leaves.data(), known.data(), MPI_MIN));
    petsc(PetscSFReduceEnd(forest.get(), MPI_INT, at_leaves.data(), known.data(), MPI_MIN));
    copy_to_leaves(forest.get(), MPI_INT, known.data(), at_leaves.data());
    goes_on = 0;
    std::map<int, int> sets;
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if (joined.take(leaves[k], at_leaves[k], sets)) goes_on = 1;
    MPI_Allreduce(MPI_IN_PLACE, &goes_on, 1, MPI_INT, MPI_MAX, comm);
  }
  return known;
}

/// Cells of a part, and the sum of their middles.
using Sums = std::array<double, 4>;

struct LabelledSums {
  int label = 0;
  Sums sums{};
};

/// Every part where the point lives whose number it has.
std::map<int, Sums> sums_of_parts(MPI_Comm comm, const MeshSlice& slice, JoinedPoints& joined) {
  std::map<int, Sums> own;
  for (const CellSlice& cells : slice.volumes)
    for (std::size_t c = 0; c < cells.size(); ++c) {
      Sums& sums = own[joined.label(cells.nodes[c * static_cast<std::size_t>(cells.num_nodes())])];
      sums[0] += 1;
      for (const Point3& x : slice.places(cells, c))
        for (std::size_t k = 0; k < 3; ++k) sums[k + 1] += x[k] / cells.num_nodes();
    }
  std::vector<std::vector<LabelledSums>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  for (const auto& [label, sums] : own) outgoing[static_cast<std::size_t>(slice.home(label))].push_back({label, sums});
  std::map<int, Sums> all;
  for (const auto& part : all_to_all(comm, outgoing))
    for (const LabelledSums& one : part)
      for (std::size_t k = 0; k < one.sums.size(); ++k) all[one.label][k] += one.sums[k];
  return all;
}

void keep_largest(std::vector<Sums>& list) {
  std::sort(list.begin(), list.end(), std::greater<>());
  list.resize(std::min(list.size(), most_named));
}

}  // namespace

MeshParts find_mesh_parts(MPI_Comm comm, const MeshSlice& slice) {
  JoinedPoints joined(slice);
  const std::vector<int> known = settle(comm, slice, joined);
  const auto first = slice.first_points[static_cast<std::size_t>(comm_rank(comm))];
  MeshParts parts;
  for (std::size_t k = 0; k < known.size(); ++k) parts.count += known[k] == first + static_cast<std::int64_t>(k) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &parts.count, 1, MPI_INT64_T, MPI_SUM, comm);
  if (parts.count < 2) return parts;
  std::vector<Sums> largest;
  for (const auto& [label, sums] : sums_of_parts(comm, slice, joined)) largest.push_back(sums);
  keep_largest(largest);
  largest.resize(most_named);
  std::vector<Sums> all(most_named * static_cast<std::size_t>(comm_size(comm)));
  constexpr int count = static_cast<int>(most_named * std::tuple_size_v<Sums>);
  MPI_Allgather(largest.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, comm);
  keep_largest(all);
  for (const Sums& sums : all)
    if (sums[0] > 0) parts.largest.push_back({sums[0], {sums[1] / sums[0], sums[2] / sums[0], sums[3] / sums[0]}});
  return parts;
}

std::string describe(const MeshParts& parts) {
  if (parts.count < 2) return "";
  std::string text = fmt::format("{} parts that share no node:", parts.count);
  for (const MeshPart& part : parts.largest)
    text += fmt::format("{} {:.0f} element{} about ({:.4g}, {:.4g}, {:.4g})", &part == &parts.largest.front() ? "" : ",",
                        part.cells, part.cells == 1 ? "" : "s", part.middle[0], part.middle[1], part.middle[2]);
  if (parts.count > static_cast<std::int64_t>(parts.largest.size())) text += " ...";
  return text;
}

}  // namespace sinew
