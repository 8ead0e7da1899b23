/// \file
/// Force that turns with its body.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// R F(t) (N) at the place p = x + R s of one node that can turn; F in body axes. It has no potential, so its tangent is not
/// symmetric.
struct FollowerForce {
  static constexpr const char* name = "follower-force";
  static constexpr const char* help = "force on a place, in the axes of its body";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 3;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  struct Params {
    Vec3<double> point;
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"vector_local", FieldType::signal3, "N", true, "", FieldCheck::any, "force in body axes, expressions of t"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    if (!setup.places[0].can_turn)
      throw std::invalid_argument(
          "a follower-force turns with its body, but this place is a point without orientation: use `force`");
    return {setup.places[0].point};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<T> F{{signals[0], signals[1], signals[2]}};
    f.f[0].force += s.frame[0].R * F;
    f.f[0].moment += cross(p.point, F);
  }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"force", 3, "N", "on the place, global frame"}}}; }

  static void measure(const Params& /*p*/, const double* signals, const NodeStates<double, NodeKind::frame, 1>& s, double* out) {
    const Vec3<double> F = s.frame[0].R * Vec3<double>{{signals[0], signals[1], signals[2]}};
    for (int i = 0; i < 3; ++i) out[i] = F[i];
  }

  /// Adds cq R F~ in the rows of the force, the columns of the rotation.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& /*p*/, const Environment& /*env*/, const double* signals,
                                             const NodeStates<double, NodeKind::frame, 1>& s, double cq, double /*cv*/,
                                             Mat<double, 6>& J) {
    const Vec3<double> F{{cq * signals[0], cq * signals[1], cq * signals[2]}};
    add_block(J, 0, 3, times_skew(s.frame[0].R, F));
  }
};

}  // namespace sinew
