#include "solve/consistent.hpp"
#include "solve/gap_limits.hpp"
#include "solve/relative_rows.hpp"
#include "solve/start_projector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
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

/// Corrections of the whole model onto its constraints. Newton's method doubles its digits where it is regular; at a singular
/// place it gains a bit a time, and has lost all but 2^-25 = 3e-8 of the gap with the last of these.
constexpr int max_projections = 25;

/// What is further away than this, in sizes of the model or rad, is approached in stages of this length: linear equations of the
/// constraints say little about what lies beyond, and the nearest solution may be on another branch. Where they have turns to
/// count, the longest that keeps them well below half a turn.
constexpr double stage_length = 0.25, countable_length = 1;
/// No more stages than that; what is further takes longer ones. As measured on bodies whose prescribed angles are off by up to
/// 5.5 rad: 4 to 22 are taken, and 5 at most lead to the same places.
constexpr int max_stages = 100;
/// No more where turns are counted, which is up to 2000 rad, 318 turns. As measured: with half as many 1500 rad come without
/// their turns; 1900 rad of one body take a second.
constexpr int max_counting_stages = 2000;
/// Corrections of a stage; the next one, and at last the projection itself, correct what they leave.
constexpr int stage_corrections = 2;
/// Where turns are counted every stage closes the joints to within this, in units of the model, or is none (the linkage would
/// jump over a place that it cannot pass).
constexpr double stage_gap = 1e-6;
/// So many corrections at most. As measured: two bodies with prescribed angles of 3 and 9.5 rad close with two in every stage,
/// with one the turns are lost; a slider-crank that its rod holds back is .02 to .04 open after 5, 10 and 20 alike.
constexpr int closing_corrections = 10;

/// On the way to the constraints: are prescribed angles carried out with all their turns, and does the system hear of the stages?
struct Way {
  bool has_turns = false, tells = false;
};

/// Of angles that differ by whole turns the one nearest to 0, in the rows that have such.
void take_nearest(PetscVec turns, PetscVec g) {
  const VecRead whole(turns);
  VecWrite angle(g);
  PetscInt count = 0;
  petsc(VecGetLocalSize(g, &count));
  for (PetscInt i = 0; i < count; ++i)
    if (whole[i] != 0) angle[i] = std::remainder(angle[i], 2 * std::numbers::pi);
}

/// A far state on its way to the constraints: g(q) = (1 - s) g(q given) with s from 0 to nearly 1 in small steps, so that every
/// joint turns and moves there continuously. `total` counts the increments. Near states stay as they are. False: prescribed
/// angles cannot be carried out with all their turns, for joints do not stay closed, or there are too many.
bool approach(const DynamicSystem& system, StartProjector& projector, const Stage& stage, Way way, Configuration& q,
              PetscVec total) {
  VecHandle given = system.make_row_vector(), g = system.make_row_vector(), turns = system.make_row_vector();
  VecHandle w = system.make_dof_vector();
  system.constraints(stage, given, nullptr);
  if (way.has_turns) {
    system.whole_turns(stage, turns);
    petsc(VecAXPY(given, 1.0, turns));
  }
  projector.increments(stage, given, w);
  const double distance = projector.largest_move_of(w);
  if (!(distance > stage_length)) return true;
  const int most = way.has_turns ? max_counting_stages : max_stages;
  if (way.has_turns && distance > most * countable_length) return false;
  const int stages = static_cast<int>(std::min<double>(most, std::ceil(distance / stage_length)));
  const int corrections = way.has_turns ? closing_corrections : stage_corrections;
  Configuration moved = system.make_configuration();
  RelativeRows rows(system, q);
  for (int n = 1; n < stages; ++n) {
    double left = 0;
    for (int i = 0; i <= corrections; ++i) {
      system.constraints(stage, g, nullptr);
      petsc(VecAXPY(g, static_cast<double>(n) / stages - 1, given));
      if (way.has_turns) take_nearest(turns, g);
      left = rows.gap(g);
      if (i == corrections || (way.has_turns && left <= stage_gap)) break;
      projector.increments(stage, g, w);
      petsc(VecAXPY(total, 1.0, w));
      system.retract(q, w, moved);
      Kokkos::deep_copy(q.values, moved.values);
    }
    if (way.has_turns && !(left <= stage_gap)) return false;
    if (way.tells) system.accept({stage.t, &q, stage.z, nullptr});
  }
  return true;
}

