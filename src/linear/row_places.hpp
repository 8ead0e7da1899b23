/// \file
/// Where in an elimination tree rows of constraints are eliminated.
#pragma once

#include "linear/matrix_rows.hpp"

#include <vector>

namespace sinew {

/// What is known of an elimination tree, numbered as in a heap, when its rows are placed.
struct PlacedDofs {
  PetscInt count = 0;
  int leaves = 1;
  std::vector<int> node;  ///< of every unknown of A: that which eliminates a dof; -1 for what is kept; 0 for rows, so far
};

/// The lowest common node of two.
int common_node(int a, int b);

/// Whether a node lies in the subtree of another one.
bool is_below_or_at(int node, int top);

/// The nodes of the rows (by unknown; 0 for dofs and what is kept). A row may be eliminated from where its lowest dofs meet up to
/// its highest dof. What a subtree eliminates of [J G^T; G 0] is regular if J is positive definite and G, without the columns of
/// dofs above, has full rank. Rows that have all their dofs in it are there in any case; of the others those go down, from the
/// node of their highest dof on, that are independent of these and of each other. Bodies that bars hold from outside cannot have
/// all of these, but half of them need not stand in the dense fronts above, nor what those would fill. Fronts of G D^-1 G^T, D
/// the diagonal of J, so that units fall out, tell what is left of a row by others.
std::vector<int> place_rows(const SparseRows& A, const PlacedDofs& dofs);

}  // namespace sinew
