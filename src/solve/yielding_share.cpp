#include "solve/yielding_share.hpp"

#include "system/regularisation.hpp"

#include <algorithm>

namespace sinew {

double yielding_share(const DynamicSystem& system, PetscMat K, PetscVec w, bool is_free) {
  constexpr double no_rounding = 1e-6;  // of a displacement of 1, or of 1 rad over the model's extent
  PetscVec r = noted_regularisation(K);
  if (r == nullptr) return 0;
  const VecHandle none = system.make_row_vector(), gap = system.make_row_vector(), stiffness = system.make_row_vector(),
                  forces = system.make_dof_vector(), x = make_kkt_vector(system.layout()), y = duplicate(x);
  join_kkt(w, none, x);
  petsc(MatMult(K, x, y));
  split_kkt(y, forces, gap);
  if (is_free && max_norm(gap) < no_rounding * std::min(1.0, system.extent())) return 0;
  PetscScalar strain = 0, yielding = 0;
  petsc(VecDot(w, forces, &strain));
  split_kkt(r, forces, stiffness);
  petsc(VecReciprocal(stiffness));
  petsc(VecPointwiseMult(stiffness, stiffness, gap));
  petsc(VecDot(gap, stiffness, &yielding));
  const double all = strain + yielding;
  return all > 0 ? std::min(1.0, yielding / all) : 0;
}

}  // namespace sinew
