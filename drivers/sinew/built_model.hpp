/// \file
/// From a model file to a system on all ranks: the steps that several commands share.
#pragma once

#include "observe/output_directory.hpp"
#include "standard_output.hpp"
#include "system/system.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A model and everything that was made of it. Not movable: the system refers to the model.
struct BuiltModel {
  Model model;
  SolidMeshes meshes;
  std::unique_ptr<Numbering> numbering;
  std::unique_ptr<System> system;
  std::optional<std::int64_t> motions_left{};  ///< by the constraints, once these are settled and where it is known
  bool speaks = true;                          ///< false: one of several levels of a model, whose warnings are given once
};

/// Rank 0 reads the file, all ranks parse it, read meshes, partition and build. Prints the warnings on rank 0 (`speaks`).
/// `restart`: a checkpoint that the model is to go on from. Throws InputError. Collective.
std::unique_ptr<BuiltModel> build_model(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides,
                                        bool speaks = true, const std::string& restart = {});

/// What there is to say of a model's joints, in lines that are ready to print.
struct JointWarnings {
  std::vector<std::string> all;
  std::vector<std::string> of_start;  ///< those of them that are about the start alone: who goes on from there finds none of it
};

/// Looks for joints whose places lie apart and for redundant constraints at the model's start, and makes the system fit for
/// them; counts the motions that are left.
/// Prints warnings that name the joints (rank 0, where the model speaks) and returns them. Throws InputError where
/// constraints contradict each other. `starts`: bodies are moved onto their joints at the model's start; one that goes on from a
/// checkpoint moves none. Collective.
JointWarnings settle_constraints(BuiltModel&, bool starts = true);

/// The directory given with -o takes the place of the model's.
void set_output(Model&, const std::string& directory);

/// Looks at the model's output directory without touching it; what is wrong with it is said with the line that names it. Throws
/// InputError and EnvironmentError. Collective.
std::unique_ptr<OutputDirectory> open_output(MPI_Comm comm, const Model&, Existing existing = Existing::replaced);

}  // namespace sinew
