#include "integrate/step_controller.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

/// Steps aim at this error over the tolerance (K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value
/// Problems in Differential-Algebraic Equations, 5.2: DASSL): errors of vibrations, which rise and fall, may be twice their mean.
constexpr double aim = 0.5;
/// Of the filter: Soderlind gives 2 to 8. The larger, the less steps follow errors that rise and fall with a vibration; with 4
/// they drove vibrations of a blade that they were to resolve.
constexpr double b = 8;
/// Of the limiter: steps grow by less than a factor of 2, beyond which variable-step updates amplify stiff modes, and shrink to
/// no less than 0.36.
constexpr double kappa = 2 / std::numbers::pi, most_growth = 2;
/// A repeated step is at least this part of the one before (as above, II.4), and this where that one had no solution (CVODE), or
/// errs for the second time (DASSL).
constexpr double least_repeated = 0.2, after_failure = 0.25;
/// Of steps that are to be kept.
constexpr double worth_growing = 1.5, worth_shrinking = 0.9;
/// Less than this is none.
constexpr double no_error = 1e-10;
/// A step may be this much longer than wanted if it meets the time where one must end.
constexpr double stretch = 1.02;

double limited(double rho) { return 1 + kappa * std::atan((rho - 1) / kappa); }

/// Factors between steps are powers of 2^(1/8). Without that a difference in the last digit of an error, from other units,
/// another place or another number of ranks, is one in the next step; where steps follow vibrations that they excite, it grows
/// until the runs have little in common. Finer powers let it through more often.
constexpr int factors_per_octave = 8;

/// The nearest of them to a factor, below most_growth.
double on_grid(double factor) {
  static_assert(most_growth == 2);
  return std::exp2(std::min(std::round(std::log2(factor) * factors_per_octave), factors_per_octave - 1.0) / factors_per_octave);
}

}  // namespace

StepController::StepController(const StepLimits& limits, int order)
    : limits_(limits), order_(order), wanted_(std::clamp(limits.first, limits.smallest, limits.longest)) {}

double StepController::next(double remaining) {
  planned_ = wanted_;
  taken_ = planned_;
  if (remaining <= std::max(planned_, std::min(stretch * planned_, limits_.longest)))
    taken_ = remaining;
  else if (remaining < 2 * planned_)
    taken_ = remaining / 2;
  return taken_;
}

void StepController::accept(double error) {
  refused_ = 0;
  // What a step that was cut by a time to be met would have had.
  const double e = std::max(error * std::pow(planned_ / taken_, order_) / aim, no_error);
  const double ratio = last_step_ > 0 ? planned_ / last_step_ : 1.0;
  double rho = limited(std::pow(e * last_error_, -1 / (b * order_)) * std::pow(ratio, -1 / b));
  // Where steps change now and then only, each change has to be the whole of what the error asks for.
  most_error_ = std::max(e, most_error_);
  if (last_step_ == 0 || limits_.kept) rho = limited(std::pow(limits_.kept ? most_error_ : e, -1 / order_));
  if (waiting_ > 0 || (limits_.kept && rho < worth_growing)) rho = std::min(rho, 1.0);
  if (limits_.kept && rho > worth_shrinking) rho = std::max(rho, 1.0);
  wanted_ = std::clamp(on_grid(rho) * planned_, limits_.smallest, limits_.longest);
  last_step_ = planned_;
  last_error_ = std::max(e, std::pow(most_growth, -order_));  // less only because growth is limited: no trend
  if (waiting_ == 0)
    most_error_ = 0;
  else
    --waiting_;
}

/// The step that is accepted then does not grow. Of steps that are kept, order_ of them do not (as CVODE's), and the largest of
/// their errors says what may: that of a vibration rises and falls within them.
void StepController::wait() {
  waiting_ = limits_.kept ? static_cast<int>(order_) : 1;
  most_error_ = 0;
}

/// With the past that it has a multistep formula's error falls with h^2 only: a second refusal in a row asks for a quarter, as in
/// DASSL, where its order would have one follow the other.
void StepController::reject(double error) {
  const double asked = std::pow(error / aim, -1 / order_);
  wanted_ = taken_ * on_grid(std::max(least_repeated, limits_.kept && ++refused_ > 1 ? std::min(asked, after_failure) : asked));
  wait();
}

void StepController::fail() {
  wanted_ = after_failure * taken_;
  wait();
}

void StepController::persist(Archive& archive) {
  auto& [limits, order, wanted, planned, taken, last_step, last_error, waiting, refused, most_error] = *this;
  const Archive::Part part(archive, "controller");
  archive.pass("wanted", wanted);
  archive.pass("planned", planned);
  archive.pass("taken", taken);
  archive.pass("last_step", last_step);
  archive.pass("last_error", last_error);
  archive.pass("waiting", waiting);
  archive.pass("most_error", most_error);
  wanted = std::clamp(wanted, limits.smallest, limits.longest);
}

void StepController::restart(double first) {
  wanted_ = std::clamp(first, limits_.smallest, limits_.longest);
  last_step_ = 0;
  last_error_ = 1;
  waiting_ = 0;
  most_error_ = 0;
}

}  // namespace sinew
