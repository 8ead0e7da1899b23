/// \file
/// How far to trust what was recorded: the same motion with steps of two or three sizes, compared row by row.
#pragma once

#include "observe/compared_rows.hpp"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sinew {

/// Is a column an integral over the steps of a run, as energies that have gone in and out are? Such sums are of second order in
/// the steps, whatever the method's order.
inline bool is_integral(const std::string& column) { return column.ends_with(".dissipated") || column.ends_with(".work"); }
inline constexpr double order_of_integrals = 2;

/// What is known of errors before runs are compared.
struct ErrorRule {
  double assumed = 2;                      ///< order where only two runs are compared
  double highest = 2;                      ///< no more than this is believed of an observed one
  double highest_of_derivatives = 2;       ///< likewise of quantities that `derivatives` names
  std::set<std::string> derivatives = {};  ///< sensors of what the solution's derivatives are at a place inside an element
  std::set<std::string> numbers = {};      ///< sensors whose columns are numbers by themselves, x, y, z and w too: of controls
  double doubtful = 1;                     ///< quantities with a lower observed one are named
  double noise =
      1e-10;  ///< differences below this part of a quantity's size are left-overs of equations, of which no order can be seen
  double left_over = 0;  ///< likewise for what is named: of differences that are no more of its size nothing is expected
  double tolerance = 0;  ///< quantities smaller than this part of the largest of their kind count as that; see is_still too
  double extent = 0;     ///< of the model, m: what moments, which rounding leaves of forces, are measured by; 0: by themselves
  double duration = 0;   ///< s: likewise for rates of what is at rest
};

/// Lengths of the steps, or sizes of the elements, of the runs that are compared, in proportion.
struct ComparedSizes {
  double judged = 1, other = 2, coarsest = 4;
};

/// What the comparison of runs says.
struct ErrorVerdict {
  double worst = 0;  ///< the largest bar over the size of its quantity
  std::string quantity;
  double size = 0;                  ///< by which it was judged
  double time = 0;                  ///< of the worst
  double order = 0;                 ///< observed where it matters most; 0: only two runs were compared
  std::vector<std::string> doubts;  ///< quantities whose bars are not to be trusted
};

/// A column of sensors.csv.
struct BarColumn {
  std::string name;
  std::string quantity;  ///< the vector that it belongs to
  double size = 0;       ///< of the quantity, over the run
};

/// Bars of recorded quantities from runs that differ in the length of their steps or in the size of their elements: with x(h),
/// x(h/r) and an error that falls with h^p, x(h/r) is wrong by |x(h) - x(h/r)|/(r^p - 1), which counts 1.25 times where three
/// runs show the order p, row by row, else 3 times (P. J. Roache, Quantification of uncertainty in computational fluid dynamics,
/// Annu. Rev. Fluid Mech. 29 (1997) 123-160). What the differences of three runs have beside an error of that order, out of phase
/// from run to run, is added. The components of a vector share their bar, its neighbours in time included, so that none vanishes
/// where errors change their sign; but none beyond a jump, of which the last instant before it knows nothing. Verdict, order and
/// sizes go by the rows that are recorded: what lies between them is nobody's to see. Rows between the times at which two runs
/// change the same switch are not compared: what jumps there differs by its jump, which is its bar around that time and says
/// nothing of the rest of the run. Sizes: of positions how far they move, but no more than their largest distance from the
/// origin; of everything else its largest amount, of sums (the total of energies, momenta) no less than their terms come to.
/// Quantities below the tolerance of the largest of their kind count as that.
///
/// Of places and speeds a part may be creep of what sliding switches hold, no more than their width makes of it
/// (SensorSeries::creep). By it runs differ that have nothing else wrong: bars are no less, but what it makes of them has no part
/// in the verdict, and what is no more than creep over the tolerance counts as that. What is held from the start to the end has
/// no size of its own, and all that it seems to do is error: it is judged by what would count of it (Creep::held_sizes).
class ErrorBars {
 public:
  /// `columns`: the names of the sensors' columns.
  ErrorBars(const std::vector<std::string>& columns, const ErrorRule&);

  /// Bars of `judged`. `other` is coarser, or finer; `coarsest`, coarser than both, may be null. On rank 0, the only one that has
  /// rows.
  ErrorVerdict compare(const SensorSeries& judged, const SensorSeries& other, const SensorSeries* coarsest,
                       const ComparedSizes& sizes = {});
  /// Of all columns at that time: the larger of its neighbours' where it lies between two that were compared, and no less than
  /// what a switch makes of it whose time is not known any better.
  std::vector<double> at(double time) const;
  /// The same without switches: what the verdict goes by.
  std::vector<double> apart_from_switches(double time) const;
  const std::vector<BarColumn>& columns() const { return columns_; }
  /// Those that are recorded of the run that is judged.
  const std::vector<double>& recorded() const { return recorded_; }

 private:
  struct Group {
    std::vector<std::size_t> columns;
    std::string name, kind;
    double highest = 0;  ///< order that is believed at most
    double size = 0;
    double rounding = 0;       ///< differences up to this are rounding of what is largest of the kind
    double left_over = 0;      ///< of an acceleration: what Newton's method leaves of velocities, over a step
    double creep = 0;          ///< of the run that is judged
    std::vector<double> bars;  ///< one a compared time
  };
  /// Around a switch that two runs change at different times, with rows between these.
  struct Jump {
    double begin = 0, end = 0;  ///< within which it may change
    std::vector<double> bars;   ///< of all groups
  };

  double reference_size(const std::string& kind, const std::map<std::string, double>& largest, double reaction) const;
  void measure_sizes(const SensorSeries&);
  bool is_left_over(const Group&) const;
  /// Does nothing move by more than the tolerance between two times?
  bool is_still(const SensorSeries&, double from, double to) const;
  IsStill stillness() const {
    return [this](const SensorSeries& run, double from, double to) { return is_still(run, from, to); };
  }
  /// How differences of runs fall: their mean square, and the part of (x1 - x0) that lies along (x2 - x1). Both fall alike where
  /// the first term of the error's expansion is all of it; of vibrations that are out of phase between runs only the size falls.
  struct ObservedOrder {
    double of_sizes = 0, along = 0;
    double difference = 0;         ///< |x2 - x1| in the mean square
    bool is_out_of_phase = false;  ///< what does not fall with that order has a phase of its own in every run
  };
  /// Three runs, the coarsest first, and their rows at the times that all have.
  struct ThreeRuns {
    ThreeRuns(const SensorSeries& first, const SensorSeries& second, const SensorSeries& third, const IsStill&);
    double creep(const std::vector<std::size_t>& columns, const std::string& kind, double fall) const;
    const SensorSeries &first, &second, &third;
    std::vector<std::array<std::size_t, 3>> rows;
    ComparedTimes times;
  };
  ObservedOrder observed_order(const Group&, const ThreeRuns&, const ComparedSizes&) const;
  std::vector<double> remainders(const Group&, const ThreeRuns&, double fall) const;
  void measure_jumps(const SensorSeries& few, const SensorSeries& many, bool few_is_judged, double factor);

  ErrorRule rule_;
  std::vector<BarColumn> columns_;
  std::vector<Group> groups_;
  ComparedTimes times_;
  std::vector<double> recorded_;
  std::vector<Jump> jumps_;
};

}  // namespace sinew
