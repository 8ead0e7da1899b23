/// \file
/// Controls as the model file has them: first-order states and outputs, given by expressions of sensors and of one another.
#pragma once

#include "model/name_pattern.hpp"

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

/// A state of a control: s' = derivative, s = initial at the start.
struct ControlState {
  std::string name;
  Expression initial;
  SignalExpression derivative;
};

/// A named value that actuators and other controls may use.
struct ControlOutput {
  std::string name;
  SignalExpression value;
};

/// One entry of `controls`.
struct ControlItem {
  NamePattern name;
  Repeat repeat;
  SourceMark mark;
  std::vector<ControlState> states;
  std::vector<ControlOutput> outputs;

  /// The number of a state or output by name, -1 if there is none.
  int state(const std::string& wanted) const;
  int output(const std::string& wanted) const;
  /// States, then outputs.
  std::vector<std::string> signal_names() const;
  int num_states() const { return static_cast<int>(states.size()); }
};

}  // namespace sinew
