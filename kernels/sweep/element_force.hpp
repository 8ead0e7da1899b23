/// \file
/// One element's force and tangent, derived from the element's static functions.
#pragma once

#include "kernels/sweep/element_states.hpp"
#include "kernels/sweep/slots.hpp"

namespace sinew {

/// What is found of one element, from the tables of its family: a force f(t, q, v), or f(t, q, v, lambda) of one in a joint, and
/// its derivatives, by hand where the struct has them, else by dual numbers. E: the element's struct.
template <class E>
struct ElementForce {
  using Nodes = NodesOf<E>;
  static constexpr int N = Nodes::count;
  static constexpr int D = Nodes::dofs;
  /// Multipliers that its force reads, of the joint that it is in.
  static constexpr int L = [] {
    if constexpr (requires { E::num_multipliers; }) return E::num_multipliers;
    return 0;
  }();
  using Params = ParamsOf<E>;
  template <class S>
  using StatesOf = typename Nodes::template States<S>;
  template <class S>
  using ForcesOf = typename Nodes::template Forces<S>;
  using States = StatesOf<double>;

  static constexpr bool has_mass = requires(const Params& p, Mat<double, D, D>& M) { E::mass(p, M); };
  static constexpr bool has_tangent = requires(const Params& p, const Environment& g, const States& s, Mat<double, D, D>& J) {
    E::tangent(p, g, static_cast<const double*>(nullptr), s, 1.0, 1.0, J);
  };
  static constexpr bool adds_mass = requires(const Params& p, Mat<double, D, D>& M) { E::add_mass(p, 1.0, M); };

  /// The values of the element's functions of time, without their rates.
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
  template <class Slots>
  KOKKOS_INLINE_FUNCTION static void multiplier_entries(const SweepState& s, const LentTable<int>& nodes,
                                                        const LentTable<double>& params, const LentTable<double>& signals, int e,
                                                        const Multipliers<double>& lambda, const Slots& out) {
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
  template <class Slots>
  KOKKOS_INLINE_FUNCTION static void tangent_column(const SweepState& s, const Shift& shift, const LentTable<int>& nodes,
                                                    const LentTable<double>& params, const LentTable<double>& signals, int e,
                                                    const Multipliers<double>& lambda, int j, const Slots& out) {
    const Params p = load_params<Params>(params, e);
    Mat3<double> T[N];
    load_turns(s, nodes, e, T);
    put_dual_column<Nodes>(ForceOfStates(s, p, signals, e, lambda), load_states<Nodes>(s, nodes, e), T, j, shift.q, shift.v,
                           [&](int i, double entry) { out[i * D + j] = entry; });
  }

  /// Adds -(shift.q df/dq T + shift.v df/dv) + shift.a M to J, which is the element's tangent (see Shift).
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
};

}  // namespace sinew
