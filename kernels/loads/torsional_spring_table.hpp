/// \file
/// Spring and damper about an axis that two bodies share, the spring by a table of angles and moments.
#pragma once

#include "kernels/loads/monotone_curve.hpp"
#include "kernels/loads/torsional_spring.hpp"

namespace sinew {

/// As TorsionalSpring, with the moment F(theta) + c theta' (N m), F a MonotoneCurve. Strain energy: the integral of F from where
/// it is first zero (J).
struct TorsionalSpringTable {
  static constexpr const char* name = "torsional-spring-table";
  static constexpr const char* help = "spring by a table, and linear damper, about the axis of a revolute joint";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;

  /// Whatever a spring couples; random states would miss pieces of the table.
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }

  struct Params {
    TurnAbout turn;
    double damping;
    MonotoneCurve curve;
  };

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{axis_field("axis", "axis of the rotation"),
             {"table", FieldType::table, "rad, N m", true, "", FieldCheck::any,
              "angles and moments, `[[angle, moment], ...]`, angles rising, from the initial configuration; a smooth monotone "
              "curve runs through them"},
             {"damping", FieldType::number, "N m s/rad", false, "0", FieldCheck::nonnegative, "viscosity of the damper"}}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, "torsional-spring", "a point has no angle");
    return {TurnAbout::make(setup, setup.fields.vector("axis")), setup.fields.number("damping", 0),
            MonotoneCurve::through(setup.fields.at("table"), "angles")};
  }

  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return remember_turn(p.turn, s.frame);
  }
  KOKKOS_INLINE_FUNCTION static double counted_rate(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return turn_gradient(p.turn, s.frame).rate(s.twist);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const TurnGradient<S> gradient = turn_gradient(p.turn, s.frame);
    const S moment = p.curve.value(turned_angle(p.turn, s.frame)) + p.damping * gradient.rate(s.twist);
    TorsionalSpring::add_moments(gradient, moment, f);
  }

  static constexpr auto measures() { return TorsionalSpring::measures(); }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    measure_turn(p.turn, s, out);
    out[0] = p.curve.value(out[1]) + p.damping * out[2];
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return p.curve.integral(turned_angle(p.turn, s.frame));
  }
};

}  // namespace sinew
