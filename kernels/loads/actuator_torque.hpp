/// \file
/// Actuator about an axis that is fixed to its first place.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// A = R1 a: the torque M A (N m) acts on the second body, its opposite on the first: the work is M times the turn of the second
/// body against the first about the axis, the one that a revolute joint leaves.
struct ActuatorTorque {
  static constexpr const char* name = "actuator-torque";
  static constexpr const char* help =
      "torque on the second body about an axis of the first, fed by sensors and controls; its opposite on the first";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> axis;  ///< unit, first node's axes
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "axis of the torque on the second body"),
             {"torque", FieldType::feedback, "N m", true, "", FieldCheck::any, "torque on the second body about the axis"}}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, "torque", "a force acts on a point");
    return {setup.places[0].local(setup.fields.vector("axis"))};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<T> local = signals[0] * p.axis;
    f.f[0].moment -= local;
    f.f[1].moment += transpose_times(s.frame[1].R, s.frame[0].R * local);
  }

  static constexpr std::array<MeasureSpec, 2> measures() {
    return {{{"moment", 1, "N m", "the torque as given: on the second body about the axis"},
             {"rate", 1, "rad/s",
              "angular velocity of the second body against the first about the axis; times the moment: the power"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    const Vec3<double> A = s.frame[0].R * p.axis;
    out[0] = signals[0];
    out[1] = dot(A, s.frame[1].R * s.twist[1].omega - s.frame[0].R * s.twist[0].omega);
  }
};

}  // namespace sinew
