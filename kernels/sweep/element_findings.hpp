/// \file
/// Energies, findings and switching functions of a family of elements, whatever list of nodes they are over.
///
/// `Tables` is what a loop reads of the family, copied to the device: params(e), the parameters of element e, and states(s, e),
/// the states of its nodes.
#pragma once

#include "kernels/sweep/family.hpp"

namespace sinew {

/// What a struct says of its energies, of elements at fault and of kinks.
template <class E, class States>
struct ElementClaims {
  using Params = ParamsOf<E>;
  static constexpr bool has_strain_energy = requires(const Params& p, const States& s) { E::strain_energy(p, s); };
  static constexpr bool has_potential_energy = requires(const Params& p, const Environment& g, const States& s) {
    E::potential_energy(p, g, s);
  };
  static constexpr bool has_check = requires(const Params& p, const States& s) { E::check(p, s); };
  static constexpr bool can_outgrow = requires(const Params& p, const States& s) { E::outgrew(p, s); };
  static constexpr bool is_held = requires(Params & p, const double* sides) { E::hold(p, sides); };
  static constexpr int num_kinks = [] {
    if constexpr (requires { E::num_kinks; }) return E::num_kinks;
    return 0;
  }();
};

/// The energies of elements 0 to `size` - 1.
template <class E, class States, class Tables>
Energy sum_energies(const Tables& tables, const SweepState& s, int size) {
  using Claims = ElementClaims<E, States>;
  Energy sum;
  Kokkos::parallel_reduce(
      "sinew::energy", Kokkos::RangePolicy<ExecutionSpace>(0, size),
      KOKKOS_LAMBDA(const int e, double& strain, double& potential) {
        const auto p = tables.params(e);
        const States states = tables.states(s, e);
        if constexpr (Claims::has_strain_energy) strain += E::strain_energy(p, states);
        if constexpr (Claims::has_potential_energy) potential += E::potential_energy(p, s.environment, states);
      },
      sum.strain, sum.potential);
  return sum;
}

/// The switching functions of elements 0 to `size` - 1, one element behind the other; nothing where the struct has none.
template <class E, class States, class Tables>
void write_kinks(const Tables& tables, const SweepState& s, int size, double* values) {
  if constexpr (ElementClaims<E, States>::num_kinks > 0)
    Kokkos::parallel_for(
        "sinew::kinks", Kokkos::RangePolicy<ExecutionSpace>(0, size), KOKKOS_LAMBDA(const int e) {
          E::kinks(tables.params(e), tables.states(s, e), values + static_cast<std::ptrdiff_t>(e) * E::num_kinks);
        });
}

/// Has elements 0 to `size` - 1 keep on which sides of their kinks they are held, in their parameters. False where the struct
/// cannot be held: its parameters are as they were.
template <class E, class States, class Tables>
bool hold_laws(const Tables& tables, const double* sides, int size) {
  if constexpr (ElementClaims<E, States>::is_held)
    Kokkos::parallel_for(
        "sinew::hold", Kokkos::RangePolicy<ExecutionSpace>(0, size), KOKKOS_LAMBDA(const int e) {
          auto p = tables.params(e);
          E::hold(p, sides + static_cast<std::ptrdiff_t>(e) * E::num_kinks);
          store_params(p, tables.words, e);
        });
  return ElementClaims<E, States>::is_held;
}

/// What `find_first` asks of every element.
template <class E>
struct IsAtFault {
  template <class Params, class States>
  KOKKOS_INLINE_FUNCTION static Verdict of(const Params& p, const States& states) {
    return E::check(p, states);
  }
};
template <class E>
struct HasOutgrown {
  template <class Params, class States>
  KOKKOS_INLINE_FUNCTION static Verdict of(const Params& p, const States& states) {
    return E::outgrew(p, states) ? Verdict::outgrown : Verdict::ok;
  }
};

/// The first of elements 0 to `size` - 1 of which the question has an answer other than `ok`.
template <class Question, class Tables>
Finding find_first(const char* label, const Tables& tables, const SweepState& s, int size) {
  long long smallest = Finding::code(size, Verdict::ok);
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<ExecutionSpace>(0, size),
      KOKKOS_LAMBDA(const int e, long long& lowest) {
        const Verdict v = Question::of(tables.params(e), tables.states(s, e));
        const long long code = Finding::code(e, v);
        if (v != Verdict::ok && code < lowest) lowest = code;
      },
      Kokkos::Min<long long>(smallest));
  return Finding::of(smallest, size);
}

}  // namespace sinew
