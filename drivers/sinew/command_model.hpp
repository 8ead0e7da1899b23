/// \file
/// Models as the commands build them: options of PETSc that stand for keys, warnings on standard error, the directory of results.
#pragma once

#include "observe/output_directory.hpp"
#include "run/built_model.hpp"
#include "standard_output.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// `build_model` whose warnings rank 0 prints (`speaks`; one of several levels of a model does not). Throws InputError,
/// EnvironmentError. Collective.
std::unique_ptr<BuiltModel> build_for_command(MPI_Comm comm, const std::string& path, std::vector<std::string> overrides,
                                              bool speaks = true, const std::string& restart = {});

/// The directory given with -o takes the place of the model's.
void set_output(Model&, const std::string& directory);

/// Looks at the model's output directory without touching it; what is wrong with it is said with the line that names it. Throws
/// InputError and EnvironmentError. Collective.
std::unique_ptr<OutputDirectory> open_output(MPI_Comm comm, const Model&, Existing existing = Existing::replaced);

}  // namespace sinew
