#include "solve/path_follower.hpp"

#include "linear/direct_solver.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

PathFollower::PathFollower(RestEquations& equations, double tolerance, int max_newton)
    : equations_(equations), tolerance_(tolerance), max_newton_(max_newton) {
  const System& system = equations.system();
  K_ = system.make_tangent_matrix();
  ksp_ = make_direct_solver("sinew_static_path_", K_, system.is_compact());
  for (VecHandle* v : {&x_, &F_, &to_rest_, &along_, &direction_, &last_}) *v = make_kkt_vector(system.layout());
  load_ = system.make_dof_vector();
  no_rows_ = system.make_row_vector();
}

/// The residual and both solutions with the matrix at x: to_rest_ = K^-1 F, along_ = K^-1 p.
bool PathFollower::solve_at(const Configuration& q, double s, PetscVec x) {
  equations_.begin(q, {s, 0}, 0);
  equations_.residual(x, F_);
  equations_.load_derivative(load_);
  equations_.assemble(K_);
  if (!solve_linear(ksp_, F_, to_rest_)) return false;
  join_kkt(load_, no_rows_, F_);
  return solve_linear(ksp_, F_, along_);
}

double PathFollower::product(PetscVec kkt, PetscVec other) const { return equations_.product_of_increments(kkt, other); }

/// Newton's method in the plane normal to direction_; at the load that was aimed at where the load displaces nothing.
bool PathFollower::correct(const Configuration& q, Step& step) {
  for (; step.newton < max_newton_;) {
    if (!solve_at(q, step.load_factor, x_)) return false;
    ++step.newton;
    const double change = moves_ ? product(direction_, to_rest_) / product(direction_, along_) : 0.0;
    petsc(VecAXPBYPCZ(x_, -1.0, change, 1.0, to_rest_, along_));
    step.load_factor += change;
    petsc(VecAXPBY(to_rest_, -change, 1.0, along_));
    // With one unknown that moves all of the correction is one of the load.
    step.correction = std::max(equations_.size_of_correction(to_rest_), std::abs(change));
    if (!std::isfinite(step.correction) || !equations_.system().fault(equations_.q1()).empty()) return false;
    if (step.correction <= tolerance_) return true;
  }
  return false;
}

PathFollower::Step PathFollower::step(const Configuration& q, PetscVec lambda, double s, double length, double largest_change) {
  Step step;
  step.load_factor = s;
  petsc(VecSet(load_, 0.0));
  join_kkt(load_, lambda, x_);
  if (!solve_at(q, s, x_)) return step;
  const double size = equations_.size_of_increment(along_);
  moves_ = !(size * largest_change <= tolerance_);  // an upright column is pressed, and stays
  const double sign = moves_ && has_last_ && product(along_, last_) < 0 ? -1 : 1;
  const double change = sign * (moves_ ? std::min(length / size, largest_change) : largest_change);
  if (!std::isfinite(change)) return step;
  petsc(VecAXPBY(direction_, change, 0.0, along_));
  petsc(VecAXPY(x_, 1.0, direction_));
  step.load_factor += change;
  step.converged = correct(q, step);
  return step;
}

void PathFollower::accept() {
  petsc(VecCopy(x_, last_));
  has_last_ = true;
}

}  // namespace sinew
