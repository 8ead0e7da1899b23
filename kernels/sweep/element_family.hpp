/// \file
/// The sweeps over a family of elements (with mass or without), derived from the element's static functions.
#pragma once

#include "kernels/sweep/element_findings.hpp"
#include "kernels/sweep/lane_block.hpp"
#include "kernels/sweep/list_family.hpp"
#include "kernels/sweep/pattern.hpp"
#include "kernels/sweep/registry.hpp"

#include <cstring>
#include <limits>

namespace sinew {

/// Loads the states of N nodes of one kind, of element e those from the k-th on.
template <NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void load_states(const SweepState& s, const LentTable<int>& nodes, int e, int first,
                                        NodeStates<double, kind, N>& states) {
  for (int k = 0; k < N; ++k) {
    const int node = nodes(e, first + k);
    if constexpr (kind == NodeKind::frame) {
      load_frame(s, node, states.frame[k]);
      if (s.velocity != nullptr) load_twist(s, node, states.twist[k]);
    } else {
      const double* c = s.config + s.nodes.config(node);
      const int dof = s.nodes.dof(node);
      const bool rests = dof < 0 || s.velocity == nullptr;
      if constexpr (kind == NodeKind::scalar) {
        states.x[k] = c[0];
        states.v[k] = rests ? 0.0 : s.velocity[dof];
      } else {
        for (int i = 0; i < 3; ++i) {
          states.x[k][i] = c[i];
          states.v[k][i] = rests ? 0.0 : s.velocity[dof + i];
        }
      }
    }
  }
}
/// Likewise of a mixed list.
template <NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void load_states(const SweepState& s, const LentTable<int>& nodes, int e, int first,
                                        MixedStates<double, kinds...>& states) {
  if constexpr (sizeof...(kinds) > 0) {
    load_states(s, nodes, e, first, states.first);
    load_states(s, nodes, e, first + 1, states.others);
  }
}
/// The states of element e's nodes, a list such as UniformNodes.
template <class Nodes>
KOKKOS_INLINE_FUNCTION typename Nodes::template States<double> load_states(const SweepState& s, const LentTable<int>& nodes,
                                                                           int e) {
  typename Nodes::template States<double> states;
  load_states(s, nodes, e, 0, states);
  return states;
}

/// J T: multiplies the rotational columns of a block over a list of nodes, in its first R rows, by the nodes' tangent operators.
template <class Nodes, int R, class P, int rows>
KOKKOS_INLINE_FUNCTION void times_tangent_operator(Mat<P, rows, Nodes::dofs>& J, const Mat3<P>* T) {
  for (int i = 0; i < R; ++i)
    for (int k = 0; k < Nodes::count; ++k) {
      if (first_turn_of(Nodes::kind(k)) < 0) continue;
      const int turn = Nodes::first_dof(k) + first_turn_of(Nodes::kind(k));
      const Vec3<P> row{{J(i, turn), J(i, turn + 1), J(i, turn + 2)}};
      const Vec3<P> turned = transpose_times(T[k], row);
      for (int c = 0; c < 3; ++c) J(i, turn + c) = turned[c];
    }
}

/// B: elements of a block of slots.
template <class E, int B = slot_block>
class ElementFamily : public Family {
 public:
  using Nodes = NodesOf<E>;
  static constexpr int N = Nodes::count;
  static constexpr int D = Nodes::dofs;
  /// Multipliers that its force reads, of the joint that it is in.
  static constexpr int L = [] {
    if constexpr (requires { E::num_multipliers; }) return E::num_multipliers;
    return 0;
  }();
  /// Values of a tangent: see Family::couplings.
  static constexpr int tangent_size = D * D + 2 * D * L;
  using Params = ParamsOf<E>;
  template <class S>
  using StatesOf = typename Nodes::template States<S>;
  template <class S>
  using ForcesOf = typename Nodes::template Forces<S>;
  using States = StatesOf<double>;

  static constexpr bool has_scalars = [] {
    for (int k = 0; k < N; ++k)
      if (Nodes::kind(k) == NodeKind::scalar) return true;
    return false;
  }();
  static constexpr bool has_mass = requires(const Params& p, Mat<double, D, D>& M) { E::mass(p, M); };
  static constexpr bool has_tangent = requires(const Params& p, const Environment& g, const States& s, Mat<double, D, D>& J) {
    E::tangent(p, g, static_cast<const double*>(nullptr), s, 1.0, 1.0, J);
  };
  static constexpr bool has_check = ElementClaims<E, States>::has_check;
  static constexpr bool has_history = requires(Params & p, const States& s) { E::commit(p, s); };
  static constexpr bool follows_turns = requires(const Params& p, const States& s) { E::counted_rate(p, s); };
  static constexpr bool passes_by = requires(const Params& p, const States& s) { E::time_to_pass(p, s); };
  static constexpr bool has_extrapolation = requires(Params & p, const States& s) { E::extrapolate(p, s, s); };
  static constexpr bool can_outgrow = ElementClaims<E, States>::can_outgrow;
  static constexpr bool adds_mass = requires(const Params& p, Mat<double, D, D>& M) { E::add_mass(p, 1.0, M); };
  /// Blocks of elements in lanes, where the struct's functions take them.
  static constexpr bool in_lanes = has_lanes && B == 1 && requires { typename E::template ParamsOf<Lanes>; };

