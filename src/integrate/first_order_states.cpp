#include "integrate/first_order_states.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

FirstOrderStates::FirstOrderStates(const DynamicSystem& system)
    : comm_(system.layout().comm),
      dofs_(system.layout().states),
      given_(system.layout().state_sizes),
      largest_(dofs_.size(), 0.0),
      num_dofs_(system.layout().num_dofs) {
  given_.resize(dofs_.size(), 0.0);
  expect({});
  exist_ = is_so_on_any(comm_, !dofs_.empty());
}

void FirstOrderStates::copy(PetscVec from, PetscVec to) const {
  if (!exist_) return;
  const VecRead source(from);
  VecWrite target(to);
  for (const PetscInt i : dofs_) target[i] = source[i];
}

void FirstOrderStates::set(PetscVec v, double value) const {
  if (!exist_) return;
  VecWrite target(v);
  for (const PetscInt i : dofs_) target[i] = value;
}

double FirstOrderStates::norm_of_others(PetscVec v, NormType type) const {
  const bool is_largest = type == NORM_INFINITY;
  double size = 0;
  if (!exist_) {
    if (is_largest) return max_norm(v);
    petsc(VecNorm(v, type, &size));
    return size;
  }
  PetscInt n = 0;
  petsc(VecGetLocalSize(v, &n));
  const VecRead x(v);
  auto next = dofs_.begin();
  for (PetscInt i = 0; i < n; ++i) {
    if (next != dofs_.end() && *next == i) {
      ++next;
    } else {
      const double entry = is_largest ? std::abs(x[i]) : size + x[i] * x[i];
      if (!(entry <= size) && !std::isnan(size)) size = entry;
    }
  }
  if (is_largest) return largest_of_all(comm_, size);
  MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return std::sqrt(size);
}

void FirstOrderStates::expect(const std::vector<double>& sizes) {
  least_ = given_;
  for (std::size_t k = 0; k < least_.size(); ++k)
    if (!(least_[k] > 0)) least_[k] = k < sizes.size() && sizes[k] > 0 ? sizes[k] : 1.0;
}

void FirstOrderStates::see(PetscVec s) {
  if (dofs_.empty()) return;
  const VecRead value(s);
  for (std::size_t k = 0; k < dofs_.size(); ++k) largest_[k] = std::max(largest_[k], std::abs(value[dofs_[k]]));
}

double FirstOrderStates::relative_norm(PetscVec d) const {
  if (dofs_.empty()) return 0;
  double largest = 0;
  const VecRead change(d);
  for (std::size_t k = 0; k < dofs_.size(); ++k) {
    const double part = std::abs(change[dofs_[k]]) / size(k);
    if (!(part <= largest)) largest = part;  // also where it is no number
  }
  return largest;
}

void FirstOrderStates::pass(Archive& archive, const std::string& name, std::vector<double>& numbers) const {
  if (!exist_) return;
  std::vector<double> of_dofs(static_cast<std::size_t>(num_dofs_), 0.0);
  for (std::size_t k = 0; k < dofs_.size(); ++k) of_dofs[static_cast<std::size_t>(dofs_[k])] = numbers[k];
  archive.pass_dofs(name, of_dofs);
  for (std::size_t k = 0; k < dofs_.size(); ++k) numbers[k] = of_dofs[static_cast<std::size_t>(dofs_[k])];
}

}  // namespace sinew
