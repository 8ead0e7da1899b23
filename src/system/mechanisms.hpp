/// \file
/// Which bodies joints hold together, and how large what they make is. A mechanism is bodies that joints hold together, directly
/// or through others. The ground is part of none, and forces hold nothing together. What is said of joints, how far they miss
/// each other or what an angle comes to, is relative to its size: how far other mechanisms of the model are away has nothing to
/// do with it.
#pragma once

#include "base/petsc.hpp"
#include "kernels/sweep/family.hpp"
#include "partition/local_model.hpp"

#include <memory>
#include <vector>

namespace sinew {

/// What tells of a mechanism beside the elements.
struct NodeMatter {
  std::vector<std::int64_t> body;  ///< of every local node but the ground; -1: of none
  std::vector<double> radius;      ///< how far matter reaches around every owned node, m
};

/// DynamicSystem::dof_sizes and reaction_sizes with the extent of each mechanism in the place of the model's.
struct MechanismSizes {
  VecHandle extents;    ///< of what the node of a dof is part of, m; 1 of first-order states
  VecHandle dofs;       ///< that for displacements, 1 for rotations, slopes and first-order states
  VecHandle reactions;  ///< 1 of rows whose multipliers are forces, 1 / extent of moments
};

/// The extent of the mechanism of every local node, m: the diagonal of the box around its matter and the places of its joints at
/// the start, those on the ground too. That of the model where it is 0. The same on any number of ranks. Collective.
std::vector<double> mechanism_extents(const LocalModel&, const std::vector<std::unique_ptr<Family>>&, const NodeMatter&);

}  // namespace sinew
