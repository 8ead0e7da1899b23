#include "model/joint_starts.hpp"
#include "solve/consistent.hpp"
#include "solve/gap_closing.hpp"
#include "solve/gap_limits.hpp"
#include "solve/relative_rows.hpp"
#include "solve/start_projector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace sinew {

bool closes(const DynamicSystem& system, const Stage& stage, PetscVec g) {
  const double length = system.extent() > 0 ? system.extent() : 1.0;
  VecHandle size = system.make_row_vector();
  system.reaction_sizes(stage, size);
  petsc(VecPointwiseDivide(size, g, size));
  return max_norm(size) <= closing_tolerance * length;
}

namespace {

/// Are the joints closed, and do the bodies lie where they may?
bool fits(const DynamicSystem& system, const Stage& stage) {
  VecHandle g = system.make_row_vector();
  system.constraints(stage, g, nullptr);
  RelativeRows rows(system, *stage.q);
  const bool is_closed =
      rows.gap(g) <= std::max(open_gap, stalled_gap * rows.rounding()) || (system.has_redundancy() && closes(system, stage, g));
  return is_closed && system.branch_fault(*stage.q, *stage.q, stage.t).empty();
}

/// By the joints that ask for most turns.
LostTurns lost_turns(const DynamicSystem& system, PetscVec rows) {
  return {
      system.place_of_largest(rows),
      fmt::format(
          "to their start bodies have to turn by more than {:g} rad{}, which is as far as whole turns are "
          "followed: springs, gears and sensors that count turns begin with fewer (take whole turns off; what turns faster than "
          "the rest by gears or screws turns further)",
          farthest_turn, at_joints(system, rows))};
}

/// Can the prescribed angles be carried out with all their turns, in joints that stay closed? By what the projector moves. Joints
/// count turns on the way (gears). `lost`: what is said where there are too many of them.
bool can_turn_so(const DynamicSystem& system, StartProjector& projector, double t, const Configuration& given, PetscVec z,
                 Way way, LostTurns& lost) {
  Configuration q = system.make_configuration();
  Kokkos::deep_copy(q.values, given.values);
  VecHandle total = system.make_dof_vector(), g = system.make_row_vector(), lambda = system.make_row_vector();
  const Stage stage{t, &q, z, lambda};
  if (!system.whole_turns(stage, g)) return false;
  const Trial trial(system);
  try {
    const Approach how = approach(system, projector, stage, way, q, total);
    if (how == Approach::too_far) lost = lost_turns(system, g);
    if (how != Approach::near) return false;
    ConsistencyReport report;
    close_gaps(system, projector, stage, q, total, report);
  } catch (const InputError&) {
    return false;
  }
  return fits(system, stage);
}

/// The way that can, if any; leaves the projector with what goes it.
std::optional<Way> way_with_turns(const DynamicSystem& system, StartProjector& projector, double t, const Configuration& given,
                                  PetscVec z, LostTurns& lost) {
  if (!system.counts_turns()) return std::nullopt;
  for (const bool closes_first : {false, true}) {
    const Way way{true, true, closes_first};
    if (projector.has_bodies()) {
      projector.move(Movers::bodies);
      if (can_turn_so(system, projector, t, given, z, way, lost)) return way;
      projector.move(Movers::nodes);
    }
    if (can_turn_so(system, projector, t, given, z, way, lost)) return way;
  }
  return std::nullopt;
}

/// Bodies moved as wholes.
struct WholeMove {
  WholeMove(const DynamicSystem& system, const Configuration& given)
      : q(system.make_configuration()), change(system.make_dof_vector()), gaps(system.make_row_vector()) {
    Kokkos::deep_copy(q.values, given.values);
    petsc(VecSet(change, 0.0));
  }
  Configuration q;
  VecHandle change, gaps;
  double left = 0;  ///< the largest gap, in units of the model
  /// Is what is left more than inaccuracy, so that nodes which close it strain the elements beside a joint?
  bool is_open(const DynamicSystem& system) const { return left * system.amplified_rounding() > closing_tolerance; }
};

/// From where they are as near to the joints as they come.
void move_wholes(const DynamicSystem& system, StartProjector& projector, const Stage& given, Way way, WholeMove& move) {
  const Stage stage{given.t, &move.q, given.z, given.lambda};
  projector.move(Movers::bodies);
  approach(system, projector, stage, way, move.q, move.change);
  ConsistencyReport of_bodies;
  close_gaps(system, projector, stage, move.q, move.change, of_bodies);
  projector.move(Movers::nodes);
  system.constraints(stage, move.gaps, nullptr);
  move.left = RelativeRows(system, move.q).gap(move.gaps);
}

/// A body that lies exactly the wrong way round between its joints is as near to them as it comes to first order, and a small
/// turn to whatever side leads further. Turns bodies whose joints are open so.
void nudge_wholes(const DynamicSystem& system, StartProjector& projector, const Stage& given, WholeMove& move) {
  const Stage stage{given.t, &move.q, given.z, given.lambda};
  VecHandle rows = duplicate(move.gaps), w = duplicate(move.change);
  system.row_sizes(rows);
  petsc(VecPointwiseDivide(rows, move.gaps, rows));
  {
    VecWrite gap(rows);
    PetscInt count = 0;
    petsc(VecGetLocalSize(rows, &count));
    for (PetscInt i = 0; i < count; ++i) gap[i] = std::abs(gap[i]) > closing_tolerance * move.left ? 1.0 : 0.0;
  }
  projector.nudge(stage, rows, stage_length, w);
  petsc(VecAXPY(move.change, 1.0, w));
  Configuration turned = system.make_configuration();
  system.retract(move.q, w, turned);
  Kokkos::deep_copy(move.q.values, turned.values);
}

/// Gaps are open, and there are bodies of many nodes: moves these as wholes, unless what is left can be seen: then they are meant
/// to be strained (an end that is turned while the other one is clamped), from where they are. Says of what nodes are to close
/// whether it strains the elements beside a joint.
void move_bodies(const DynamicSystem& system, StartProjector& projector, const Stage& given, Way way, Configuration& q,
                 PetscVec total, ConsistencyReport& report) {
  const auto moved = [&](bool nudged) {
    WholeMove move(system, q);
    move_wholes(system, projector, given, way, move);
    if (!nudged) return move;
    nudge_wholes(system, projector, given, move);
    move_wholes(system, projector, given, {false, way.tells}, move);
    return move;
  };
  const auto tried = [&](bool nudged) {
    const Trial trial(system);
    return moved(nudged);
  };
  WholeMove move = tried(false);
  bool nudged = false;
  if (move.is_open(system)) {
    WholeMove other = tried(true);
    nudged = other.left <= move.left / 2;
    if (nudged) move = std::move(other);
  }
  if (move.is_open(system))
    report.strain = fmt::format(
        "{}: warning: where all bodies have been moved as wholes their positions do not fit the joints yet, by up to {:.3g}{}: "
        "flexible bodies are strained to close them (correct the positions, or start from the state of rest: `analysis: "
        "{{initial: static}}`)",
        system.place_of_largest(move.gaps), max_norm(move.gaps), at_joints(system, move.gaps));
  if (move.left > noticeable_gap || !system.branch_fault(move.q, move.q, given.t).empty()) return;
  if (way.tells) moved(nudged);
  Kokkos::deep_copy(q.values, move.q.values);
  petsc(VecAXPY(total, 1.0, move.change));
}

/// Corrections of the velocities until g_t + G z = 0 and k = 0.
void close_rates(const DynamicSystem& system, StartProjector& projector, const Stage& stage, PetscVec z,
                 ConsistencyReport& report) {
  VecHandle gv = system.make_row_vector(), w = system.make_dof_vector(), total = system.make_dof_vector();
  RelativeRows rows(system, *stage.q);
  system.constraints(stage, nullptr, gv);
  const double rate = report.rate = std::max(rows.rate(z), rows.gap(gv));
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < max_projections; ++i) {
    system.constraints(stage, nullptr, gv);
    report.velocity_left = max_norm(gv);
    const double miss = rows.gap(gv);
    const bool stalls = i > 1 && miss > 0.5 * last;
    if (miss <= closed_gap * std::numeric_limits<double>::epsilon() * rate || stalls) break;
    last = miss;
    projector.solve(stage, gv, w);
    petsc(VecAXPY(z, -1.0, w));
    petsc(VecAXPY(total, -1.0, w));
  }
  report.velocity_change = max_norm(total);
}

