/// \file
/// Exact solution of KKT systems by substructures: sparse leaves, dense fronts above them.
#pragma once

#include "linear/dense_front.hpp"
#include "linear/elimination_tree.hpp"
#include "linear/leaf_factors.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// LU factors of sequential KKT matrices of one pattern along an elimination tree. The analysis and the pivots of the leaves are
/// kept; leaves whose pivots have become small seek them anew.
class TreeFactors {
 public:
  /// Unknowns of a leaf, at least; 0: what measurements recommend.
  explicit TreeFactors(PetscInt leaf_size = 0) : leaf_size_(leaf_size) {}
  /// False: a part of the matrix is singular, or not of the kind that has noted unknowns. Nothing else is of use then.
  bool factorise(PetscMat A);
  /// x = A^-1 b, refined once where the residual says so. False: it stays larger than what is left by rounding.
  bool solve(PetscMat A, PetscVec b, PetscVec x);
  /// For people: leaves, largest front, entries.
  std::string describe() const;

 private:
  bool analyse(const MatrixRows&, const KktUnknowns&);
  void apply(const PetscScalar* b, PetscScalar* x);

  PetscInt leaf_size_ = 0;
  std::unique_ptr<EliminationTree> tree_;
  std::vector<LeafFactors> leaves_;
  std::vector<DenseFront> fronts_;              ///< 1 .. leaves - 1
  std::vector<std::vector<double>> left_over_;  ///< right-hand sides of the nodes of the heap
  std::vector<double> interface_;               ///< right-hand side, then solution
};

}  // namespace sinew
