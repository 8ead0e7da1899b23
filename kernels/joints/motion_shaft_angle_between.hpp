/// \file
/// Prescribed angle between two shafts.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// g = (phi_2 - phi_2(0)) - (phi_1 - phi_1(0)) - u(t) (rad): by how much the second shaft has turned against the first, with its
/// turns. lambda (N m): torque of the drive on the first shaft, its opposite on the second.
struct MotionShaftAngleBetween {
  static constexpr const char* name = "motion-shaft-angle-between";
  static constexpr const char* help = "the second shaft turns against the first as a given function of time";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr bool is_scalar(int /*node*/) { return true; }

  struct Params {
    double start;  ///< difference of the angles there
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"angle", FieldType::signal, "rad", true, "", FieldCheck::any,
              "angle from the initial one, with its turns, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    return {setup.places[1].frame.x[0] - setup.places[0].frame.x[0]};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* signals, S (&g)[1]) {
    g[0] = f[1].x[0] - f[0].x[0] - p.start - signals[0];
  }
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& /*p*/, const Frame<double> (&)[2], const double* /*signals*/,
                                              Mat<double, 1, 12>& G) {
    for (int j = 0; j < 12; ++j) G(0, j) = 0;
    G(0, 0) = -1;
    G(0, 6) = 1;
  }
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& /*p*/, const Frame<double> (&)[2],
                                                         const double* /*signals*/, const double (&)[1], Mat<double, 12>& /*K*/) {
  }
};

}  // namespace sinew
