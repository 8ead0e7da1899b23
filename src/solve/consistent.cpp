#include "solve/consistent.hpp"

#include "linear/direct_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Solves the projection saddle system for a right-hand side in the constraint rows: M x + G^T nu = 0, G x = r.
class Projector {
 public:
  explicit Projector(const DynamicSystem& system)
      : system_(system),
        matrix_(system.make_projection_matrix()),
        rhs_(make_kkt_vector(system.layout())),
        solution_(make_kkt_vector(system.layout())),
        zero_(system.make_dof_vector()),
        multipliers_(system.make_row_vector()) {
    ksp_ = make_direct_solver("sinew_start_", matrix_, system.is_compact());
  }

  void solve(const Stage& stage, PetscVec rows, PetscVec x) {
    system_.assemble_projection(stage, matrix_);
    join_kkt(zero_, rows, rhs_);
    if (!solve_linear(ksp_, rhs_, solution_))
      throw InputError(
          "the given state cannot be moved onto the constraints: their gradients depend on each other or a body without mass is "
          "not held");
    split_kkt(solution_, x, multipliers_);
  }

 private:
  const DynamicSystem& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle rhs_, solution_, zero_, multipliers_;
};

/// `, at 'hinge', 'slider'` where the system has names.
std::string at_joints(const DynamicSystem& system, PetscVec residuals) {
  const std::string names = system.names_of_largest(residuals);
  return names.empty() ? names : ", at " + names;
}

/// `model.yaml:7:3: error: ` of the first of these joints, where the system has places.
std::string place_of_joints(const DynamicSystem& system, PetscVec residuals) {
  const std::string place = system.place_of_largest(residuals);
  return place.empty() ? place : place + ": error: ";
}

constexpr int max_projections = 25;

/// The largest increment relative to the size of its dof. Collective.
double largest_move(const DynamicSystem& system, PetscVec w) {
  VecHandle size = duplicate(w);
  system.dof_sizes(size);
  petsc(VecPointwiseDivide(size, w, size));
  return max_norm(size);
}

/// Is what is left of redundant constraints small enough to be inaccuracy of the model? g, gv: the rows; angles count at the extent's end.
bool closes(const DynamicSystem& system, const Stage& stage, PetscVec g, PetscVec gv, double speed) {
  const double length = system.extent() > 0 ? system.extent() : 1.0;
  VecHandle size = system.make_row_vector();
  system.reaction_sizes(stage, size);
  petsc(VecPointwiseDivide(size, g, size));
  return max_norm(size) <= closing_tolerance * length && max_norm(gv) <= closing_tolerance * speed;
}

/// What is further away than this, in sizes of the model or rad, is approached in stages of this length: linear equations of the constraints say
/// little about what lies beyond, and the nearest solution may be on another branch. No more stages than that.
constexpr double stage_length = 0.25;
constexpr int max_stages = 100;
/// Corrections of a stage; the next one, and at last the projection itself, correct what they leave.
constexpr int stage_corrections = 2;

/// A far state on its way to the constraints: g(q) = (1 - s) g(q given) with s from 0 to nearly 1 in small steps, so that every joint turns and
/// moves there continuously. `total` counts the increments. Near states stay as they are.
void approach(const DynamicSystem& system, Projector& projector, const Stage& stage, Configuration& q, PetscVec total) {
  VecHandle given = system.make_row_vector(), g = system.make_row_vector();
  VecHandle w = system.make_dof_vector();
  system.constraints(stage, given, nullptr);
  projector.solve(stage, given, w);
  const double distance = largest_move(system, w);
  if (!(distance > stage_length)) return;
  const int stages = static_cast<int>(std::min<double>(max_stages, std::ceil(distance / stage_length)));
  Configuration moved = system.make_configuration();
  for (int i = 0; i < stage_corrections * (stages - 1); ++i) {
    const int n = i / stage_corrections + 1;
    system.constraints(stage, g, nullptr);
    petsc(VecAXPY(g, static_cast<double>(n) / stages - 1, given));
    projector.solve(stage, g, w);
    petsc(VecScale(w, -1.0));
    petsc(VecAXPY(total, 1.0, w));
    system.retract(q, w, moved);
    Kokkos::deep_copy(q.values, moved.values);
  }
}

