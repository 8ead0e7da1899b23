/// \file
/// Nested dissection of the graph of a KKT matrix into a binary tree.
#pragma once

#include "linear/matrix_rows.hpp"
#include "system/kkt_unknowns.hpp"

namespace sinew {

/// Which unknowns are eliminated where. The blocks are bisected again and again into leaves; what ties leaves together is the
/// interface: of every coupling in J that a bisection cuts one end, which is eliminated at that node of the tree. Rows are
/// eliminated as low as they are independent (`place_rows`). Interiors of leaves stay nonsingular where J is positive definite
/// on the kernel of G and G has full rank. Nodes of the tree are numbered as in a heap: 1 is the root, 2t and 2t + 1 are the
/// children of t, leaf p is leaves + p. Unknowns that are kept (what a rank shares with others) are interface above the root:
/// nothing here eliminates them.
class EliminationTree {
 public:
  /// What one inner node of the tree eliminates, and what its subtree touches beyond: numbers of interface unknowns, rising.
  struct Inner {
    std::vector<int> eliminated, rest;
  };

  /// How blocks come to leaves: by bisections where the fewest ties are cut; or in runs, as they are numbered, all of the same
  /// length but for the last, so that those of a chain are alike.
  enum class Division { bisections, runs };

  /// `leaf_size`: about as many unknowns a leaf. A's pattern must be symmetric. Of blocks all or no dofs may be `kept`, and with
  /// them all rows that touch them; behind what the unknowns describe A may have others that are kept. Where blocks that are tied
  /// are not numbered near each other there are no runs, but one leaf.
  EliminationTree(const SparseRows& A, const KktUnknowns&, PetscInt leaf_size, const std::vector<PetscInt>& kept = {},
                  Division = Division::bisections);

  int leaves = 1;                   ///< a power of two
  bool has_low_rows = false;        ///< some below dofs that stand in them, where numbers have let them
  std::vector<int> leaf_of;         ///< of every unknown, of the interface too: that which its own entry is added to
  std::vector<int> interface_of;    ///< number of every unknown in the interface, -1 in the interior of its leaf
  std::vector<PetscInt> interface;  ///< the unknown of every number; those kept stand last, in their order
  std::size_t num_kept = 0;
  std::vector<int> node;                        ///< that eliminates every number of the interface; 0 for those kept
  std::vector<std::vector<PetscInt>> interior;  ///< of every leaf: unknowns, rising
  std::vector<std::vector<int>> boundary;       ///< of every leaf: numbers of the interface unknowns that it touches, rising
  std::vector<Inner> inner;                     ///< 1 .. leaves - 1

  /// Gives back the lists that grow with A, leaf_of, interface_of, node and interior, when leaves have been made of them.
  void forget_unknowns();

 private:
  std::vector<int> divide(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept, Division);
  std::vector<int> place(const SparseRows&, const KktUnknowns&, const std::vector<int>& node_of_block,
                         const std::vector<PetscInt>& kept);
  void number_interface(const std::vector<int>& node_of, const std::vector<PetscInt>& kept);
  void list_touched(const SparseRows&, const std::vector<int>& node_of, PetscInt num_dofs);
};

}  // namespace sinew
