/// \file
/// Shaft: discs that turn about one axis, with springs between them.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/open_nodes.hpp"

namespace sinew {

/// n discs with angles phi_k and inertias J_k, each tied to the next one by a shaft of stiffness k_k and damping c_k, and braked
/// by its bearings:
///   J_k phi_k'' = m_k - m_{k-1} - b phi_k',   m_k = k_k (phi_{k+1} - phi_k) + c_k (phi_{k+1}' - phi_k')
/// What carries the bearings feels nothing of it. Numbers: the n inertias, the n - 1 stiffnesses, the n - 1 dampings.
/// Source: e.g. F. Holzweissig, H. Dresig, Lehrbuch der Maschinendynamik, chains of torsional vibrators.
struct Shaft {
  static constexpr const char* name = "shaft";
  using NodeList = OpenNodes<NodeKind::scalar>;
  static constexpr int num_signals = 0, least_nodes = 1;
  static constexpr bool has_numbers = true;

  struct Params {
    double drag;  ///< b, N m s/rad
  };
  using Given = WithNumbers<Params>;

  static Params example(unsigned seed) { return {0.1 * seed}; }
  static constexpr int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 4); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    std::vector<double> numbers;
    for (int k = 0; k < 3 * nodes - 2; ++k) numbers.push_back(0.5 + 0.1 * k + 0.05 * seed);
    return numbers;
  }
  /// Of discs that are neighbours.
  static constexpr bool couples(int /*nodes*/, int row, int column) { return row - column <= 1 && column - row <= 1; }

  KOKKOS_INLINE_FUNCTION static double inertia(const Given& p, int k) { return p.numbers[k]; }
  KOKKOS_INLINE_FUNCTION static double stiffness(const Given& p, int nodes, int k) { return p.numbers[nodes + k]; }
  KOKKOS_INLINE_FUNCTION static double damping(const Given& p, int nodes, int k) { return p.numbers[2 * nodes - 1 + k]; }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const int n = s.count();
    for (int k = 0; k < n; ++k) {
      const auto disc = s.scalar(k);
      f.scalar(k, -p.drag * disc.v[0]);
      if (k + 1 == n) return;
      const auto next = s.scalar(k + 1);
      const S moment = stiffness(p, n, k) * (next.x[0] - disc.x[0]) + damping(p, n, k) * (next.v[0] - disc.v[0]);
      f.scalar(k, moment);
      f.scalar(k + 1, -moment);
    }
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeList::States<double>& s, double cq, double cv, const OpenMatrix& J) {
    const int n = s.count();
    for (int k = 0; k < n; ++k) {
      J.add(k, k, cv * p.drag);
      if (k + 1 == n) return;
      const double slope = cq * stiffness(p, n, k) + cv * damping(p, n, k);
      J.add(k, k, slope);
      J.add(k + 1, k + 1, slope);
      J.add(k, k + 1, -slope);
      J.add(k + 1, k, -slope);
    }
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Given& p, int nodes, const OpenMatrix& M) {
    for (int k = 0; k < nodes; ++k) M.add(k, k, inertia(p, k));
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& p, const NodeList::States<double>& s) {
    double sum = 0;
    for (int k = 0; k + 1 < s.count(); ++k) {
      const double twist = s.scalar(k + 1).x[0] - s.scalar(k).x[0];
      sum += stiffness(p, s.count(), k) * twist * twist / 2;
    }
    return sum;
  }
};

}  // namespace sinew
