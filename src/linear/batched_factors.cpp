#include "linear/batched_factors.hpp"

#include "base/device_array.hpp"
#include "kernels/sweep/family.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// Unknowns of a leaf, at least. One refactorisation on one core, ms, with 12, 25, 50: 4000 rods 3.3, 7.4, 21; 4000 cable
/// elements 4.6, 9.4, 20; net of 30 x 30 cables 39, 31, 36; net of 40 x 40 rods 14, 19, 31.
constexpr PetscInt leaf_of_batches = 12;

}  // namespace

/// Lists of a FrontTable on the host, by fronts from 1 on.
struct BatchedFactors::FrontLists {
  std::vector<int> size{0}, eliminated{0}, has_children{0}, unknown, place_above;
  std::vector<std::ptrdiff_t> matrix{0}, first{0};
  std::ptrdiff_t num_numbers = 0;

  /// `own` and `rest`: unknowns of A.
  void add(const std::vector<PetscInt>& own, const std::vector<PetscInt>& rest, bool is_leaf) {
    const std::size_t n = own.size() + rest.size();
    size.push_back(static_cast<int>(n));
    eliminated.push_back(static_cast<int>(own.size()));
    has_children.push_back(is_leaf ? 0 : 1);
    matrix.push_back(num_numbers);
    first.push_back(static_cast<std::ptrdiff_t>(unknown.size()));
    num_numbers += static_cast<std::ptrdiff_t>(n * n);
    unknown.insert(unknown.end(), own.begin(), own.end());
    unknown.insert(unknown.end(), rest.begin(), rest.end());
  }

  /// Where the rest of every front is in its parent. `room`: a number for every unknown of A.
  void find_places(std::vector<int>& room) {
    place_above.assign(unknown.size(), -1);
    for (std::size_t t = 1; 2 * t < size.size(); ++t) {
      for (int i = 0; i < size[t]; ++i) room[of(t, i)] = i;
      for (std::size_t child = 2 * t; child < 2 * t + 2; ++child)
        for (int i = eliminated[child]; i < size[child]; ++i)
          place_above[static_cast<std::size_t>(first[child] + i)] = room[of(child, i)];
    }
  }

  std::size_t of(std::size_t t, int i) const { return static_cast<std::size_t>(unknown[static_cast<std::size_t>(first[t] + i)]); }

  FrontTable table() const {
    return {to_device_array("fronts.size", size),
            to_device_array("fronts.eliminated", eliminated),
            to_device_array("fronts.has_children", has_children),
            to_device_array("fronts.matrix", matrix),
            to_device_array("fronts.first", first),
            to_device_array("fronts.unknown", unknown),
            to_device_array("fronts.place_above", place_above)};
  }
};