/// max |z| without first-order states, which are no velocities.
double largest_speed(const DynamicSystem& system, PetscVec z) {
  VecHandle speeds = duplicate(z);
  petsc(VecCopy(z, speeds));
  {
    VecWrite v(speeds);
    for (const PetscInt s : system.layout().states) v[s] = 0;
  }
  return max_norm(speeds);
}

}  // namespace

void require_consistency(const DynamicSystem& system, double t, const Configuration& q, PetscVec z, double tolerance) {
  VecHandle g = system.make_row_vector(), gv = system.make_row_vector();
  system.constraints({t, &q, z, nullptr}, g, gv);
  const double position = max_norm(g), velocity = max_norm(gv);
  const bool is_open = position > tolerance * (1 + system.configuration_norm(q));
  if (!is_open && !(velocity > tolerance * (1 + largest_speed(system, z)))) return;
  throw InputError(fmt::format(
      "{}the initial state does not fulfil the constraints: the largest residual is {:.3g} at position level and {:.3g} "
      "at velocity level{}; "
      "correct it, or let `analysis: {{initial: consistent}}` project it",
      place_of_joints(system, is_open ? g : gv), position, velocity, at_joints(system, is_open ? g : gv)));
}

ConsistencyReport measure_consistency(const DynamicSystem& system, double t, const Configuration& q, PetscVec z) {
  VecHandle g = system.make_row_vector(), gv = system.make_row_vector();
  system.constraints({t, &q, z, nullptr}, g, gv);
  ConsistencyReport report;
  report.position_residual = report.position_left = max_norm(g);
  report.velocity_residual = report.velocity_left = max_norm(gv);
  return report;
}

ConsistencyReport draw_onto_constraints(const DynamicSystem& system, double t, Configuration& q, PetscVec z) {
  ConsistencyReport report = measure_consistency(system, t, q, z);
  VecHandle g = system.make_row_vector(), gv = system.make_row_vector(), lambda = system.make_row_vector();
  VecHandle w = system.make_dof_vector(), total = system.make_dof_vector();
  Configuration moved = system.make_configuration();
  Projector projector(system);
  const Stage stage{t, &q, z, lambda};
  const double length = 1 + system.configuration_norm(q);
  VecHandle M_w = system.make_dof_vector();
  system.mass_times(stage, w, M_w);
  if (report.position_residual > 1e-9 * length) approach(system, projector, stage, q, total);
  double last = report.position_residual;
  for (; report.iterations < max_projections; ++report.iterations) {
    system.constraints(stage, g, nullptr);
    report.position_left = max_norm(g);
    const bool stalls = report.iterations > 2 && report.position_left > 0.5 * last;
    if (stalls && largest_move(system, w) <= 1e-12) break;  // as near as the constraints allow
    if (report.position_left <= 4e-16 * length || (report.position_left <= 1e-12 * length && stalls)) break;
    last = report.position_left;
    projector.solve(stage, g, w);
    petsc(VecScale(w, -1.0));
    petsc(VecAXPY(total, 1.0, w));
    system.retract(q, w, moved);
    Kokkos::deep_copy(q.values, moved.values);
  }
  report.position_change = max_norm(total);
  petsc(VecSet(total, 0.0));
  last = report.velocity_residual;
  const double speed = 1 + largest_speed(system, z);
  for (int i = 0; i < max_projections; ++i) {
    system.constraints(stage, nullptr, gv);
    report.velocity_left = max_norm(gv);
    const bool stalls = i > 1 && report.velocity_left > 0.5 * last;
    if (report.velocity_left <= 4e-16 * speed || stalls) break;
    last = report.velocity_left;
    projector.solve(stage, gv, w);
    petsc(VecAXPY(z, -1.0, w));
    petsc(VecAXPY(total, -1.0, w));
  }
  report.velocity_change = max_norm(total);
  return report;
}

