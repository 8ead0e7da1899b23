/// \file
/// Sparse LU factors of the interior of a part of a matrix, and what is left of its boundary.
#pragma once

#include "linear/matrix_rows.hpp"

#include <vector>

namespace sinew {

/// Interior I and boundary B of a leaf: A_II = L U with the interface last, S = A_BB - A_BI A_II^-1 A_IB. The pivots, sought
/// once among the rows of the interior, are kept for other numbers on the same pattern. Positions count in the order of
/// elimination, the boundary behind the interior.
class LeafFactors {
 public:
  /// `boundary`: its unknowns. `shared`: entries of A_BB that this leaf brings in, as (row, column, index of the value), rows and
  /// columns counted in the boundary.
  struct Shared {
    int row, column;
    PetscInt value;
  };
  LeafFactors(const MatrixRows& A, PetscInt num_dofs, std::vector<PetscInt> interior, const std::vector<PetscInt>& boundary,
              std::vector<Shared> shared);

  /// Searches for pivots. False: the interior is singular.
  bool factorise(const PetscScalar* values);
  /// With the pivots at hand. False where one has become small: they are to be sought again.
  bool refactorise(const PetscScalar* values);
  /// S, by columns.
  const std::vector<double>& complement() const { return complement_; }
  int boundary_size() const { return static_cast<int>(unknowns_.size()) - num_interior_; }

  /// Eliminates the interior from b: returns what is left of the boundary's, without its own part, in `rest`.
  void forward(const PetscScalar* b, double* rest);
  /// After `forward`: the interior of x, given the boundary of it.
  void backward(const double* x_boundary, PetscScalar* x);
  /// Entries of L and U.
  std::size_t entries() const { return lower_.size() + upper_.size(); }

 private:
  struct Entry {
    int row;         ///< local: interior, then boundary
    PetscInt value;  ///< index in the matrix
  };
  void order(const PetscScalar* values);
  void keep(const std::vector<std::vector<int>>& lower_rows);
  void eliminate(int column, const PetscScalar* values);

  int num_interior_ = 0;
  std::vector<PetscInt> unknowns_;  ///< of local numbers: interior, then boundary
  std::vector<Shared> shared_;
  std::vector<std::vector<Entry>> columns_;  ///< local columns
  PetscInt num_dofs_ = 0;
  std::vector<int> column_order_;  ///< local column of every position
  std::vector<int> position_;      ///< of every local row, -1: none yet
  std::vector<double> scale_;      ///< of rows by position
  // The pattern by positions.
  std::vector<int> a_starts_, a_rows_, lower_starts_, lower_rows_, upper_starts_, upper_rows_;
  std::vector<PetscInt> a_values_;
  std::vector<double> lower_, upper_, diagonal_, work_, complement_, solution_;
  double smallest_pivot_ = 0;  ///< over the largest, when they were sought
};

}  // namespace sinew
