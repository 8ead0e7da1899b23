/// \file
/// Prescribed rate of one shaft against another, a row at velocity level.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// k = phi_2' - phi_1' - u(t) (rad/s). psi (N m): torque of the drive on the first shaft, its opposite on the second.
struct MotionShaftSpeedBetween {
  static constexpr const char* name = "motion-shaft-speed-between";
  static constexpr const char* help = "the second shaft turns against the first with a given angular velocity";
  static constexpr int num_nodes = 2, num_position_rows = 0, num_velocity_rows = 1, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr bool is_scalar(int /*node*/) { return true; }

  struct Params {
    double factor;  ///< 1; a family holds at least one number per element
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"angular_velocity", FieldType::signal, "rad/s", true, "", FieldCheck::any,
              "rate of the second angle less that of the first, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    return {1.0};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&)[2], const Twist<S> (&z)[2], const S* signals,
                                              S (&k)[1]) {
    k[0] = p.factor * (z[1].v[0] - z[0].v[0]) - signals[0];
  }
};

}  // namespace sinew