  /// Tangents by teams of threads, where the struct's functions take them.
  static constexpr bool has_teams = requires { typename E::TeamMemory; };
  /// Elements of a block of tangents: threads of a team write neighbouring numbers of their element.
  static constexpr int tangent_block = has_teams ? 1 : B;
  /// Threads of a team: as many as a GPU runs in step.
  static constexpr int team_size = std::is_same_v<MemorySpace, HostSpace> ? 1 : 32;

  /// Bytes that a team may share near to it: a block of threads of a GPU has 48 KiB, of which Kokkos keeps some.
  static constexpr std::size_t most_on_chip = 40 * 1024;

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
    if constexpr (in_lanes) return forces_in_lanes(s, slots);
    const LentTable<int> nodes = nodes_;
    const LentTable<double> params = params_;
    const LentTable<double> signals = signals_;
    const LentArray<int> rows = rows_;
    const int count = size();
    Kokkos::parallel_for(
        "sinew::forces", policy(), KOKKOS_LAMBDA(const int e) {
          ForcesOf<double> f;
          double time_values[E::num_signals + 1];
          load_signals(signals, e, time_values);
          const Multipliers<double> lambda = load_multipliers(s, rows, e);
          add_force(load_params<Params>(params, e), s.environment, time_values, load_states<Nodes>(s, nodes, e), lambda, f);
          double components[D];
          flatten(f, components);
          const auto out = element_slots<B>(slots, count, D, e);
          for (int i = 0; i < D; ++i) out[i] = components[i];
        });
  }

