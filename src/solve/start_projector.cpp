#include "solve/start_projector.hpp"

#include "base/error.hpp"
#include "linear/direct_solver.hpp"
#include "solve/loose_body.hpp"

#include <algorithm>

namespace sinew {

double largest_move(const DynamicSystem& system, PetscVec w) {
  VecHandle size = duplicate(w);
  system.dof_sizes(size);
  petsc(VecPointwiseDivide(size, w, size));
  return max_norm(size);
}

bool StartProjector::has_bodies() {
  if (!bodies_) bodies_.emplace(system_);
  return bodies_->exist();
}

bool StartProjector::can_move_places() {
  if (!bodies_) bodies_.emplace(system_);
  return bodies_->can_move_places();
}

void StartProjector::increments(const Stage& stage, PetscVec rows, PetscVec w) {
  if (movers_ == Movers::places) {
    if (!bodies_->moves(stage, rows, w)) petsc(VecSet(w, 0.0));
    return;
  }
  if (movers_ == Movers::bodies && bodies_->increments(stage, rows, w)) return;
  solve(stage, rows, w);
  petsc(VecScale(w, -1.0));
}

double StartProjector::largest_move_of(PetscVec w) const {
  const double of_dofs = largest_move(system_, w);
  return movers_ == Movers::bodies ? std::max(of_dofs, bodies_->largest_turn()) : of_dofs;
}

bool StartProjector::rates(const Stage& stage, PetscVec rows, PetscVec of_bodies, PetscVec of_nodes) {
  if (!has_bodies() || !bodies_->rates(stage, rows, of_bodies)) return false;
  solve(stage, rows, of_nodes);
  petsc(VecScale(of_nodes, -1.0));
  return true;
}

void StartProjector::solve(const Stage& stage, PetscVec rows, PetscVec x) {
  make();
  system_.assemble_projection(stage, matrix_);
  join_kkt(zero_, rows, rhs_);
  if (!solve_linear(ksp_, rhs_, solution_)) give_up(stage);
  split_kkt(solution_, x, multipliers_);
}

void StartProjector::make() {
  if (ksp_) return;
  matrix_ = system_.make_projection_matrix();
  rhs_ = make_kkt_vector(system_.layout());
  solution_ = make_kkt_vector(system_.layout());
  zero_ = system_.make_dof_vector();
  multipliers_ = system_.make_row_vector();
  ksp_ = make_linear_solver("sinew_start_", matrix_);
}

void StartProjector::give_up(const Stage& stage) const {
  const std::string loose = loose_body(system_, stage);
  throw InputError("the given state cannot be moved onto the constraints: " +
                   (loose.empty() ? "their gradients depend on each other" : loose));
}

}  // namespace sinew
