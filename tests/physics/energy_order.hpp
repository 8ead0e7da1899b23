/// \file
/// Whether runs that dissipate account for their energy.
#pragma once

#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <cmath>

namespace sinew::test {

/// Checks that total + dissipated - work comes to nothing with the square of the step, at the end of `run(steps)`, which
/// dissipates more than a hundredth of the work.
template <class Run>
void check_energy_of_second_order(Run run) {
  const auto gap = [&](int steps) {
    const Values end = run(steps).values.back();
    CHECK(end.at("energy.dissipated") > 0.01 * end.at("energy.work"));
    return std::abs(end.at("energy.total") + end.at("energy.dissipated") - end.at("energy.work")) / end.at("energy.work");
  };
  const double coarse = gap(100), fine = gap(200);
  INFO("gaps " << coarse << ", " << fine);
  CHECK(fine < 2e-4);
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.2));
}

}  // namespace sinew::test
