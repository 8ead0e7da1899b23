/// \file
/// What a node is: a manifold, with the numbers that its configuration takes and what integrators do with them.
///
/// A MANIFOLD is a struct of static functions on arrays. q is a configuration, w and v are along the degrees of freedom, exp(w)
/// is the motion that starts at the unit and has the constant velocity w for one unit of time:
///   static constexpr int config_size, dofs;
///   static constexpr int first_turn;   // the first of three dofs that are a rotation in body axes, -1 where none are
///   static void set_origin(double* q);
///   static void retract(const double* q0, const double* w, double* q1);      // q1 = q0 exp(w); q1 may be q0
///   static void difference(const double* q0, const double* q1, double* w);   // the w with q1 = q0 exp(w), shortest
///   static void tangent_times(const double* w, const double* v, double* z);  // z = T(w) v: d exp(w + e v)/de = exp(w) (T(w) v)~
///   static void chart_step(const double* w0, double b, const double* v, double* w);   // the w with w = w0 + b T(w)^-1 v
///   static void commutator(const double* a, const double* b, double* c);     // of the Lie algebra
/// Source: Arnold, Cardona and Bruls (2015), Lie group generalized-alpha.
#pragma once

#include "kernels/contract.hpp"
#include "kernels/lie/chart.hpp"

namespace sinew {

/// n coordinates that add: a place, an angle with its turns (n = 1), amplitudes of a reduced body.
template <int n>
struct VectorSpace {
  static constexpr int config_size = n, dofs = n, first_turn = -1;

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
};

/// A place and an orientation, R^3 x SO(3): three numbers and a unit quaternion (w, x, y, z), body to global. Velocities: of the
/// place in the global frame, then angular in body axes.
struct Pose {
  using Place = VectorSpace<3>;
  static constexpr int config_size = 7, dofs = 6, first_turn = 3;

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
};

// ---- those of the model's nodes, by kind

/// Numbers of a node of a kind.
struct ManifoldSize {
  int config = 0, dofs = 0, first_turn = -1;
};
template <class M>
constexpr ManifoldSize size_of_manifold() {
  return {M::config_size, M::dofs, M::first_turn};
}
/// In the order of NodeKind.
inline constexpr ManifoldSize manifold_sizes[] = {size_of_manifold<VectorSpace<3>>(), size_of_manifold<Pose>()};
constexpr ManifoldSize manifold_size(NodeKind kind) { return manifold_sizes[static_cast<int>(kind)]; }
/// The most that a node of any kind has.
inline constexpr int max_config_size = 7, max_node_dofs = 6;

/// Calls `act`, a struct with a template operator()(Manifold), for the manifold of a kind.
template <class Act>
KOKKOS_INLINE_FUNCTION void on_manifold(NodeKind kind, const Act& act) {
  switch (kind) {
    case NodeKind::point: return act(VectorSpace<3>());
    case NodeKind::frame: return act(Pose());
  }
}

}  // namespace sinew
