/// \file
/// Rolling disc: a thin wheel touches a plane and rolls on it without slip.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// First place: a point of the plane, with the normal n carried by its body. Second place: the centre of the disc, with the
/// disc's axis a carried by its body. With c = a . n the lowest point lies at rho = -r (n - c a) / sqrt(1 - c^2) from the centre.
///   g = n . (p2 - p1) - r sqrt(1 - c^2)                                                    (m)
///   k = (u, v) . (v2 + (R2 omega2) x rho - velocity of the plane's point there)            (m/s), (u, v, n) right-handed
/// lambda (N): force on the plane along n, so a steady disc on the ground has lambda = -m g; psi (N): forces on the plane along
/// u, v.
struct RollingDisc {
  static constexpr const char* name = "rolling-disc";
  static constexpr const char* help = "a thin disc rolls without slip on the plane through the first place";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 2, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    /// the plane: a point and the triad (along1, along2, normal), first node's axes
    Vec3<double> point1, normal, along1, along2;
    Vec3<double> point2, axis;  ///< the disc: its centre and axis, second node's axes
    double radius;
  };

  /// sin of the angle between disc and plane below which the disc lies flat.
  static constexpr double flat = 1e-6;

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"radius", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the disc"},
             axis_field("normal", "normal of the plane, towards the disc"),
             {"axis_local", FieldType::direction, "1", true, "", FieldCheck::any, "axis of the disc in its body's frame"}}};
  }

  /// Where the disc touches its plane at the start.
  static Vec3<double> ground_place(const Setup& setup) {
    const Place& disc = setup.places[1];
    const Vec3<double> n = setup.fields.vector("normal"), a = disc.frame.R * setup.fields.vector("axis_local");
    const double c = dot(a, n), sine = math::sqrt(1 - c * c);
    if (!(sine > 0)) return disc.position();  // `make` refuses a disc that lies flat
    return disc.position() - (setup.fields.number("radius") / sine) * (n - c * a);
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a rolling disc is a rigid body");
    require_roller(setup, name);
    const Place& plane = setup.places[0];
    const Place& disc = setup.places[1];
    const Vec3<double> n = setup.fields.vector("normal");
    const Vec3<double> a = setup.fields.vector("axis_local");
    if (norm(cross(disc.frame.R * a, n)) < flat)
      throw std::invalid_argument("the disc lies flat on its plane: its axis is along the normal, so no point of it is lowest");
    const auto across = complete_triad(n);
    return {plane.point,
            plane.local(n),
            plane.local(across[0]),
            plane.local(across[1]),
            disc.point,
            a,
            setup.fields.number("radius")};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[1]) {
    using math::sqrt;
    const Vec3<S> n = f[0].R * p.normal;
    const S c = dot(f[1].R * p.axis, n);
    g[0] = dot(n, place_of(f[1], p.point2) - place_of(f[0], p.point1)) - p.radius * sqrt(1.0 - c * c);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&f)[2], const Twist<S> (&z)[2],
                                              const S* /*signals*/, S (&k)[2]) {
    using math::sqrt;
    const Vec3<S> n = f[0].R * p.normal;
    const Vec3<S> a = f[1].R * p.axis;
    const S c = dot(a, n);
    const S scale = -p.radius / sqrt(1.0 - c * c);
    const Vec3<S> contact = place_of(f[1], p.point2) + scale * (n - c * a);
    const Vec3<S> slip = velocity_at(f[1], z[1], contact) - velocity_at(f[0], z[0], contact);
    k[0] = dot(f[0].R * p.along1, slip);
    k[1] = dot(f[0].R * p.along2, slip);
  }

  static constexpr const char* fault =
      "falls flat: no point of the disc is lowest any more (or the point of contact runs over a quarter of the rim within one "
      "step)";

  /// From the centre towards the highest point, seen from the plane's body; sin of the angle between disc and plane long.
  KOKKOS_INLINE_FUNCTION static Vec3<double> upwards(const Params& p, const Frame<double> (&f)[2]) {
    const Vec3<double> a = transpose_times(f[0].R, f[1].R * p.axis);
    return p.normal - dot(a, p.normal) * a;
  }

  /// A disc that passes through the plane, or nearly, finds its lowest point on the other side.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[2], const Frame<double> (&now)[2],
                                              const double* /*signals*/) {
    const Vec3<double> was = upwards(p, before), is = upwards(p, now);
    return norm(is) > flat && dot(was, is) > 0 ? Verdict::ok : Verdict::singular;
  }
};

}  // namespace sinew
