/// \file
/// Torque of fixed direction in space, a function of time, on a body.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// M(t) (N m), global frame, on one node that can turn.
struct Torque {
  static constexpr const char* name = "torque";
  static constexpr const char* help = "torque on a body, in the global frame";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 3;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  struct Params {
    double factor;  ///< 1; a family holds at least one number per element
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"vector", FieldType::signal3, "N m", true, "", FieldCheck::any, "torque in the global frame, expressions of t"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    if (!setup.places[0].can_turn)
      throw std::invalid_argument("a torque needs a place that can turn, but this one is a point without orientation");
    return {1.0};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<T> M{{p.factor * signals[0], p.factor * signals[1], p.factor * signals[2]}};
    f.f[0].moment += transpose_times(s.frame[0].R, M);
  }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"moment", 3, "N m", "on the body, global frame"}}}; }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 1>& /*s*/, double* out) {
    for (int i = 0; i < 3; ++i) out[i] = p.factor * signals[i];
  }

  /// Adds -cq (R^T M)~ to the rotational block.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* signals,
                                             const NodeStates<double, NodeKind::frame, 1>& s, double cq, double /*cv*/,
                                             Mat<double, 6>& J) {
    const double c = -cq * p.factor;
    const Vec3<double> M{{c * signals[0], c * signals[1], c * signals[2]}};
    add_block(J, 3, 3, skew(transpose_times(s.frame[0].R, M)));
  }
};

}  // namespace sinew
