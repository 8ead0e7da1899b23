/// \file
/// Distance joint: a massless rigid rod between two places.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// g = (r . r - d^2) / (2 d) (m) with r = p2 - p1: the lengthening of the rod to first order, and smooth for every r.
/// lambda (N): tension of the rod; the first place is pulled towards the second by lambda r / d.
struct Distance {
  static constexpr const char* name = "distance";
  static constexpr const char* help = "the distance of two places stays constant (massless rod)";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> point1, point2;
    double distance;
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"distance", FieldType::number, "m", false, "the initial distance", FieldCheck::positive, "length of the rod"}}};
  }

  static constexpr std::array<const char*, 1> coordinate_names() { return {"distance"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup&) { return {RelativeCoordinate{}}; }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    const double initial = initial_distance(setup);
    if (!(initial > 0))
      throw std::invalid_argument(
          "a distance joint acts along the line between two places, but these coincide at the start: connect them with "
          "`spherical`");
    const double d = setup.fields.number("distance", initial);
    return {setup.places[0].point, setup.places[1].point, d};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[1]) {
    const Vec3<S> r = place_of(f[1], p.point2) - place_of(f[0], p.point1);
    g[0] = (dot(r, r) - p.distance * p.distance) / (2.0 * p.distance);
  }

  /// G = r^T J / d with J = D r.
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                              Mat<double, 1, 12>& G) {
    const Vec3<double> n = (1.0 / p.distance) * (place_of(f[1], p.point2) - place_of(f[0], p.point1));
    set_entries(G, 0, 0, -n);
    set_entries(G, 0, 3, -cross(p.point1, transpose_times(f[0].R, n)));
    set_entries(G, 0, 6, n);
    set_entries(G, 0, 9, cross(p.point2, transpose_times(f[1].R, n)));
  }

  /// K = (lambda / d) J^T J + the coincidence stiffness of the force lambda r / d.
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                                         const double (&lambda)[1], Mat<double, 12>& K) {
    const double tension = lambda[0] / p.distance;
    add_separation_square(f, p.point1, p.point2, tension, K);
    const Vec3<double> r = place_of(f[1], p.point2) - place_of(f[0], p.point1);
    coincidence_stiffness(f, p.point1, p.point2, tension * r, K);
  }
};

}  // namespace sinew
