/// \file
/// Spring and damper about an axis that two bodies share, the moment by an expression.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/loads/torsional_spring.hpp"

namespace sinew {

/// As TorsionalSpring, with the moment M (N m), the signal, on the first body about the axis, its opposite on the second.
struct TorsionalSpringLaw {
  static constexpr const char* name = "torsional-spring-law";
  static constexpr const char* help = "spring and damper by an expression, about the axis of a revolute joint";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    TurnAbout turn;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "axis of the rotation"),
             {"moment", FieldType::feedback, "N m", true, "", FieldCheck::any,
              "moment that turns the second body back: of `angle` (from the initial configuration), `rate` (of the angle) and "
              "what stands there"}}};
  }

  /// What the expression may call `angle` and `rate`.
  static constexpr std::array<const char*, 1> coordinate_names() { return {"angle"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup& setup) {
    return {angle_about(setup, setup.fields.vector("axis"))};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, "torsional-spring", "a point has no angle");
    return {TurnAbout::make(setup, setup.fields.vector("axis"))};
  }

  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return remember_turn(p.turn, s.frame);
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    TorsionalSpring::add_moments(turn_gradient(p.turn, s.frame), signals[0], f);
  }

  static constexpr auto measures() { return TorsionalSpring::measures(); }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    measure_turn(p.turn, s, out);
    out[0] = signals[0];
  }
};

}  // namespace sinew
