/// \file
/// Sweeps of elements in blocks, one element in every lane of a vector register (kernels/sweep/lane_block.hpp), on a host.
#pragma once

#include "kernels/sweep/element_force.hpp"
#include "kernels/sweep/lane_block.hpp"

namespace sinew {

/// E: a struct whose functions take lanes. Tables are those of the family, nodes and parameters.
template <class E>
struct LaneSweeps {
  using Force = ElementForce<E>;
  using Nodes = typename Force::Nodes;
  static constexpr int N = Force::N, D = Force::D;
  template <class S>
  using StatesOf = typename Force::template StatesOf<S>;
  template <class S>
  using ForcesOf = typename Force::template ForcesOf<S>;

  /// Of a range of elements, into their slots.
  static void forces(const LentTable<int>& nodes, const LentTable<double>& params, ElementRange range, const SweepState& s,
                     double* slots) {
    Kokkos::parallel_for("sinew::forces", policy(range), [=](const int b) {
      using LaneParams = typename E::template ParamsOf<Lanes>;
      const LaneBlock block(range, b);
      ForcesOf<Lanes> f;
      E::force(load_params<LaneParams>(params, block), s.environment, static_cast<const double*>(nullptr),
               load_states<Nodes::kind(0), N>(s, nodes, block), f);
      Lanes components[D];
      flatten(f, components);
      store_block<D>(block, components, slots + static_cast<std::ptrdiff_t>(block.first) * D);
    });
  }

  /// Likewise, `params` being those that tangents take.
  static void tangents(const LentTable<int>& nodes, const LentTable<double>& params, ElementRange range, const SweepState& s,
                       const Shift& shift, double* values) {
    Kokkos::parallel_for("sinew::tangent", policy(range), [=](const int b) {
      using LaneParams = typename E::template ParamsOf<Lanes>;
      const LaneBlock block(range, b);
      const auto p = load_params<LaneParams>(params, block);
      double* out = values + static_cast<std::ptrdiff_t>(block.first - range.first) * D * D;
      if constexpr (requires(LaneMatrices<D> & J) { E::tangent_blocks(p, StatesOf<Lanes>(), 1.0, 1.0, 1.0, J); }) {
        LaneMatrices<D> J(block, out);
        E::tangent_blocks(p, load_states<Nodes::kind(0), N>(s, nodes, block), shift.q, shift.v, shift.a, J);
        J.finish();
      } else {
        Mat<Lanes, D, D> J;
        const auto states = load_states<Nodes::kind(0), N>(s, nodes, block);
        const double* none = nullptr;
        if (Nodes::has_turns && s.tangent_operator != nullptr) {
          E::tangent(p, s.environment, none, states, shift.q, 0.0, J);
          times_operators_of_block(s, nodes, block, J);
          E::tangent(p, s.environment, none, states, 0.0, shift.v, J);
        } else {
          E::tangent(p, s.environment, none, states, shift.q, shift.v, J);
        }
        if constexpr (Force::adds_mass)
          if (shift.a != 0) E::add_mass(p, Lanes(shift.a), J);
        store_block<D * D>(block, &J.data[0][0], out);
      }
    });
  }

  /// The first element at fault, of a whole family.
  static Finding check(const LentTable<int>& nodes, const LentTable<double>& params, ElementRange range, const SweepState& s) {
    long long smallest = Finding::code(range.size(), Verdict::ok);
    Kokkos::parallel_reduce(
        "sinew::check", policy(range),
        [=](const int b, long long& lowest) {
          using LaneParams = typename E::template ParamsOf<Lanes>;
          const LaneBlock block(range, b);
          double found[lane_count];
          E::soundness(load_params<LaneParams>(params, block), load_states<Nodes::kind(0), N>(s, nodes, block)).store(found);
          for (int l = 0; l < block.count; ++l) {
            const Verdict v = E::judge(found[l]);
            const long long code = Finding::code(block.element(l), v);
            if (v != Verdict::ok && code < lowest) lowest = code;
          }
        },
        Kokkos::Min<long long>(smallest));
    return Finding::of(smallest, range.size());
  }

 private:
  static Kokkos::RangePolicy<ExecutionSpace> policy(ElementRange range) {
    return Kokkos::RangePolicy<ExecutionSpace>(0, LaneBlock::number_in(range));
  }

  static void times_operators_of_block(const SweepState& s, const LentTable<int>& nodes, const LaneBlock& block,
                                       Mat<Lanes, D, D>& J) {
    if constexpr (Nodes::has_turns) {
      Mat3<Lanes> T[N];
      load_tangent_operators<N>(s, nodes, block, T);
      times_tangent_operator<Nodes, D>(J, T);
    }
  }
};

}  // namespace sinew
