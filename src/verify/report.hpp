/// \file
/// What a verification found: errors over a range of step sizes with the orders seen, single figures with their bounds, and
/// how both are printed.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace sinew::verify {

/// What is demanded of the errors of one quantity.
struct Demand {
  enum class Kind { order, bound, none };
  std::string quantity;  ///< "y", "z", "a", "lambda", "psi"
  Kind kind = Kind::order;
  double low = 1.9;   ///< order: smallest order over the last halving; bound: unused
  double high = 2.1;  ///< order: largest order; bound: largest error at any step size
};

/// Errors of one quantity over the step sizes of its study.
struct Series {
  std::string quantity;
  std::vector<double> errors;
  double order = 0;  ///< over the last refinement
  Demand demand{};   ///< of kind none where nothing is demanded
  bool passed = true;
};

/// One way of integrating a problem, over several step sizes.
struct Study {
  std::string name;            ///< "alternating steps, both updates"
  std::string where;           ///< "errors at t = 1"
  std::vector<double> steps;   ///< h, from coarse to fine
  std::vector<double> newton;  ///< mean number of Newton iterations a step
  std::vector<Series> series;
  bool passed() const;
};

/// A single figure that must not exceed its bound.
struct Check {
  std::string name;
  double value = 0;
  double bound = 0;
  bool passed() const { return value <= bound; }  // false for a NaN
};

/// All that was found about one case.
struct Report {
  std::string name;
  std::string summary;
  std::vector<Study> studies;
  std::vector<Check> checks;
  std::string failure;  ///< why the case could not be run to its end; empty as a rule
  bool passed() const;
};

/// Computes the orders and the verdicts of a study whose errors are known.
void judge(Study&);

/// A table a study, and the checks.
void print_report(std::ostream&, const Report&);
/// One line an error and a check, with a header; unquoted names hold no comma.
void write_csv(std::ostream&, const std::vector<Report>&);
void write_json(std::ostream&, const std::vector<Report>&);

}  // namespace sinew::verify
