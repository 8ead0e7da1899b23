/// \file
/// The sweeps over a family of elements (with mass or without), derived from the element's static functions.
#pragma once

#include "kernels/sweep/element_findings.hpp"
#include "kernels/sweep/element_force.hpp"
#include "kernels/sweep/lane_sweeps.hpp"
#include "kernels/sweep/pattern.hpp"

#include <cstring>
#include <limits>

namespace sinew {

/// B: elements of a block of slots.
template <class E, int B = slot_block>
class ElementFamily : public Family {
 public:
  using Force = ElementForce<E>;
  using Nodes = typename Force::Nodes;
  static constexpr int N = Force::N, D = Force::D, L = Force::L;
  /// Values of a tangent: see Family::couplings.
  static constexpr int tangent_size = D * D + 2 * D * L;
  using Params = ParamsOf<E>;
  template <class S>
  using StatesOf = typename Force::template StatesOf<S>;
  template <class S>
  using ForcesOf = typename Force::template ForcesOf<S>;
  template <class S>
  using Multipliers = typename Force::template Multipliers<S>;
  using States = StatesOf<double>;

  static constexpr bool has_scalars = [] {
    for (int k = 0; k < N; ++k)
      if (Nodes::kind(k) == NodeKind::scalar) return true;
    return false;
  }();
  static constexpr bool has_mass = Force::has_mass, has_tangent = Force::has_tangent, adds_mass = Force::adds_mass;
  static constexpr bool has_check = ElementClaims<E, States>::has_check;
  static constexpr bool has_history = requires(Params & p, const States& s) { E::commit(p, s); };
  static constexpr bool follows_turns = requires(const Params& p, const States& s) { E::counted_rate(p, s); };
  static constexpr bool passes_by = requires(const Params& p, const States& s) { E::time_to_pass(p, s); };
  static constexpr bool has_extrapolation = requires(Params & p, const States& s) { E::extrapolate(p, s, s); };
  static constexpr bool can_outgrow = ElementClaims<E, States>::can_outgrow;
  /// Blocks of elements in lanes, where the struct's functions take them.
  static constexpr bool in_lanes = has_lanes && B == 1 && requires { typename E::template ParamsOf<Lanes>; };

  /// Tangents by teams of threads, where the struct's functions take them.
  static constexpr bool has_teams = requires { typename E::TeamMemory; };
  /// Elements of a block of tangents: threads of a team write neighbouring numbers of their element.
  static constexpr int tangent_block = has_teams ? 1 : B;
  /// Threads of a team: as many as a GPU runs in step.
  static constexpr int team_size = std::is_same_v<MemorySpace, HostSpace> ? 1 : 32;

  /// Tangents by columns on a GPU, where they follow from forces by dual numbers, a column at a time in any case.
  static constexpr bool is_by_columns = B > 1 && !has_tangent && !has_mass && !adds_mass;

  static FamilyShape make_shape() {
    FamilyShape shape;
    shape.nodes_per_element = N;
    shape.num_dofs = D;
    shape.node_kind = &Nodes::kind;
    shape.num_signals = E::num_signals;
    shape.num_multipliers = L;
    shape.has_mass = has_mass;
    shape.num_kinks = ElementClaims<E, States>::num_kinks;
    shape.is_held = ElementClaims<E, States>::is_held;
    shape.has_check = has_check;
    shape.has_history = has_history;
    shape.follows_turns = follows_turns;
    shape.passes_by = passes_by;
    shape.block = B;
    shape.tangent_block = tangent_block;
    if constexpr (requires { E::is_solid; }) shape.is_solid = E::is_solid;
    if constexpr (requires { E::is_load; }) shape.is_load = E::is_load;
    if constexpr (requires { E::degenerate; }) shape.degenerate = E::degenerate;
    if constexpr (requires { E::is_slope(0); }) shape.is_slope = &E::is_slope;
    if constexpr (has_scalars) shape.is_scalar = [](int node) { return Nodes::kind(node) == NodeKind::scalar; };
    if constexpr (can_outgrow) shape.outgrown = E::outgrown;
    note_pattern<E>(shape);
    if constexpr (ClaimsAnalytic<E>) static_cast<void>(&ElementFamily::force_uncompared);
    return shape;
  }

