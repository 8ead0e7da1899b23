/// \file
/// From a model file to a system on all ranks: the steps that several commands share.
#pragma once

#include "standard_output.hpp"
#include "system/system.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// A model and everything that was made of it. Not movable: the system refers to the model.
struct BuiltModel {
  Model model;
  SolidMeshes meshes;
  std::unique_ptr<Numbering> numbering;
  std::unique_ptr<System> system;
};

/// Rank 0 reads the file, all ranks parse it, read meshes, partition and build. Prints the warnings on rank 0. Throws InputError. Collective.
std::unique_ptr<BuiltModel> build_model(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides);

/// Looks for joints whose places lie apart and for redundant constraints at the model's start, and makes the system fit for them. Prints warnings
/// that name the joints (rank 0) and returns them. Throws InputError where constraints contradict each other. Collective.
std::vector<std::string> settle_constraints(BuiltModel&);

}  // namespace sinew
