#include "integrate/bdf_order.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

void BdfOrder::restart() {
  next_ = first();
  steps_at_order_ = 0;
}

/// By the length of step that the error allows, where it is judged, otherwise by accuracy. The caution multiplies the error: that
/// of neighbours by more than the order's own, so that the order changes for a gain that shows.
double BdfOrder::advantage(int order, double error, double caution) const {
  return is_judged_ ? std::pow(caution * error + 1e-10, -1.0 / (order + 1)) : 1 / (caution * error);
}

double BdfOrder::choose(const Solved& step, const HistoryTerms& terms) {
  if (!is_free()) return step.error;
  if (step.order > highest_stable_order && terms.vibrate()) {
    next_ = highest_stable_order;
    steps_at_order_ = 0;
    return step.error;
  }
  const int highest = terms.may_vibrate() ? highest_stable_order : highest_variable_order;
  const bool is_rejected = is_judged_ && step.error > 1;
  if (!is_rejected && ++steps_at_order_ <= step.order) return step.error;
  int best = step.order;
  double best_error = step.error, most = advantage(step.order, step.error, 1.2);
  const auto consider = [&](int k, double caution) {
    const double e = step.error_of(k), gain = advantage(k, e, caution);
    if (!(gain > most)) return;
    best = k;
    best_error = e;
    most = gain;
  };
  if (step.order > highest_stable_order) consider(step.order - 1, 1.3);
  if (!is_rejected && step.order < highest && step.points > step.order + 1) consider(step.order + 1, is_judged_ ? 1.4 : 2.4);
  if (best != step.order) {
    next_ = best;
    steps_at_order_ = 0;
  }
  return is_rejected ? step.error : std::min(1.0, best_error);
}

void BdfOrder::persist(Archive& archive) {
  archive.pass("order", next_);
  archive.pass("steps_at_order", steps_at_order_);
}

}  // namespace sinew
