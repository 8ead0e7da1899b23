#include "solve/first_order_operator.hpp"

#include "base/mat_operation.hpp"
#include "base/stop_signal.hpp"
#include "linear/direct_solver.hpp"
#include "solve/eigenpairs.hpp"
#include "solve/held_rows.hpp"
#include "solve/loose_body.hpp"

#include <algorithm>

namespace sinew {

FirstOrderOperator::FirstOrderOperator(const System& system, const LinearisedSystem& linearised, double sigma)
    : system_(system),
      linearised_(linearised),
      sigma_(sigma),
      w_(system.make_dof_vector()),
      u_(system.make_dof_vector()),
      sum_(system.make_dof_vector()),
      no_rows_(system.make_row_vector()),
      rows_(system.make_row_vector()),
      kkt_(make_kkt_vector(system.layout())),
      product_(make_kkt_vector(system.layout())) {
  petsc(MatDuplicate(linearised.K, MAT_COPY_VALUES, P_.address()));
  petsc(MatAXPY(P_, sigma, linearised.D, linearised.structure));
  petsc(MatAXPY(P_, sigma * sigma, linearised.M, linearised.structure));
  if (linearised.structure == SAME_NONZERO_PATTERN) note_unknowns(P_, noted_unknowns(linearised.K));
  hold_beside_masses(system, P_, sigma * sigma, linearised.has_rates ? sigma : 1.0);
  ksp_ = make_direct_solver("sinew_modes_st_", P_, system.is_compact());
  exact_.emplace(ksp_, regularised_rows(system, P_), kkt_sizes(system));
  const PetscInt n = 2 * system.layout().num_dofs;
  petsc(MatCreateShell(system.layout().comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, shell_.address()));
  set_operation(MatShellSetOperation, shell_, MATOP_MULT, &FirstOrderOperator::multiply);
}

PetscErrorCode FirstOrderOperator::multiply(PetscMat shell, PetscVec x, PetscVec y) {
  return guarded([=] {
    FirstOrderOperator* self = nullptr;
    petsc(MatShellGetContext(shell, &self));
    self->apply(x, y);
    return PetscErrorCode(0);
  });
}

void FirstOrderOperator::add_product(PetscMat A, double factor, PetscVec dofs, PetscVec sum) {
  join_kkt(dofs, no_rows_, kkt_);
  petsc(MatMult(A, kkt_, product_));
  const VecRead part(product_);
  VecWrite total(sum);
  for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) total[i] += factor * part[i];
}

void FirstOrderOperator::displacements(PetscVec x, PetscVec w) const {
  const VecRead from(x);
  VecWrite to(w);
  std::copy_n(from.data(), system_.layout().num_dofs, to.data());
}

/// The scaling that a package chooses for its factors may cost half of the digits, by which eigenvalues are told from copies of
/// each other: the first solutions are corrected once, and all others where that has changed something. Else they stay as they
/// are: those of one factorisation fit each other, and what lacks eigenvectors (a free body in a frame that turns) is apart by
/// 1e-15 of its size; by 1e-8 with corrections.
void FirstOrderOperator::refine() {
  // As measured: one tells as well as four, frequencies are the same to 2e-11. With none those of the robot arm are wrong by
  // 1.2e-7.
  constexpr int trials = 2;
  // As measured: where digits are lost the first corrections come to 1e-8 and more (robot arm, wind turbine's rotor), elsewhere
  // to 6e-13 (rotor blade, bladed rotor, bicycle), or to 4e-12 (the rotor in another frame). With 1e-10 frequencies are the same
  // to 3e-12; with 1e-14 all solutions are corrected.
  constexpr double exact = 1e-12;
  if (solutions_ >= trials && !must_refine_) return;
  ++solutions_;
  VecHandle residual = duplicate(kkt_), correction = duplicate(kkt_);
  petsc(MatMult(P_, product_, residual));
  petsc(VecAYPX(residual, -1.0, kkt_));
  exact_->add_to_residual(product_, residual);
  if (!solve_linear(ksp_, residual, correction)) return;
  const auto size = [&](PetscVec v) {
    split_kkt(v, sum_, rows_);
    double norm = 0;
    petsc(VecNorm(sum_, NORM_2, &norm));
    return norm;
  };
  must_refine_ = must_refine_ || size(correction) > exact * size(product_);
  petsc(VecAXPY(product_, 1.0, correction));
}

void FirstOrderOperator::apply(PetscVec x, PetscVec y) {
  heed_signals(system_.layout().comm);
  const PetscInt n = system_.layout().num_dofs;
  displacements(x, w_);
  {
    const VecRead from(x);
    VecWrite to(u_);
    std::copy_n(from.data() + n, n, to.data());
  }
  petsc(VecSet(sum_, 0.0));
  add_product(linearised_.M, -sigma_, u_, sum_);
  add_product(linearised_.M, -sigma_, w_, sum_);
  add_product(linearised_.D, -1.0, w_, sum_);
  // D w0 of the last product stands in product_: its rows are k_z w0
  if (linearised_.has_rates) {
    split_kkt(product_, u_, rows_);
    petsc(VecScale(rows_, -1.0));
  } else {
    petsc(VecSet(rows_, 0.0));
  }
  join_kkt(sum_, rows_, kkt_);
  if (!solve_linear(ksp_, kkt_, product_))
    throw SolveError("K + sigma D + sigma^2 M cannot be factorised: " + loose_body(system_));
  refine();
  petsc(VecCopy(w_, u_));
  split_kkt(product_, w_, rows_);
  const VecRead w(w_), w0(u_);
  VecWrite to(y);
  for (PetscInt i = 0; i < n; ++i) {
    to[i] = w[i];
    to[n + i] = w0[i] / sigma_ + w[i];
  }
}

VecHandle FirstOrderOperator::start_vector(int number) {
  VecHandle x, y;
  petsc(MatCreateVecs(shell_, x.address(), y.address()));
  PetscHandle<PetscRandom, PetscRandomDestroy> numbers;
  int rank = 0;
  MPI_Comm_rank(system_.layout().comm, &rank);
  petsc(PetscRandomCreate(system_.layout().comm, numbers.address()));
  petsc(PetscRandomSetFromOptions(numbers.get()));
  petsc(PetscRandomSetSeed(numbers.get(), 1 + static_cast<unsigned long>(number) + 7919UL * static_cast<unsigned long>(rank)));
  petsc(PetscRandomSeed(numbers.get()));
  petsc(VecSetRandom(x, numbers.get()));
  apply(x, y);
  apply(y, x);
  return x;
}

}  // namespace sinew
