/// \file
/// Prescribed angle: one body turns against another as a function of time.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// theta: rotation of the second body against the first about the axis e, zero at the start; phi(t): the signal. With (u, v, e)
/// right-handed, cos theta = u1 . u2 and sin theta = v1 . u2:
///   g = sin(theta - phi) = (cos phi v1 - sin phi u1) . u2
/// which knows no limit of turns. lambda (N m): moment of the drive on the first body about e. To be used beside a joint that keeps
/// the axes parallel (revolute, cylindrical).
struct MotionAngle {
  static constexpr const char* name = "motion-angle";
  static constexpr const char* help = "the second body turns against the first about an axis as a given function of time";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 1;

  struct Params {
    Vec3<double> across1, across2;  ///< u and v, first node's axes
    Vec3<double> mark;              ///< u, second node's axes
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {
        {axis_field("axis", "axis of the rotation"),
         {"angle", FieldType::signal, "rad", true, "", FieldCheck::any, "angle from the initial configuration, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no angle");
    const auto across = complete_triad(setup.fields.vector("axis"));
    return {setup.places[0].local(across[0]), setup.places[0].local(across[1]), setup.places[1].local(across[0])};
  }

  /// The direction of the first body that u of the second is across to at the angle phi.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> target(const Params& p, const S& phi) {
    using math::cos;
    using math::sin;
    return cos(phi) * p.across2 - sin(phi) * p.across1;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* signals, S (&g)[1]) {
    g[0] = dot(f[0].R * target(p, signals[0]), f[1].R * p.mark);
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* signals,
                                              Mat<double, 1, 12>& G) {
    dot_gradient(f, target(p, signals[0]), p.mark, 0, G);
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* signals,
                                                         const double (&lambda)[1], Mat<double, 12>& K) {
    dot_stiffness(f, outer(lambda[0] * target(p, signals[0]), p.mark), K);
  }
};

}  // namespace sinew
