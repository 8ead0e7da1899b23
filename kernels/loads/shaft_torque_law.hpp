/// \file
/// Torque on a shaft by an expression of sensors and controls.
#pragma once

#include "kernels/loads/shaft_torque.hpp"

namespace sinew {

/// The torque M (N m), the signal, along the angle of a shaft. In statics it is there from the start, as those of actuators are.
struct ShaftTorqueLaw {
  static constexpr const char* name = "shaft-torque-law";
  static constexpr const char* help = "torque on a shaft, fed by sensors and controls";
  static constexpr NodeKind node_kind = NodeKind::scalar;
  static constexpr int num_nodes = 1, num_signals = 1;
  static constexpr bool is_analytic = true;

  using Params = ShaftTorque::Params;

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"torque", FieldType::feedback, "N m", true, "", FieldCheck::any, "torque on the shaft"}}};
  }

  static Params make(const Setup& setup) { return ShaftTorque::make(setup); }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const T* signals,
                                           const NodeStates<S, NodeKind::scalar, 1>& s, NodeForces<S, NodeKind::scalar, 1>& f) {
    ShaftTorque::force(p, env, signals, s, f);
  }

  static constexpr auto measures() { return ShaftTorque::measures(); }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::scalar, 1>& s, double* out) {
    ShaftTorque::measure(p, signals, s, out);
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::scalar, 1>& /*s*/, double /*cq*/, double /*cv*/,
                                             Mat<double, 1>& /*J*/) {}
};

}  // namespace sinew
