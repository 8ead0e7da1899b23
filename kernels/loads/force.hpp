/// \file
/// Force of fixed direction in space, a function of time, on a place.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// F(t) (N), global frame, at the place p = x + R s of one node.
struct Force {
  static constexpr const char* name = "force";
  static constexpr const char* help = "force on a place, in the global frame";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 3;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  struct Params {
    Vec3<double> point;
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"vector", FieldType::signal3, "N", true, "", FieldCheck::any, "force in the global frame, expressions of t"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    return {setup.places[0].point};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<T> F{{signals[0], signals[1], signals[2]}};
    f.f[0].force += F;
    f.f[0].moment += cross(p.point, transpose_times(s.frame[0].R, F));
  }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"force", 3, "N", "on the place, global frame"}}}; }

  static void measure(const Params& /*p*/, const double* signals, const NodeStates<double, NodeKind::frame, 1>& /*s*/,
                      double* out) {
    for (int i = 0; i < 3; ++i) out[i] = signals[i];
  }

  /// Adds -cq s~ (R^T F)~ to the rotational block.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* signals,
                                             const NodeStates<double, NodeKind::frame, 1>& s, double cq, double /*cv*/,
                                             Mat<double, 6>& J) {
    const Vec3<double> F{{-cq * signals[0], -cq * signals[1], -cq * signals[2]}};
    add_place_stiffness(s.frame[0], p.point, F, 3, J);
  }
};

}  // namespace sinew
