#include "linear/tree_factors.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sinew {

namespace {

/// Unknowns of a leaf of a net, at least. One refactorisation on one core, ms, with 50, 100, 250 and 500: net of 30 x 30 cables
/// 37, 24, 35, 56; 60 x 60 cables 205, 151, 180, 272; 40 x 40 rods 15, 16, 20, 27; 100 x 100 rods 157, 123, 176, 246.
constexpr PetscInt leaf_of_nets = 100;
/// Operations an unknown of a single leaf from which more of them are faster: the dense fronts of nets pay there.
constexpr double most_operations = 600;

/// Runs of a chain: so many, so that few of them are not like the others (the first, the last), but of no fewer unknowns, for
/// which the fronts between them would be dear, and no more, so that what stands side by side stays in the cache. Refactorisation
/// and solution on one core, ms: 1000 rods by one leaf .34 and .08, by runs of 100, 200, 400 unknowns .16 and .04, .15 and .03,
/// .17 and .03; 10,000 rods by one leaf 5.4 and .80, by runs of 200 to 800 1.37 and .31 (AVX-512); by one leaf 6.4 and .74, by
/// runs of 200, 400, 800 1.84 and .46, 1.62 and .34, 1.63 and .35 (AVX2).
constexpr PetscInt runs = 32, shortest_run = 50, longest_run = 400;
/// Runs are taken where leaves side by side leave at most this part of the operations that they would be one by one. At .75 runs
/// of 250 rods took as long as one leaf (4 runs, AVX2), at .5 (8 runs) and .375 (8 runs, AVX-512) three quarters of the time, at
/// .375 and .25 (16 runs) about a half.
constexpr double worthwhile = 0.5;

}  // namespace

bool TreeFactors::divide(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept, PetscInt leaf_size,
                         Division division) {
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  const auto tree = std::make_shared<EliminationTree>(A, unknowns, leaf_size, kept, division);
  std::optional<SharedEntries> shared = share_entries(A, *tree, num_dofs);
  if (!shared) return false;
  std::vector<LeafFactors::Part> leaves;
  for (std::size_t p = 0; p < tree->interior.size(); ++p) {
    leaves.push_back({std::move(tree->interior[p]), {}, std::move(shared->of_leaf[p])});
    for (const int u : tree->boundary[p]) leaves.back().boundary.push_back(tree->interface[static_cast<std::size_t>(u)]);
  }
  tree->forget_unknowns();
  tree_ = tree;
  division_ = division;
  kept_ = std::move(shared->kept);
  leaves_ = LeafSet(A, num_dofs, std::move(leaves), division == Division::runs && tree->leaves > 1);
  return true;
}

bool TreeFactors::divide_as_measured(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept) {
  if (divide_into_runs(A, unknowns, kept)) return true;
  const auto into = [&](PetscInt leaf_size) {
    if (!divide(A, unknowns, kept, leaf_size, Division::bisections)) return false;
    leaves_.order(A);
    return true;
  };
  if (tree_ && tree_->leaves == 1)
    leaves_.order(A);  // sought in vain: there are no runs
  else if (!into(std::numeric_limits<PetscInt>::max()))
    return false;
  return leaves_.operations() <= most_operations * static_cast<double>(A.n) || into(leaf_of_nets);
}

/// Where that pays. Columns that have the same rows are eliminated side by side as it is: 1000 elements of a cable, six columns a
/// node, take .26 ms in one leaf and .27 in runs, 10,000 4.8 and 3.3.
bool TreeFactors::divide_into_runs(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept) {
  constexpr int fewest_lanes = 4;  // two at a time leave more than what is worthwhile
  if (!may_have_runs_ || lane_count < fewest_lanes || A.n < 2 * lane_count * shortest_run || 2 * count_alike_rows(A) > A.n)
    return false;
  const PetscInt leaf_size = std::clamp(A.n / runs, shortest_run, longest_run);
  if (!divide(A, unknowns, kept, leaf_size, Division::runs) || !leaves_.has_lanes()) return false;
  leaves_.order(A);
  return leaves_.operations() <= worthwhile * leaves_.operations_one_by_one();
}

