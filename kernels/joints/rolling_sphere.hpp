/// \file
/// Rolling sphere: a ball touches a plane and rolls on it without slip; it may spin about the normal.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// First place: a point of the plane, with the normal n carried by its body. Second place: the centre of the ball.
///   g = n . (p2 - p1) - r                                                                  (m)
///   k = (u, v) . (v2 - r (R2 omega2) x n - velocity of the plane's point there)            (m/s), (u, v, n) right-handed
/// lambda (N): force on the plane along n, negative while the ball presses on it; psi (N): forces on the plane along u, v.
struct RollingSphere {
  static constexpr const char* name = "rolling-sphere";
  static constexpr const char* help = "a ball rolls without slip on the plane through the first place";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 2, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    /// the plane: a point and the triad (along1, along2, normal), first node's axes
    Vec3<double> point1, normal, along1, along2;
    Vec3<double> point2;  ///< the centre of the ball, second node's axes
    double radius;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"radius", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the ball"},
             axis_field("normal", "normal of the plane, towards the ball")}};
  }

  /// Where the ball touches its plane at the start.
  static Vec3<double> ground_place(const Setup& setup) {
    return setup.places[1].position() - setup.fields.number("radius") * setup.fields.vector("normal");
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a rolling ball is a rigid body");
    require_roller(setup, name);
    const Place& plane = setup.places[0];
    const Vec3<double> n = setup.fields.vector("normal");
    const auto across = complete_triad(n);
    return {plane.point,
            plane.local(n),
            plane.local(across[0]),
            plane.local(across[1]),
            setup.places[1].point,
            setup.fields.number("radius")};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[1]) {
    g[0] = dot(f[0].R * p.normal, place_of(f[1], p.point2) - place_of(f[0], p.point1)) - p.radius;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&f)[2], const Twist<S> (&z)[2],
                                              const S* /*signals*/, S (&k)[2]) {
    const Vec3<S> contact = place_of(f[1], p.point2) - p.radius * (f[0].R * p.normal);
    const Vec3<S> slip = velocity_at(f[1], z[1], contact) - velocity_at(f[0], z[0], contact);
    k[0] = dot(f[0].R * p.along1, slip);
    k[1] = dot(f[0].R * p.along2, slip);
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                              Mat<double, 1, 12>& G) {
    along_gradient(f, p.point2, p.normal, 0, G);
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                                         const double (&lambda)[1], Mat<double, 12>& K) {
    along_stiffness(f, p.point2, lambda[0] * p.normal, K);
  }
};

}  // namespace sinew