  void tangent(const SweepState& s, const Shift& shift, ElementRange range, double* values) const override {
    if constexpr (in_lanes)
      tangent_in_lanes(s, shift, range, values);
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
          const Multipliers<double> lambda = load_multipliers(s, rows, e);
          element_tangent(s, shift, nodes, params, signals, e, lambda, J.matrix());
          J.finish();
          if constexpr (L > 0) multiplier_entries(s, nodes, params, signals, e, lambda, out.from(D * D));
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
          const Multipliers<double> lambda = load_multipliers(s, rows, first + e);
          tangent_column(s, shift, nodes, params, signals, first + e, lambda, j, out);
          if constexpr (L > 0)
            if (j == 0) multiplier_entries(s, nodes, params, signals, first + e, lambda, out.from(D * D));
        });
  }

  /// A team of threads an element. Public for the tests too, which run it on a host.
  void tangent_by_teams(const SweepState& s, const Shift& shift, ElementRange range, double* values) const {
    if constexpr (has_teams) {
      using Memory = typename E::TeamMemory;
      using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
      constexpr int level = sizeof(Memory) <= most_on_chip ? 0 : 1;  // of Kokkos' scratch memory: near the team, or the device's
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
            const Multipliers<double> lambda = load_multipliers(s, rows, e);
            multiplier_entries(s, nodes, params, signals, e, lambda,
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
    if constexpr (has_check && in_lanes) return check_in_lanes(s);
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

  KOKKOS_INLINE_FUNCTION static void load_signals(const LentTable<double>& signals, int e, double* values) {
    for (int k = 0; k < E::num_signals; ++k) values[k] = signals(e, 3 * k);
  }

  /// Multipliers of the rows of the joint that the force is in.
  template <class S>
  struct Multipliers {
    S value[L + 1] = {};
  };

  KOKKOS_INLINE_FUNCTION static Multipliers<double> load_multipliers(const SweepState& s, const LentArray<int>& rows, int e) {
    Multipliers<double> lambda;
    if constexpr (L > 0)
      if (s.multiplier != nullptr)
        for (int r = 0; r < L; ++r) lambda.value[r] = s.multiplier[rows(e) + r];
    return lambda;
  }

  /// f(t, q, v), or f(t, q, v, lambda).
  template <class S>
  KOKKOS_INLINE_FUNCTION static void add_force(const Params& p, const Environment& environment, const double* time_values,
                                               const StatesOf<S>& states, const Multipliers<S>& lambda, ForcesOf<S>& f) {
    if constexpr (L > 0)
      E::force(p, environment, time_values, states, lambda.value, f);
    else
      E::force(p, environment, time_values, states, f);
  }

  /// -df/dlambda, D x L, and L x D zeros: zero where there are no multipliers.
  KOKKOS_INLINE_FUNCTION static void multiplier_entries(const SweepState& s, const LentTable<int>& nodes,
                                                        const LentTable<double>& params, const LentTable<double>& signals, int e,
                                                        const Multipliers<double>& lambda, const ElementSlots<(B > 1)>& out) {
    for (int i = 0; i < 2 * D * L; ++i) out[i] = 0;
    if (s.multiplier == nullptr) return;
    const Params p = load_params<Params>(params, e);
    double time_values[E::num_signals + 1];
    load_signals(signals, e, time_values);
    Mat3<double> T[N];
    const StatesOf<Dual1> states = seeded_states<Nodes>(load_states<Nodes>(s, nodes, e), T, 0, 0.0, 0.0);
    for (int r = 0; r < L; ++r) {
      Multipliers<Dual1> seeded;
      for (int k = 0; k < L; ++k) seeded.value[k] = Dual1(lambda.value[k], k == r ? 1.0 : 0.0);
      ForcesOf<Dual1> f;
      add_force(p, s.environment, time_values, states, seeded, f);
      Dual1 components[D];
      flatten(f, components);
      for (int i = 0; i < D; ++i) out[i * L + r] = -components[i].grad;
    }
  }

  /// The force as a function of its states alone, in dual numbers.
  struct ForceOfStates {
    const Params& params;
    const Environment& environment;
    double time_values[E::num_signals + 1];
    Multipliers<Dual1> lambda;

    KOKKOS_INLINE_FUNCTION ForceOfStates(const SweepState& s, const Params& p, const LentTable<double>& signals, int e,
                                         const Multipliers<double>& multipliers)
        : params(p), environment(s.environment) {
      load_signals(signals, e, time_values);
      for (int r = 0; r < L; ++r) lambda.value[r] = Dual1(multipliers.value[r]);
    }
    KOKKOS_INLINE_FUNCTION void operator()(const StatesOf<Dual1>& states, ForcesOf<Dual1>& f) const {
      add_force(params, environment, time_values, states, lambda, f);
    }
  };

  /// The nodes' tangent operators. Gives whether there are any; else they are I.
  KOKKOS_INLINE_FUNCTION static bool load_turns(const SweepState& s, const LentTable<int>& nodes, int e, Mat3<double> (&T)[N]) {
    const bool turned = Nodes::has_turns && s.tangent_operator != nullptr;
    for (int k = 0; k < N; ++k) T[k] = turned ? load_tangent_operator(s, nodes(e, k)) : identity<double, 3>();
    return turned;
  }

  /// Column j of a tangent that follows from the forces.
  KOKKOS_INLINE_FUNCTION static void tangent_column(const SweepState& s, const Shift& shift, const LentTable<int>& nodes,
                                                    const LentTable<double>& params, const LentTable<double>& signals, int e,
                                                    const Multipliers<double>& lambda, int j, const ElementSlots<(B > 1)>& out) {
    const Params p = load_params<Params>(params, e);
    Mat3<double> T[N];
    load_turns(s, nodes, e, T);
    put_dual_column<Nodes>(ForceOfStates(s, p, signals, e, lambda), load_states<Nodes>(s, nodes, e), T, j, shift.q, shift.v,
                           [&](int i, double entry) { out[i * D + j] = entry; });
  }

  KOKKOS_INLINE_FUNCTION static void element_tangent(const SweepState& s, const Shift& shift, const LentTable<int>& nodes,
                                                     const LentTable<double>& params, const LentTable<double>& signals, int e,
                                                     const Multipliers<double>& lambda, Mat<double, D, D>& J) {
    const Params p = load_params<Params>(params, e);
    const States states = load_states<Nodes>(s, nodes, e);
    Mat3<double> T[N];
    const bool turned = load_turns(s, nodes, e, T);
    if constexpr (!has_tangent) {
      add_dual_tangent<Nodes>(ForceOfStates(s, p, signals, e, lambda), states, T, shift.q, shift.v, J);
    } else {
      double time_values[E::num_signals + 1];
      load_signals(signals, e, time_values);
      if (turned) {
        E::tangent(p, s.environment, time_values, states, shift.q, 0.0, J);
        times_tangent_operator<Nodes, D>(J, T);
        E::tangent(p, s.environment, time_values, states, 0.0, shift.v, J);
      } else {
        E::tangent(p, s.environment, time_values, states, shift.q, shift.v, J);
      }
    }
    if constexpr (adds_mass) {
      if (shift.a != 0) E::add_mass(p, shift.a, J);
    } else if constexpr (has_mass) {
      if (shift.a != 0) {
        Mat<double, D, D> M;
        E::mass(p, M);
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < D; ++j) J(i, j) += shift.a * M(i, j);
      }
    }
  }

 private:
  void forces_in_lanes(const SweepState& s, double* slots) const {
    const LentTable<int> nodes = nodes_;
    const LentTable<double> params = params_;
    const ElementRange range = all();
    Kokkos::parallel_for("sinew::forces", block_policy(range), [=](const int b) {
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

  void tangent_in_lanes(const SweepState& s, const Shift& shift, ElementRange range, double* values) const {
    const LentTable<int> nodes = nodes_;
    const LentTable<double> params = tangent_params();
    Kokkos::parallel_for("sinew::tangent", block_policy(range), [=](const int b) {
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
        if constexpr (adds_mass)
          if (shift.a != 0) E::add_mass(p, Lanes(shift.a), J);
        store_block<D * D>(block, &J.data[0][0], out);
      }
    });
  }

  static void times_operators_of_block(const SweepState& s, const LentTable<int>& nodes, const LaneBlock& block,
                                       Mat<Lanes, D, D>& J) {
    if constexpr (Nodes::has_turns) {
      Mat3<Lanes> T[N];
      load_tangent_operators<N>(s, nodes, block, T);
      times_tangent_operator<Nodes, D>(J, T);
    }
  }

  Finding check_in_lanes(const SweepState& s) const {
    const LentTable<int> nodes = nodes_;
    const LentTable<double> params = params_;
    const ElementRange range = all();
    long long smallest = Finding::code(size(), Verdict::ok);
    Kokkos::parallel_reduce(
        "sinew::check", block_policy(range),
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
    return Finding::of(smallest, size());
  }

  static Kokkos::RangePolicy<ExecutionSpace> block_policy(ElementRange range) {
    return Kokkos::RangePolicy<ExecutionSpace>(0, LaneBlock::number_in(range));
  }
  Kokkos::RangePolicy<ExecutionSpace> policy() const { return policy(all()); }
  static Kokkos::RangePolicy<ExecutionSpace> policy(ElementRange range) {
    return Kokkos::RangePolicy<ExecutionSpace>(range.first, range.last);
  }
};

/// What an element of a line says of its sections.
template <class E>
void describe_sections(ElementEntry& entry) {
  if constexpr (requires { E::section_measures(); }) {
    constexpr auto measures = E::section_measures();
    entry.measures.assign(measures.begin(), measures.end());
    entry.measure_section = [](const MeasuredElement& m, double xi) {
      std::vector<double> out(static_cast<std::size_t>(count_measured(E::section_measures())));
      E::measure_section(m.params_of<E>(), m.states<E>(), xi, out.data());
      return out;
    };
  }
}

/// The family of elements E. A struct says by what it has which one that is.
template <class E>
struct SweepsOfElement {
  using type = ElementFamily<E>;
};
template <HasOpenList E>
struct SweepsOfElement<E> {
  using type = ListFamily<E>;
};
template <class E>
class PartnerFamily;  // kernels/sweep/partner_family.hpp
template <class E>
requires requires { typename E::Candidates; }
struct SweepsOfElement<E> {
  using type = PartnerFamily<E>;
};

/// Registry entry of an element of a body (rigid body, cable, solid).
template <class E>
ElementEntry make_element_entry() {
  ElementEntry entry;
  entry.name = E::name;
  using Sweeps = typename SweepsOfElement<E>::type;
  entry.shape = Sweeps::make_shape();
  entry.params_per_element = static_cast<int>(sizeof(typename E::Params) / sizeof(double));
  entry.build = [](FamilyData data) -> std::unique_ptr<Family> { return std::make_unique<Sweeps>(E::name, std::move(data)); };
  entry.example = [](unsigned seed) { return make_example<E>(seed); };
  describe_sections<E>(entry);
  return entry;
}

/// What a joint, or a force that is an expression, says of its relative coordinates.
template <class F>
void describe_coordinates(FamilyEntry& entry) {
  if constexpr (requires(const Setup& setup) { F::coordinates(setup); }) {
    for (const char* name : F::coordinate_names()) entry.coordinate_names.emplace_back(name);
    entry.coordinates = [](const Setup& setup) {
      const auto found = F::coordinates(setup);
      static_assert(found.size() == F::coordinate_names().size(), "every coordinate has a name");
      return std::vector<RelativeCoordinate>(found.begin(), found.end());
    };
  }
}

}  // namespace sinew
