#include "solve/buckling_pencil.hpp"

#include "base/object_type.hpp"
#include "kernels/lie/so3.hpp"
#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"
#include "solve/acceleration_solver.hpp"
#include "solve/balance.hpp"
#include "solve/moving_frame.hpp"
#include "solve/quadratic_forms.hpp"
#include "system/regularisation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sinew {

namespace {

/// Largest displacement, as a part of the model's length (radians of rotations), by which the stiffness is differentiated.
constexpr double differentiation_step = 1e-4;
/// Largest displacement, likewise, by which terms of second order are measured: rounding is 1e-12 of the stiffness, terms of
/// fourth order a thousandth.
constexpr double quadratic_step = 1e-2;
/// What meets no more than so many roundings of the stiffness in its places meets none.
constexpr double roundings = 16;
/// What a row that gives way moves bodies by at most, over its own gap.
constexpr double levers = 1000;

/// The largest displacement against the model's length, or rotation.
double largest_motion(const System& system, PetscVec w) {
  VecHandle sizes = duplicate(w), relative = duplicate(w);
  system.dof_sizes(sizes);
  petsc(VecPointwiseDivide(relative, w, sizes));
  return max_norm(relative);
}

/// By how much regularised rows give way, against the model's length: where constraints are redundant they do, and bodies that
/// nothing else holds follow, by next to nothing.
double given_way(const System& system, PetscMat K, PetscVec solution) {
  PetscVec r = noted_regularisation(K);
  if (r == nullptr) return 0;
  VecHandle given = duplicate(solution), w = system.make_dof_vector(), rows = system.make_row_vector(), sizes = duplicate(rows);
  petsc(VecPointwiseMult(given, r, solution));
  split_kkt(given, w, rows);
  system.row_sizes(sizes);
  petsc(VecPointwiseDivide(rows, rows, sizes));
  return max_norm(rows);
}

/// K w + G^T lambda = loads, G w = 0. Where w meets no more resistance than rounding of K makes, nothing holds the model.
void solve_linear_statics(const System& system, PetscMat K, PetscVec loads, PetscVec w, PetscVec lambda) {
  KspHandle ksp = make_direct_solver("sinew_buckling_linear_", K, system.is_compact());
  refine_solutions(ksp);
  VecHandle rhs = make_kkt_vector(system.layout()), solution = make_kkt_vector(system.layout());
  petsc(VecSet(lambda, 0.0));
  join_kkt(loads, lambda, rhs);
  const bool is_solved = solve_linear(ksp, rhs, solution);
  VecHandle diagonal = duplicate(rhs);
  petsc(MatGetDiagonal(K, diagonal));
  petsc(VecAbs(diagonal));
  const VecHandle motion = motion_of(system, solution);
  const double resistance = product(K, motion, motion), rounding = roundings * std::numeric_limits<double>::epsilon();
  split_kkt(solution, w, lambda);
  const bool has_moved = largest_motion(system, w) > levers * given_way(system, K, solution);
  if (!is_solved || (has_moved && !(std::abs(resistance) > rounding * terms_of(diagonal, motion))))
    throw SolveError("the model cannot be loaded: some motion of it meets no resistance (analysis type modes shows which)");
}

/// Frobenius norm over the motions, places counted in lengths of the model beside rotations in radians.
double size_of(const System& system, PetscMat A) {
  VecHandle sizes = system.make_dof_vector(), rows = system.make_row_vector(), all = make_kkt_vector(system.layout());
  system.dof_sizes(sizes);
  join_kkt(sizes, rows, all);
  MatHandle scaled;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, scaled.address()));
  petsc(MatDiagonalScale(scaled, all, all));
  double size = 0;
  petsc(MatNorm(scaled, NORM_FROBENIUS, &size));
  return size;
}

