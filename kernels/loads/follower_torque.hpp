/// \file
/// Moment that turns with its body.
#pragma once

#include "kernels/loads/torque.hpp"

namespace sinew {

/// R M(t) (N m) on one node that can turn; M in body axes. All else is a torque's.
struct FollowerTorque : Torque {
  static constexpr const char* name = "follower-torque";
  static constexpr const char* help = "moment on a body, in its axes";

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"vector_local", FieldType::signal3, "N m", true, "", FieldCheck::any, "moment in body axes, expressions of t"}}};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& /*s*/, NodeForces<S, NodeKind::frame, 1>& f) {
    f.f[0].moment += Vec3<T>{{p.factor * signals[0], p.factor * signals[1], p.factor * signals[2]}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 1>& s, double* out) {
    const Vec3<double> M = s.frame[0].R * Vec3<double>{{signals[0], signals[1], signals[2]}};
    for (int i = 0; i < 3; ++i) out[i] = p.factor * M[i];
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::frame, 1>& /*s*/, double /*cq*/, double /*cv*/,
                                             Mat<double, 6>& /*J*/) {}
};

}  // namespace sinew
