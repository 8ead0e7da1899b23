/// \file
/// Spring and damper along the line between two places.
#pragma once

#include "kernels/loads/line_of_force.hpp"

namespace sinew {

/// r = p2 - p1, L = |r|, n = r / L. Tension T = k (L - L0) + c n . r' (N): pulls the first place along n, the second along -n.
/// Strain energy k (L - L0)^2 / 2 (J). Where the places coincide n is the direction of r', in which they part: with L0 = 0 the
/// pull on the first place, k r + c (n . r') n, is k r + c r' there, to which it tends along every straight way through it.
/// With L0 > 0 the pull jumps there, and is undefined.
struct SpringDamper {
  static constexpr const char* name = "spring-damper";
  static constexpr const char* help = "linear spring and damper along the line between two places";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr bool is_analytic = true;
  static constexpr const char* degenerate = line_without_direction;

  struct Params {
    Vec3<double> point1, point2;
    double stiffness, damping, length;
  };

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"stiffness", FieldType::number, "N/m", false, "0", FieldCheck::nonnegative, "stiffness of the spring"},
             {"damping", FieldType::number, "N s/m", false, "0", FieldCheck::nonnegative, "viscosity of the damper"},
             {"length", FieldType::number, "m", false, "the initial distance", FieldCheck::nonnegative,
              "length of the spring without force; with 0 its places may meet, and start in one place"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    const double initial = initial_distance(setup), length = setup.fields.number("length", initial);
    if (length > 0 && !(initial > 0)) throw std::invalid_argument(refusal_of_stretched_spring);
    return {setup.places[0].point, setup.places[1].point, setup.fields.number("stiffness", 0), setup.fields.number("damping", 0),
            length};
  }

  /// Is it in the one place where its direction is that of r'?
  template <class S>
  KOKKOS_INLINE_FUNCTION static bool has_met(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s) {
    return p.length == 0 && places_meet(s, p.point1, p.point2);
  }
  /// r' (m/s).
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> rate_of(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s) {
    return place_velocity(s.frame[1], s.twist[1], p.point2) - place_velocity(s.frame[0], s.twist[0], p.point1);
  }
  /// k r + c r' (N), the pull on the first place where the places coincide.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> pull_where_met(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s) {
    return p.stiffness * (place_of(s.frame[1], p.point2) - place_of(s.frame[0], p.point1)) + p.damping * rate_of(p, s);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    if (has_met(p, s)) return add_tension(s, p.point1, p.point2, S(1.0), pull_where_met(p, s), f);
    const LineMotion<S> line = motion_of_line(s, p.point1, p.point2);
    add_tension(s, p.point1, p.point2, p.stiffness * (line.length - p.length) + p.damping * line.rate, line.n, f);
  }

  static constexpr std::array<MeasureSpec, 3> measures() { return spring_measures(); }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    if (has_met(p, s)) {
      out[1] = 0;
      out[2] = norm(rate_of(p, s));
    } else {
      measure_line(s, p.point1, p.point2, out);
    }
    out[0] = p.stiffness * (out[1] - p.length) + p.damping * out[2];
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const double stretch = norm(place_of(s.frame[1], p.point2) - place_of(s.frame[0], p.point1)) - p.length;
    return 0.5 * p.stiffness * stretch * stretch;
  }

  /// With J = D r, b = J^T n and f = -T b: -df = b (dT) + (T/L) (J^T J - b b^T) + the coincidence stiffness of T n, where
  /// dT = k b + c (J^T w + D(rate)^T n) along q, w = (rate - L' n)/L, and c b along v.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::frame, 2>& s, double cq, double cv,
                                             Mat<double, 12>& J) {
    if (has_met(p, s)) return tangent_where_met(p, s, cq, cv, J);
    const Frame<double>&f1 = s.frame[0], &f2 = s.frame[1];
    const Vec3<double> r = place_of(f2, p.point2) - place_of(f1, p.point1);
    const Vec3<double> spin1 = cross(s.twist[0].omega, p.point1), spin2 = cross(s.twist[1].omega, p.point2);
    const Vec3<double> rate = s.twist[1].v + f2.R * spin2 - s.twist[0].v - f1.R * spin1;
    const double L = norm(r), inverse = 1.0 / L;
    const Vec3<double> n = inverse * r;
    const double speed = dot(n, rate);
    const double tension = p.stiffness * (L - p.length) + p.damping * speed;
    const Vec3<double> w = (cq * p.damping * inverse) * (rate - speed * n);

    const Vec3<double> n1 = transpose_times(f1.R, n), n2 = transpose_times(f2.R, n);
    const Vec3<double> w1 = cross(p.point1, transpose_times(f1.R, w)), w2 = cross(p.point2, transpose_times(f2.R, w));
    const Vec3<double> m1 = cross(p.point1, n1), m2 = cross(p.point2, n2);
    const Vec3<double> d1 = cross(spin1, n1), d2 = cross(spin2, n2);  // D(rate)^T n, rotational parts
    const double along = cq * (p.stiffness - tension * inverse) + cv * p.damping;
    const double turn = cq * p.damping;
    double b[12], y[12];
    for (int i = 0; i < 3; ++i) {
      b[i] = -n[i];
      b[3 + i] = -m1[i];
      b[6 + i] = n[i];
      b[9 + i] = m2[i];
      y[i] = -along * n[i] - w[i];
      y[3 + i] = -along * m1[i] - w1[i] - turn * d1[i];
      y[6 + i] = along * n[i] + w[i];
      y[9 + i] = along * m2[i] + w2[i] + turn * d2[i];
    }
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) J(i, j) += b[i] * y[j];
    add_separation_square(s.frame, p.point1, p.point2, cq * tension * inverse, J);
    coincidence_stiffness(s.frame, p.point1, p.point2, (cq * tension) * n, J);
  }

  /// With F = k r + c r', D = D(r), which is the derivative of r' along v too, and W = D(r') along q: f = -D^T F, so that
  /// -df = D^T ((cq k + cv c) D + cq c W) + the coincidence stiffness of F. Velocities turn with their frames,
  /// W = [0, R1 (omega1 x s1)~, 0, -R2 (omega2 x s2)~]. How n turns is left out: at r = 0 it has no derivative across r'.
  KOKKOS_INLINE_FUNCTION static void tangent_where_met(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s,
                                                       double cq, double cv, Mat<double, 12>& J) {
    Mat<double, 3, 12> D, W;
    coincidence_gradient(s.frame, p.point1, p.point2, D);
    coincidence_gradient(s.frame, cross(s.twist[0].omega, p.point1), cross(s.twist[1].omega, p.point2), W);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) W(i, j) = W(i, 6 + j) = 0;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        for (int r = 0; r < 3; ++r)
          J(i, j) += D(r, i) * ((cq * p.stiffness + cv * p.damping) * D(r, j) + cq * p.damping * W(r, j));
    coincidence_stiffness(s.frame, p.point1, p.point2, cq * pull_where_met(p, s), J);
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const Verdict verdict = verdict_of_line(s.frame, p.point1, p.point2);
    return verdict == Verdict::degenerate && p.length == 0 ? Verdict::ok : verdict;
  }
};

}  // namespace sinew
