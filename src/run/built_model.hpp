/// \file
/// From a model file to a system on all ranks: the way into the library for programs, the command `sinew` among them.
#pragma once

#include "system/system.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// Who hears warnings, each a line that says itself that it is one: called on all ranks.
using Warn = std::function<void(const std::string&)>;

struct BuildOptions {
  std::vector<std::string> overrides;  ///< values in the place of the file's, as the command's `--set`: "analysis.step=1e-4"
  std::string restart;                 ///< a checkpoint that the model is to go on from; empty: it begins as the file says
  Warn warn;                           ///< empty: nobody hears them; they are in Model::warnings anyhow
};

/// A model and everything that was made of it. Not movable: the system refers to the model.
struct BuiltModel {
  Model model;
  SolidMeshes meshes;
  std::unique_ptr<Numbering> numbering;
  std::unique_ptr<System> system;
  std::optional<std::int64_t> motions_left{};  ///< by the constraints, once these are settled and where it is known
  Warn warn{};                                 ///< of the options
};

/// Rank 0 reads the file, all ranks parse it, read meshes, reduce bodies to their modes, partition and build. PETSc and Kokkos
/// have started. Throws InputError with all faults and their lines, EnvironmentError where the machine's memory does not hold
/// the model. Collective.
std::unique_ptr<BuiltModel> build_model(MPI_Comm comm, const std::string& path, const BuildOptions& options = {});

/// What there is to say of a model's joints, in lines that are ready to print.
struct JointWarnings {
  std::vector<std::string> all;
  std::vector<std::string> of_start;  ///< those of them that are about the start alone: who goes on from there finds none of it
};

/// Looks for joints whose places lie apart and for redundant constraints at the model's start, and makes the system fit for
/// them; counts the motions that are left.
/// Returns warnings that name the joints, of which the model's `warn` hears too. Throws InputError where constraints contradict
/// each other. `starts`: bodies are moved onto their joints at the model's start; one that goes on from a checkpoint moves none.
/// Collective.
JointWarnings settle_constraints(BuiltModel&, bool starts = true);

}  // namespace sinew
