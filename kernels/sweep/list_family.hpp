/// \file
/// The sweeps of elements over a number of nodes that is known at run time. All elements of a family have the same number; those
/// of another are another family (FamilyData::nodes_per_element), so that tables and slots have rows of one length here too.
#pragma once

#include "kernels/open_nodes.hpp"
#include "kernels/sweep/element_findings.hpp"
#include "kernels/sweep/pattern.hpp"
#include "kernels/sweep/registry.hpp"

#include <algorithm>

namespace sinew {

/// The struct has mass_at(p, states, M) beside mass(p, nodes, M).
template <class E>
concept HasVaryingMassOfList = HasOpenList<E> &&
    requires(const ParamsOf<E>& p, const typename E::NodeList::template States<double>& s, const OpenMatrix& M) {
  E::mass_at(p, s, M);
};

template <class E>
class ListFamily : public Family {
 public:
  using Nodes = typename E::NodeList;
  using Params = ParamsOf<E>;
  template <class S>
  using StatesOf = typename Nodes::template States<S>;
  template <class S>
  using ForcesOf = typename Nodes::template Forces<S>;
  using States = StatesOf<double>;

  static constexpr bool has_mass = requires(const Params& p, const OpenMatrix& M) { E::mass(p, 1, M); };
  static constexpr bool has_tangent = requires(const Params& p, const Environment& g, const States& s, const OpenMatrix& J) {
    E::tangent(p, g, static_cast<const double*>(nullptr), s, 1.0, 1.0, J);
  };
  static constexpr bool has_check = ElementClaims<E, States>::has_check;
  static constexpr bool has_history = requires(Params & p, const States& s) { E::commit(p, s); };
  static_assert(
      !requires { E::num_multipliers; }, "forces in joints have the joint's nodes");

  /// Of elements with so many nodes; with the fewest where the number is left open.
  static FamilyShape make_shape(int num_nodes = 0) {
    FamilyShape shape;
    shape.nodes_per_element = std::max(num_nodes, E::least_nodes);
    shape.is_open = true;
    shape.num_dofs = Nodes::first_dof(shape.nodes_per_element);
    shape.node_kind = &Nodes::kind;
    shape.num_signals = E::num_signals;
    shape.has_mass = has_mass;
    shape.num_kinks = ElementClaims<E, States>::num_kinks;
    shape.is_held = ElementClaims<E, States>::is_held;
    shape.has_check = has_check;
    shape.has_history = has_history;
    if constexpr (requires { E::degenerate; }) shape.degenerate = E::degenerate;
    shape.is_scalar = [](int node) { return Nodes::kind(node) == NodeKind::scalar; };
    note_pattern<E>(shape);
    if constexpr (ClaimsAnalytic<E>) static_cast<void>(&ListFamily::force_uncompared);
    return shape;
  }

  ListFamily(const std::string& name, FamilyData data) : Family(name, make_shape(data.nodes_per_element), std::move(data)) {}

  void forces(const SweepState& s, double* slots) const override {
    const Tables tables = this->tables();
    const int D = shape().dofs();
    Kokkos::parallel_for(
        "sinew::forces", policy(all()), KOKKOS_LAMBDA(const int e) {
          double* own = slots + static_cast<std::ptrdiff_t>(e) * D;
          for (int i = 0; i < D; ++i) own[i] = 0;
          double time_values[E::num_signals + 1];
          tables.load_signals(e, time_values);
          ForcesOf<double> f(own);
          E::force(tables.params(e), s.environment, time_values, tables.states(s, e), f);
        });
  }

  void tangent(const SweepState& s, const Shift& shift, ElementRange range, double* values) const override {
    if constexpr (has_tangent)
      written_tangent(s, shift, range, values);
    else
      derived_tangent(s, shift, range, values);
    if constexpr (has_mass)
      if (shift.a != 0) add_mass(s, range, shift.a, values);
  }

  void projection(const SweepState& s, ElementRange range, double* values) const override {
    if constexpr (has_mass) {
      fill_zeros(values, static_cast<std::ptrdiff_t>(range.size()) * shape().dofs() * shape().dofs());
      add_mass(s, range, 1, values);
    }
  }

  Energy energy(const SweepState& s) const override { return sum_energies<E, States>(tables(), s, size()); }

  Finding check(const SweepState& s) const override {
    if constexpr (has_check) return find_first<IsAtFault<E>>("sinew::check", tables(), s, size());
    return {};
  }

  void kinks(const SweepState& s, double* values) const override { write_kinks<E, States>(tables(), s, size(), values); }

  void hold(const double* sides) override {
    if (hold_laws<E, States>(tables(), sides, size())) fetch_params();
  }

  void commit(const SweepState& s) override {
    if constexpr (has_history) {
      const Tables tables = this->tables();
      int changed = 0;
      Kokkos::parallel_reduce(
          "sinew::commit", policy(all()),
          KOKKOS_LAMBDA(const int e, int& count) {
            Params p = tables.params(e);
            if (!E::commit(p, tables.states(s, e))) return;
            store_params(p, tables.words, e);
            ++count;
          },
          changed);
      if (changed > 0) fetch_params();
    }
  }

  /// Compiled, but never called, for structs that claim to be analytic: see Uncompared.
  static void force_uncompared(const Params& p, const Environment& env, const StatesOf<Uncompared>& s, ForcesOf<Uncompared>& f) {
    const Uncompared signals[E::num_signals + 1] = {};
    if constexpr (E::num_signals > 0)
      E::force(p, env, signals, s, f);
    else
      E::force(p, env, static_cast<const double*>(nullptr), s, f);
  }

