/// \file
/// Torque on a shaft, a function of time.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// M(t) (N m) along the angle of a shaft, which has no direction in space.
struct ShaftTorque {
  static constexpr const char* name = "shaft-torque";
  static constexpr const char* help = "torque on a shaft";
  static constexpr NodeKind node_kind = NodeKind::scalar;
  static constexpr int num_nodes = 1, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  struct Params {
    double factor;  ///< 1; a family holds at least one number per element
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"value", FieldType::signal, "N m", true, "", FieldCheck::any,
              "torque, an expression of t (by sensors and controls: key `torque`)"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    return {1.0};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::scalar, 1>& /*s*/,
                                           NodeForces<S, NodeKind::scalar, 1>& f) {
    f.f[0] += p.factor * signals[0];
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"moment", 1, "N m", "on the shaft"},
             {"angle", 1, "rad", "of the shaft, with its turns"},
             {"rate", 1, "rad/s", "of the angle"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::scalar, 1>& s, double* out) {
    out[0] = p.factor * signals[0];
    out[1] = s.x[0];
    out[2] = s.v[0];
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::scalar, 1>& /*s*/, double /*cq*/, double /*cv*/,
                                             Mat<double, 1>& /*J*/) {}
};

}  // namespace sinew
