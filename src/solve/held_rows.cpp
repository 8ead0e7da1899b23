#include "solve/held_rows.hpp"

#include "system/regularisation.hpp"

#include <algorithm>

namespace sinew {

void hold_beside_stiffness(const System& system, PetscMat A) {
  // Newton's method gains a factor of delta by an iteration, and rounding of members a thousand million times as soft as what is
  // beside the row stays below it.
  constexpr double delta = 1e-6;
  PetscVec by_masses = noted_regularisation(A);
  if (by_masses == nullptr) return;
  VecHandle diagonal = make_kkt_vector(system.layout()), x = duplicate(diagonal), y = duplicate(diagonal);
  VecHandle size = system.make_dof_vector(), stiffness = system.make_dof_vector(), dofs = system.make_dof_vector();
  VecHandle none = system.make_row_vector(), squares = system.make_row_vector(), works = system.make_row_vector(),
            r = system.make_row_vector(), softer = system.make_row_vector();
  petsc(MatGetDiagonal(A, diagonal));
  split_kkt(diagonal, stiffness, softer);
  petsc(VecAbs(stiffness));
  system.dof_sizes(size);
  petsc(VecPointwiseMult(size, size, size));
  system.clear_states(size);
  MatHandle squared;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, squared.address()));
  square_entries(squared);
  join_kkt(size, none, x);
  petsc(MatMult(squared, x, y));
  split_kkt(y, dofs, squares);
  petsc(VecPointwiseMult(stiffness, stiffness, size));
  petsc(VecPointwiseMult(stiffness, stiffness, size));
  join_kkt(stiffness, none, x);
  petsc(MatMult(squared, x, y));
  split_kkt(y, dofs, works);
  split_kkt(by_masses, dofs, r);
  {
    const VecRead gg(squares), gkg(works);
    VecWrite held(r), change(softer);
    for (std::size_t i = 0; i < system.layout().row_is_velocity.size(); ++i) {
      const auto k = static_cast<PetscInt>(i);
      const double before = held[k];
      if (gkg[k] > 0) held[k] = std::min(before, delta * gg[k] * gg[k] / gkg[k]);
      change[k] = before - held[k];
    }
  }
  petsc(VecSet(dofs, 0.0));
  join_kkt(dofs, softer, x);
  petsc(MatDiagonalSet(A, x, ADD_VALUES));
  join_kkt(dofs, r, y);
  note_regularisation(A, y);
}

VecHandle regularised_rows(const System& system, PetscMat A) {
  VecHandle r;
  if (!system.has_redundancy()) return r;
  r = make_kkt_vector(system.layout());
  const VecHandle dofs = system.make_dof_vector(), none = system.make_dof_vector(), rows = system.make_row_vector();
  petsc(MatGetDiagonal(A, r));
  split_kkt(r, dofs, rows);
  petsc(VecScale(rows, -1.0));
  join_kkt(none, rows, r);
  return r;
}

void hold_beside_masses(const System& system, PetscMat A, double square, double rates) {
  if (!system.has_redundancy() || system.misfit() > 0 || !(square > 0)) return;
  const VecHandle before = regularised_rows(system, A), after = duplicate(before);
  {
    const VecRead held(before), by_masses(system.regularisation_of_rows());
    VecWrite r(after);
    const auto& is_velocity = system.layout().row_is_velocity;
    for (std::size_t k = 0; k < is_velocity.size(); ++k) {
      const PetscInt i = system.layout().num_dofs + static_cast<PetscInt>(k);
      r[i] = std::min(held[i], by_masses[i] * (is_velocity[k] != 0 ? rates : 1.0) / square);
    }
    std::fill_n(r.data(), system.layout().num_dofs, 0.0);
  }
  petsc(VecAYPX(after, -1.0, before));
  petsc(MatDiagonalSet(A, after, ADD_VALUES));
}

}  // namespace sinew