BatchedFactors::Pattern BatchedFactors::lay_out(const SparseRows& A, const EliminationTree& tree, const SharedEntries& shared) {
  const auto leaves = static_cast<std::size_t>(tree.leaves);
  const auto unknowns_of = [&tree](const std::vector<int>& numbers) {
    std::vector<PetscInt> unknowns;
    for (const int u : numbers) unknowns.push_back(tree.interface[static_cast<std::size_t>(u)]);
    return unknowns;
  };
  FrontLists lists;
  for (std::size_t t = 1; t < leaves; ++t)
    lists.add(unknowns_of(tree.inner[t].eliminated), unknowns_of(tree.inner[t].rest), false);
  for (std::size_t p = 0; p < leaves; ++p) lists.add(tree.interior[p], unknowns_of(tree.boundary[p]), true);

  std::vector<int> room(static_cast<std::size_t>(A.n), -1);
  lists.find_places(room);
  Pattern pattern;
  std::vector<std::ptrdiff_t> places;
  std::fill(room.begin(), room.end(), -1);
  for (std::size_t p = 0; p < leaves; ++p) {
    const std::size_t t = leaves + p;
    const int n = lists.size[t], e = lists.eliminated[t];
    const auto enter = [&](int row, int column, PetscInt value) {
      places.push_back(lists.matrix[t] + row + static_cast<std::ptrdiff_t>(column) * n);
      pattern.entry_values.push_back(value);
    };
    for (int i = 0; i < n; ++i) room[lists.of(t, i)] = i;
    for (int i = 0; i < n; ++i)
      A.for_places(static_cast<PetscInt>(lists.of(t, i)), [&](PetscInt unknown, PetscInt value) {
        const int column = room[static_cast<std::size_t>(unknown)];
        if (column >= 0 && (i < e || column < e)) enter(i, column, value);
      });
    for (const SharedEntry& s : shared.of_leaf[p]) enter(e + s.row, e + s.column, s.value);
    for (int i = 0; i < n; ++i) room[lists.of(t, i)] = -1;
  }
  pattern.entry_places = to_device_array("fronts.entry_places", places);
  pattern.table = lists.table();
  pattern.shared_by_kept = shared.kept;
  const auto first_kept = static_cast<std::ptrdiff_t>(tree.interface.size() - tree.num_kept);
  pattern.kept.assign(tree.interface.begin() + first_kept, tree.interface.end());
  pattern.eliminated.assign(tree.interface.begin(), tree.interface.begin() + first_kept);
  for (const std::vector<PetscInt>& interior : tree.interior)
    pattern.eliminated.insert(pattern.eliminated.end(), interior.begin(), interior.end());
  std::sort(pattern.eliminated.begin(), pattern.eliminated.end());
  pattern.num_unknowns = A.n;
  pattern.num_numbers = lists.num_numbers;
  pattern.num_places = static_cast<std::ptrdiff_t>(lists.unknown.size());
  pattern.root_matrix = lists.matrix[1];
  pattern.has_low_rows = tree.has_low_rows;
  pattern.root_first = lists.first[1];
  pattern.root_size = lists.size[1];
  pattern.root_eliminated = lists.eliminated[1];
  pattern.largest_front = *std::max_element(lists.size.begin(), lists.size.end());
  return pattern;
}

bool BatchedFactors::analyse(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept) {
  const EliminationTree tree(A, unknowns, leaf_size_ > 0 ? leaf_size_ : leaf_of_batches, kept);
  const auto shared = share_entries(A, tree, static_cast<PetscInt>(unknowns.block_of_dof.size()));
  if (!shared) return false;
  end_front_ = 2 * tree.leaves;
  pattern_ = std::make_shared<const Pattern>(lay_out(A, tree, *shared));
  return true;
}

BatchedFactors BatchedFactors::without_numbers() const {
  BatchedFactors copy(leaf_size_);
  copy.end_front_ = end_front_;
  copy.pattern_ = pattern_;
  return copy;
}

void BatchedFactors::make_room() {
  if (numbers_.growth.extent(0) > 0) return;
  const Pattern& p = *pattern_;
  numbers_ = {uninitialised<double>("fronts.matrices", p.num_numbers), uninitialised<double>("fronts.scale", p.num_places),
              uninitialised<int>("fronts.order", p.num_places), uninitialised<int>("fronts.row_of", p.num_places),
              uninitialised<double>("fronts.growth", end_front_)};
  entries_ = uninitialised<double>("fronts.entries", static_cast<std::ptrdiff_t>(p.entry_values.size()));
}

