/// \file
/// Stops at the ends of the turn of a revolute joint, or of another that turns about one axis.
#pragma once

#include "kernels/joints/turn.hpp"
#include "kernels/loads/joint_forces.hpp"
#include "kernels/loads/stop.hpp"

namespace sinew {

/// The coordinate is that of the joint, the angle theta of TurnAbout with its turns. The moment of StopLaw acts about the axis on
/// the second body, its opposite on the first.
struct StopAngle {
  static constexpr const char* name = "stop-angle";
  static constexpr const char* help = "one-sided springs with damping at the ends of the turn about a joint's axis";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr std::array<const char*, 5> joints() { return {"revolute", "cylindrical", "screw", "planar", "parallel"}; }
  static constexpr bool couples(int row, int column) { return couples_turning(row, column); }

  struct Params {
    StopLaw law;
    TurnAbout turn;
  };

  static constexpr std::array<FieldSpec, 6> fields() { return stop_fields(true); }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no angle");
    return {make_stop_law(setup.fields), TurnAbout::make(setup, setup.fields.vector("axis"))};
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
    const S moment = stop_force(p.law, turned_angle(p.turn, s.frame), gradient.rate(s.twist));
    f.f[0].moment += moment * gradient.t1;
    f.f[1].moment += moment * gradient.t2;
  }

  static constexpr int num_kinks = num_stop_kinks;
  KOKKOS_INLINE_FUNCTION static void kinks(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s, double* g) {
    stop_kinks(p.law, turned_angle(p.turn, s.frame), turn_gradient(p.turn, s.frame).rate(s.twist), g);
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"moment", 1, "N m", "on the second body about the axis: positive from the lower stop, negative from the upper one"},
             {"angle", 1, "rad", "the coordinate of the joint"},
             {"rate", 1, "rad/s", "its rate; times the moment: the power"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    measure_turn(p.turn, s, out);
    out[0] = stop_force(p.law, out[1], out[2]);
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return stop_energy(p.law, turned_angle(p.turn, s.frame));
  }
};

}  // namespace sinew
