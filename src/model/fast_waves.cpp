#include "model/fast_waves.hpp"

#include "model/time_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace sinew {

namespace {

/// Below it a wave is taken for another one: two steps a period are the limit of sampling, with three its height is still seen.
constexpr double least_steps = 3;
/// The run is looked at in so many windows of as many steps, each at so many places.
constexpr int most_windows = 64, steps_of_window = 16, places = 64;
/// A wave goes on through both halves of a window; a pulse, which steps are cut for, or the end of a transient does not.
constexpr int halves = 2;
/// A wave lower than this part of what the function is anywhere does not matter.
constexpr double least_height = 1e-3;

/// What a function does within a window.
struct Seen {
  double frequency = 0;  ///< rad/s; 0: no wave
  double height = 0;
  double size = 0;  ///< its largest value
};

/// Of a wave of the frequency w f'' is w times f' in the mean of squares, wherever it is looked at: places need not follow it,
/// and lie so that no wave is in step with them. In both halves f' has both signs, and the frequency is much the same.
Seen look(const TimePart& part, double from, double length) {
  Seen seen;
  double lowest = 0, highest = 0, rates = 0;
  for (int half = 0; half < halves; ++half) {
    double rate = 0, acceleration = 0, low = 0, high = 0;
    for (int k = 0; k < places; ++k) {
      const double at = std::fmod(std::numbers::phi * (k + 1), 1.0);
      const double t = from + length * (half + at) / halves;
      const TimeRange here = part.range(t, t);
      const double f1 = here.rate.low, f2 = here.acceleration.low;
      if (!std::isfinite(f1) || !std::isfinite(f2)) return {};
      rate += f1 * f1 / places;
      acceleration += f2 * f2 / places;
      low = std::min(low, f1);
      high = std::max(high, f1);
      seen.size = std::max(seen.size, std::abs(here.value.low));
    }
    const bool goes_both_ways = low < 0 && high > 0 && std::min(-low, high) > 0.25 * std::max(-low, high);
    const double frequency = goes_both_ways ? std::sqrt(acceleration / rate) : 0;
    lowest = half == 0 ? frequency : std::min(lowest, frequency);
    highest = std::max(highest, frequency);
    rates = std::max(rates, rate);
  }
  if (!(lowest > 0.5 * highest)) return seen;
  seen.frequency = lowest;
  seen.height = std::sqrt(2 * rates) / lowest;
  return seen;
}

/// The shortest period of what a part does, where steps do not follow it.
std::optional<double> fast_period(const TimePart& part, double end_time, double step) {
  const double length = steps_of_window * step;
  const int count = static_cast<int>(std::clamp(std::floor(end_time / length), 0.0, static_cast<double>(most_windows)));
  std::vector<Seen> windows;
  double size = 0;
  for (int k = 0; k < count; ++k) {
    windows.push_back(look(part, (end_time - length) * (count > 1 ? static_cast<double>(k) / (count - 1) : 0.0), length));
    size = std::max(size, windows.back().size);
  }
  double shortest = least_steps * step;
  for (const Seen& one : windows)
    if (one.frequency > 0 && one.height > least_height * size)
      shortest = std::min(shortest, 2 * std::numbers::pi / one.frequency);
  if (shortest < least_steps * step) return shortest;
  return {};
}

class Search {
 public:
  Search(const Model& model, double step) : model_(model), step_(step) {}

  void look_at(const Expression& expression, const Repeat& repeat, const std::string& what) {
    for (const std::int64_t instance : {std::int64_t{0}, repeat.count() / 2, repeat.count() - 1}) {
      for (const TimePart& part : curved_time_parts(expression, repeat.indices(instance)))
        if (const auto period = fast_period(part, model_.analysis.end_time, step_)) return warn(expression, what, *period);
      if (!expression.uses_indices()) return;
    }
  }

  std::vector<std::string> warnings;

 private:
  void warn(const Expression& expression, const std::string& what, double period) {
    warnings.push_back(fmt::format(
        "{}: warning: {} has a wave with a period of about {:.2g}, and steps are up to {:g} long: {:.2g} of them to a "
        "period see another, "
        "slower wave (give it 20 steps a period, analysis.step: {:.2g}, or let the error control them)",
        model_.source.locate(expression.mark()), what, period, step_, period / step_, period / 20));
  }

  const Model& model_;
  double step_;
};

}  // namespace

std::vector<std::string> fast_wave_warnings(const Model& model) {
  const auto* sequence = std::get_if<StepSequence>(&model.analysis.step);
  if (model.analysis.type != AnalysisType::dynamic || !sequence) return {};
  Search search(model, *std::max_element(sequence->steps.begin(), sequence->steps.end()));
  const auto look_at = [&](const ConnectedItem& item, const char* kind) {
    const std::string what = std::string(kind) + " '" + item.name.text() + "'";
    for (const Expression& signal : item.signals) search.look_at(signal, item.repeat, what);
    if (item.feedback) search.look_at(item.feedback->value, item.repeat, what);
  };
  for (const JointItem& joint : model.joints) look_at(joint, "joint");
  for (const ForceItem& force : model.forces) look_at(force, "force");
  for (const ControlItem& control : model.controls) {
    if (control.sampling) continue;  // it sees what its samples see, whatever the steps
    const std::string what = "control '" + control.name.text() + "'";
    for (const ControlState& state : control.states) search.look_at(state.law.value, control.repeat, what);
    for (const ControlOutput& output : control.outputs) search.look_at(output.value.value, control.repeat, what);
  }
  return search.warnings;
}

}  // namespace sinew
