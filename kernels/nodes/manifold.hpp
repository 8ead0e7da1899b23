/// \file
/// What a node may be: a manifold, with the numbers that its configuration takes and what integrators do with them. Those that
/// nodes of a model are stand in kernels/nodes/node_kind.hpp.
///
/// A MANIFOLD is a struct of static functions on arrays. q is a configuration, w and v are along the degrees of freedom, exp(w)
/// is the motion that starts at the unit and has the constant velocity w for one unit of time:
///   static constexpr int config_size, dofs;
///   static constexpr int first_turn;   // the first of three dofs that are a rotation in body axes, -1 where none are
///   static constexpr bool has_vector;  // the first three numbers, and dofs, are a vector: a rotation of space turns them
///   static void set_origin(double* q);
///   static void retract(const double* q0, const double* w, double* q1);      // q1 = q0 exp(w); q1 may be q0
///   static void difference(const double* q0, const double* q1, double* w);   // the w with q1 = q0 exp(w), shortest
///   static void tangent_times(const double* w, const double* v, double* z);  // z = T(w) v: d exp(w + e v)/de = exp(w) (T(w) v)~
///   static void chart_step(const double* w0, double b, const double* v, double* w);   // the w with w = w0 + b T(w)^-1 v
///   static void commutator(const double* a, const double* b, double* c);     // of the Lie algebra
/// and, where joints and forces may take hold of it,
///   static void put_frame(const double* q, Frame<double>&);      // the frame that they see, of what is still at the origin
///   static void put_twist(const double* v, Twist<double>&);      // and its velocity: the dofs come first among a frame's six
/// Source: Arnold, Cardona and Bruls (2015), Lie group generalized-alpha.
#pragma once

#include "kernels/lie/chart.hpp"
#include "kernels/nodes/frame.hpp"

namespace sinew {

/// n coordinates that add: a place, an angle with its turns (n = 1), amplitudes of a reduced body.
template <int n>
struct VectorSpace {
  static constexpr int config_size = n, dofs = n, first_turn = -1;
  static constexpr bool has_vector = n == 3;

  KOKKOS_INLINE_FUNCTION static void set_origin(double* q) {
    for (int i = 0; i < n; ++i) q[i] = 0;
  }
  KOKKOS_INLINE_FUNCTION static void retract(const double* q0, const double* w, double* q1) {
    for (int i = 0; i < n; ++i) q1[i] = q0[i] + w[i];
  }
  KOKKOS_INLINE_FUNCTION static void difference(const double* q0, const double* q1, double* w) {
    for (int i = 0; i < n; ++i) w[i] = q1[i] - q0[i];
  }
  KOKKOS_INLINE_FUNCTION static void tangent_times(const double* /*w*/, const double* v, double* z) {
    for (int i = 0; i < n; ++i) z[i] = v[i];
  }
  KOKKOS_INLINE_FUNCTION static void chart_step(const double* w0, double b, const double* v, double* w) {
    for (int i = 0; i < n; ++i) w[i] = w0[i] + b * v[i];
  }
  KOKKOS_INLINE_FUNCTION static void commutator(const double* /*a*/, const double* /*b*/, double* c) {
    for (int i = 0; i < n; ++i) c[i] = 0;
  }
  /// A place that does not turn; of fewer coordinates on the first axes.
  KOKKOS_INLINE_FUNCTION static void put_frame(const double* q, Frame<double>& frame) {
    static_assert(n <= 3, "a place has three coordinates");
    for (int i = 0; i < n; ++i) frame.x[i] = q[i];
  }
  KOKKOS_INLINE_FUNCTION static void put_twist(const double* v, Twist<double>& twist) {
    static_assert(n <= 3, "a place has three coordinates");
    for (int i = 0; i < n; ++i) twist.v[i] = v[i];
  }
};

/// A place and an orientation, R^3 x SO(3): three numbers and a unit quaternion (w, x, y, z), body to global. Velocities: of the
/// place in the global frame, then angular in body axes.
struct Pose {
  using Place = VectorSpace<3>;
  static constexpr int config_size = 7, dofs = 6, first_turn = 3;
  static constexpr bool has_vector = true;

  KOKKOS_INLINE_FUNCTION static Vec3<double> turn(const double* w) { return {{w[3], w[4], w[5]}}; }
  KOKKOS_INLINE_FUNCTION static Quaternion quaternion(const double* q) { return {q[3], q[4], q[5], q[6]}; }
  KOKKOS_INLINE_FUNCTION static void set_turn(const Vec3<double>& turn, double* w) {
    for (int i = 0; i < 3; ++i) w[3 + i] = turn[i];
  }

  KOKKOS_INLINE_FUNCTION static void set_origin(double* q) {
    for (int i = 0; i < 7; ++i) q[i] = i == 3 ? 1 : 0;
  }
  KOKKOS_INLINE_FUNCTION static void retract(const double* q0, const double* w, double* q1) {
    Place::retract(q0, w, q1);
    const Quaternion q = normalized(quaternion(q0) * exp_quaternion(turn(w)));
    q1[3] = q.w;
    q1[4] = q.x;
    q1[5] = q.y;
    q1[6] = q.z;
  }
  KOKKOS_INLINE_FUNCTION static void difference(const double* q0, const double* q1, double* w) {
    Place::difference(q0, q1, w);
    const Quaternion back{q0[3], -q0[4], -q0[5], -q0[6]};
    set_turn(log_quaternion(normalized(back * quaternion(q1))), w);
  }
  KOKKOS_INLINE_FUNCTION static void tangent_times(const double* w, const double* v, double* z) {
    Place::tangent_times(w, v, z);
    set_turn(exp_tangent(turn(w)) * turn(v), z);
  }
  KOKKOS_INLINE_FUNCTION static void chart_step(const double* w0, double b, const double* v, double* w) {
    Place::chart_step(w0, b, v, w);
    set_turn(solve_rotation_vector(turn(w0), b, turn(v)), w);
  }
  KOKKOS_INLINE_FUNCTION static void commutator(const double* a, const double* b, double* c) {
    Place::commutator(a, b, c);
    set_turn(cross(turn(a), turn(b)), c);
  }
  KOKKOS_INLINE_FUNCTION static void put_frame(const double* q, Frame<double>& frame) {
    Place::put_frame(q, frame);
    frame.R = rotation_matrix(quaternion(q));
  }
  KOKKOS_INLINE_FUNCTION static void put_twist(const double* v, Twist<double>& twist) {
    Place::put_twist(v, twist);
    twist.omega = turn(v);
  }
};

}  // namespace sinew
