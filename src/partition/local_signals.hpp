/// \file
/// The expressions of sensors and states that a rank evaluates: rates of states, actuators, outputs.
#pragma once

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

/// Where a leaf of a signal is found: a component of the motion of a place, or a dof.
struct LocalLeaf {
  PlaceProbe probe;           ///< of a sensor
  std::int64_t natural = -1;  ///< of a state: its number among all states
  int dof = -1;               ///< of a state
};

/// One signal of this rank: u(t, sensors, states).
struct LocalSignal {
  enum class Target { actuator, state, output };
  Target target = Target::output;
  int item = -1;  ///< force or control
  std::int64_t instance = 0;
  int number = 0;                ///< of the state or output
  int dof = -1;                  ///< of the state whose rate it is
  int family = -1, element = 0;  ///< of the actuator: index into LocalModel::families, element of it
  SignalFlow flow;
  std::vector<LocalLeaf> leaves;  ///< one for each of the flow
};

}  // namespace sinew