/// Bodies that so many corrections in a row have brought no nearer to their joints cannot be. On their way they come nearer with
/// every one, as measured on chains of up to 40 bodies that lie up to 7000 of their lengths apart.
constexpr int idle_corrections = 3;

/// Newton's iterations at position level, from nearby; `total` counts the increments.
void close_gaps(const DynamicSystem& system, StartProjector& projector, const Stage& stage, Configuration& q, PetscVec total,
                ConsistencyReport& report) {
  VecHandle g = system.make_row_vector(), w = system.make_dof_vector();
  Configuration moved = system.make_configuration();
  RelativeRows rows(system, q);
  double last = std::numeric_limits<double>::infinity(), nearest = last;
  int since_nearest = 0;
  for (; report.iterations < max_projections; ++report.iterations) {
    system.constraints(stage, g, nullptr);
    report.position_left = max_norm(g);
    const double gap = rows.gap(g);
    const bool stalls = report.iterations > 2 && gap > 0.5 * last;
    // as near as the constraints allow
    if (stalls && projector.largest_move_of(w) <= 1e-12) break;
    // what bodies as wholes cannot close nodes will
    since_nearest = gap < nearest ? 0 : since_nearest + 1;
    nearest = std::min(nearest, gap);
    if (projector.movers() == Movers::bodies && since_nearest == idle_corrections) break;
    if (gap <= closed_gap * rows.rounding() || (gap <= stalled_gap * rows.rounding() && stalls)) break;
    last = gap;
    projector.increments(stage, g, w);
    petsc(VecAXPY(total, 1.0, w));
    system.retract(q, w, moved);
    Kokkos::deep_copy(q.values, moved.values);
  }
}

/// Are the joints closed, and do the bodies lie where they may?
bool fits(const DynamicSystem& system, const Stage& stage) {
  VecHandle g = system.make_row_vector();
  system.constraints(stage, g, nullptr);
  RelativeRows rows(system, *stage.q);
  const bool is_closed =
      rows.gap(g) <= std::max(open_gap, stalled_gap * rows.rounding()) || (system.has_redundancy() && closes(system, stage, g));
  return is_closed && system.branch_fault(*stage.q, *stage.q, stage.t).empty();
}

/// Can the prescribed angles be carried out with all their turns, in joints that stay closed? By what the projector moves.
bool can_turn_so(const DynamicSystem& system, StartProjector& projector, double t, const Configuration& given, PetscVec z) {
  Configuration q = system.make_configuration();
  Kokkos::deep_copy(q.values, given.values);
  VecHandle total = system.make_dof_vector(), g = system.make_row_vector(), lambda = system.make_row_vector();
  const Stage stage{t, &q, z, lambda};
  if (!system.whole_turns(stage, g)) return false;
  try {
    if (!approach(system, projector, stage, {true, false}, q, total)) return false;
    ConsistencyReport report;
    close_gaps(system, projector, stage, q, total, report);
  } catch (const InputError&) {
    return false;
  }
  return fits(system, stage);
}

