/// \file
/// From what size on gaps of constraints are open, where a state is drawn onto them and where it is judged; and whose they are.
#pragma once

#include "system/dynamic_system.hpp"

#include <string>

namespace sinew {

/// Gaps up to so many roundings are none; up to so many they are as small as they get where they no longer shrink. Those of a
/// given state are differences of places, each a sum of some coordinates.
inline constexpr double closed_gap = 2, stalled_gap = 5000, given_gap = 16;
/// Larger ones are open, and speeds that miss by more of the largest one.
inline constexpr double open_gap = 1e-9;

/// Are the gaps g of redundant constraints small enough to be inaccuracy of the model? Angles count at the extent's end.
/// Collective.
bool closes(const DynamicSystem&, const Stage&, PetscVec g);

/// `, at 'hinge', 'slider'`, the joints of the largest of these gaps, where the system has names. Collective.
inline std::string at_joints(const DynamicSystem& system, PetscVec gaps) {
  const std::string names = system.names_of_largest(gaps);
  return names.empty() ? names : ", at " + names;
}

}  // namespace sinew
