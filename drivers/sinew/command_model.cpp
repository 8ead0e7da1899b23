#include "command_model.hpp"

#include "base/error.hpp"
#include "observe/other_results.hpp"
#include "petsc_options.hpp"

#include <utility>

namespace sinew {

std::unique_ptr<BuiltModel> build_for_command(MPI_Comm comm, const std::string& path, std::vector<std::string> overrides,
                                              bool speaks, const std::string& restart) {
  for (std::string& of_option : overrides_of_options()) overrides.push_back(std::move(of_option));
  const auto warn = [comm](const std::string& warning) { warn_once(comm, warning); };
  return build_model(comm, path, {std::move(overrides), restart, speaks ? Warn(warn) : Warn()});
}

void set_output(Model& model, const std::string& directory) {
  model.output.directory = directory;
  model.output.directory_mark = {};
}

std::unique_ptr<OutputDirectory> open_output(MPI_Comm comm, const Model& model, Existing existing) {
  try {
    protect_other_results(comm, model.output.directory, model.analysis.type);
    return std::make_unique<OutputDirectory>(comm, model.output.directory, existing);
  } catch (const InputError& error) {
    const SourceMark& mark = model.output.directory_mark;
    if (mark.line == 0 && mark.override_index < 0) throw;
    throw InputError(model.source.locate(mark) + ": error: " + error.what());
  }
}

}  // namespace sinew