/// Leaves the projector with what can.
bool can_turn(const DynamicSystem& system, StartProjector& projector, double t, const Configuration& given, PetscVec z) {
  if (!system.counts_turns()) return false;
  if (projector.has_bodies()) {
    projector.move(Movers::bodies);
    if (can_turn_so(system, projector, t, given, z)) return true;
    projector.move(Movers::nodes);
  }
  return can_turn_so(system, projector, t, given, z);
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
  const auto moved = [&](bool nudged, bool tells) {
    WholeMove move(system, q);
    move_wholes(system, projector, given, {way.has_turns, tells}, move);
    if (!nudged) return move;
    nudge_wholes(system, projector, given, move);
    move_wholes(system, projector, given, {false, tells}, move);
    return move;
  };
  WholeMove move = moved(false, false);
  bool nudged = false;
  if (move.is_open(system)) {
    WholeMove other = moved(true, false);
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
  if (way.tells) moved(nudged, true);
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
void draw(const DynamicSystem& system, double t, bool counts, bool tells, Drawn& drawn) {
  drawn.report = measure_consistency(system, t, drawn.q, drawn.z);
  VecHandle g = system.make_row_vector(), lambda = system.make_row_vector();
  StartProjector projector(system);
  const Stage stage{t, &drawn.q, drawn.z, lambda};
  Way way{counts && can_turn(system, projector, t, drawn.q, drawn.z), tells};
  system.constraints(stage, g, nullptr);
  RelativeRows rows(system, drawn.q);
  const auto is_open = [&] { return rows.gap(g) > std::max(open_gap, closed_gap * rows.rounding()); };
  if ((way.has_turns && projector.movers() == Movers::bodies) || (!way.has_turns && is_open() && projector.has_bodies())) {
    move_bodies(system, projector, stage, way, drawn.q, drawn.change, drawn.report);
    way.has_turns = false;
    system.constraints(stage, g, nullptr);
  }
  if (way.has_turns || is_open()) approach(system, projector, stage, way, drawn.q, drawn.change);
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

/// The given state drawn by the least change; unless that does not close the joints, as it does where bodies are moved first. The
/// system hears of nothing.
Drawn drawn_from(const DynamicSystem& system, double t, bool counts, const Configuration& q, PetscVec z) {
  const auto is_fit = [&](const Drawn& drawn) {
    return drawn.report.strain.empty() && fits(system, {t, &drawn.q, drawn.z, nullptr});
  };
  Drawn least(system, q, z);
  draw(system, t, counts, false, least);
  if (is_fit(least)) return least;
  Drawn moved(system, q, z);
  move_first(system, t, moved);
  if (!moved.is_moved_first) return least;
  draw(system, t, counts, false, moved);
  return is_fit(moved) ? std::move(moved) : std::move(least);
}

}  // namespace

ConsistencyReport draw_onto_constraints(const DynamicSystem& system, double t, Configuration& q, PetscVec z, Turns turns) {
  const ConsistencyReport given = measure_consistency(system, t, q, z);
  const bool counts = turns == Turns::counted && system.counts_turns();
  Drawn drawn(system, q, z);
  const bool tries = are_long(system, {t, &q, z, nullptr});
  if (tries) drawn = drawn_from(system, t, counts, q, z);
  if (!tries || counts) {
    const bool moves_first = drawn.is_moved_first;
    drawn = Drawn(system, q, z);
    if (moves_first) move_first(system, t, drawn);
    draw(system, t, counts, counts, drawn);
  }
  Kokkos::deep_copy(q.values, drawn.q.values);
  petsc(VecCopy(drawn.z, z));
  drawn.report.position_residual = given.position_residual;
  drawn.report.velocity_residual = given.velocity_residual;
  return drawn.report;
}

void count_turns(const DynamicSystem& system, double t, const Configuration& q, PetscVec z) {
  VecHandle turns = system.make_row_vector(), moving = duplicate(z);
  if (!system.whole_turns({t, &q, z, nullptr}, turns)) return;
  Configuration turned = system.make_configuration();
  Kokkos::deep_copy(turned.values, q.values);
  petsc(VecCopy(z, moving));
  StartProjector projector(system);
  if (can_turn(system, projector, t, q, z)) draw_onto_constraints(system, t, turned, moving, Turns::counted);
}

}  // namespace sinew
