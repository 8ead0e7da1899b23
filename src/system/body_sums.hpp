/// \file
/// Sums over bodies of numbers that their degrees of freedom have.
#pragma once

#include "base/petsc.hpp"
#include "base/star_forest.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace sinew {

class BodySums {
 public:
  /// The body of every owned dof: any number that no other body has. Bodies may lie on several ranks. Collective.
  BodySums(MPI_Comm, const std::vector<std::int64_t>& body_of_dof);

  /// Every dof of each vector gets the sum of the numbers of all dofs of its body. Collective.
  void sum(std::initializer_list<PetscVec>) const;

 private:
  std::vector<int> place_;   ///< of every dof: its body in this rank's list
  std::vector<int> shared_;  ///< bodies of the list that other ranks have parts of
  PetscInt num_homes_ = 0;   ///< those of which this rank adds up the parts
  StarForest to_homes_;      ///< from these to the shared ones
  std::size_t num_bodies_ = 0;
};

}  // namespace sinew
