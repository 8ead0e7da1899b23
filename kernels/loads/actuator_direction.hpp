/// \file
/// Actuator along a direction that is fixed to its first place.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// A = R1 a: the force F A (N) acts on the second body at p2, its opposite on the first body at the same point of space, so that
/// the work is F times the growth of (p2 - p1) . A, the displacement that a prismatic joint leaves.
struct ActuatorDirection {
  static constexpr const char* name = "actuator-direction";
  static constexpr const char* help =
      "force on the second place along a direction of the first, fed by sensors and controls; its opposite on the first";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> point;      ///< of the second node
    Vec3<double> direction;  ///< unit, first node's axes
    Vec3<double> first;      ///< of the first node, for measuring
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("direction", "direction of the force on the second place"),
             {"force", FieldType::feedback, "N", true, "", FieldCheck::any, "force on the second place along the direction"}}};
  }

  static Params make(const Setup& setup) {
    require_first_frame(setup, "force of an actuator");
    return {setup.places[1].point, setup.places[0].local(setup.fields.vector("direction")), setup.places[0].point};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<T> local = signals[0] * p.direction;
    const Vec3<S> F = s.frame[0].R * local;
    const Vec3<S> arm = transpose_times(s.frame[0].R, place_of(s.frame[1], p.point) - s.frame[0].x);
    f.f[0].force -= F;
    f.f[0].moment -= cross(arm, local);
    add_force_at(s.frame[1], p.point, F, f.f[1]);
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"force", 1, "N", "as given: on the second place along the direction"},
             {"length", 1, "m", "distance of the second place from the first along the direction"},
             {"rate", 1, "m/s", "rate of the length; times the force: the power"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    const Vec3<double> A = s.frame[0].R * p.direction, p2 = place_of(s.frame[1], p.point);
    out[0] = signals[0];
    out[1] = dot(A, p2 - place_of(s.frame[0], p.first));
    out[2] = dot(A, place_velocity(s.frame[1], s.twist[1], p.point) - velocity_at(s.frame[0], s.twist[0], p2));
  }
};

}  // namespace sinew
