#include "solve/consistent.hpp"

#include "solve/gap_limits.hpp"
#include "solve/relative_rows.hpp"
#include "solve/start_projector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// `model.yaml:7:3: error: ` of the first of these joints, where the system has places.
std::string place_of_joints(const DynamicSystem& system, PetscVec residuals) {
  const std::string place = system.place_of_largest(residuals);
  return place.empty() ? place : place + ": error: ";
}

}  // namespace

void require_consistency(const DynamicSystem& system, double t, const Configuration& q, PetscVec z, double tolerance) {
  VecHandle g = system.make_row_vector(), gv = system.make_row_vector();
  system.constraints({t, &q, z, nullptr}, g, gv);
  const double position = max_norm(g), velocity = max_norm(gv);
  RelativeRows rows(system, q);
  tolerance = std::max(tolerance, given_gap * rows.rounding());
  const bool is_open = rows.gap(g) > tolerance;
  if (!is_open && !(rows.gap(gv) > tolerance * rows.rate(z))) return;
  throw InputError(fmt::format(
      "{}the initial state does not fulfil the constraints: the largest residual is {:.3g} at position level and {:.3g} at "
      "velocity level{}; correct it, or let `analysis: {{initial: consistent}}` project it",
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

namespace {

/// What part rows have in a contradiction, 1 at most. Residuals g that cannot be closed are shared in the sense of least squares,
/// g = R nu with R against redundant rows (System::regularise): the forces nu of a loop balance each other and tell all of its
/// joints, those too that are hardly open because they act more weakly, as a distance does that starts too short.
VecHandle parts_in_contradiction(const DynamicSystem& system, const Stage& stage, PetscVec residuals) {
  const MatHandle A = system.make_projection_matrix();
  system.assemble_projection(stage, A);
  VecHandle diagonal = make_kkt_vector(system.layout()), masses = system.make_dof_vector(), parts = duplicate(residuals),
            sizes = duplicate(residuals);
  petsc(MatGetDiagonal(A, diagonal));
  split_kkt(diagonal, masses, parts);
  system.row_sizes(sizes);
  {
    const VecRead size(sizes), residual(residuals);
    VecWrite force(parts);
    for (PetscInt r = 0; r < system.layout().num_rows; ++r)
      force[r] = force[r] != 0 ? std::abs(residual[r] / force[r]) * size[r] : 0.0;
  }
  const double largest_force = max_norm(parts), largest = max_norm(residuals);
  {
    const VecRead residual(residuals);
    VecWrite part(parts);
    for (PetscInt r = 0; r < system.layout().num_rows; ++r)
      part[r] = std::max(largest_force > 0 ? part[r] / largest_force : 0.0, largest > 0 ? std::abs(residual[r]) / largest : 0.0);
  }
  return parts;
}

/// Throws where a drawn state misses the constraints, and they do not hold each other up by inaccuracy alone.
void judge(const DynamicSystem& system, const Stage& stage, const ConsistencyReport& report, bool with_velocities) {
  VecHandle g = system.make_row_vector(), gv = system.make_row_vector();
  system.constraints(stage, g, gv);
  RelativeRows rows(system, *stage.q);
  const double rate = std::max(report.rate, rows.rate(stage.z));
  const double allowed = std::max(open_gap, stalled_gap * rows.rounding()), missed_rate = with_velocities ? rows.gap(gv) : 0.0;
  const bool is_open = rows.gap(g) > allowed;
  const bool misses = is_open || missed_rate > allowed * rate;
  const bool may_miss = system.has_redundancy() && missed_rate <= closing_tolerance * rate && closes(system, stage, g);
  if (!misses || may_miss) return;
  const VecHandle parts = parts_in_contradiction(system, stage, is_open ? g : gv);
  throw InputError(fmt::format(
      "{}the constraints contradict each other: after {} projections the largest residual is {:.3g} (position "
      "level) and {:.3g} (velocity level){}; check these joints' places, axes and the loops they close",
      place_of_joints(system, parts), report.iterations, report.position_left, report.velocity_left, at_joints(system, parts)));
}

}  // namespace

std::string velocity_warning(const DynamicSystem& system, double t, const Configuration& q, PetscVec z) {
  StartProjector projector(system);
  VecHandle rates = system.make_row_vector(), lambda = system.make_row_vector(), of_bodies = duplicate(z),
            of_nodes = duplicate(z);
  const Stage stage{t, &q, z, lambda};
  RelativeRows rows(system, q);
  system.constraints(stage, nullptr, rates);
  const double miss = rows.gap(rates);
  if (!(miss > noticeable_gap * rows.rate(z)) || !projector.rates(stage, rates, of_bodies, of_nodes)) return {};
  const double change = largest_move(system, of_nodes);
  petsc(VecAXPY(of_bodies, -1.0, of_nodes));
  if (largest_move(system, of_bodies) <= noticeable_gap * change) return {};
  return fmt::format(
      "{}: warning: the given velocities miss the joints by up to {:.3g}{}: the nodes of flexible bodies that are held there get "
      "others and the rest of them goes on as given, which strains them (give the bodies velocities that fit, `velocity` and "
      "`angular_velocity`, and let drives begin with these)",
      system.place_of_largest(rates), max_norm(rates), at_joints(system, rates));
}

void change_rates_of_wholes(const DynamicSystem& system, double t, const Configuration& q, PetscVec z) {
  WholeBodies bodies(system);
  if (!bodies.exist()) return;
  VecHandle rates = system.make_row_vector(), lambda = system.make_row_vector(), change = duplicate(z);
  const Stage stage{t, &q, z, lambda};
  RelativeRows rows(system, q);
  double last = std::numeric_limits<double>::infinity();
  while (true) {  // rows are soft, so that one change leaves a little
    system.constraints(stage, nullptr, rates);
    const double miss = rows.gap(rates);
    if (!(miss < 0.5 * last) || !(miss > 0) || !bodies.rates(stage, rates, change)) return;
    last = miss;
    petsc(VecAXPY(z, 1.0, change));
  }
}

ConsistencyReport project_onto_constraints(const DynamicSystem& system, double t, Configuration& q, PetscVec z, Turns turns) {
  const ConsistencyReport report = project_for_rest(system, t, q, z, turns);
  require_branch(system, q, t);
  return report;
}

void require_branch(const DynamicSystem& system, const Configuration& q, double t) {
  const std::string branch = system.branch_fault(q, q, t);
  if (!branch.empty())
    throw InputError("drawn onto the constraints, the bodies come to lie where they may not: " + branch +
                     "; give positions and orientations that are nearer to what the joints and motions ask for");
}

ConsistencyReport project_for_rest(const DynamicSystem& system, double t, Configuration& q, PetscVec z, Turns turns) {
  const ConsistencyReport report = draw_onto_constraints(system, t, q, z, turns);
  judge(system, {t, &q, z, nullptr}, report, true);
  return report;
}

ConsistencyReport project_places(const DynamicSystem& system, double t, Configuration& q, PetscVec z, Turns turns) {
  const ConsistencyReport report = draw_onto_constraints(system, t, q, z, turns);
  judge(system, {t, &q, z, nullptr}, report, false);
  require_branch(system, q, t);
  return report;
}

}  // namespace sinew
