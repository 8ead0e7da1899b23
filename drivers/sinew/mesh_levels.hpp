/// \file
/// The same model with meshes of different sizes, as `--refine` asks for: what is compared for error bars of the mesh.
#pragma once

#include "command_model.hpp"
#include "observe/error_bars.hpp"

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sinew {

/// `--refine KEY=VALUE`, for the commands that give error bars of the mesh.
void add_refine_option(CLI::App& command, std::vector<std::string>& refinements);

/// The changes that make the levels of a model: every `--refine KEY=VALUE` or `KEY=VALUE,VALUE` gives the key a value a level.
/// One list for each level finer than the model itself, of options as `--set` takes them. Throws InputError.
std::vector<std::vector<std::string>> refinement_levels(const std::vector<std::string>& options);

/// A model in two or three sizes of elements.
struct MeshLevels {
  std::vector<std::unique_ptr<BuiltModel>> coarser;  ///< the model itself first; the finest one is elsewhere
  ComparedSizes sizes;                               ///< of the elements: finest (judged), before it (other), first of three
  ErrorRule rule;                                    ///< what the elements that are refined let expect
  std::string left_alone;                            ///< flexible bodies, or axes of boxes, with the same elements on all levels

  bool is_empty() const { return coarser.empty(); }
};

/// Builds the model with all but the last refinement, without a word. `finest`: built with the last one. Throws InputError where
/// a refinement gives no more unknowns, or moves what is recorded. Collective.
MeshLevels build_levels(MPI_Comm, const std::string& path, const std::vector<std::string>& overrides,
                        const std::vector<std::string>& options, const BuiltModel& finest);

/// build_model with the last refinement, if there is any; faults name `--refine`. Collective.
std::unique_ptr<BuiltModel> build_finest(MPI_Comm, const std::string& path, const std::vector<std::string>& overrides,
                                         const std::vector<std::string>& options);

}  // namespace sinew
