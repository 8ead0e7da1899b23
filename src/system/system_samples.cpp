#include "base/petsc.hpp"
#include "partition/collective_error.hpp"
#include "system/host_point.hpp"
#include "system/no_number.hpp"
#include "system/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Sample n of a sampler, s.
double time_of(const LocalSampler& sampler, double n) { return sampler.offset + n * sampler.period; }

/// Times of a run that are so many roundings apart are the same.
constexpr double roundings = 8;

/// Not later than t, but for rounding.
bool is_due(const LocalSampler& sampler, double n, double t) {
  const double time = time_of(sampler, n), largest = std::max({std::abs(t), std::abs(time), sampler.period});
  return time <= t + roundings * std::numeric_limits<double>::epsilon() * largest;
}

/// As many in one search; whoever asks for more asks again.
constexpr std::size_t most_found = 10000;

}  // namespace

/// States and outputs, in the order in which the control remembers them.
std::vector<double> System::sampled_values(const LocalSampler& sampler, double t, const FeedbackPoint& at) const {
  const LocalSignal& signal = local_.signals[sampler.signal];
  const std::vector<double> results = signal.flow.results(t, feedback_->leaf_values(sampler.signal, at).data());
  std::vector<double> values;
  for (const LocalOutput& output : signal.outputs) {
    const auto step = static_cast<std::size_t>(output.step);
    values.push_back(results[step]);
    if (std::isfinite(results[step])) continue;
    const Expression& expression = *signal.flow.steps[step].expression;
    throw InputError(no_number(model_.source, expression, fmt::format("at the sample at t = {:.9g}", t), "error: "));
  }
  return values;
}

/// Controls one after another, in the order of the file: later ones see what earlier ones have sampled just now.
void System::take_samples(const Stage& stage, bool is_start) const {
  for (std::size_t c = 0; c < model_.controls.size(); ++c) {
    const ControlItem& control = model_.controls[c];
    if (!control.sampling) continue;
    share({stage.z}, {});
    struct Change {
      int dof = 0;
      double value = 0;
    };
    std::vector<Change> changes;
    throw_together(local_.comm, [&] {
      const HostPoint point(stage, clock(stage), nullptr);
      for (const LocalSampler& sampler : local_.samplers) {
        if (local_.signals[sampler.signal].item != static_cast<int>(c)) continue;
        const int taken = sampler.dof + control.num_states() - 1;
        const double n = std::round((*point).velocity[taken]);  // steps leave rounding in it
        const bool is_wanted = is_due(sampler, n, stage.t);
        if (!is_wanted && !is_start) continue;
        const std::vector<double> values = sampled_values(sampler, is_wanted ? time_of(sampler, n) : stage.t, *point);
        for (std::size_t k = is_wanted ? 0 : control.states.size(); k < values.size(); ++k)
          changes.push_back({sampler.dof + static_cast<int>(k), values[k]});
        changes.push_back({taken, is_wanted ? n + 1 : n});
      }
    });
    VecWrite z(stage.z);
    for (const Change& change : changes) z[change.dof] = change.value;
  }
}

void System::add_sample_times(double from, double to, std::vector<Breakpoint>& found) const {
  for (const LocalSampler& sampler : local_.samplers) {
    double n = std::max(0.0, std::ceil((from - sampler.offset) / sampler.period));
    while (n > 0 && time_of(sampler, n - 1) >= from) --n;
    Breakpoint sample;
    sample.jumps = true;
    sample.is_resolved = false;
    for (std::size_t k = 0; k < most_found; ++k, ++n) {
      sample.before = time_of(sampler, n);
      if (sample.before > to) break;
      sample.after = std::nextafter(sample.before, std::numeric_limits<double>::infinity());
      if (sample.before >= from && sample.before > 0) found.push_back(sample);  // one at the start has been taken there
    }
  }
}

}  // namespace sinew
