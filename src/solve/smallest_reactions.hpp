/// \file
/// The smallest reactions of redundant constraints.
///
/// Multipliers of redundant constraints are determined up to null(G^T): the motion knows G^T lambda alone. Of all lambda' with
/// G^T lambda' = G^T lambda the one with the least sum of squares of forces, and of moments over the model's extent, is a
/// function of the state, whatever the integrator's own lambda is. With W the squares of the reactions' sizes it is the limit of
/// [M G^T; G -eps W] [x; lambda'] = [G^T lambda; 0] for eps to 0, and repeated with what is left of G^T lambda it is found with
/// eps as it is.
#pragma once

#include "system/dynamic_system.hpp"

#include <functional>

namespace sinew {

/// Keeps its matrix between calls. The system must outlive it.
class SmallestReactions {
 public:
  explicit SmallestReactions(const DynamicSystem&);
  ~SmallestReactions();

  /// The smallest multipliers that do what those of the stage do; a copy of these where nothing is redundant, or where the matrix
  /// is singular (a body without mass that is not held). One factorisation where something is. Collective.
  VecHandle of(const Stage&);

 private:
  void prepare(const Stage&);
  bool refine(PetscVec rhs, PetscVec solution);

  const DynamicSystem& system_;
  MatHandle matrix_;
  KspHandle ksp_;
};

/// The same as a function, for Sensors::choose_reactions.
std::function<VecHandle(const Stage&)> smallest_reactions(const DynamicSystem&);

}  // namespace sinew
