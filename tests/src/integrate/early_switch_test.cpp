#include "integrate/early_switch.hpp"

#include "tests/catch.hpp"

using namespace sinew;

namespace {

/// A long step that a switch has ended at 2.5, and shorter ones behind.
StepGrid grid_with_switch() { return {{1.0, 2.0, 2.6, 2.8, 3.2, 4.0}, {2.5}}; }

}  // namespace

TEST_CASE("A run that meets a switch sooner takes the steps of the grid behind it, as much sooner", "[serial]") {
  const StepGrid grid = grid_with_switch();
  EarlySwitch early;
  CHECK(early.step_end(2.0, 2.6) == 2.6);
  early.note(grid, 2.2);
  CHECK(early.step_end(2.2, 2.6) == Approx(2.3));
  CHECK(early.step_end(2.3, 2.6) == Approx(2.5));
  CHECK(early.step_end(2.5, 2.6) == 2.6);  // from the grid's own time on as the grid says
}

TEST_CASE("A run that meets a switch sooner leaves no sliver before the times of the grid", "[serial]") {
  const StepGrid grid = grid_with_switch();
  EarlySwitch early;
  early.note(grid, 2.24);
  CHECK(early.step_end(2.24, 2.6) == Approx(2.34));
  CHECK(early.step_end(2.34, 2.6) == 2.6);  // 2.54 would leave less than a third of such a step
}

TEST_CASE("A run that meets a switch later, or one that the grid's run has not met, takes the steps of the grid", "[serial]") {
  const StepGrid grid = grid_with_switch(), without{{1.0, 2.0}, {}};
  EarlySwitch early;
  early.note(grid, 2.55);
  CHECK(early.step_end(2.55, 2.6) == 2.6);
  early.note(without, 1.5);
  CHECK(early.step_end(1.5, 2.0) == 2.0);
}
