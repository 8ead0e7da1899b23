/// \file
/// Dead load along a beam or a cable: per unstressed length, in a direction that stays.
#pragma once

#include "kernels/joints/primitives.hpp"
#include "kernels/loads/spread_load.hpp"

namespace sinew {

/// The share of one node: the force w q(t), global frame, at x + R a, a its arm. On a node of a beam the moment is
/// a x R^T (w q) about the node, in its axes; a slope of a cable takes w q as it is.
struct LineLoad {
  static constexpr const char* name = "line-load";
  static constexpr const char* help = "load per unstressed length of a beam or a cable, in the global frame";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 3;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  using Params = SpreadShare;

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"vector", FieldType::signal3, "N/m", true, "", FieldCheck::any,
              "force per unstressed length in the global frame, expressions of t"},
             profile_field(),
             offset_field()}};
  }

  static Params make(const Setup& setup) { return spread_share(setup, name); }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<T> F{{p.weight * signals[0], p.weight * signals[1], p.weight * signals[2]}};
    f.f[0].force += F;
    f.f[0].moment += cross(p.arm, transpose_times(s.frame[0].R, F));
  }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"force", 3, "N", "resultant, global frame"}}}; }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 1>& /*s*/, double* out) {
    for (int i = 0; i < 3; ++i) out[i] = p.resultant * signals[i];
  }

  /// Adds -cq a~ (R^T w q)~ to the rotational block.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* signals,
                                             const NodeStates<double, NodeKind::frame, 1>& s, double cq, double /*cv*/,
                                             Mat<double, 6>& J) {
    const double factor = -cq * p.weight;
    const Vec3<double> F{{factor * signals[0], factor * signals[1], factor * signals[2]}};
    add_place_stiffness(s.frame[0], p.arm, F, 3, J);
  }
};

}  // namespace sinew
