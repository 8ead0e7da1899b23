/// \file
/// What flexible bodies weigh and how far they reach, by which a wrong unit of a mesh or a material shows.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "system/system.hpp"

#include <vector>

namespace sinew {

struct BodyMass {
  double mass = 0;         ///< kg
  Vec3<double> centre;     ///< of mass, m
  Vec3<double> low, high;  ///< of its nodes, m
};

/// Of the first instance of every one of these entries of Model::bodies, in a configuration: m = e^T M e and m c = e^T M X, where
/// e moves all of its nodes by 1 along x and X has in this direction what the nodes' coordinates (with slopes) are in another.
/// The same on all ranks. Collective.
std::vector<BodyMass> body_masses(const System&, const Numbering&, const std::vector<int>& bodies, const Configuration&);

}  // namespace sinew
