#include "linear/tree_factors.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// Unknowns of a leaf, at least. One refactorisation on one core, ms, with 50, 100, 250 and 500: net of 30 x 30 cables 37, 24, 35,
/// 56; 60 x 60 cables 205, 151, 180, 272; 40 x 40 rods 15, 16, 20, 27; 100 x 100 rods 157, 123, 176, 246.
constexpr PetscInt usual_leaf = 100;
/// A residual of this part of the right-hand side is refined once; what then is larger than the second is no solution.
constexpr double refined = 1e-11, solved = 1e-6;

}  // namespace

/// Brings the numbers of A_BB to one leaf each: that of the dof in question.
bool TreeFactors::analyse(const MatrixRows& A, const KktUnknowns& unknowns) {
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  tree_ = std::make_unique<EliminationTree>(A, unknowns, leaf_size_ > 0 ? leaf_size_ : usual_leaf);
  const EliminationTree& tree = *tree_;
  const auto count = static_cast<std::size_t>(tree.leaves);
  std::vector<std::vector<LeafFactors::Shared>> shared(count);
  const auto place = [&](std::size_t leaf, int u) {
    const std::vector<int>& boundary = tree.boundary[leaf];
    const auto found = std::lower_bound(boundary.begin(), boundary.end(), u);
    return found != boundary.end() && *found == u ? static_cast<int>(found - boundary.begin()) : -1;
  };
  for (std::size_t u = 0; u < tree.interface.size(); ++u) {
    const PetscInt i = tree.interface[u];
    for (PetscInt k = A.starts[i]; k < A.starts[i + 1]; ++k) {
      const PetscInt j = A.columns[k];
      const int v = tree.interface_of[static_cast<std::size_t>(j)];
      if (v < 0) continue;
      const PetscInt dof = i < num_dofs ? i : j < num_dofs ? j : i;
      const auto leaf = static_cast<std::size_t>(tree.leaf_of[static_cast<std::size_t>(dof)]);
      const int row = place(leaf, static_cast<int>(u)), column = place(leaf, v);
      if (row < 0 || column < 0) return false;
      shared[leaf].push_back({row, column, k});
    }
  }
  leaves_.clear();
  for (std::size_t p = 0; p < count; ++p) {
    std::vector<PetscInt> boundary;
    for (const int u : tree.boundary[p]) boundary.push_back(tree.interface[static_cast<std::size_t>(u)]);
    leaves_.emplace_back(A, num_dofs, tree.interior[p], boundary, std::move(shared[p]));
  }
  fronts_.assign(count, {});
  const auto left_by = [&](std::size_t t) -> const std::vector<int>& {
    return t < count ? tree.inner[t].rest : tree.boundary[t - count];
  };
  for (std::size_t t = 1; t < count; ++t)
    fronts_[t] = DenseFront(tree.inner[t].eliminated, tree.inner[t].rest, left_by(2 * t), left_by(2 * t + 1));
  left_over_.resize(2 * count);
  interface_.resize(tree.interface.size());
  return true;
}

bool TreeFactors::factorise(PetscMat matrix) {
  const MatrixRows A(matrix);
  const bool is_new = tree_ == nullptr;
  if (is_new) {
    const auto unknowns = noted_unknowns(matrix);
    if (!unknowns || !analyse(A, *unknowns)) return false;
  }
  for (LeafFactors& leaf : leaves_)
    if ((is_new || !leaf.refactorise(A.values)) && !leaf.factorise(A.values)) return false;
  const std::size_t count = leaves_.size();
  const auto complement = [&](std::size_t t) -> const std::vector<double>& {
    return t < count ? fronts_[t].complement() : leaves_[t - count].complement();
  };
  for (std::size_t t = count - 1; t >= 1; --t)
    if (!fronts_[t].factorise(complement(2 * t), complement(2 * t + 1))) return false;
  return true;
}

void TreeFactors::apply(const PetscScalar* b, PetscScalar* x) {
  const std::size_t count = leaves_.size();
  for (std::size_t p = 0; p < count; ++p) {
    left_over_[count + p].resize(static_cast<std::size_t>(leaves_[p].boundary_size()));
    leaves_[p].forward(b, left_over_[count + p].data());
  }
  for (std::size_t u = 0; u < interface_.size(); ++u) interface_[u] = b[tree_->interface[u]];
  for (std::size_t t = count - 1; t >= 1; --t)
    fronts_[t].forward(left_over_[2 * t], left_over_[2 * t + 1], interface_, left_over_[t]);
  for (std::size_t t = 1; t < count; ++t) fronts_[t].backward(interface_);
  for (std::size_t u = 0; u < interface_.size(); ++u) x[tree_->interface[u]] = interface_[u];
  std::vector<double> known;
  for (std::size_t p = 0; p < count; ++p) {
    known.clear();
    for (const int u : tree_->boundary[p]) known.push_back(interface_[static_cast<std::size_t>(u)]);
    leaves_[p].backward(known.data(), x);
  }
}

bool TreeFactors::solve(PetscMat A, PetscVec b, PetscVec x) {
  VecHandle r = duplicate(b), change = duplicate(b);
  {
    const VecRead from(b);
    VecWrite to(x);
    apply(from.data(), to.data());
  }
  const double size = max_norm(b);
  const auto residual = [&] {
    petsc(MatMult(A, x, r));
    petsc(VecAYPX(r, -1.0, b));
    return max_norm(r);
  };
  double left = residual();
  if (left <= refined * size) return true;
  {
    const VecRead from(r);
    VecWrite to(change);
    apply(from.data(), to.data());
  }
  petsc(VecAXPY(x, 1.0, change));
  const double then = residual();
  if (!(then < left)) petsc(VecAXPY(x, -1.0, change));
  left = std::min(left, then);
  return left <= solved * size;
}

std::string TreeFactors::describe() const {
  std::size_t entries = 0, largest = 0;
  for (const LeafFactors& leaf : leaves_) entries += leaf.entries();
  for (const EliminationTree::Inner& front : tree_->inner) {
    const std::size_t e = front.eliminated.size(), r = front.rest.size();
    largest = std::max(largest, e + r);
    entries += e * (e + 2 * r);
  }
  return fmt::format("{} leaves, fronts up to {}, {:.3g} entries", leaves_.size(), largest, static_cast<double>(entries));
}

}  // namespace sinew

#endif
