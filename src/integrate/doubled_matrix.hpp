/// \file
/// Matrices of two sets of KKT unknowns, put together from matrices of one set.
#pragma once

#include "system/dynamic_system.hpp"

#include <vector>

namespace sinew {

/// Which part of a matrix over KKT vectors goes where.
struct BlockPart {
  int row = 0, column = 0;        ///< set of rows, set of columns: 0 or 1
  bool momentum = false;          ///< take the rows of momentum
  bool constraints = false;       ///< take those of constraints
  bool dof_columns_only = false;  ///< leave the columns of multipliers out
};

/// Unknowns on every rank: those of the first set (dofs, rows), then those of the second.
class DoubledMatrix {
 public:
  /// Collective.
  explicit DoubledMatrix(const DynamicSystem&);

  /// An empty matrix and a zero vector of 2 (n + m) unknowns. Collective.
  MatHandle make_matrix() const;
  VecHandle make_vector() const;
  /// The dofs and rows of the first set and of the second from a vector of 2 (n + m) unknowns. Local.
  void split(PetscVec x, PetscVec dofs0, PetscVec rows0, PetscVec dofs1, PetscVec rows1) const;
  /// The other way round. Local.
  void join(PetscVec dofs0, PetscVec rows0, PetscVec dofs1, PetscVec rows1, PetscVec x) const;
  /// Adds a part of an assembled matrix of make_tangent_matrix or make_projection_matrix. The result must be assembled
  /// afterwards. Local.
  void add(PetscMat block, const BlockPart& part, PetscMat J) const;
  /// J has the regularisation that was noted of a block, in the rows of both sets. Collective.
  void note_regularisation_of(PetscMat block, PetscMat J) const;

 private:
  PetscInt doubled(PetscInt kkt_index, int set) const;
  std::size_t owner(PetscInt kkt_index) const;

  const DynamicSystem& system_;
  PetscInt n_, m_;
  std::vector<PetscInt> kkt_start_;  ///< first KKT index of every rank, and the total
  std::vector<PetscInt> dofs_of_rank_;
};

}  // namespace sinew
