#include "solve/buckling.hpp"

#include "base/timing.hpp"
#include "linear/direct_solver.hpp"
#include "solve/slepc.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Largest displacement, as a part of the model's length, by which the stiffness is differentiated.
constexpr double differentiation_step = 1e-4;
/// Load factors beyond this multiple of the smallest are round-off.
constexpr double infinite = 1e9;
constexpr double tolerance = 1e-9;

/// What the loads add to the forces at q.
VecHandle load_vector(System& system, const Configuration& q) {
  VecHandle z = system.make_dof_vector(), loaded = system.make_dof_vector(), unloaded = system.make_dof_vector();
  VecHandle lambda = system.make_row_vector();
  system.hold(0.0, 1.0);
  system.forces({0.0, &q, z, lambda}, loaded);
  system.hold(0.0, 0.0);
  system.forces({0.0, &q, z, lambda}, unloaded);
  petsc(VecAXPY(loaded, -1.0, unloaded));
  if (!(max_norm(loaded) > 0))
    throw InputError("buckling needs loads: gravity, or forces and torques that are not zero at t = 0");
  return loaded;
}

/// K w + G^T lambda = loads, G w = 0.
void solve_linear_statics(const System& system, PetscMat K, PetscVec loads, PetscVec w, PetscVec lambda) {
  KspHandle ksp = make_direct_solver("sinew_buckling_linear_", K, system.is_compact());
  VecHandle rhs = make_kkt_vector(system.layout()), solution = make_kkt_vector(system.layout());
  petsc(VecSet(lambda, 0.0));
  join_kkt(loads, lambda, rhs);
  if (!solve_linear(ksp, rhs, solution))
    throw SolveError("the model cannot be loaded: some motion of it meets no resistance (analysis type modes shows which)");
  split_kkt(solution, w, lambda);
}

/// The tangent under `part` of the loads and of what they cause.
MatHandle loaded_stiffness(System& system, const Configuration& q, PetscVec w, PetscVec lambda, double part) {
  VecHandle moved_by = duplicate(w), multipliers = duplicate(lambda);
  petsc(VecAXPBY(moved_by, part, 0.0, w));
  petsc(VecAXPBY(multipliers, part, 0.0, lambda));
  Configuration moved = system.make_configuration();
  system.retract(q, moved_by, moved);
  system.hold(0.0, part);
  MatHandle K = stiffness(system, moved, multipliers);
  system.hold(0.0, 0.0);
  return K;
}

/// -dK/ds.
MatHandle softening(System& system, const Configuration& q, PetscMat K, PetscVec loads) {
  VecHandle w = system.make_dof_vector(), lambda = system.make_row_vector();
  solve_linear_statics(system, K, loads, w, lambda);
  const double length = std::max(system.reach(q), 1e-300), part = differentiation_step * length / max_norm(w);
  MatHandle minus = loaded_stiffness(system, q, w, lambda, -part);
  const MatHandle plus = loaded_stiffness(system, q, w, lambda, part);
  petsc(MatAXPY(minus, -1.0, plus, SAME_NONZERO_PATTERN));
  petsc(MatScale(minus, 0.5 / part));
  return minus;
}

BucklingMode buckling_mode(const System& system, double load_factor, PetscVec eigenvector) {
  BucklingMode mode;
  mode.load_factor = load_factor;
  mode.shape = system.make_dof_vector();
  VecHandle rows = system.make_row_vector();
  split_kkt(eigenvector, mode.shape, rows);
  double low = 0, high = 0;
  petsc(VecMin(mode.shape, nullptr, &low));
  petsc(VecMax(mode.shape, nullptr, &high));
  petsc(VecScale(mode.shape, 1 / (high > -low ? high : low)));
  return mode;
}

}  // namespace

void require_loads(System& system, const Configuration& q) { load_vector(system, q); }

std::vector<BucklingMode> find_buckling(System& system, const Configuration& q, int count) {
  const TimedPhase timed(Phase::solve);
  start_slepc();
  const VecHandle loads = load_vector(system, q), no_multipliers = system.make_row_vector();
  const MatHandle K = stiffness(system, q, no_multipliers);
  const MatHandle S = softening(system, q, K, loads);
  EpsHandle eps;
  petsc(EPSCreate(system.layout().comm, eps.address()));
  petsc(EPSSetOptionsPrefix(eps, "sinew_buckling_"));
  petsc(EPSSetOperators(eps, K, S));
  petsc(EPSSetProblemType(eps, EPS_GNHEP));
  petsc(EPSSetTarget(eps, 0.0));
  petsc(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  set_sizes(eps, std::min(count, freedoms(system)), freedoms(system), tolerance);
  ST st = nullptr;
  petsc(EPSGetST(eps, &st));
  configure_inversion(st, system.is_compact());
  read_solver_options(eps);
  petsc(EPSSolve(eps));
  PetscInt found = 0;
  petsc(EPSGetConverged(eps, &found));
  std::vector<BucklingMode> modes;
  VecHandle vector, rest;
  petsc(MatCreateVecs(K, vector.address(), rest.address()));
  double smallest = 0;
  for (PetscInt i = 0; i < found && static_cast<int>(modes.size()) < count; ++i) {
    PetscScalar real = 0, imaginary = 0;
    petsc(EPSGetEigenpair(eps, i, &real, &imaginary, vector, rest));
    if (std::abs(imaginary) > 1e-4 * std::abs(real)) continue;  // not a divergence
    smallest = modes.empty() ? std::abs(real) : smallest;
    if (!(std::abs(real) < infinite * smallest)) continue;
    modes.push_back(buckling_mode(system, real, vector));
  }
  if (modes.empty()) throw SolveError("no load factor converges: the loads do not change the stiffness");
  return modes;
}

}  // namespace sinew