bool TreeFactors::analyse(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept) {
  if (leaf_size_ == 0) {
    if (!divide_as_measured(A, unknowns, kept)) return false;
  } else if (divide(A, unknowns, kept, leaf_size_, division_)) {
    leaves_.order(A);
  } else {
    return false;
  }
  const auto count = static_cast<std::size_t>(tree_->leaves);
  const auto left_by = [&](std::size_t t) -> const std::vector<int>& {
    return t < count ? tree_->inner[t].rest : tree_->boundary[t - count];
  };
  fronts_.assign(count, {});
  for (std::size_t t = 1; t < count; ++t)
    fronts_[t] = DenseFront(tree_->inner[t].eliminated, tree_->inner[t].rest, left_by(2 * t), left_by(2 * t + 1));
  return true;
}

TreeFactors TreeFactors::without_numbers() const {
  TreeFactors copy;
  copy.leaf_size_ = leaf_size_;
  copy.division_ = division_;
  copy.may_have_runs_ = may_have_runs_;
  copy.tree_ = tree_;
  copy.leaves_ = leaves_.without_numbers();
  for (const DenseFront& front : fronts_) copy.fronts_.push_back(front.without_numbers());
  copy.kept_ = kept_;
  return copy;
}

TreeFactors TreeFactors::another_way() const {
  TreeFactors other;
  other.leaf_size_ = leaf_size_;
  other.may_have_runs_ = may_have_runs_ && !leaves_.has_lanes();
  return other;
}

bool TreeFactors::factorise(const SparseRows& A) {
  if (!leaves_.factorise(A)) return false;
  const std::size_t count = leaves_.count();
  const auto complement = [&](std::size_t t) -> const std::vector<double>& {
    return t < count ? fronts_[t].complement() : leaves_.complement(t - count);
  };
  for (std::size_t t = count - 1; t >= 1; --t)
    if (!fronts_[t].factorise(complement(2 * t), complement(2 * t + 1))) return false;
  complement_ = complement(1);
  for (const SharedEntry& s : kept_)
    complement_[static_cast<std::size_t>(s.column) * tree_->num_kept + static_cast<std::size_t>(s.row)] += A.values[s.value];
  return true;
}

template <class Sides>
void TreeFactors::forward(const Sides& b, typename Sides::Number* rest) {
  const std::size_t count = leaves_.count(), first_kept = tree_->interface.size() - tree_->num_kept;
  auto& [left_over, interface] = of_kind<typename Sides::Number>(progress_, progress_of_two_);
  left_over.resize(2 * count);
  interface.resize(tree_->interface.size());
  leaves_.forward(b, left_over.data() + count);
  for (std::size_t u = 0; u < first_kept; ++u) interface[u] = b[tree_->interface[u]];
  for (std::size_t t = count - 1; t >= 1; --t)
    fronts_[t].forward(left_over[2 * t], left_over[2 * t + 1], interface, left_over[t]);
  std::copy(left_over[1].begin(), left_over[1].end(), rest);
}

template <class Sides>
void TreeFactors::backward(const typename Sides::Number* kept, const Sides& x) {
  using Number = typename Sides::Number;
  const std::size_t count = leaves_.count(), first_kept = tree_->interface.size() - tree_->num_kept;
  auto& [known, interface] = of_kind<Number>(progress_, progress_of_two_);
  std::copy(kept, kept + tree_->num_kept, interface.begin() + static_cast<std::ptrdiff_t>(first_kept));
  for (std::size_t t = 1; t < count; ++t) fronts_[t].backward(interface);
  for (std::size_t u = 0; u < first_kept; ++u) x.set(tree_->interface[u], interface[u]);
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t i = 0; i < tree_->boundary[p].size(); ++i)
      known[count + p][i] = interface[static_cast<std::size_t>(tree_->boundary[p][i])];
  leaves_.backward(known.data() + count, x);
}

template void TreeFactors::forward(const OneSide<const PetscScalar>&, double*);
template void TreeFactors::forward(const TwoSides<const PetscScalar>&, Two*);
template void TreeFactors::backward(const double*, const OneSide<PetscScalar>&);
template void TreeFactors::backward(const Two*, const TwoSides<PetscScalar>&);

std::string TreeFactors::describe() const {
  std::size_t entries = leaves_.entries(), largest = 0;
  for (const EliminationTree::Inner& front : tree_->inner) {
    const std::size_t e = front.eliminated.size(), r = front.rest.size();
    largest = std::max(largest, e + r);
    entries += e * (e + 2 * r);
  }
  const auto size = static_cast<double>(entries);
  if (leaves_.count() == 1) return fmt::format("one leaf, {:.3g} entries", size);
  return fmt::format("{} leaves{}, fronts up to {}, {:.3g} entries", leaves_.count(),
                     leaves_.has_lanes() ? fmt::format(", {} side by side", lane_count) : "", largest, size);
}

}  // namespace sinew

#endif