/// K - K_loaded at the base state by `part` of the directions of the loads, of the reactions that carry them, and of
/// the stresses of beams and shells, whose kernels have tangents for stresses that are not those of the configuration.
MatHandle softening_in_place(System& system, const BaseState& state, PetscMat K, PetscVec lambda, PetscVec w, double part) {
  VecHandle multipliers = duplicate(lambda), moved_by = duplicate(w);
  petsc(VecWAXPY(multipliers, part, lambda, state.lambda));
  petsc(VecAXPBY(moved_by, part, 0.0, w));
  system.multiply_live_loads(part);
  system.extrapolate_stresses(state.q, moved_by, state.q);
  MatHandle S = stiffness(system, state.q, multipliers);
  system.end_extrapolation();
  system.multiply_live_loads(0.0);
  petsc(MatAYPX(S, -1.0, K, SAME_NONZERO_PATTERN));
  return S;
}

/// E^T over KKT vectors, E = exp(w~) in the places of rotations and the unit matrix elsewhere: increments of rotations are
/// counted along axes that turn with their nodes, E takes those at q0 exp(w) to the axes at q0. Collective.
MatHandle back_to_the_axes(const System& system, PetscVec w) {
  const LocalModel& local = system.local();
  const PetscInt size = system.layout().num_dofs + system.layout().num_rows;
  MatHandle P;
  petsc(MatCreateAIJ(local.comm, size, size, PETSC_DETERMINE, PETSC_DETERMINE, 3, nullptr, 0, nullptr, P.address()));
  PetscInt start = 0, end = 0;
  petsc(MatGetOwnershipRange(P, &start, &end));
  for (PetscInt i = start; i < end; ++i) petsc(MatSetValue(P, i, i, 1.0, INSERT_VALUES));
  const VecRead increment(w);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    if (!local.turns(n)) continue;
    const int dof = local.dof[n] + 3;
    const Mat3<double> block = transpose(rotation_matrix(exp_quaternion(triple(increment.data(), dof))));
    const PetscInt first = start + dof, places[] = {first, first + 1, first + 2};
    petsc(MatSetValues(P, 3, places, 3, places, &block.data[0][0], INSERT_VALUES));
  }
  petsc(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  take_type_of_options(P);
  return P;
}

/// Tangent of all but beams and shells without the loads that are multiplied, moved by `part` of w; along fixed axes E K E^T.
MatHandle moved_stiffness(System& system, const BaseState& state, PetscVec w, double part, Axes axes) {
  VecHandle moved_by = duplicate(w);
  petsc(VecAXPBY(moved_by, part, 0.0, w));
  Configuration moved = system.make_configuration();
  system.retract(state.q, moved_by, moved);
  system.leave_out_extrapolated(true);
  MatHandle K = stiffness(system, moved, state.lambda);
  system.leave_out_extrapolated(false);
  if (axes == Axes::turning) return K;
  const MatHandle P = back_to_the_axes(system, moved_by);
  MatHandle along_fixed_axes;
  petsc(MatPtAP(K, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, along_fixed_axes.address()));
  return along_fixed_axes;
}

/// A constraint row says the same under every load: to first order, what the displacements do to G turns the motions that it
/// leaves within K alone.
void clear_constraints(const System& system, PetscMat S) {
  const Layout& layout = system.layout();
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(S, &first, nullptr));
  std::vector<PetscInt> rows;
  for (PetscInt r = 0; r < layout.num_rows; ++r) rows.push_back(first + layout.num_dofs + r);
  petsc(MatZeroRowsColumns(S, static_cast<PetscInt>(rows.size()), rows.data(), 0.0, nullptr, nullptr));
}

}  // namespace

VecHandle buckling_loads(System& system, const Configuration& q) {
  VecHandle z = system.make_dof_vector(), loaded = system.make_dof_vector(), base = system.make_dof_vector();
  VecHandle lambda = system.make_row_vector();
  system.hold(0.0, 1.0);
  system.multiply_live_loads(1.0);
  system.forces({0.0, &q, z, lambda}, loaded);
  system.multiply_live_loads(0.0);
  system.forces({0.0, &q, z, lambda}, base);
  petsc(VecAXPY(loaded, -1.0, base));
  if (!(max_norm(loaded) > 0))
    throw InputError(
        "buckling needs loads that it multiplies: gravity, or forces and torques that are not zero at t = 0, and that "
        "`analysis.kept` does not name");
  return loaded;
}

