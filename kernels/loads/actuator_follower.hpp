/// \file
/// Actuator on one place along a direction of its body: thrust.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// The force F R a (N) at the place p = x + R s; nothing takes its opposite.
struct ActuatorFollower {
  static constexpr const char* name = "actuator-follower";
  static constexpr const char* help = "force on a place along a direction of its body, fed by sensors and controls";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> point;
    Vec3<double> direction;  ///< unit, body axes
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"direction_local", FieldType::direction, "1", true, "", FieldCheck::any, "direction of the force, in body axes"},
             {"force", FieldType::feedback, "N", true, "", FieldCheck::any, "force along the direction"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    if (!setup.places[0].can_turn)
      throw std::invalid_argument(
          "direction_local turns with its body, but this place is a point without orientation: give a direction");
    return {setup.places[0].point, setup.fields.vector("direction_local")};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<T> local = signals[0] * p.direction;
    f.f[0].force += s.frame[0].R * local;
    f.f[0].moment += cross(p.point, local);
  }

  static constexpr std::array<MeasureSpec, 2> measures() {
    return {{{"force", 1, "N", "as given: along the direction"},
             {"rate", 1, "m/s", "velocity of the place along the direction; times the force: the power"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 1>& s, double* out) {
    out[0] = signals[0];
    out[1] = dot(s.frame[0].R * p.direction, place_velocity(s.frame[0], s.twist[0], p.point));
  }
};

}  // namespace sinew
