/// \file
/// Controls as the model file has them: states and outputs, given by expressions of sensors and of one another.
#pragma once

#include "model/name_pattern.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// What a variable of an expression stands for, as written: `sensor.tip.velocity.x`, `control.governor.u`, a state of the control
/// itself, or what a force measures of itself (`length`).
struct SignalSource {
  enum class Kind { own_state, sensor, control };
  Kind kind = Kind::own_state;
  NamePattern name;               ///< of the sensor or control
  std::vector<std::string> path;  ///< what follows it: quantity and component, or a state or output
  int state = -1;                 ///< number of the own state or measure
  std::string text;
  SourceMark mark;
};

/// An expression and what its variables stand for, one source for each.
struct SignalExpression {
  Expression value;
  std::vector<SignalSource> sources;
};

/// A state of a control: s = initial at the start, s' = law from then on; of a sampled control s := law at every sample.
struct ControlState {
  std::string name;
  Expression initial;
  SignalExpression law;
  std::optional<Expression> size;  ///< what its errors are measured by
};

/// A named value that actuators and other controls may use; that of a sampled control stands still from sample to sample.
struct ControlOutput {
  std::string name;
  SignalExpression value;
};

/// The name of the control whose one output is the condition that ends a run, `analysis.stop`: one that no control of a file has.
inline constexpr const char* stop_condition = "analysis.stop";

/// When a sampled control takes its samples: at offset, offset + period, ...
struct Sampling {
  Expression period, offset;
};

/// One entry of `controls`.
struct ControlItem {
  NamePattern name;
  Repeat repeat;
  SourceMark mark;
  std::vector<ControlState> states;
  std::vector<ControlOutput> outputs;
  std::optional<Sampling> sampling;  ///< none: it acts all the time

  /// The number of a state or output by name, -1 if there is none.
  int state(const std::string& wanted) const;
  int output(const std::string& wanted) const;
  /// States, then outputs.
  std::vector<std::string> signal_names() const;
  /// What it remembers, one number each: its states and, where it is sampled, its outputs and how many samples it has taken.
  int num_states() const;
  /// The size that is given of what it remembers, of an instance; 0: none.
  double state_size(int remembered, std::int64_t instance) const;
  /// The number of a state or output among what it remembers, -1 of an output that is not.
  int remembered(const std::string& wanted) const;
};

}  // namespace sinew
