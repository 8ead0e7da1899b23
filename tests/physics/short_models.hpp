/// \file
/// Models of a few lines on one rank, whose analysis stands beside them.
#pragma once

#include "tests/physics/trajectory.hpp"

namespace sinew::test {

/// Weight on the ground, m/s^2.
inline constexpr double g = 9.81;

/// `model`: all but the first line and the analysis.
inline Trajectory run_short(const std::string& model, const std::string& analysis) {
  return run_model(MPI_COMM_SELF, "sinew: 1\n" + model + "analysis: " + analysis + "\n");
}

}  // namespace sinew::test
