/// \file
/// Skate: a blade that slides along itself and not sideways (knife edge, wheel without mass).
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// First place: carries the normal n of the surface. Second place: carries the blade direction d. With the sideways unit vector
/// s = n x d / |n x d|: k = s . (velocity of the second place against the first body there) (m/s). psi (N): force on the first
/// body along s. The row says nothing about the motion along n: add a `planar` joint where the surface shall carry the blade.
struct Skate {
  static constexpr const char* name = "skate";
  static constexpr const char* help = "a blade moves along its direction, not sideways";
  static constexpr int num_nodes = 2, num_position_rows = 0, num_velocity_rows = 1, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> normal;             ///< first node's axes
    Vec3<double> point2, direction;  ///< second node's axes
  };

  /// sin of the angle between blade and normal below which no motion is sideways.
  static constexpr double upright = 1e-6;

  static constexpr std::array<FieldSpec, 2> fields() {
    return {
        {{"direction_local", FieldType::direction, "1", true, "", FieldCheck::any, "direction of the blade in its body's frame"},
         axis_field("normal", "normal of the surface on which the blade slides")}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a skate needs a direction, so a body");
    const Place& blade = setup.places[1];
    const Vec3<double> n = setup.fields.vector("normal");
    const Vec3<double> d = setup.fields.vector("direction_local");
    if (norm(cross(n, blade.frame.R * d)) < upright)
      throw std::invalid_argument(
          "the blade stands on the surface: `direction_local` is along `normal`, so no motion is sideways");
    return {setup.places[0].local(n), blade.point, d};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&f)[2], const Twist<S> (&z)[2],
                                              const S* /*signals*/, S (&k)[1]) {
    const Vec3<S> sideways = cross(f[0].R * p.normal, f[1].R * p.direction);
    const Vec3<S> relative = place_velocity(f[1], z[1], p.point2) - velocity_at(f[0], z[0], place_of(f[1], p.point2));
    k[0] = dot(sideways, relative) / norm(sideways);
  }

  static constexpr const char* fault =
      "stands on end: its blade is along the normal, so that no motion is sideways (or the blade turns by more than a right "
      "angle within one step)";

  /// n x d, seen from the surface's body.
  KOKKOS_INLINE_FUNCTION static Vec3<double> sideways_of(const Params& p, const Frame<double> (&f)[2]) {
    return cross(p.normal, transpose_times(f[0].R, f[1].R * p.direction));
  }

  /// A blade that passes the normal goes on with the other side as its left one.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[2], const Frame<double> (&now)[2],
                                              const double* /*signals*/) {
    const Vec3<double> was = sideways_of(p, before), is = sideways_of(p, now);
    return norm(is) > upright && dot(was, is) > 0 ? Verdict::ok : Verdict::singular;
  }
};

}  // namespace sinew
