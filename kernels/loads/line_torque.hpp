/// \file
/// Dead torque along a beam: per unstressed length, in a direction that stays.
#pragma once

#include "kernels/joints/primitives.hpp"
#include "kernels/loads/spread_load.hpp"

namespace sinew {

/// The share of one node: the moment w R^T m(t) about it, in its axes; m in the global frame. Taken at the nodes, by Lobatto's
/// rule.
struct LineTorque {
  static constexpr const char* name = "line-torque";
  static constexpr const char* help = "torque per unstressed length of a beam, in the global frame";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 3;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  using Params = SpreadShare;

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"vector", FieldType::signal3, "N", true, "", FieldCheck::any,
              "torque per unstressed length in the global frame, N m/m, expressions of t"},
             profile_field()}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    if (!setup.places[0].can_turn)
      throw std::invalid_argument("a line-torque turns sections, and a cable has none that turn: take type: beam");
    return spread_share(setup, name);
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<T> M{{p.weight * signals[0], p.weight * signals[1], p.weight * signals[2]}};
    f.f[0].moment += transpose_times(s.frame[0].R, M);
  }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"moment", 3, "N m", "sum of the torques, global frame"}}}; }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 1>& /*s*/, double* out) {
    for (int i = 0; i < 3; ++i) out[i] = p.resultant * signals[i];
  }

  /// Adds -cq (R^T w m)~ to the rotational block.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* signals,
                                             const NodeStates<double, NodeKind::frame, 1>& s, double cq, double /*cv*/,
                                             Mat<double, 6>& J) {
    const double factor = -cq * p.weight;
    const Vec3<double> M{{factor * signals[0], factor * signals[1], factor * signals[2]}};
    add_block(J, 3, 3, skew(transpose_times(s.frame[0].R, M)));
  }
};

}  // namespace sinew
