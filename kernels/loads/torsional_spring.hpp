/// \file
/// Spring and damper about an axis that two bodies share.
#pragma once

#include "kernels/joints/motion_angle.hpp"

namespace sinew {

/// theta: rotation of the second body against the first about the axis e, zero at the start; turns count.
/// With (u, v, e) right-handed, x = u1 . u2, y = v1 . u2: theta = atan2(y, x) + 2 pi n, n by `near`; theta' = (x y' - y x') /
/// (x^2 + y^2). Moment k (theta - theta0) + c theta' (N m) on the first body about e, its opposite on the second; exactly the
/// gradient of the strain energy k (theta - theta0)^2 / 2 (J) where the axes are not quite parallel, too.
struct TorsionalSpring {
  static constexpr const char* name = "torsional-spring";
  static constexpr const char* help = "linear spring and damper about the axis of a revolute joint";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    MotionAngle::Params turn;
    double stiffness, damping, angle;  ///< the angle without moment
    double near = 0;                   ///< an angle of the past, less than half a turn away
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
    return {MotionAngle::between(setup.places[0], setup.places[1], setup.fields.vector("axis")),
            setup.fields.number("stiffness", 0), setup.fields.number("damping", 0), setup.fields.number("angle", 0)};
  }

  /// theta at x = u1 . u2, y = v1 . u2: the angle within half a turn of `near`.
  template <class S>
  KOKKOS_INLINE_FUNCTION static S angle_of(const Params& p, const S& x, const S& y) {
    return p.near + angle_since(p.near, x, y);
  }

  /// theta of two frames.
  KOKKOS_INLINE_FUNCTION static double turned(const Params& p, const Frame<double> (&f)[2]) {
    const Vec3<double> mark = f[1].R * p.turn.mark;
    return angle_of(p, dot(f[0].R * p.turn.across1, mark), dot(f[0].R * p.turn.across2, mark));
  }

  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const double angle = turned(p, s.frame);
    if (math::fabs(angle - p.near) < memorable_turn) return false;
    p.near = angle;
    return true;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<S> u = s.frame[0].R * p.turn.across1, v = s.frame[0].R * p.turn.across2, mark = s.frame[1].R * p.turn.mark;
    const S x = dot(u, mark), y = dot(v, mark);
    // D theta = t1 . omega1 + t2 . omega2; cross(A, B) is the gradient of A . B by the rotation of A.
    const Vec3<S> t = (1.0 / (x * x + y * y)) * (x * cross(v, mark) - y * cross(u, mark));
    const Vec3<S> t1 = transpose_times(s.frame[0].R, t);
    const Vec3<S> t2 = -transpose_times(s.frame[1].R, t);
    const S rate = dot(t1, s.twist[0].omega) + dot(t2, s.twist[1].omega);
    const S moment = p.stiffness * (angle_of(p, x, y) - p.angle) + p.damping * rate;
    f.f[0].moment -= moment * t1;
    f.f[1].moment -= moment * t2;
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"moment", 1, "N m", "on the first body about the axis: positive where it turns the second one back"},
             {"angle", 1, "rad", "of the second body against the first, from the initial configuration"},
             {"rate", 1, "rad/s", "rate of the angle"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    const Vec3<double> u = s.frame[0].R * p.turn.across1, v = s.frame[0].R * p.turn.across2, mark = s.frame[1].R * p.turn.mark;
    const Vec3<double> spin = s.frame[1].R * s.twist[1].omega - s.frame[0].R * s.twist[0].omega;
    const double x = dot(u, mark), y = dot(v, mark);
    out[1] = angle_of(p, x, y);
    out[2] = dot(x * cross(mark, v) - y * cross(mark, u), spin) / (x * x + y * y);
    out[0] = p.stiffness * (out[1] - p.angle) + p.damping * out[2];
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const double change = turned(p, s.frame) - p.angle;
    return 0.5 * p.stiffness * change * change;
  }
};

}  // namespace sinew
