/// \file
/// Clamp: a point that does not move. A clamp of a mesh surface or a cable's end on the ground is one of these for every node.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// One node. g = x - X (m), global frame, X its initial position. lambda (N): the force that the node exerts on the ground.
/// A clamp of some directions only is made of `coordinate_fixed` rows, one for each node and direction.
struct Clamp {
  static constexpr const char* name = "clamp";
  static constexpr const char* help = "a point stays where it is at the start";
  static constexpr int num_nodes = 1, num_position_rows = 3, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> start;
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"components", FieldType::flags, "1", false, "[x, y, z]", FieldCheck::any,
              "directions in which every node is held, global ones at the start: `[x]` or `x` on a plane of symmetry; they "
              "move with the body that holds"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    if (setup.places[0].can_turn) throw std::invalid_argument("a clamp holds points; hold a body that can turn with `fixed`");
    return {setup.places[0].position()};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[1], const S* /*signals*/, S (&g)[3]) {
    for (int i = 0; i < 3; ++i) g[i] = f[0].x[i] - p.start[i];
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& /*p*/, const Frame<double> (&)[1], const double* /*signals*/,
                                              Mat<double, 3, 6>& G) {
    G = Mat<double, 3, 6>{};
    for (int i = 0; i < 3; ++i) G(i, i) = 1.0;
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& /*p*/, const Frame<double> (&)[1],
                                                         const double* /*signals*/, const double (&)[3], Mat<double, 6>&) {}
};

}  // namespace sinew
