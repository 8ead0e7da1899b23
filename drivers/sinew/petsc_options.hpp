/// \file
/// The options that a command line (or a file of options) has for PETSc.
#pragma once

#include "integrate/simulation.hpp"

#include <string>
#include <vector>

namespace sinew {

/// Looks at what is given before anything uses it: options that begin with -sinew_ and belong to nothing of Sinew, and names of
/// solvers that PETSc does not have. Throws InputError with the nearest known name. Collective.
void check_petsc_options();

/// Values of the model that options change, as `--set` takes them: -sinew_integrator.
std::vector<std::string> overrides_of_options();

/// Which options of PETSc have their effect in Sinew's solvers or are named by nobody: a warning for each that was meant for
/// PETSc and that nothing has asked for, said once (rank 0). Those of Sinew's solvers only, or all. Returns what it says.
/// Collective.
enum class OptionsOf { sinew, all };
std::vector<std::string> warn_of_unused_options(OptionsOf which = OptionsOf::all);

/// Warns of misspelt options of Sinew's solvers as soon as all of these have worked: after the first step.
class OptionWatch final : public Observer {
 public:
  /// The list of warnings grows.
  explicit OptionWatch(std::vector<std::string>& warnings) : warnings_(warnings) {}
  void observe(const Snapshot&) override;

 private:
  std::vector<std::string>& warnings_;
};

}  // namespace sinew
