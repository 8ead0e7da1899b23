// Elements whose partners change: what the generic tests cover beside those that are registered.
#pragma once

#include "kernels/sweep/partner_family.hpp"

namespace sinew::trial {

/// A ball that the nearest one of several points pushes away where it comes closer than `reach`: energy
/// k max(0, reach - |x1 - x0|)^2 / 2.
struct NearestPoint {
  static constexpr const char* name = "nearest-point";
  using Candidates = OpenNodes<NodeKind::point>;
  static constexpr NodeKind node_kind = NodeKind::point;
  static constexpr int num_nodes = 2, num_signals = 0;
  struct Params {
    double stiffness, reach;
  };

  static Params example(unsigned seed) { return {3.0 + 0.1 * seed, 50.0}; }  // the nodes of specimens touch

  KOKKOS_INLINE_FUNCTION static void choose(const Params& /*p*/, const Candidates::States<double>& s, int (&chosen)[num_nodes]) {
    chosen[0] = 0;
    const Vec3<double> x = s.point(0).x[0];
    for (int k = 1; k < s.count(); ++k)
      if (k == 1 || norm(s.point(k).x[0] - x) < norm(s.point(chosen[1]).x[0] - x)) chosen[1] = k;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, node_kind, num_nodes>& s, NodeForces<S, node_kind, num_nodes>& f) {
    const Vec3<S> apart = s.x[1] - s.x[0];
    const S distance = norm(apart);
    if (!(distance < p.reach)) return;
    const Vec3<S> push = (p.stiffness * (p.reach - distance) / distance) * apart;
    f.f[0] -= push;
    f.f[1] += push;
  }
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, node_kind, num_nodes>& s) {
    const double distance = norm(s.x[1] - s.x[0]);
    return distance < p.reach ? p.stiffness * (p.reach - distance) * (p.reach - distance) / 2 : 0;
  }
};

inline const ElementEntry& nearest_point() {
  static const ElementEntry entry = make_element_entry<NearestPoint>();
  return entry;
}

}  // namespace sinew::trial