bool BatchedFactors::factorise(const SparseRows& A) {
  make_room();
  const Pattern& p = *pattern_;
  const auto entries = Kokkos::create_mirror_view(entries_);
  for (std::size_t k = 0; k < p.entry_values.size(); ++k) entries(k) = A.values[p.entry_values[k]];
  Kokkos::deep_copy(entries_, entries);
  Kokkos::deep_copy(numbers_.matrices, 0.0);
  scatter_numbers(p.entry_places, entries_, numbers_.matrices);
  for (int end = end_front_; end > 1; end /= 2) factorise_fronts(p.table, numbers_, end / 2, end);

  const auto growths = Kokkos::create_mirror_view_and_copy(HostSpace(), numbers_.growth);
  growth_ = 0;
  for (int t = 1; t < end_front_; ++t) {
    if (!(growths(t) >= 0)) return false;
    growth_ = std::max(growth_, growths(t));
  }
  const int n = p.root_size, e = p.root_eliminated, kept = n - e;
  complement_.clear();
  if (kept == 0) return true;
  const std::ptrdiff_t first = p.root_matrix + static_cast<std::ptrdiff_t>(e) * n;
  const auto root = Kokkos::create_mirror_view_and_copy(
      HostSpace(), Kokkos::subview(numbers_.matrices, std::make_pair(first, first + static_cast<std::ptrdiff_t>(kept) * n)));
  for (int j = 0; j < kept; ++j)
    for (int i = e; i < n; ++i) complement_.push_back(root(static_cast<std::ptrdiff_t>(j) * n + i));
  for (const SharedEntry& s : p.shared_by_kept)
    complement_[static_cast<std::size_t>(s.column) * static_cast<std::size_t>(kept) + static_cast<std::size_t>(s.row)] +=
        A.values[s.value];
  return true;
}

template <class Sides>
void BatchedFactors::forward(const Sides& b, typename Sides::Number* rest) {
  using Number = typename Sides::Number;
  constexpr int sides = sides_of<Number>;
  const Pattern& p = *pattern_;
  DeviceArray<double>&vector = vectors_[sides - 1], &work = works_[sides - 1];
  if (vector.extent(0) == 0) {
    vector = uninitialised<double>("fronts.vector", static_cast<std::ptrdiff_t>(p.num_unknowns) * sides);
    work = uninitialised<double>("fronts.work", p.num_places * sides);
  }
  const auto right = Kokkos::create_mirror_view(vector);
  for (const PetscInt i : p.eliminated) put(b[i], &right(static_cast<std::size_t>(i) * sides));
  Kokkos::deep_copy(vector, right);
  for (int end = end_front_; end > 1; end /= 2) forward_fronts(p.table, numbers_, end / 2, end, sides, vector, work);
  const std::ptrdiff_t first = p.root_first + p.root_eliminated, last = p.root_first + p.root_size;
  const auto left =
      Kokkos::create_mirror_view_and_copy(HostSpace(), Kokkos::subview(work, std::make_pair(first * sides, last * sides)));
  for (std::ptrdiff_t k = 0; k < last - first; ++k) take(&left(k * sides), rest[k]);
}

template <class Sides>
void BatchedFactors::backward(const typename Sides::Number* kept, const Sides& x) {
  using Number = typename Sides::Number;
  constexpr int sides = sides_of<Number>;
  const Pattern& p = *pattern_;
  const DeviceArray<double>&vector = vectors_[sides - 1], &work = works_[sides - 1];
  const auto solution = Kokkos::create_mirror_view(vector);
  for (std::size_t k = 0; k < p.kept.size(); ++k) put(kept[k], &solution(static_cast<std::size_t>(p.kept[k]) * sides));
  Kokkos::deep_copy(vector, solution);
  for (int begin = 1; begin < end_front_; begin *= 2) backward_fronts(p.table, numbers_, begin, 2 * begin, sides, work, vector);
  Kokkos::deep_copy(solution, vector);
  for (const PetscInt i : p.eliminated) {
    Number number;
    take(&solution(static_cast<std::size_t>(i) * sides), number);
    x.set(i, number);
  }
}

template void BatchedFactors::forward(const OneSide<const PetscScalar>&, double*);
template void BatchedFactors::forward(const TwoSides<const PetscScalar>&, Two*);
template void BatchedFactors::backward(const double*, const OneSide<PetscScalar>&);
template void BatchedFactors::backward(const Two*, const TwoSides<PetscScalar>&);

std::string BatchedFactors::describe() const {
  const std::size_t leaves = static_cast<std::size_t>(end_front_) / 2;
  int levels = 0;
  for (int t = end_front_; t > 1; t /= 2) ++levels;
  return fmt::format("{} leaves, dense, in {} batches, fronts up to {}, {:.3g} entries", leaves, levels, pattern_->largest_front,
                     static_cast<double>(pattern_->num_numbers));
}

}  // namespace sinew
