/// \file
/// Stops at the ends of the way of a prismatic joint, or of another that slides along one axis.
#pragma once

#include "kernels/loads/joint_forces.hpp"
#include "kernels/loads/stop.hpp"

namespace sinew {

/// The coordinate is that of the joint: s = e . (p2 - p1), e the axis that the first body carries. The force of StopLaw acts
/// along e on the second body, its opposite on the first, both at the second place.
struct StopDistance {
  static constexpr const char* name = "stop-distance";
  static constexpr const char* help = "one-sided springs with damping at the ends of the way along a joint's axis";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr std::array<const char*, 4> joints() { return {"prismatic", "cylindrical", "screw", "point-on-line"}; }
  static constexpr bool couples(int row, int column) { return couples_all(row, column); }

  struct Params {
    StopLaw law;
    Vec3<double> point1, point2, axis;  ///< point2 in the axes of the second node, the others in those of the first
  };

  static constexpr std::array<FieldSpec, 6> fields() { return stop_fields(false); }

  static Params make(const Setup& setup) {
    require_first_frame(setup, name);
    return {make_stop_law(setup.fields), setup.places[0].point, setup.places[1].point,
            setup.places[0].local(setup.fields.vector("axis"))};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static S distance(const Params& p, const Frame<S> (&f)[2]) {
    return dot(f[0].R * p.axis, place_of(f[1], p.point2) - place_of(f[0], p.point1));
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<S> e = s.frame[0].R * p.axis;
    const S F = stop_force(p.law, distance(p, s.frame), sliding_speed(s, p.point2, e));
    add_force_pair(s.frame, p.point2, Vec3<S>(-F * e), f);
  }

  static constexpr int num_kinks = num_stop_kinks;
  KOKKOS_INLINE_FUNCTION static void kinks(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s, double* g) {
    stop_kinks(p.law, distance(p, s.frame), sliding_speed(s, p.point2, s.frame[0].R * p.axis), g);
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"force", 1, "N", "on the second body along the axis: positive from the lower stop, negative from the upper one"},
             {"distance", 1, "m", "the coordinate of the joint"},
             {"rate", 1, "m/s", "its rate; times the force: the power"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    out[1] = distance(p, s.frame);
    out[2] = sliding_speed(s, p.point2, s.frame[0].R * p.axis);
    out[0] = stop_force(p.law, out[1], out[2]);
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return stop_energy(p.law, distance(p, s.frame));
  }
};

}  // namespace sinew
