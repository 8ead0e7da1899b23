#include "observe/largest_reaction.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew {

SensorSeries::Reaction largest_reaction_of(const DynamicSystem& system) {
  const auto sizes = std::make_shared<VecHandle>(system.make_row_vector()),
             moments = std::make_shared<VecHandle>(system.make_row_vector()),
             momenta = std::make_shared<VecHandle>(system.make_dof_vector());
  PetscInt rows = 0;
  petsc(VecGetSize(*sizes, &rows));
  if (rows == 0) return {};
  system.row_sizes(*sizes);
  return [&system, sizes, moments, momenta](const Stage& stage) {
    double largest = 0, twice_kinetic = 0;
    petsc(VecPointwiseMult(*moments, stage.lambda, *sizes));
    petsc(VecNorm(*moments, NORM_INFINITY, &largest));
    system.mass_times(stage, stage.z, *momenta);
    petsc(VecDot(stage.z, *momenta, &twice_kinetic));
    return std::max(largest, std::abs(twice_kinetic) / 2);
  };
}

}  // namespace sinew
