#include "system/signal_curves.hpp"

#include "system/archive.hpp"

#include <algorithm>

namespace sinew {

SignalCurves::SignalCurves(const LocalModel& local, const SwitchBoard& board) : local_(local), board_(board) {
  for (std::size_t k = 0; k < local_.signals.size(); ++k) {
    const LocalSignal& signal = local_.signals[k];
    const auto& steps = signal.flow.steps;
    if (signal.acts_always() &&
        std::any_of(steps.begin(), steps.end(), [](const SignalStep& step) { return bends_variables(*step.expression); }))
      curves_.push_back(k);
  }
}

std::int64_t SignalCurves::key(std::size_t c) const {
  const LocalSignal& signal = local_.signals[curves_[c]];
  return item_key({static_cast<std::int64_t>(signal.target), signal.item, signal.instance, signal.number});
}

bool SignalCurves::is_distance(std::size_t c, std::size_t k) const {
  const LocalLeaf& leaf = local_.signals[curves_[c]].leaves[k];
  return leaf.relative >= 0 && !leaf.is_rate &&
         local_.relatives[static_cast<std::size_t>(leaf.relative)].coordinate.kind == RelativeCoordinate::Kind::distance;
}

TimeRange SignalCurves::range(std::size_t c, double from, double to, const std::vector<MovingValue>& leaves) const {
  const MovingValue time = moving_time(from, to);
  std::vector<MovingValue> results, variables;
  for (const SignalStep& step : local_.signals[curves_[c]].flow.steps) {
    variables.clear();
    for (const int v : step.variables)
      variables.push_back(v >= 0 ? leaves[static_cast<std::size_t>(v)] : results[static_cast<std::size_t>(-1 - v)]);
    const Expression& expression = *step.expression;
    results.push_back(expression.evaluate_by(time, step.indices, variables.data(),
                                             [&](std::size_t i, const MovingValue* a) { return operate_on(expression, i, a); }));
  }
  return results.back().range;
}

}  // namespace sinew