  ElementFamily(const std::string& name, FamilyData data) : Family(name, make_shape(), std::move(data)) {}

  void forces(const SweepState& s, double* slots) const override {
    if constexpr (in_lanes) return LaneSweeps<E>::forces(nodes_, params_, all(), s, slots);
    const LentTable<int> nodes = nodes_;
    const LentTable<double> params = params_;
    const LentTable<double> signals = signals_;
    const LentArray<int> rows = rows_;
    const int count = size();
    Kokkos::parallel_for(
        "sinew::forces", policy(), KOKKOS_LAMBDA(const int e) {
          ForcesOf<double> f;
          double time_values[E::num_signals + 1];
          Force::load_signals(signals, e, time_values);
          const Multipliers<double> lambda = Force::load_multipliers(s, rows, e);
          Force::add_force(load_params<Params>(params, e), s.environment, time_values, load_states<Nodes>(s, nodes, e), lambda,
                           f);
          double components[D];
          flatten(f, components);
          const auto out = element_slots<B>(slots, count, D, e);
          for (int i = 0; i < D; ++i) out[i] = components[i];
        });
  }

  void tangent(const SweepState& s, const Shift& shift, ElementRange range, double* values) const override {
    if constexpr (in_lanes)
      LaneSweeps<E>::tangents(nodes_, tangent_params(), range, s, shift, values);
    else if constexpr (has_teams)
      tangent_by_teams(s, shift, range, values);
    else if constexpr (is_by_columns)
      tangent_by_columns(s, shift, range, values);
    else
      tangent_by_threads(s, shift, range, values);
  }

  /// A thread an element. Public because CUDA wants the enclosing functions of device lambdas to be so.
  void tangent_by_threads(const SweepState& s, const Shift& shift, ElementRange range, double* values) const {
    const int first = range.first, count = range.size();
    const LentTable<int> nodes = nodes_;
    const LentTable<double> params = tangent_params();
    const LentTable<double> signals = signals_;
    const LentArray<int> rows = rows_;
    Kokkos::parallel_for(
        "sinew::tangent", policy(range), KOKKOS_LAMBDA(const int e) {
          const auto out = element_slots<tangent_block>(values, count, tangent_size, e - first);
          SlotMatrix<D, D, (tangent_block > 1)> J(out);
          const Multipliers<double> lambda = Force::load_multipliers(s, rows, e);
          Force::element_tangent(s, shift, nodes, params, signals, e, lambda, J.matrix());
          J.finish();
          if constexpr (L > 0) Force::multiplier_entries(s, nodes, params, signals, e, lambda, out.from(D * D));
        });
  }

  /// A thread a column of an element: none holds a matrix, and a GPU is filled by a twelfth of the elements. Neighbouring threads
  /// have the same column of neighbouring elements.
  void tangent_by_columns(const SweepState& s, const Shift& shift, ElementRange range, double* values) const {
    const int first = range.first, count = range.size();
    const auto num_threads = static_cast<std::ptrdiff_t>((count + B - 1) / B) * B * D;
    const LentTable<int> nodes = nodes_;
    const LentTable<double> params = tangent_params();
    const LentTable<double> signals = signals_;
    const LentArray<int> rows = rows_;
    Kokkos::parallel_for(
        "sinew::tangent", Kokkos::RangePolicy<ExecutionSpace>(0, num_threads), KOKKOS_LAMBDA(const std::ptrdiff_t thread) {
          const int e = static_cast<int>(thread / (B * D)) * B + static_cast<int>(thread % B);
          const int j = static_cast<int>(thread / B % D);
          if (e >= count) return;
          const auto out = element_slots<B>(values, count, tangent_size, e);
          const Multipliers<double> lambda = Force::load_multipliers(s, rows, first + e);
          Force::tangent_column(s, shift, nodes, params, signals, first + e, lambda, j, out);
          if constexpr (L > 0)
            if (j == 0) Force::multiplier_entries(s, nodes, params, signals, first + e, lambda, out.from(D * D));
        });
  }