/// A state on its way to the constraints.
struct Drawn {
  Drawn(const DynamicSystem& system, const Configuration& given, PetscVec given_z)
      : q(system.make_configuration()), z(duplicate(given_z)), change(system.make_dof_vector()) {
    Kokkos::deep_copy(q.values, given.values);
    petsc(VecCopy(given_z, z));
  }
  Configuration q;
  VecHandle z, change;  ///< `change`: the sum of the configuration's increments
  ConsistencyReport report;
  bool is_moved_first = false;  ///< without turning any body, as far as that closes gaps
};

/// Draws a state on from where it is.
void draw(const DynamicSystem& system, double t, bool counts, Drawn& drawn) {
  drawn.report = measure_consistency(system, t, drawn.q, drawn.z);
  VecHandle g = system.make_row_vector(), lambda = system.make_row_vector();
  StartProjector projector(system);
  const Stage stage{t, &drawn.q, drawn.z, lambda};
  Way way{false, counts};
  if (counts) way = way_with_turns(system, projector, t, drawn.q, drawn.z, drawn.report.lost_turns).value_or(way);
  system.constraints(stage, g, nullptr);
  RelativeRows rows(system, drawn.q);
  const auto is_open = [&] { return rows.gap(g) > std::max(open_gap, closed_gap * rows.rounding()); };
  if ((way.has_turns && projector.movers() == Movers::bodies) || (!way.has_turns && is_open() && projector.has_bodies())) {
    move_bodies(system, projector, stage, way, drawn.q, drawn.change, drawn.report);
    way.has_turns = false;
    system.constraints(stage, g, nullptr);
  }
  if (way.has_turns || is_open()) {
    const Approach how = approach(system, projector, stage, way, drawn.q, drawn.change);
    if (how == Approach::too_far && !drawn.report.lost_turns.exist()) drawn.report.lost_turns = lost_turns(system, g);
  }
  close_gaps(system, projector, stage, drawn.q, drawn.change, drawn.report);
  drawn.report.position_change = max_norm(drawn.change);
  close_rates(system, projector, stage, drawn.z, drawn.report);
}

