/// \file
/// The expressions of sensors and states that a rank evaluates: rates of states, actuators, outputs, samples; and relative
/// coordinates.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "model/signal_flow.hpp"
#include "partition/place_probe.hpp"

namespace sinew {

/// The states of one control on a rank: dofs without position, one after the other.
struct LocalControl {
  int control = -1;
  std::int64_t instance = 0;
  std::int64_t natural = -1;  ///< number of the first state among all states
  int dof = -1;               ///< first local dof
  int num_states = 0;
};

/// A relative coordinate that a rank evaluates: for a sensor whose first node it owns, or for an expression.
struct LocalRelative {
  int sensor = -1;  ///< or -1 - force
  std::int64_t instance = 0;
  int number = 0;  ///< among the coordinates of what the sensor looks at
  PlaceProbe place[2];
  RelativeCoordinate coordinate;
  double start = 0;  ///< of an angle, a value less than half a turn from that at the start

  /// The node whose owner tells the value; -1 if both places are fixed.
  std::int64_t anchor() const { return place[place[0].num_nodes > 0 ? 0 : 1].natural[0]; }
};

/// Where a leaf of a signal is found: a component of the motion of a place, a relative coordinate, or a dof.
struct LocalLeaf {
  PlaceProbe probe;           ///< of a point sensor
  int relative = -1;          ///< of a relative sensor: index into LocalModel::relatives
  bool is_rate = false;       ///< its rate is meant
  std::int64_t natural = -1;  ///< of a state: its number among all states
  int dof = -1;               ///< of a state
};

/// An output of a control of this rank: the result of a step of a signal.
struct LocalOutput {
  std::size_t place = 0;  ///< among all outputs of the rank's owned controls, in their order
  int step = 0;
};

/// One signal of this rank: u(t, sensors, states); or several outputs, or all that a sample gives, which share what they have in
/// common.
struct LocalSignal {
  enum class Target { actuator, state, output, sample };
  Target target = Target::output;
  int item = -1;  ///< force or control; -1: outputs of several controls
  std::int64_t instance = 0;
  int number = 0;                ///< of the state or output; -1: of what ends the run
  int dof = -1;                  ///< of the state whose rate it is
  int family = -1, element = 0;  ///< of the actuator: index into LocalModel::families, element of it
  SignalFlow flow;
  std::vector<LocalLeaf> leaves;     ///< one for each of the flow
  std::vector<LocalOutput> outputs;  ///< where it is outputs; of a sample: places among what the control remembers

  /// Does the motion depend on it at every instant? These are the first ones of a rank.
  bool acts_always() const { return target == Target::actuator || target == Target::state; }
};

/// A sampled control of this rank.
struct LocalSampler {
  std::size_t signal = 0;  ///< index into LocalModel::signals: what its samples make of what it remembers
  double period = 0, offset = 0;
  int dof = -1;  ///< first local dof of what it remembers; the last one is the number of samples taken
};

}  // namespace sinew