  /// A team of threads an element. Public for the tests too, which run it on a host.
  void tangent_by_teams(const SweepState& s, const Shift& shift, ElementRange range, double* values) const {
    if constexpr (has_teams) {
      using Memory = typename E::TeamMemory;
      using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
      // Of Kokkos' scratch memory: near the team where all of it has room there (40 KiB on CUDA, 32 on a host), or the device's.
      const int level = sizeof(Memory) <= static_cast<std::size_t>(Policy::scratch_size_max(0)) ? 0 : 1;
      const int first = range.first;
      const LentTable<int> nodes = nodes_;
      const LentTable<double> params = params_;
      Kokkos::parallel_for(
          "sinew::tangent", Policy(range.size(), team_size).set_scratch_size(level, Kokkos::PerTeam(sizeof(Memory))),
          KOKKOS_LAMBDA(const typename Policy::member_type& team) {
            const int e = first + team.league_rank();
            auto* shared = static_cast<Memory*>(team.team_scratch(level).get_shmem(sizeof(Memory)));
            load_team(team, s, nodes, params, e, *shared);
            team.team_barrier();
            E::tangent_by_team(team, *shared, shift.q, shift.v, shift.a, values + static_cast<std::ptrdiff_t>(e - first) * D * D);
          });
    }
  }

