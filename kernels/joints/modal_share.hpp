/// \file
/// Attachment of a frame to a body of a few shapes: what one of these does to it.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// The part of one amplitude in the rows of ModalFrame: -u eta and -theta eta, eta counted from the start.
struct ModalShare {
  static constexpr const char* name = "modal-share";
  static constexpr const char* help = "what a shape of a body displaces and turns a place of it by";
  static constexpr int num_nodes = 1, num_position_rows = 6, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;
  static constexpr bool is_scalar(int /*node*/) { return true; }

  struct Params {
    Vec3<double> displacement, turn;  ///< u, theta
    double start = 0;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"displacement", FieldType::vector, "m", true, "", FieldCheck::any, "by an amplitude of 1, in the body's axes"},
             {"turn", FieldType::vector, "1", true, "", FieldCheck::any, "likewise, a rotation vector"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    return {setup.fields.vector("displacement"), setup.fields.vector("turn"), setup.places[0].frame.x[0]};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[1], const S* /*signals*/, S (&g)[6]) {
    const S eta = f[0].x[0] - p.start;
    for (int i = 0; i < 3; ++i) {
      g[i] = -p.displacement[i] * eta;
      g[3 + i] = -p.turn[i] * eta;
    }
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&)[1], const double* /*signals*/,
                                              Mat<double, 6, 6>& G) {
    G = Mat<double, 6, 6>{};
    for (int i = 0; i < 3; ++i) {
      G(i, 0) = -p.displacement[i];
      G(3 + i, 0) = -p.turn[i];
    }
  }

  /// The rows are linear.
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& /*p*/, const Frame<double> (&)[1],
                                                         const double* /*signals*/, const double (&)[6],
                                                         Mat<double, 6, 6>& /*K*/) {}
};

}  // namespace sinew
