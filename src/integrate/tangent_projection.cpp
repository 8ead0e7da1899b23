#include "integrate/tangent_projection.hpp"

#include "linear/direct_solver.hpp"

namespace sinew {

TangentProjection::TangentProjection(const DynamicSystem& system)
    : system_(system),
      matrix_(system.make_projection_matrix()),
      change_(make_kkt_vector(system.layout())),
      product_(make_kkt_vector(system.layout())),
      solution_(make_kkt_vector(system.layout())),
      momentum_(system.make_dof_vector()),
      rows_(system.make_row_vector()),
      zero_(system.make_row_vector()) {
  ksp_ = make_linear_solver("sinew_error_", matrix_);
}

void TangentProjection::set(const Stage& stage) { system_.assemble_projection(stage, matrix_); }

/// [M G^T; G 0] (e', nu) = (M e, 0), where the matrix itself gives M e.
void TangentProjection::apply(PetscVec e) {
  join_kkt(e, zero_, change_);
  petsc(MatMult(matrix_, change_, product_));
  split_kkt(product_, momentum_, rows_);
  join_kkt(momentum_, zero_, change_);
  if (solve_linear(ksp_, change_, solution_)) split_kkt(solution_, e, rows_);
}

}  // namespace sinew
