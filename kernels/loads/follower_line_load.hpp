/// \file
/// Load along a beam that turns with its sections.
#pragma once

#include "kernels/joints/primitives.hpp"
#include "kernels/loads/spread_load.hpp"

namespace sinew {

/// The share of one node: the force w R q(t), q in the axes of the section there, at x + R a, a its arm; the moment about the
/// node is a x w q, in its axes. R is that of the nodes (Lobatto's rule, of the order that their lines have); the length is the
/// unstressed one. It has no potential, so its tangent is not symmetric.
struct FollowerLineLoad {
  static constexpr const char* name = "follower-line-load";
  static constexpr const char* help = "load per unstressed length of a beam, in the axes of its sections";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 3;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  using Params = SpreadShare;

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"vector_local", FieldType::signal3, "N/m", true, "", FieldCheck::any,
              "force per unstressed length along the line's tangent, axis 2 and axis 3 of the section, expressions of t"},
             profile_field(),
             offset_field()}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    if (!setup.places[0].can_turn)
      throw std::invalid_argument(
          "a follower-line-load turns with sections, and a cable has none that turn: use `line-load`, or take type: beam");
    return spread_share(setup, name);
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const Vec3<T> F{{p.weight * signals[0], p.weight * signals[1], p.weight * signals[2]}};
    f.f[0].force += s.frame[0].R * F;
    f.f[0].moment += cross(p.arm, F);
  }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"force", 3, "N", "resultant, global frame"}}}; }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 1>& s, double* out) {
    const Vec3<double> F = s.frame[0].R * (p.resultant * Vec3<double>{{signals[0], signals[1], signals[2]}});
    for (int i = 0; i < 3; ++i) out[i] = F[i];
  }

  /// Adds cq w R q~ in the rows of the force, the columns of the rotation.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* signals,
                                             const NodeStates<double, NodeKind::frame, 1>& s, double cq, double /*cv*/,
                                             Mat<double, 6>& J) {
    const double factor = cq * p.weight;
    const Vec3<double> F{{factor * signals[0], factor * signals[1], factor * signals[2]}};
    add_block(J, 0, 3, times_skew(s.frame[0].R, F));
  }
};

}  // namespace sinew