/// May gaps be long beside what is to turn by them? The same on all ranks.
bool are_long(const DynamicSystem& system, const Stage& stage) {
  VecHandle g = system.make_row_vector();
  system.constraints(stage, g, nullptr);
  return RelativeRows(system, *stage.q).gap(g) * system.amplified_rounding() > noticeable_gap;
}

/// Moves bodies as near to their joints as that brings them where none turns. Gaps of places are linear in such moves: the first
/// closes those of chains and trees, however long they are, and shares those of loops. Others (distances) take more of them.
void move_first(const DynamicSystem& system, double t, Drawn& drawn) {
  StartProjector projector(system);
  if (!projector.can_move_places()) return;
  projector.move(Movers::places);
  const VecHandle lambda = system.make_row_vector();
  ConsistencyReport of_places;
  close_gaps(system, projector, {t, &drawn.q, drawn.z, lambda}, drawn.q, drawn.change, of_places);
  drawn.is_moved_first = true;
}

/// What is drawn onto its constraints: a state at a time. Are turns counted?
struct Given {
  const DynamicSystem& system;
  double t;
  bool counts;
  const Configuration& q;
  PetscVec z;
};

/// Refuses rows that have no value where the state is given: expressions of joints may divide by zero there.
void require_values(const DynamicSystem& system, const Stage& stage) {
  VecHandle g = system.make_row_vector(), gv = system.make_row_vector();
  system.constraints(stage, g, gv);
  {
    VecWrite position(g);
    const VecRead velocity(gv);
    PetscInt count = 0;
    petsc(VecGetLocalSize(g, &count));
    for (PetscInt i = 0; i < count; ++i) position[i] = std::isfinite(position[i]) && std::isfinite(velocity[i]) ? 0.0 : 1.0;
  }
  if (max_norm(g) > 0)
    throw InputError(fmt::format(
        "{}: error: {}: no finite number comes out at the start (look for a division by zero, a root of a negative number)",
        system.place_of_largest(g), system.names_of_largest(g)));
}

/// The given state drawn by the least change, or moved first.
Drawn drawn_from(const Given& given, bool moves_first) {
  Drawn drawn(given.system, given.q, given.z);
  if (moves_first) move_first(given.system, given.t, drawn);
  draw(given.system, given.t, given.counts, drawn);
  return drawn;
}

/// By the least change; unless that does not close the joints, as it does where bodies are moved first. The system hears of
/// nothing.
Drawn tried_from(const Given& given) {
  const DynamicSystem& system = given.system;
  const auto tried = [&](bool moves_first, bool& is_fit) {
    const Trial trial(system);
    Drawn drawn = drawn_from(given, moves_first);
    is_fit = drawn.report.strain.empty() && fits(system, {given.t, &drawn.q, drawn.z, nullptr});
    return drawn;
  };
  bool is_fit = false;
  Drawn least = tried(false, is_fit);
  if (is_fit || !StartProjector(system).can_move_places()) return least;
  Drawn moved = tried(true, is_fit);
  return is_fit ? std::move(moved) : std::move(least);
}

}  // namespace

ConsistencyReport draw_onto_constraints(const DynamicSystem& system, double t, Configuration& q, PetscVec z, Turns turns) {
  require_values(system, {t, &q, z, nullptr});
  const ConsistencyReport as_given = measure_consistency(system, t, q, z);
  const Given given{system, t, turns == Turns::counted && system.counts_turns(), q, z};
  bool moves_first = false;
  std::optional<Drawn> drawn;
  if (are_long(system, {t, &q, z, nullptr})) {
    drawn = tried_from(given);
    moves_first = drawn->is_moved_first;
  }
  if (!drawn || given.counts) drawn = drawn_from(given, moves_first);
  Kokkos::deep_copy(q.values, drawn->q.values);
  petsc(VecCopy(drawn->z, z));
  drawn->report.position_residual = as_given.position_residual;
  drawn->report.velocity_residual = as_given.velocity_residual;
  return drawn->report;
}

void count_turns(const DynamicSystem& system, double t, const Configuration& q, PetscVec z) {
  VecHandle turns = system.make_row_vector(), moving = duplicate(z);
  if (!system.whole_turns({t, &q, z, nullptr}, turns)) return;
  Configuration turned = system.make_configuration();
  Kokkos::deep_copy(turned.values, q.values);
  petsc(VecCopy(z, moving));
  StartProjector projector(system);
  LostTurns lost;  // the state is given: how many turns it has is for the model file to say
  if (way_with_turns(system, projector, t, q, z, lost)) draw_onto_constraints(system, t, turned, moving, Turns::counted);
}

}  // namespace sinew