  // Public only because CUDA wants the enclosing functions of device lambdas to be so.

  /// What the loops read of the family.
  struct Tables {
    LentTable<int> nodes;
    LentTable<double> words, signals;

    KOKKOS_INLINE_FUNCTION Params params(int e) const { return load_params<Params>(words, e); }
    KOKKOS_INLINE_FUNCTION States states(const SweepState& s, int e) const { return States(source(s, e)); }
    KOKKOS_INLINE_FUNCTION void load_signals(int e, double* values) const {
      for (int k = 0; k < E::num_signals; ++k) values[k] = signals(e, 3 * k);
    }
    KOKKOS_INLINE_FUNCTION OpenSource source(const SweepState& s, int e) const {
      return {&nodes(e, 0),
              static_cast<std::ptrdiff_t>(nodes.stride(1)),
              static_cast<int>(nodes.extent(1)),
              s.nodes.config.data(),
              s.nodes.dof.data(),
              s.nodes.frame.data(),
              s.config,
              s.velocity,
              s.tangent_operator};
    }
  };

  /// By dual numbers, a thread a column.
  void derived_tangent(const SweepState& s, const Shift& shift, ElementRange range, double* values) const {
    const Tables tables = this->tables();
    const int D = shape().dofs(), first = range.first;
    const auto columns = static_cast<std::ptrdiff_t>(range.size()) * D;
    Kokkos::parallel_for(
        "sinew::tangent", Kokkos::RangePolicy<ExecutionSpace>(0, columns), KOKKOS_LAMBDA(const std::ptrdiff_t column) {
          const int e = first + static_cast<int>(column / D), j = static_cast<int>(column % D);
          double* J = values + column / D * D * D + j;
          for (int i = 0; i < D; ++i) J[i * D] = 0;
          double time_values[E::num_signals + 1];
          tables.load_signals(e, time_values);
          ForcesOf<Dual1> f(J, D);
          const StatesOf<Dual1> states(tables.source(s, e), j, shift.q, shift.v);
          E::force(tables.params(e), s.environment, time_values, states, f);
        });
  }

  /// By the struct's own function, a thread an element.
  void written_tangent(const SweepState& s, const Shift& shift, ElementRange range, double* values) const {
    const Tables tables = this->tables();
    const int D = shape().dofs(), first = range.first;
    Kokkos::parallel_for(
        "sinew::tangent", policy(range), KOKKOS_LAMBDA(const int e) {
          double* J = values + static_cast<std::ptrdiff_t>(e - first) * D * D;
          for (int i = 0; i < D * D; ++i) J[i] = 0;
          double time_values[E::num_signals + 1];
          tables.load_signals(e, time_values);
          const Params p = tables.params(e);
          const OpenSource source = tables.source(s, e);
          E::tangent(p, s.environment, time_values, States(source), shift.q, 0.0, OpenMatrix{J, D});
          if (Nodes::has_turns && s.tangent_operator != nullptr) times_tangent_operators(source, D, J);
          E::tangent(p, s.environment, time_values, States(source), 0.0, shift.v, OpenMatrix{J, D});
        });
  }

  /// J T: multiplies the rotational columns by the nodes' tangent operators.
  KOKKOS_INLINE_FUNCTION static void times_tangent_operators(const OpenSource& source, int D, double* J) {
    for (int k = 0; k < source.count; ++k) {
      if (first_turn_of(Nodes::kind(k)) < 0) continue;
      const Mat3<double> T = source.tangent_operator_at(k);
      double* turn = J + Nodes::first_dof(k) + first_turn_of(Nodes::kind(k));
      for (int i = 0; i < D; ++i, turn += D) {
        const Vec3<double> turned = transpose_times(T, Vec3<double>{{turn[0], turn[1], turn[2]}});
        for (int c = 0; c < 3; ++c) turn[c] = turned[c];
      }
    }
  }

  void add_mass(const SweepState& s, ElementRange range, double factor, double* values) const {
    add_constant_mass(range, values, factor);
    if constexpr (HasVaryingMassOfList<E>) {
      const Tables tables = this->tables();
      const int D = shape().dofs(), first = range.first;
      Kokkos::parallel_for(
          "sinew::varying_mass", policy(range), KOKKOS_LAMBDA(const int e) {
            const OpenMatrix M{values + static_cast<std::ptrdiff_t>(e - first) * D * D, D, factor};
            E::mass_at(tables.params(e), tables.states(s, e), M);
          });
    }
  }

  void add_constant_mass(ElementRange range, double* values, double factor = 1) const {
    if constexpr (has_mass) {
      const Tables tables = this->tables();
      const int D = shape().dofs(), N = shape().nodes_per_element, first = range.first;
      Kokkos::parallel_for(
          "sinew::mass", policy(range), KOKKOS_LAMBDA(const int e) {
            E::mass(tables.params(e), N, OpenMatrix{values + static_cast<std::ptrdiff_t>(e - first) * D * D, D, factor});
          });
    }
  }

  static void fill_zeros(double* values, std::ptrdiff_t count) {
    Kokkos::parallel_for(
        "sinew::zeros", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const std::ptrdiff_t i) { values[i] = 0; });
  }

  Tables tables() const { return {nodes_, params_, signals_}; }

 protected:
  static Kokkos::RangePolicy<ExecutionSpace> policy(ElementRange range) {
    return Kokkos::RangePolicy<ExecutionSpace>(range.first, range.last);
  }
};

}  // namespace sinew
