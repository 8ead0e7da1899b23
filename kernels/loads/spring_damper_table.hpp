/// \file
/// Spring and damper along the line between two places, the spring by a table of lengths and forces.
#pragma once

#include "kernels/loads/line_of_force.hpp"
#include "kernels/loads/monotone_curve.hpp"

namespace sinew {

/// r = p2 - p1, L = |r|, n = r / L. Tension T = F(L) + c n . r' (N), F a MonotoneCurve: pulls the first place along n, the second
/// along -n. Strain energy: the integral of F from where it is first zero (J). Undefined where the places coincide.
struct SpringDamperTable {
  static constexpr const char* name = "spring-damper-table";
  static constexpr const char* help = "spring by a table, and linear damper, along the line between two places";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr const char* degenerate = line_without_direction;

  /// Whatever a spring couples; random states would miss pieces of the table.
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }

  struct Params {
    Vec3<double> point1, point2;
    double damping;
    MonotoneCurve curve;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"table", FieldType::table, "m, N", true, "", FieldCheck::any,
              "lengths and tensions, `[[length, force], ...]`, lengths rising; a smooth monotone curve runs through them"},
             {"damping", FieldType::number, "N s/m", false, "0", FieldCheck::nonnegative, "viscosity of the damper"}}};
  }

  static Params make(const Setup& setup) {
    initial_length(setup, name, refusal_of_spring);
    return {setup.places[0].point, setup.places[1].point, setup.fields.number("damping", 0),
            MonotoneCurve::through(setup.fields.at("table"), "lengths")};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const LineMotion<S> line = motion_of_line(s, p.point1, p.point2);
    add_tension(s, p.point1, p.point2, p.curve.value(line.length) + p.damping * line.rate, line.n, f);
  }

  /// Less than this part of the force at the closest distance is nothing beside it.
  static constexpr double nothing = 0.05;

  /// A table that is zero beyond some length is a contact: bodies that pass each other feel it for a short time.
  KOKKOS_INLINE_FUNCTION static double time_to_pass(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const Vec3<double> r = place_of(s.frame[1], p.point2) - place_of(s.frame[0], p.point1);
    const Vec3<double> v = place_velocity(s.frame[1], s.twist[1], p.point2) - place_velocity(s.frame[0], s.twist[0], p.point1);
    const double approach = -dot(r, v), square = dot(v, v);
    if (!(approach > 0)) return 0;
    const double time = approach / square, closest = norm(r + time * v);
    return math::fabs(p.curve.value(norm(r))) < nothing * math::fabs(p.curve.value(closest)) ? time : 0;
  }

  static constexpr std::array<MeasureSpec, 3> measures() { return spring_measures(); }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    measure_line(s, p.point1, p.point2, out);
    out[0] = p.curve.value(out[1]) + p.damping * out[2];
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return p.curve.integral(norm(place_of(s.frame[1], p.point2) - place_of(s.frame[0], p.point1)));
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return verdict_of_line(s.frame, p.point1, p.point2);
  }
};

}  // namespace sinew