  /// The parameters and states of element e, by all threads of a team.
  template <class Team, class Memory>
  KOKKOS_INLINE_FUNCTION static void load_team(const Team& team, const SweepState& s, const LentTable<int>& nodes,
                                               const LentTable<double>& params, int e, Memory& shared) {
    auto* words = reinterpret_cast<double*>(&shared.params);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(sizeof(Params) / sizeof(double))),
                         [&](const int i) { words[i] = params(e, i); });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 3 * N), [&](const int k) {
      const int node = nodes(e, k / 3), dof = s.nodes.dof(node);
      shared.states.x[k / 3][k % 3] = s.config[s.nodes.config(node) + k % 3];
      shared.states.v[k / 3][k % 3] = dof < 0 || s.velocity == nullptr ? 0.0 : s.velocity[dof + k % 3];
    });
  }

  void projection(const SweepState& s, ElementRange range, double* values) const override {
    static_assert(!(has_mass && L > 0), "what has mass is no force in a joint");
    if constexpr (L > 0) {
      const int first = range.first, count = range.size();
      const LentTable<int> nodes = nodes_;
      const LentTable<double> params = params_;
      const LentTable<double> signals = signals_;
      const LentArray<int> rows = rows_;
      Kokkos::parallel_for(
          "sinew::projection", policy(range), KOKKOS_LAMBDA(const int e) {
            const Multipliers<double> lambda = Force::load_multipliers(s, rows, e);
            Force::multiplier_entries(s, nodes, params, signals, e, lambda,
                                      element_slots<B>(values, count, tangent_size - D * D, e - first));
          });
    }
    if constexpr (has_mass) {
      const int first = range.first, count = range.size();
      const LentTable<double> params = params_;
      Kokkos::parallel_for(
          "sinew::mass", policy(range), KOKKOS_LAMBDA(const int e) {
            SlotMatrix<D, D, (B > 1)> M(element_slots<B>(values, count, D * D, e - first));
            E::mass(load_params<Params>(params, e), M.matrix());
            M.finish();
          });
    }
  }

  Energy energy(const SweepState& s) const override { return sum_energies<E, States>(tables(), s, size()); }

  Finding check(const SweepState& s) const override {
    if constexpr (has_check && in_lanes) return LaneSweeps<E>::check(nodes_, params_, all(), s);
    if constexpr (has_check) return find_first<IsAtFault<E>>("sinew::check", tables(), s, size());
    return {};
  }

  Finding outgrown(const SweepState& s) const override {
    if constexpr (can_outgrow) return find_first<HasOutgrown<E>>("sinew::outgrown", tables(), s, size());
    return {};
  }

  void kinks(const SweepState& s, double* values) const override { write_kinks<E, States>(tables(), s, size(), values); }

  void hold(const double* sides) override {
    if (hold_laws<E, States>(tables(), sides, size())) fetch_params();
  }

  void commit(const SweepState& s) override {
    if constexpr (has_history) {
      const LentTable<int> nodes = nodes_;
      const LentTable<double> params = params_;
      int changed = 0;
      Kokkos::parallel_reduce(
          "sinew::commit", policy(),
          KOKKOS_LAMBDA(const int e, int& count) {
            Params p = load_params<Params>(params, e);
            if (!E::commit(p, load_states<Nodes>(s, nodes, e))) return;
            store_params(p, params, e);
            ++count;
          },
          changed);
      if (changed > 0) fetch_params();
    }
  }

  double fastest_turn(const SweepState& s) const override {
    double fastest = 0;
    if constexpr (follows_turns) {
      const LentTable<int> nodes = nodes_;
      const LentTable<double> params = params_;
      Kokkos::parallel_reduce(
          "sinew::fastest_turn", policy(),
          KOKKOS_LAMBDA(const int e, double& largest) {
            const double rate = math::fabs(E::counted_rate(load_params<Params>(params, e), load_states<Nodes>(s, nodes, e)));
            if (rate > largest) largest = rate;
          },
          Kokkos::Max<double>(fastest));
    }
    return fastest > 0 ? fastest : 0.0;  // of no elements it is none
  }

  double soonest_pass(const SweepState& s) const override {
    double soonest = std::numeric_limits<double>::infinity();
    if constexpr (passes_by) {
      const LentTable<int> nodes = nodes_;
      const LentTable<double> params = params_;
      Kokkos::parallel_reduce(
          "sinew::soonest_pass", policy(),
          KOKKOS_LAMBDA(const int e, double& smallest) {
            const double time = E::time_to_pass(load_params<Params>(params, e), load_states<Nodes>(s, nodes, e));
            if (time > 0 && time < smallest) smallest = time;
          },
          Kokkos::Min<double>(soonest));
    }
    return soonest > 0 ? soonest : std::numeric_limits<double>::infinity();
  }

  bool can_extrapolate() const override { return has_extrapolation; }

  void extrapolate(const SweepState& before, const SweepState& now) override {
    if constexpr (has_extrapolation) {
      if (size() == 0) return;
      const LentTable<int> nodes = nodes_;
      const LentTable<double> params = params_;
      const LentTable<double> extrapolated = begin_extrapolation();
      Kokkos::parallel_for(
          "sinew::extrapolate", policy(), KOKKOS_LAMBDA(const int e) {
            Params p = load_params<Params>(params, e);
            E::extrapolate(p, load_states<Nodes>(before, nodes, e), load_states<Nodes>(now, nodes, e));
            store_params(p, extrapolated, e);
          });
    }
  }

  /// Compiled, but never called, for structs that claim to be analytic: see Uncompared.
  static void force_uncompared(const Params& p, const Environment& env, const StatesOf<Uncompared>& s, ForcesOf<Uncompared>& f) {
    if constexpr (E::num_signals > 0) {
      const Uncompared signals[E::num_signals] = {};
      E::force(p, env, signals, s, f);
    } else {
      E::force(p, env, static_cast<const double*>(nullptr), s, f);
    }
  }

  // Public only because CUDA wants the enclosing functions of device lambdas to be so.

  /// What loops read of the family, an element at a time.
  struct Tables {
    LentTable<int> nodes;
    LentTable<double> words;

    KOKKOS_INLINE_FUNCTION Params params(int e) const { return load_params<Params>(words, e); }
    KOKKOS_INLINE_FUNCTION States states(const SweepState& s, int e) const { return load_states<Nodes>(s, nodes, e); }
  };
  Tables tables() const { return {nodes_, params_}; }

 private:
  Kokkos::RangePolicy<ExecutionSpace> policy() const { return policy(all()); }
  static Kokkos::RangePolicy<ExecutionSpace> policy(ElementRange range) {
    return Kokkos::RangePolicy<ExecutionSpace>(range.first, range.last);
  }
};

}  // namespace sinew
