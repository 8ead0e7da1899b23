/// \file
/// How the end of a run changes from step size to step size, where nothing exact is known.
#pragma once

#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace sinew::test {

inline double distance(const Values& a, const Values& b, const std::vector<std::string>& columns) {
  double sum = 0;
  for (const std::string& c : columns) sum += std::pow(a.at(c) - b.at(c), 2);
  return std::sqrt(sum);
}

inline std::vector<std::string> columns(const std::string& quantity) {
  return {quantity + ".x", quantity + ".y", quantity + ".z"};
}

/// Runs of a model with steps h, h/2 and h/4, equal ones or h/3 and 2h/3 in turn: what a quantity is at the end converges with
/// order 2.
inline void check_order(const std::string& model, double end_time, int steps, const std::vector<std::string>& quantities) {
  for (const bool alternating : {false, true}) {
    std::vector<Values> ends;
    for (const int refined : {1, 2, 4}) {
      const double h = end_time / (steps * refined);
      const std::string step = alternating ? fmt::format("[{:.17g}, {:.17g}]", h / 3, 2 * h / 3) : fmt::format("{:.17g}", h);
      RunChoices choices;
      choices.at_every_step = false;
      const std::string analysis =
          fmt::format("analysis: {{end_time: {:.17g}, step: {}, newton: {{tolerance: 1e-11}}}}\n", end_time, step);
      ends.push_back(run_model(MPI_COMM_SELF, model + analysis, choices).values.back());
    }
    for (const std::string& q : quantities) {
      const double coarse = distance(ends[0], ends[1], columns(q)), fine = distance(ends[1], ends[2], columns(q));
      INFO(q << (alternating ? ", alternating steps" : ", equal steps") << ": changes " << coarse << ", " << fine);
      CHECK(std::log2(coarse / fine) == Approx(2).margin(0.3));
    }
  }
}

}  // namespace sinew::test