ConsistencyReport project_onto_constraints(const DynamicSystem& system, double t, Configuration& q, PetscVec z) {
  const ConsistencyReport report = draw_onto_constraints(system, t, q, z);
  VecHandle g = system.make_row_vector(), gv = system.make_row_vector();
  const Stage stage{t, &q, z, nullptr};
  system.constraints(stage, g, gv);
  const double speed = 1 + largest_speed(system, z);
  const bool is_open = report.position_left > 1e-9 * (1 + system.configuration_norm(q));
  const bool misses = is_open || report.velocity_left > 1e-9 * speed;
  if (misses && !(system.has_redundancy() && closes(system, stage, g, gv, speed)))
    throw InputError(fmt::format(
        "{}the constraints contradict each other: after {} projections the largest residual is {:.3g} (position level) and {:.3g} "
        "(velocity level){}; check these joints' places, axes and the loops they close",
        place_of_joints(system, is_open ? g : gv), report.iterations, report.position_left, report.velocity_left,
        at_joints(system, is_open ? g : gv)));
  const std::string branch = system.branch_fault(q, q, t);
  if (!branch.empty())
    throw InputError("drawn onto the constraints, the bodies come to lie where they may not: " + branch +
                     "; give positions and orientations that are nearer to what the joints and motions ask for");
  return report;
}

AccelerationSolver::AccelerationSolver(const DynamicSystem& system)
    : system_(system),
      matrix_(system.make_tangent_matrix()),
      rhs_(make_kkt_vector(system.layout())),
      solution_(make_kkt_vector(system.layout())),
      momentum_(system.make_dof_vector()),
      rows_(system.make_row_vector()),
      da_(system.make_dof_vector()),
      dlambda_(system.make_row_vector()) {
  ksp_ = make_direct_solver("sinew_acceleration_", matrix_, system.is_compact());
}

AccelerationSolver::~AccelerationSolver() = default;

bool AccelerationSolver::soften(const Stage& stage, TangentShift shift, PetscVec a) {
  shift.rows = ConstraintRows::gradient;
  shift.velocity_row_q = 0;
  VecHandle product = make_kkt_vector(system_.layout());
  system_.mass_times(stage, a, momentum_);
  petsc(VecScale(momentum_, shift.a));
  system_.assemble_tangent(stage, shift, nullptr, matrix_);
  petsc(VecSet(dlambda_, 0.0));
  join_kkt(a, dlambda_, solution_);
  petsc(MatMult(matrix_, solution_, product));
  split_kkt(product, da_, rows_);
  join_kkt(momentum_, rows_, rhs_);
  if (!solve_linear(ksp_, rhs_, solution_)) return false;
  split_kkt(solution_, a, dlambda_);
  return true;
}

void AccelerationSolver::solve(double t, const Configuration& q, PetscVec z, PetscVec a, PetscVec lambda) {
  const Stage stage{t, &q, z, lambda};
  VecHandle drift = system_.make_row_vector(), Ga = system_.make_row_vector(), gv = system_.make_row_vector();
  VecHandle product = make_kkt_vector(system_.layout());
  system_.constraint_drift(stage, drift);
  double last = 0;
  for (int i = 0; i < 30; ++i) {
    system_.mass_times(stage, a, momentum_);
    system_.forces(stage, da_);
    petsc(VecAXPY(momentum_, -1.0, da_));
    // The rows G a come from the matrix itself; it is exact, only its regularisation must not enter.
    if (i == 0 || !system_.is_mechanical())
      system_.assemble_tangent(stage, {0, 0, 1, 0, ConstraintRows::gradient}, nullptr, matrix_);
    petsc(VecSet(dlambda_, 0.0));
    join_kkt(a, dlambda_, solution_);
    petsc(MatMult(matrix_, solution_, product));
    split_kkt(product, da_, rows_);
    petsc(VecAXPY(rows_, 1.0, drift));
    join_kkt(momentum_, rows_, rhs_);
    const bool solved = solve_linear(ksp_, rhs_, solution_);
    split_kkt(solution_, da_, dlambda_);
    petsc(VecAXPY(a, -1.0, da_));
    petsc(VecAXPY(lambda, -1.0, dlambda_));
    const double change = std::max(max_norm(da_) / (1 + max_norm(a)), max_norm(dlambda_) / (1 + max_norm(lambda)));
    if (!solved || !(change < 1e300))
      throw SolveError(
          "no consistent accelerations: the matrix [M G^T; G 0] is singular (a body without mass that is not held, or no first "
          "guess "
          "for multipliers that enter nonlinearly)");
    if (change <= 1e-15 || (i > 0 && change < 1e-9 && change > 0.2 * last)) return;
    last = change;
  }
  throw SolveError("the consistent accelerations do not converge");
}

}  // namespace sinew
