/// \file
/// Point mass.
#pragma once

#include "kernels/describe.hpp"

namespace sinew {

/// Newton: m v' = m g, M = m I.
struct PointMass {
  static constexpr const char* name = "point-mass";
  static constexpr const char* help = "mass in one point, without orientation";
  static constexpr NodeKind node_kind = NodeKind::point;
  static constexpr int num_nodes = 1, num_signals = 0;
  static constexpr bool couples(int row, int column) { return row == column; }

  struct Params {
    double mass;  ///< kg
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"mass", FieldType::number, "kg", true, "", FieldCheck::positive, "mass"}}};
  }

  static Params make(const Setup& setup) { return {setup.fields.number("mass")}; }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::point, 1>& /*state*/,
                                           NodeForces<S, NodeKind::point, 1>& f) {
    f.f[0] += p.mass * env.gravity;
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, 3>& M) {
    for (int i = 0; i < 3; ++i) M(i, i) += p.mass;
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& /*p*/, const NodeStates<double, NodeKind::point, 1>&) {
    return 0.0;
  }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env,
                                                        const NodeStates<double, NodeKind::point, 1>& state) {
    return -p.mass * dot(env.gravity, state.x[0]);
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::point, 1>& /*state*/, double /*cq*/,
                                             double /*cv*/, Mat<double, 3>& /*T*/) {}
};

}  // namespace sinew
