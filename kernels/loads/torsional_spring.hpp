/// \file
/// Spring and damper about an axis that two bodies share.
#pragma once

#include "kernels/joints/turn.hpp"

namespace sinew {

/// theta: rotation of the second body against the first about the axis e, zero at the start; turns count (TurnAbout).
/// Moment k (theta - theta0) + c theta' (N m) on the first body about e, its opposite on the second; exactly the gradient of the
/// strain energy k (theta - theta0)^2 / 2 (J) where the axes are not quite parallel, too.
struct TorsionalSpring {
  static constexpr const char* name = "torsional-spring";
  static constexpr const char* help = "linear spring and damper about the axis of a revolute joint";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    TurnAbout turn;
    double stiffness, damping, angle;  ///< the angle without moment
  };

  static constexpr std::array<FieldSpec, 4> fields() {
    return {{axis_field("axis", "axis of the rotation"),
             {"stiffness", FieldType::number, "N m/rad", false, "0", FieldCheck::nonnegative, "stiffness of the spring"},
             {"damping", FieldType::number, "N m s/rad", false, "0", FieldCheck::nonnegative, "viscosity of the damper"},
             {"angle", FieldType::number, "rad", false, "0", FieldCheck::any,
              "angle without moment, from the initial configuration"}}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no angle");
    return {TurnAbout::make(setup, setup.fields.vector("axis")), setup.fields.number("stiffness", 0),
            setup.fields.number("damping", 0), setup.fields.number("angle", 0)};
  }

  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return remember_turn(p.turn, s.frame);
  }
  KOKKOS_INLINE_FUNCTION static double counted_rate(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return p.stiffness > 0 ? turn_gradient(p.turn, s.frame).rate(s.twist) : 0.0;  // a damper needs no turns
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const TurnGradient<S> gradient = turn_gradient(p.turn, s.frame);
    add_moments(gradient, p.stiffness * (turned_angle(p.turn, s.frame) - p.angle) + p.damping * gradient.rate(s.twist), f);
  }

  /// Adds what works against theta: a moment M on the first body about the axis, its opposite on the second.
  template <class S, class M>
  KOKKOS_INLINE_FUNCTION static void add_moments(const TurnGradient<S>& gradient, const M& moment,
                                                 NodeForces<S, NodeKind::frame, 2>& f) {
    f.f[0].moment -= moment * gradient.t1;
    f.f[1].moment -= moment * gradient.t2;
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"moment", 1, "N m", "on the first body about the axis: positive where it turns the second one back"},
             {"angle", 1, "rad", "of the second body against the first, from the initial configuration"},
             {"rate", 1, "rad/s", "rate of the angle"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    measure_turn(p.turn, s, out);
    out[0] = p.stiffness * (out[1] - p.angle) + p.damping * out[2];
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const double change = turned_angle(p.turn, s.frame) - p.angle;
    return 0.5 * p.stiffness * change * change;
  }
};

}  // namespace sinew
