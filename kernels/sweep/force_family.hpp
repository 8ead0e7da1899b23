/// \file
/// Forces and force elements of the model file: elements over frames, made from places and keys.
#pragma once

#include "kernels/sweep/partner_family.hpp"
#include "kernels/sweep/varying_mass_family.hpp"

namespace sinew {

/// What the force says of its measures.
template <class F>
void describe_measures(ForceEntry& entry) {
  if constexpr (requires { F::measures(); }) {
    constexpr auto measures = F::measures();
    entry.measures.assign(measures.begin(), measures.end());
    entry.measure = [](const MeasuredElement& m) {
      std::vector<double> out(static_cast<std::size_t>(count_measured(F::measures())));
      const auto params = m.params_of<F>();
      if constexpr (HasOpenList<F>)
        F::measure(params, m.signals, m.frames, m.twists, out.data());
      else if constexpr (ElementFamily<F>::L > 0)
        F::measure(params, m.signals, m.states<F>(), m.multipliers, out.data());
      else
        F::measure(params, m.signals, m.states<F>(), out.data());
      return out;
    };
  }
}

template <class F>
ForceEntry make_force_entry() {
  ForceEntry entry = make_element_entry<F>();
  entry.help = F::help;
  const auto fields = F::fields();
  entry.fields.assign(fields.begin(), fields.end());
  entry.make_params = [](const Setup& setup) {
    std::vector<double> params = packed(F::make(setup));
    if constexpr (HasNumbers<F>) {
      const std::vector<double> numbers = F::numbers(setup);
      params.insert(params.end(), numbers.begin(), numbers.end());
    }
    return params;
  };
  if constexpr (requires { F::joints(); })
    for (const char* joint : F::joints()) entry.joints.emplace_back(joint);
  describe_measures<F>(entry);
  describe_coordinates<F>(entry);
  return entry;
}

}  // namespace sinew
