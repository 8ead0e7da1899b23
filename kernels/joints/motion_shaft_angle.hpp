/// \file
/// Prescribed angle of a shaft.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// g = (phi - phi_0) - u(t) (rad): the angle of a shaft from where it is in the model file, with its turns; that of a gyrostat's
/// rotor is one against its body. -lambda (N m): torque of the drive on the shaft, which what carries the shaft bears.
struct MotionShaftAngle {
  static constexpr const char* name = "motion-shaft-angle";
  static constexpr const char* help = "a shaft turns as a given function of time";
  static constexpr int num_nodes = 1, num_position_rows = 1, num_velocity_rows = 0, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr bool is_scalar(int /*node*/) { return true; }

  struct Params {
    double start;  ///< phi_0
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"angle", FieldType::signal, "rad", true, "", FieldCheck::any,
              "angle from the initial one, with its turns, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    return {setup.places[0].frame.x[0]};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[1], const S* signals, S (&g)[1]) {
    g[0] = f[0].x[0] - p.start - signals[0];
  }
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& /*p*/, const Frame<double> (&)[1], const double* /*signals*/,
                                              Mat<double, 1, 6>& G) {
    for (int j = 0; j < 6; ++j) G(0, j) = 0;
    G(0, 0) = 1;
  }
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& /*p*/, const Frame<double> (&)[1],
                                                         const double* /*signals*/, const double (&)[1], Mat<double, 6>& /*K*/) {}
};

}  // namespace sinew
