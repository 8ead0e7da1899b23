/// \file
/// What the registry holds of an element or a force, made from its struct.
#pragma once

#include "kernels/sweep/element_family.hpp"
#include "kernels/sweep/list_family.hpp"
#include "kernels/sweep/registry.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

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
