/// \file
/// Torque between two shafts by an expression of sensors and controls.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// The torque M (N m), the signal, along the angle of the second shaft, its opposite along that of the first: a clutch, a torque
/// converter. Its work is M times the turn of the second shaft against the first.
struct ShaftTorqueBetween {
  static constexpr const char* name = "shaft-torque-between";
  static constexpr const char* help = "torque on the second shaft, fed by sensors and controls; its opposite on the first";
  static constexpr NodeKind node_kind = NodeKind::scalar;
  static constexpr int num_nodes = 2, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    double before;  ///< difference of the angles at the start
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"torque", FieldType::feedback, "N m", true, "", FieldCheck::any, "torque on the second shaft"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    return {setup.places[1].frame.x[0] - setup.places[0].frame.x[0]};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& /*p*/, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::scalar, 2>& /*s*/,
                                           NodeForces<S, NodeKind::scalar, 2>& f) {
    f.f[0] -= signals[0];
    f.f[1] += signals[0];
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"moment", 1, "N m", "the torque as given: on the second shaft"},
             {"angle", 1, "rad", "of the second shaft against the first, from the start"},
             {"rate", 1, "rad/s", "rate of the angle; times the moment: the power"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::scalar, 2>& s, double* out) {
    out[0] = signals[0];
    out[1] = s.x[1] - s.x[0] - p.before;
    out[2] = s.v[1] - s.v[0];
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::scalar, 2>& /*s*/, double /*cq*/, double /*cv*/,
                                             Mat<double, 2>& /*J*/) {}
};

}  // namespace sinew
