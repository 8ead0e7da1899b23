/// \file
/// Actuator along the line between two places.
#pragma once

#include "kernels/loads/line_of_force.hpp"

namespace sinew {

/// n = (p2 - p1)/|p2 - p1|: the force F (N) acts on the second place along n, on the first along -n, so that a positive one
/// pushes them apart and does the work F times the growth of their distance. Undefined where the places coincide.
struct ActuatorLine {
  static constexpr const char* name = "actuator-line";
  static constexpr const char* help =
      "force along the line between two places, fed by sensors and controls; a positive one pushes them apart";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr const char* degenerate = line_without_direction;

  struct Params {
    Vec3<double> point1, point2;
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"force", FieldType::feedback, "N", true, "", FieldCheck::any, "force that pushes the places apart"}}};
  }

  static Params make(const Setup& setup) {
    initial_length(setup, name,
                   "this actuator acts along the line between its places, but these coincide at the start: give it a direction");
    return {setup.places[0].point, setup.places[1].point};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<S> r = place_of(s.frame[1], p.point2) - place_of(s.frame[0], p.point1);
    add_tension(s, p.point1, p.point2, -signals[0] / norm(r), r, f);
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return verdict_of_line(s.frame, p.point1, p.point2);
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"force", 1, "N", "as given: positive where it pushes the places apart"},
             {"length", 1, "m", "distance of the places"},
             {"rate", 1, "m/s", "rate of the length; times the force: the power"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    measure_line(s, p.point1, p.point2, out);
    out[0] = signals[0];
  }
};

}  // namespace sinew
