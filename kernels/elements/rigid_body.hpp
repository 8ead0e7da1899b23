/// \file
/// Rigid body: one frame at the centre of mass.
#pragma once

#include "kernels/describe.hpp"

namespace sinew {

/// Newton and Euler about the centre of mass: m v' = m g, J omega' = -omega x J omega (body axes), M = diag(m I, J).
struct RigidBody {
  static constexpr const char* name = "rigid";
  static constexpr const char* help = "rigid body; its frame sits at the centre of mass";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    double mass;           ///< kg
    Mat3<double> inertia;  ///< kg m^2, about the centre of mass, body axes
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"mass", FieldType::number, "kg", true, "", FieldCheck::positive, "mass"},
             {"inertia", FieldType::inertia, "kg m^2", true, "", FieldCheck::any,
              "inertia about the centre of mass in body axes: 3 principal values, or 3x3"}}};
  }

  static Params make(const Setup& setup) {
    Params p;
    p.mass = setup.fields.number("mass");
    const std::vector<double>& J = setup.fields.at("inertia");
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) p.inertia(i, j) = J.at(static_cast<std::size_t>(3 * i + j));
    require_possible(p.inertia);
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 1>& state, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<S>& omega = state.twist[0].omega;
    f.f[0].force += p.mass * env.gravity;
    f.f[0].moment -= cross(omega, p.inertia * omega);
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, 6>& M) {
    for (int i = 0; i < 3; ++i) {
      M(i, i) += p.mass;
      for (int j = 0; j < 3; ++j) M(3 + i, 3 + j) += p.inertia(i, j);
    }
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& /*p*/, const NodeStates<double, NodeKind::frame, 1>&) {
    return 0.0;
  }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env,
                                                        const NodeStates<double, NodeKind::frame, 1>& state) {
    return -p.mass * dot(env.gravity, state.frame[0].x);
  }

  /// Only the gyroscopic moment: adds cv (omega~ J - (J omega)~) to the rotational block.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::frame, 1>& state, double /*cq*/, double cv,
                                             Mat<double, 6>& T) {
    const Vec3<double> w = cv * state.twist[0].omega;
    const Mat3<double>& J = p.inertia;
    const Vec3<double> h = J * w;
    for (int j = 0; j < 3; ++j) {
      T(3, 3 + j) += w[1] * J(2, j) - w[2] * J(1, j);
      T(4, 3 + j) += w[2] * J(0, j) - w[0] * J(2, j);
      T(5, 3 + j) += w[0] * J(1, j) - w[1] * J(0, j);
    }
    T(3, 4) += h[2];
    T(3, 5) -= h[1];
    T(4, 3) -= h[2];
    T(4, 5) += h[0];
    T(5, 3) += h[1];
    T(5, 4) -= h[0];
  }

 private:
  /// Throws unless J is symmetric, positive definite and J_1 + J_2 >= J_3 for its principal values in every order, which means
  /// that tr(J)/2 I - J, the second moments of mass, has no negative principal value.
  static void require_possible(const Mat3<double>& J) {
    const double scale = math::fabs(J(0, 0)) + math::fabs(J(1, 1)) + math::fabs(J(2, 2));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j)
        if (!(math::fabs(J(i, j) - J(j, i)) <= 1e-9 * scale)) throw std::invalid_argument("the inertia is not symmetric");
    if (!(smallest_minor(J) > 0))
      throw std::invalid_argument("the inertia is not positive: every principal value must be above zero");
    Mat3<double> second_moments = -1.0 * J;
    for (int i = 0; i < 3; ++i) second_moments(i, i) += 0.5 * (J(0, 0) + J(1, 1) + J(2, 2));
    if (smallest_minor(second_moments) < -1e-9)
      throw std::invalid_argument("no body has this inertia: each principal value is at most the sum of the other two");
  }

  /// Smallest principal minor of A scaled to unit trace: positive (not negative) for a positive (semi)definite A.
  static double smallest_minor(Mat3<double> A) {
    const double trace = A(0, 0) + A(1, 1) + A(2, 2);
    if (!(trace > 0)) return trace < 0 || trace != trace ? -1.0 : 0.0;
    A = (1.0 / trace) * A;
    double smallest = determinant(A);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const double minor = A(i, i) * A(j, j) - A(i, j) * A(j, i);
      if (A(i, i) < smallest) smallest = A(i, i);
      if (minor < smallest) smallest = minor;
    }
    return smallest;
  }
};

}  // namespace sinew
