#include "solve/gap_closing.hpp"

#include "model/joint_starts.hpp"
#include "solve/gap_limits.hpp"
#include "solve/relative_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew {

namespace {

/// Where turns are counted, the longest stage that keeps them well below half a turn, rad.
constexpr double countable_length = 1;
/// No more stages than that; what is further takes longer ones, as long as turns that are counted are not lost by it. As measured
/// on bodies whose prescribed angles are off by up to 5.5 rad: 4 to 22 are taken, and 5 at most lead to the same places.
constexpr int max_stages = 100;
/// No more where turns are counted. As measured: with half as many 1500 rad come without their turns; 1900 rad of one body take a
/// second.
constexpr int max_counting_stages = static_cast<int>(farthest_turn / countable_length);
/// Corrections of a stage; the next one, and at last the projection itself, correct what they leave.
constexpr int stage_corrections = 2;
/// Where turns are counted every stage closes the joints to within this, in units of the model, or is none (the linkage would
/// jump over a place that it cannot pass).
constexpr double stage_gap = 1e-6;
/// So many corrections at most. As measured: two bodies with prescribed angles of 3 and 9.5 rad close with two in every stage,
/// with one the turns are lost; a slider-crank that its rod holds back is .02 to .04 open after 5, 10 and 20 alike.
constexpr int closing_corrections = 10;

/// g := row(g, has_turns) in every row, which has turns where `turns` is not 0.
template <class Row>
void change_rows(PetscVec turns, PetscVec g, const Row& row) {
  const VecRead whole(turns);
  VecWrite gap(g);
  PetscInt count = 0;
  petsc(VecGetLocalSize(g, &count));
  for (PetscInt i = 0; i < count; ++i) gap[i] = row(gap[i], whole[i] != 0);
}

/// Of angles that differ by whole turns the one nearest to 0, in the rows that have such.
void take_nearest(PetscVec turns, PetscVec g) {
  change_rows(turns, g, [](double angle, bool has) { return has ? std::remainder(angle, 2 * std::numbers::pi) : angle; });
}

/// Takes the rows out that have no turns.
void keep_turns(PetscVec turns, PetscVec g) {
  change_rows(turns, g, [](double angle, bool has) { return has ? angle : 0.0; });
}

/// Bodies that so many corrections in a row have brought no nearer to their joints cannot be. On their way they come nearer with
/// every one, as measured on chains of up to 40 bodies that lie up to 7000 of their lengths apart.
constexpr int idle_corrections = 3;

}  // namespace

Approach approach(const DynamicSystem& system, StartProjector& projector, const Stage& stage, Way way, Configuration& q,
                  PetscVec total) {
  VecHandle given = system.make_row_vector(), g = system.make_row_vector(), turns = system.make_row_vector();
  VecHandle w = system.make_dof_vector();
  system.constraints(stage, given, nullptr);
  if (way.has_turns) {
    system.whole_turns(stage, turns);
    petsc(VecAXPY(given, 1.0, turns));
    if (way.closes_first) keep_turns(turns, given);
  }
  projector.increments(stage, given, w);
  const double distance = projector.largest_move_of(w);
  if (!(distance > stage_length)) return Approach::near;
  const bool is_too_far = way.tells && distance > farthest_turn;
  if (way.has_turns && is_too_far) return Approach::too_far;
  const int least =
      way.tells ? static_cast<int>(std::min<double>(max_counting_stages, std::ceil(distance / countable_length))) : 0;
  const int most = way.has_turns ? max_counting_stages : std::max(max_stages, least);
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
    if (way.has_turns && !(left <= stage_gap)) return Approach::open;
    if (way.tells) system.accept({stage.t, &q, stage.z, nullptr});
  }
  return is_too_far ? Approach::too_far : Approach::near;
}

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

}  // namespace sinew
