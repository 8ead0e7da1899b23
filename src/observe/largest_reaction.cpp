#include "observe/largest_reaction.hpp"

#include <memory>

namespace sinew {

SensorSeries::Reaction largest_reaction_of(const DynamicSystem& system) {
  const auto sizes = std::make_shared<VecHandle>(system.make_row_vector()),
             moments = std::make_shared<VecHandle>(system.make_row_vector());
  PetscInt rows = 0;
  petsc(VecGetSize(*sizes, &rows));
  if (rows == 0) return {};
  system.row_sizes(*sizes);
  return [sizes, moments](const Stage& stage) {
    double largest = 0;
    petsc(VecPointwiseMult(*moments, stage.lambda, *sizes));
    petsc(VecNorm(*moments, NORM_INFINITY, &largest));
    return largest;
  };
}

}  // namespace sinew
