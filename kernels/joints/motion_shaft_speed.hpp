/// \file
/// Prescribed rate of a shaft, a row at velocity level.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// k = phi' - u(t) (rad/s), of a gyrostat's rotor the rate against its body. -psi (N m): torque of the drive on the shaft, which
/// what carries the shaft bears.
struct MotionShaftSpeed {
  static constexpr const char* name = "motion-shaft-speed";
  static constexpr const char* help = "a shaft turns with a given angular velocity";
  static constexpr int num_nodes = 1, num_position_rows = 0, num_velocity_rows = 1, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr bool is_scalar(int /*node*/) { return true; }

  struct Params {
    double factor;  ///< 1; a family holds at least one number per element
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"angular_velocity", FieldType::signal, "rad/s", true, "", FieldCheck::any, "rate of its angle, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    return {1.0};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&)[1], const Twist<S> (&z)[1], const S* signals,
                                              S (&k)[1]) {
    k[0] = p.factor * z[0].v[0] - signals[0];
  }
};

}  // namespace sinew
