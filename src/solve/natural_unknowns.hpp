/// \file
/// Unknowns and rows in the order of the model file, with names: the same on any number of ranks.
#pragma once

#include "partition/numbering.hpp"
#include "system/system.hpp"

#include <string>
#include <vector>

namespace sinew {

/// One nonzero entry of a matrix, in natural numbers from 0.
struct MatrixEntry {
  std::int64_t row = 0, column = 0;
  double value = 0;
};

/// Where every unknown of this rank stands in the order of the model file; first-order states come after the bodies.
class NaturalUnknowns {
 public:
  /// System, numbering and meshes must outlive it. Collective.
  NaturalUnknowns(const System&, const Numbering&, const SolidMeshes&);

  std::int64_t num_dofs() const { return system_.global_dofs(); }
  std::int64_t num_rows() const { return system_.global_rows(); }
  /// Natural numbers of this rank's dofs and constraint rows, in local order.
  const std::vector<std::int64_t>& dofs() const { return dofs_; }
  const std::vector<std::int64_t>& rows() const { return rows_; }
  /// Natural number of the first number that a node's configuration has, the nodes' one after the other; of how many.
  std::int64_t first_place(std::int64_t node) const;
  std::int64_t num_places() const;
  /// `body,node,component` of owned dof i, of a first-order state `control,state,number`; `joint,component` of owned row i
  /// (counted within the joint).
  std::string dof_name(int i) const;
  std::string row_name(int i) const;

  /// The entries that this rank holds of a KKT matrix: dof rows and columns; constraint rows and dof columns. Zeros are left out.
  /// Collective.
  std::vector<MatrixEntry> dof_block(PetscMat) const;
  std::vector<MatrixEntry> constraint_block(PetscMat) const;

 private:
  std::vector<MatrixEntry> entries(PetscMat, bool of_constraints) const;
  std::int64_t first_dof(std::int64_t node) const;

  const System& system_;
  const Numbering& numbering_;
  const SolidMeshes& meshes_;
  /// In all instances of the bodies before each template; at last all of them.
  std::vector<std::int64_t> dofs_before_, frames_before_;
  std::vector<std::int64_t> dofs_, rows_;
  std::vector<int> node_of_dof_, group_of_row_;
};

}  // namespace sinew
