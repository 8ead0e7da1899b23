#include "integrate/first_order_states.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

FirstOrderStates::FirstOrderStates(const DynamicSystem& system) : comm_(system.layout().comm), dofs_(system.layout().states) {
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

double FirstOrderStates::relative_norm(PetscVec d, PetscVec s) const {
  if (dofs_.empty()) return 0;
  double largest = 0;
  const VecRead change(d), value(s);
  for (const PetscInt i : dofs_) {
    const double part = std::abs(change[i]) / (1 + std::abs(value[i]));
    if (!(part <= largest)) largest = part;  // also where it is no number
  }
  return largest;
}

}  // namespace sinew
