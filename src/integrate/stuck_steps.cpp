#include "integrate/stuck_steps.hpp"

#include "integrate/integrator.hpp"

#include <fmt/format.h>

#include <utility>

namespace sinew {

namespace {

/// Two windows of so many failures tell: contacts and switches that are met in a hurry do not fail as often on end.
constexpr long full = 250;
/// An error over the tolerance that is less has not kept a step short: one twice as long would have had less than half of it.
constexpr double idle_error = 0.05;
/// What would take more steps than these has no end: hours of the smallest model.
constexpr double most_steps = 1e7;

}  // namespace

void StuckSteps::note(double t, double h, const StepOutcome& outcome, bool change) {
  if (change || outcome.error > idle_error) {
    before_ = now_ = {t, t};
    return;
  }
  if (!outcome.accepted) {
    ++now_.failed;
    failure_ = outcome.reason;
    if (outcome.refused) refused_ = outcome.reason;
    return;
  }
  if (now_.failed >= full) before_ = std::exchange(now_, {t, t});
  ++now_.made;
  now_.end = t + h;
}

std::string StuckSteps::verdict(double rest) const {
  if (before_.failed < full || now_.failed < full || before_.made == 0 || now_.made == 0) return {};
  if (now_.mean() > before_.mean() || rest < most_steps * now_.mean()) return {};
  return fmt::format(
      "steps do not grow: no longer ones than {:.3g} on average have a solution from t = {:.9g} to {:.9g}, although no error "
      "keeps them short, and the rest would take {:.0e} of them (have constraints begun to contradict each other, or is "
      "something far too stiff?). Longer ones: {}",
      now_.mean(), before_.begin, now_.end, rest / now_.mean(), refused_.empty() ? failure_ : refused_);
}

}  // namespace sinew
