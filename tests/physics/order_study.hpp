/// \file
/// Errors of a model against its exact motion over several step sizes.
#pragma once

#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sinew::test {

/// Columns whose errors are measured together, by their 2-norm.
struct Quantity {
  std::string name;
  std::vector<std::string> columns;
};

inline Quantity vector_quantity(const std::string& name, const std::string& sensor) {
  return {name, {sensor + ".x", sensor + ".y", sensor + ".z"}};
}
inline Quantity rotation_quantity(const std::string& name, const std::string& sensor) {
  return {name, {sensor + ".w", sensor + ".x", sensor + ".y", sensor + ".z"}};
}

/// The values of the quantities' columns at a time; called with growing times.
using Exact = std::function<Values(double)>;

struct KnownMotion {
  std::string model;             ///< the model file without `analysis`
  std::function<Exact()> exact;  ///< a new one for every run
  std::vector<Quantity> quantities;
};

struct StudyChoices {
  double end_time = 1, rho_inf = 0.8;
  std::vector<int> counts;   ///< (macro) steps from start to end
  bool alternating = false;  ///< h/3, 2h/3
  std::string start = "derivative", updates = "both", integrator = "soi2";
  std::string more;  ///< further keys of the analysis, each with a comma before it
};

/// Largest errors over all steps, in the order of the quantities; over the first 20 steps, over the rest.
struct Errors {
  std::vector<double> all, first, rest;
};

inline double error_of(const Quantity& q, const Values& found, const Values& exact) {
  double sum = 0, mirrored = 0;
  for (const std::string& c : q.columns) {
    sum += std::pow(found.at(c) - exact.at(c), 2);
    mirrored += std::pow(found.at(c) + exact.at(c), 2);
  }
  return std::sqrt(q.columns.size() == 4 ? std::min(sum, mirrored) : sum);  // a rotation has two quaternions
}

inline Errors measure_errors(const KnownMotion& motion, const StudyChoices& c, int count) {
  const double h = c.end_time / count;
  const std::string steps = c.alternating ? fmt::format("[{:.17g}, {:.17g}]", h / 3, 2 * h / 3) : fmt::format("{:.17g}", h);
  const std::string analysis = fmt::format(
      "analysis: {{end_time: {:.17g}, step: {}, rho_inf: {}, start: {}, updates: {}, integrator: {}, "
      "newton: {{tolerance: 1e-12, jacobian: full}}{}}}\n",
      c.end_time, steps, c.rho_inf, c.start, c.updates, c.integrator, c.more);
  const Trajectory run = run_model(MPI_COMM_SELF, motion.model + analysis);
  const Exact exact = motion.exact();
  const std::size_t n = motion.quantities.size();
  Errors errors{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t k = 1; k < run.time.size(); ++k) {
    const Values known = exact(run.time[k]);
    for (std::size_t i = 0; i < n; ++i) {
      const double e = error_of(motion.quantities[i], run.values[k], known);
      errors.all[i] = std::max(errors.all[i], e);
      double& part = k <= 20 ? errors.first[i] : errors.rest[i];
      part = std::max(part, e);
    }
  }
  return errors;
}

/// Runs a study and checks that the largest error of every quantity falls with an order between `low` and `high` at every
/// refinement.
inline std::vector<Errors> check_orders(const KnownMotion& motion, const StudyChoices& c, double low = 1.85, double high = 2.15) {
  std::vector<Errors> table;
  for (const int count : c.counts) table.push_back(measure_errors(motion, c, count));
  for (std::size_t i = 0; i < motion.quantities.size(); ++i) {
    std::string line = motion.quantities[i].name + (c.alternating ? ", alternating steps:" : ", equal steps:");
    for (const Errors& e : table) line += fmt::format(" {:.3e}", e.all[i]);
    for (std::size_t k = 1; k < table.size(); ++k) {
      const double order = std::log(table[k - 1].all[i] / table[k].all[i]) / std::log(double(c.counts[k]) / c.counts[k - 1]);
      line += fmt::format("  order {:.2f}", order);
      INFO(line);
      CHECK(order >= low);
      CHECK(order <= high);
    }
    if (std::getenv("SINEW_SHOW_STUDIES")) fmt::print("  {}\n", line);
  }
  return table;
}

/// No oscillation at the start: over the first 20 steps the errors fall by 4 a halving and do not stand out against those of the
/// rest.
inline void check_start(const KnownMotion& motion, const std::string& quantity, const std::vector<Errors>& table) {
  for (std::size_t i = 0; i < motion.quantities.size(); ++i) {
    if (motion.quantities[i].name != quantity) continue;
    for (std::size_t k = 1; k < table.size(); ++k) {
      INFO(quantity << " over the first 20 steps: " << table[k - 1].first[i] << " " << table[k].first[i] << ", later "
                    << table[k].rest[i]);
      if (std::getenv("SINEW_SHOW_STUDIES"))
        fmt::print("  {} over the first 20 steps: {:.3e} {:.3e} ratio {:.2f}, later {:.3e}\n", quantity, table[k - 1].first[i],
                   table[k].first[i], table[k - 1].first[i] / table[k].first[i], table[k].rest[i]);
      CHECK(table[k - 1].first[i] / table[k].first[i] == Approx(4).margin(0.5));
      CHECK(table[k].first[i] <= 3 * table[k].rest[i]);
    }
  }
}

}  // namespace sinew::test
