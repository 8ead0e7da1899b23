#include "linear/tree_factors.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

/// Unknowns of a leaf of a net, at least. One refactorisation on one core, ms, with 50, 100, 250 and 500: net of 30 x 30 cables
/// 37, 24, 35, 56; 60 x 60 cables 205, 151, 180, 272; 40 x 40 rods 15, 16, 20, 27; 100 x 100 rods 157, 123, 176, 246.
constexpr PetscInt leaf_of_nets = 100;
/// Operations an unknown of a single leaf from which more of them are faster: the dense fronts of nets pay there.
constexpr double most_operations = 600;

/// One for all trees of a single leaf, whose factorisations and solutions come one after the other.
std::shared_ptr<std::vector<double>> common_room() {
  static thread_local std::weak_ptr<std::vector<double>> known;
  std::shared_ptr<std::vector<double>> room = known.lock();
  if (!room) known = room = std::make_shared<std::vector<double>>();
  return room;
}

}  // namespace

void TreeFactors::make_leaves(const SparseRows& A, PetscInt num_dofs, std::vector<std::vector<SharedEntry>> shared,
                              std::vector<std::vector<PetscInt>> interiors) {
  std::vector<int> room(static_cast<std::size_t>(A.n), -1);
  leaves_.clear();
  for (std::size_t p = 0; p < shared.size(); ++p) {
    LeafFactors::Part part{std::move(interiors[p]), {}, std::move(shared[p])};
    for (const int u : tree_->boundary[p]) part.boundary.push_back(tree_->interface[static_cast<std::size_t>(u)]);
    leaves_.emplace_back(num_dofs, std::move(part));
    leaves_.back().order(A, room);
  }
}

bool TreeFactors::divide(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept,
                         PetscInt leaf_size) {
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  const auto tree = std::make_shared<EliminationTree>(A, unknowns, leaf_size, kept);
  tree_ = tree;
  std::optional<SharedEntries> shared = share_entries(A, *tree, num_dofs);
  if (!shared) return false;
  kept_ = std::move(shared->kept);
  std::vector<std::vector<PetscInt>> interiors = std::move(tree->interior);
  tree->forget_unknowns();
  make_leaves(A, num_dofs, std::move(shared->of_leaf), std::move(interiors));
  return true;
}

bool TreeFactors::analyse(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept) {
  if (!divide(A, unknowns, kept, leaf_size_ > 0 ? leaf_size_ : std::numeric_limits<PetscInt>::max())) return false;
  if (leaf_size_ == 0 && leaves_.front().operations() > most_operations * static_cast<double>(A.n) &&
      !divide(A, unknowns, kept, leaf_of_nets))
    return false;
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
  TreeFactors copy(leaf_size_);
  copy.has_pivots_ = has_pivots_;
  copy.tree_ = tree_;
  for (const LeafFactors& leaf : leaves_) copy.leaves_.push_back(leaf.without_numbers());
  for (const DenseFront& front : fronts_) copy.fronts_.push_back(front.without_numbers());
  copy.kept_ = kept_;
  return copy;
}

/// The only leaf of a tree stays placed.
bool TreeFactors::factorise_leaf(std::size_t leaf, const SparseRows& A) {
  if (placed_ && *placed_ != leaf) leaves_[*placed_].leave(position_of_);
  if (placed_ != leaf && has_pivots_) leaves_[leaf].take_places(position_of_);
  placed_ = leaf;
  if (has_pivots_ && leaves_[leaf].refactorise(A, position_of_)) return true;
  leaves_[leaf].leave(position_of_);
  return leaves_[leaf].factorise(A, position_of_);
}

bool TreeFactors::factorise(const SparseRows& A) {
  position_of_.resize(static_cast<std::size_t>(A.n), -1);
  if (leaves_.size() == 1) leaves_.front().share_room(common_room());
  for (std::size_t p = 0; p < leaves_.size(); ++p)
    if (!factorise_leaf(p, A)) return has_pivots_ = false;
  has_pivots_ = true;
  const std::size_t count = leaves_.size();
  const auto complement = [&](std::size_t t) -> const std::vector<double>& {
    return t < count ? fronts_[t].complement() : leaves_[t - count].complement();
  };
  for (std::size_t t = count - 1; t >= 1; --t)
    if (!fronts_[t].factorise(complement(2 * t), complement(2 * t + 1))) return false;
  complement_ = complement(1);
  for (const SharedEntry& s : kept_)
    complement_[static_cast<std::size_t>(s.column) * tree_->num_kept + static_cast<std::size_t>(s.row)] += A.values[s.value];
  return true;
}

double TreeFactors::growth() const {
  double largest = 0;
  for (const LeafFactors& leaf : leaves_) largest = std::max(largest, leaf.growth());
  return largest;
}

template <class Sides>
void TreeFactors::forward(const Sides& b, typename Sides::Number* rest) {
  const std::size_t count = leaves_.size(), first_kept = tree_->interface.size() - tree_->num_kept;
  auto& [left_over, interface] = of_kind<typename Sides::Number>(progress_, progress_of_two_);
  left_over.resize(2 * count);
  interface.resize(tree_->interface.size());
  for (std::size_t p = 0; p < count; ++p) {
    left_over[count + p].resize(static_cast<std::size_t>(leaves_[p].boundary_size()));
    leaves_[p].forward(b, left_over[count + p].data());
  }
  for (std::size_t u = 0; u < first_kept; ++u) interface[u] = b[tree_->interface[u]];
  for (std::size_t t = count - 1; t >= 1; --t)
    fronts_[t].forward(left_over[2 * t], left_over[2 * t + 1], interface, left_over[t]);
  std::copy(left_over[1].begin(), left_over[1].end(), rest);
}

template <class Sides>
void TreeFactors::backward(const typename Sides::Number* kept, const Sides& x) {
  using Number = typename Sides::Number;
  const std::size_t count = leaves_.size(), first_kept = tree_->interface.size() - tree_->num_kept;
  std::vector<Number>& interface = of_kind<Number>(progress_, progress_of_two_).interface;
  std::copy(kept, kept + tree_->num_kept, interface.begin() + static_cast<std::ptrdiff_t>(first_kept));
  for (std::size_t t = 1; t < count; ++t) fronts_[t].backward(interface);
  for (std::size_t u = 0; u < first_kept; ++u) x.set(tree_->interface[u], interface[u]);
  std::vector<Number> known;
  for (std::size_t p = 0; p < count; ++p) {
    known.clear();
    for (const int u : tree_->boundary[p]) known.push_back(interface[static_cast<std::size_t>(u)]);
    leaves_[p].backward(known.data(), x);
  }
}

template void TreeFactors::forward(const OneSide<const PetscScalar>&, double*);
template void TreeFactors::forward(const TwoSides<const PetscScalar>&, Two*);
template void TreeFactors::backward(const double*, const OneSide<PetscScalar>&);
template void TreeFactors::backward(const Two*, const TwoSides<PetscScalar>&);

std::string TreeFactors::describe() const {
  std::size_t entries = 0, largest = 0;
  for (const LeafFactors& leaf : leaves_) entries += leaf.entries();
  for (const EliminationTree::Inner& front : tree_->inner) {
    const std::size_t e = front.eliminated.size(), r = front.rest.size();
    largest = std::max(largest, e + r);
    entries += e * (e + 2 * r);
  }
  if (leaves_.size() == 1) return fmt::format("one leaf, {:.3g} entries", static_cast<double>(entries));
  return fmt::format("{} leaves, fronts up to {}, {:.3g} entries", leaves_.size(), largest, static_cast<double>(entries));
}

}  // namespace sinew

#endif
