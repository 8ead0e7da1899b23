/// \file
/// The words of the model file for every enumeration, and which of them the program can do today. The reader, the echo and the
/// reference page use these lists.
#pragma once

#include "model/analysis.hpp"
#include "model/items.hpp"
#include "model/materials.hpp"

#include <span>

namespace sinew {

/// A word of the model file and what it stands for.
template <class E>
struct Choice {
  const char* name;
  E value;
  bool is_built = true;  ///< false: known, refused with "not built yet"
};

/// All words for an enumeration, the default first where there is one.
template <class E>
std::span<const Choice<E>> choices_of();

template <>
std::span<const Choice<AnalysisType>> choices_of<AnalysisType>();
template <>
std::span<const Choice<ModesAbout>> choices_of<ModesAbout>();
template <>
std::span<const Choice<SteadyState>> choices_of<SteadyState>();
template <>
std::span<const Choice<StaticPath>> choices_of<StaticPath>();
template <>
std::span<const Choice<UnstableRest>> choices_of<UnstableRest>();
template <>
std::span<const Choice<IntegratorName>> choices_of<IntegratorName>();
template <>
std::span<const Choice<StartMethod>> choices_of<StartMethod>();
template <>
std::span<const Choice<StepUpdates>> choices_of<StepUpdates>();
template <>
std::span<const Choice<StateRule>> choices_of<StateRule>();
template <>
std::span<const Choice<ConstraintLevel>> choices_of<ConstraintLevel>();
template <>
std::span<const Choice<NewtonJacobian>> choices_of<NewtonJacobian>();
template <>
std::span<const Choice<InitialValues>> choices_of<InitialValues>();
template <>
std::span<const Choice<FieldQuantity>> choices_of<FieldQuantity>();
template <>
std::span<const Choice<MaterialLaw>> choices_of<MaterialLaw>();
template <>
std::span<const Choice<SolidFormulation>> choices_of<SolidFormulation>();
template <>
std::span<const Choice<SensorKind>> choices_of<SensorKind>();
template <>
std::span<const Choice<Quantity>> choices_of<Quantity>();

/// The word for a value.
template <class E>
const char* name_in_file(E value) {
  for (const Choice<E>& choice : choices_of<E>())
    if (choice.value == value) return choice.name;
  return "?";
}

/// The quantities that a kind of sensor can record.
std::span<const Quantity> quantities_of(SensorKind kind);

}  // namespace sinew
