/// \file
/// One coordinate of a place that does not change.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// One node. g = d . (p - P) (m), with the fixed global direction d and the place's initial position P.
/// lambda (N): the force of the place on the ground along d.
struct CoordinateFixed {
  static constexpr const char* name = "coordinate-fixed";
  static constexpr const char* help = "a place does not move along a global direction";
  static constexpr int num_nodes = 1, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> point, direction;
    double start;
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"direction", FieldType::direction, "1", true, "", FieldCheck::any, "global direction of the row"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    const Vec3<double> d = setup.fields.vector("direction");
    return {setup.places[0].point, d, dot(d, setup.places[0].position())};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[1], const S* /*signals*/, S (&g)[1]) {
    g[0] = dot(p.direction, place_of(f[0], p.point)) - p.start;
  }

  /// G = [d^T, (s x R^T d)^T]
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[1], const double* /*signals*/,
                                              Mat<double, 1, 6>& G) {
    set_entries(G, 0, 0, p.direction);
    set_entries(G, 0, 3, cross(p.point, transpose_times(f[0].R, p.direction)));
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[1], const double* /*signals*/,
                                                         const double (&lambda)[1], Mat<double, 6>& K) {
    add_place_stiffness(f[0], p.point, lambda[0] * p.direction, 3, K);
  }
};

}  // namespace sinew
