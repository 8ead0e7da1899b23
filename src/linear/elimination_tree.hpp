/// \file
/// Nested dissection of the graph of a KKT matrix into a binary tree.
#pragma once

#include "linear/matrix_rows.hpp"
#include "system/kkt_unknowns.hpp"

namespace sinew {

/// Which unknowns are eliminated where. The blocks are bisected again and again into leaves; what ties leaves together is the
/// interface, and every unknown of the interface is eliminated at the lowest node of the tree that has all leaves under it which
/// the unknown touches. Interiors of leaves stay nonsingular where J is positive definite on the kernel of G and G has full rank:
/// of a coupling in J that is cut one end belongs to the interface, so does every row that touches two leaves or the interface,
/// and no row is eliminated below a dof that stands in it. Nodes of the tree are numbered as in a heap: 1 is the root, 2t and 2t
/// + 1 are the children of t, leaf p is leaves + p. Unknowns that are kept (what a rank shares with others) are interface above
/// the root: nothing here eliminates them.
class EliminationTree {
 public:
  /// What one inner node of the tree eliminates, and what its subtree touches beyond: numbers of interface unknowns, rising.
  struct Inner {
    std::vector<int> eliminated, rest;
  };

  /// `leaf_size`: about as many unknowns a leaf. A's pattern must be symmetric. Of blocks all or no dofs may be `kept`, and with
  /// them all rows that touch them; behind what the unknowns describe A may have others that are kept.
  EliminationTree(const SparseRows& A, const KktUnknowns&, PetscInt leaf_size, const std::vector<PetscInt>& kept = {});

  int leaves = 1;                   ///< a power of two
  std::vector<int> leaf_of;         ///< of every unknown, of the interface too
  std::vector<int> interface_of;    ///< number of every unknown in the interface, -1 in the interior of its leaf
  std::vector<PetscInt> interface;  ///< the unknown of every number; those kept stand last, in their order
  std::size_t num_kept = 0;
  std::vector<std::vector<PetscInt>> interior;  ///< of every leaf: unknowns, rising
  std::vector<std::vector<int>> boundary;       ///< of every leaf: numbers of the interface unknowns that it touches, rising
  std::vector<Inner> inner;                     ///< 1 .. leaves - 1

  /// Gives back the lists that grow with A, leaf_of, interface_of and interior, when leaves have been made of them.
  void forget_unknowns();

 private:
  void divide(const SparseRows&, const KktUnknowns&, PetscInt leaf_size);
  void choose_interface(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept);
  void place_interface(const SparseRows&, PetscInt num_dofs);
};

}  // namespace sinew
