#include "integrate/spin_axes.hpp"

#include <algorithm>

namespace sinew {

void SpinAxes::begin() {
  const VecHandle ones = system_.make_dof_vector(), angles = system_.make_dof_vector();
  petsc(VecSet(ones, 1.0));
  system_.largest_turn(ones, angles);
  const VecRead angle(angles);
  for (PetscInt i = 0; i < system_.layout().num_dofs; ++i)
    if (angle[i] > 0) turns_.push_back(i);
  sum_ = system_.make_dof_vector();
}

/// Brings what is there into the axes of the end of a step, exp(w~)^T s = s - w x s + w x (w x s)/2 - ...
void SpinAxes::turn_with(PetscVec w) {
  constexpr int terms = 16;  // pi^16/16! is 4e-6
  const VecHandle term = system_.make_dof_vector(), product = system_.make_dof_vector();
  petsc(VecCopy(sum_, term));
  for (int k = 1; k <= terms; ++k) {
    system_.commutator(w, term, product);
    petsc(VecAXPBY(term, -1.0 / k, 0.0, product));
    petsc(VecAXPY(sum_, 1.0, term));
  }
}

double SpinAxes::add(PetscVec w, PetscVec wrong) {
  if (!sum_) begin();
  turn_with(w);
  {
    const VecRead step(w), error(wrong);
    VecWrite sum(sum_);
    for (const PetscInt first : turns_) {
      double along = 0, square = 0;  // about the spin itself nothing strays
      for (PetscInt i = first; i < first + 3; ++i) {
        along += error[i] * step[i];
        square += step[i] * step[i];
      }
      const double part = square > 0 ? along / square : 0.0;
      for (PetscInt i = first; i < first + 3; ++i) sum[i] += error[i] - part * step[i];
    }
  }
  return largest_ = std::max(largest_, max_norm(sum_));
}

void SpinAxes::persist(Archive& archive) {
  archive.pass("strayed", largest_);
  bool strays = static_cast<bool>(sum_);
  archive.pass("strays", strays);
  if (strays && !sum_) begin();
  if (strays) archive.pass_dofs("strayed_by", sum_);
}

}  // namespace sinew