VecHandle base_multipliers(System& system, const Configuration& q) {
  VecHandle z = system.make_dof_vector(), a = system.make_dof_vector(), lambda = system.make_row_vector();
  system.hold(0.0, 1.0);
  system.multiply_live_loads(0.0);
  system.forces({0.0, &q, z, lambda}, a);
  if (!(max_norm(a) > 0) || measure_imbalance(system, q, z, lambda, buckling_tolerance).is_rest()) return lambda;
  petsc(VecSet(a, 0.0));
  AccelerationSolver(system).solve(0.0, q, z, a, lambda);
  return lambda;
}

/// Both parts of -dK/ds have steps of their own. K is affine in loads, multipliers and stresses, whose step may be any and is
/// such that the change is of the size of K: links and joints may carry the loads without any displacement.
BucklingPencil make_buckling_pencil(System& system, const BaseState& state, PetscVec loads, Axes axes) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  BucklingPencil pencil;
  pencil.axes = axes;
  pencil.K = stiffness(system, state.q, state.lambda);
  pencil.w = system.make_dof_vector();
  VecHandle lambda = system.make_row_vector();
  solve_linear_statics(system, pencil.K, loads, pencil.w, lambda);
  double part = 1;
  pencil.S = softening_in_place(system, state, pencil.K, lambda, pencil.w, part);
  const double change = size_of(system, pencil.S);
  if (change > 0) {
    part = size_of(system, pencil.K) / change;
    pencil.S = softening_in_place(system, state, pencil.K, lambda, pencil.w, part);
    petsc(MatScale(pencil.S, 1 / part));
    pencil.rounding = epsilon / part;
  }
  const double motion = largest_motion(system, pencil.w);
  if (motion > 0) {
    part = differentiation_step / motion;
    MatHandle minus = moved_stiffness(system, state, pencil.w, -part, axes);
    if (size_of(system, minus) > 0) {
      petsc(MatAXPY(minus, -1.0, moved_stiffness(system, state, pencil.w, part, axes), SAME_NONZERO_PATTERN));
      petsc(MatAXPY(pencil.S, 0.5 / part, minus, axes == Axes::turning ? SAME_NONZERO_PATTERN : UNKNOWN_NONZERO_PATTERN));
      pencil.rounding += epsilon / part;
      pencil.follows_displacements = true;
    }
  }
  clear_constraints(system, pencil.S);
  pencil.is_symmetric = is_symmetric(pencil.S);
  return pencil;
}

MatHandle second_difference(System& system, const BaseState& state, const BucklingPencil& pencil) {
  if (!pencil.follows_displacements) return {};
  const double part = quadratic_step / largest_motion(system, pencil.w);
  MatHandle sum = moved_stiffness(system, state, pencil.w, -part, pencil.axes);
  petsc(MatAXPY(sum, -2.0, moved_stiffness(system, state, pencil.w, 0.0, pencil.axes), UNKNOWN_NONZERO_PATTERN));
  petsc(MatAXPY(sum, 1.0, moved_stiffness(system, state, pencil.w, part, pencil.axes), UNKNOWN_NONZERO_PATTERN));
  petsc(MatScale(sum, 1 / (part * part)));
  return sum;
}

VecHandle motion_of(const System& system, PetscVec vector) {
  VecHandle w = system.make_dof_vector(), rows = system.make_row_vector(), x = duplicate(vector);
  split_kkt(vector, w, rows);
  petsc(VecSet(rows, 0.0));
  join_kkt(w, rows, x);
  return x;
}

}  // namespace sinew
