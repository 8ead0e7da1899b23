/// \file
/// What a struct says of which entries of its element's matrix may differ from zero (kernels/contract.hpp).
#pragma once

#include "kernels/algebra/uncompared.hpp"
#include "kernels/sweep/family.hpp"

#include <concepts>

namespace sinew {

/// The struct lists its entries: couples(row, column).
template <class E>
concept DeclaresCouplings = requires {
  { E::couples(0, 0) } -> std::same_as<bool>;
};

/// The same over a list with an open number of nodes: couples(nodes, row, column).
template <class E>
concept DeclaresCouplingsOfList = requires {
  { E::couples(1, 0, 0) } -> std::same_as<bool>;
};

/// The struct claims that an entry which is zero in states without any symmetry is zero in every state.
template <class E>
concept ClaimsAnalytic = requires {
  requires E::is_analytic;
};

/// Notes both in the shape of the struct's family.
template <class E>
void note_pattern(FamilyShape& shape) {
  constexpr bool declares = DeclaresCouplings<E> || DeclaresCouplingsOfList<E>;
  static_assert(!(declares && ClaimsAnalytic<E>), "entries are either declared or found by probing");
  if constexpr (DeclaresCouplings<E>) shape.couples = &E::couples;
  if constexpr (DeclaresCouplingsOfList<E>) shape.couples_of_list = &E::couples;
  shape.is_analytic = ClaimsAnalytic<E>;
}

}  // namespace sinew
