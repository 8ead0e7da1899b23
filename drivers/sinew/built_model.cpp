#include "built_model.hpp"

#include "base/reduction.hpp"
#include "base/timing.hpp"
#include "model/fast_waves.hpp"
#include "model/registered_catalogue.hpp"
#include "observe/checkpoints.hpp"
#include "observe/other_results.hpp"
#include "partition/collective_error.hpp"
#include "partition/first_rank_readers.hpp"
#include "petsc_options.hpp"
#include "solve/disconnection.hpp"
#include "solve/far_origin.hpp"
#include "solve/joint_starts.hpp"
#include "solve/modal_reduction.hpp"
#include "solve/redundancy.hpp"
#include "standard_output.hpp"
#include "system/memory_need.hpp"
#include "system/motion_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sinew {

std::unique_ptr<BuiltModel> build_model(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides,
                                        bool speaks, const std::string& restart) {
  const TimedPhase timed(Phase::setup);
  auto built = std::make_unique<BuiltModel>();
  built->speaks = speaks;
  const std::string text = text_from_first_rank(comm, [&] { return read_model_file(path); });
  std::vector<std::string> all = overrides;
  for (std::string& of_option : overrides_of_options()) all.push_back(std::move(of_option));
  throw_together(comm,
                 [&] { built->model = read_model_text(text, path, registered_catalogue(), all, readers_on_first_rank(comm)); });
  for (std::string& warning : fast_wave_warnings(built->model)) built->model.warnings.push_back(std::move(warning));
  if (!restart.empty()) take_modal_shapes(comm, restart, built->model);
  built->model = with_modal_shapes(comm, std::move(built->model));
  if (speaks)
    for (const std::string& warning : built->model.warnings) warn_once(comm, warning);
  built->meshes = read_solid_meshes(comm, built->model);
  for (const std::string& warning : built->meshes.warnings) {
    if (speaks) warn_once(comm, warning);
    built->model.warnings.push_back(warning);
  }
  require_memory(comm, built->model, built->meshes);
  throw_together(comm, [&] { built->numbering = std::make_unique<Numbering>(built->model, built->meshes); });
  std::vector<std::string> of_starts;  // what goes on from a checkpoint says nothing of them
  built->system = std::make_unique<System>(built->model, distribute_at_start(comm, built->model, built->meshes, *built->numbering,
                                                                             restart.empty() ? &of_starts : nullptr));
  for (const std::string& warning : of_starts) {
    if (speaks) warn_once(comm, warning);
    built->model.warnings.push_back(warning);
  }
  built->meshes.sources.clear();
  return built;
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

namespace {

bool seeks_rest(const Analysis& analysis) {
  if (analysis.type == AnalysisType::dynamic) return analysis.initial == InitialValues::statics;
  return finds_rest(analysis);
}

/// Does a joint prescribe something that may change with time, or a velocity that is not 0? Collective.
bool has_drives(const BuiltModel& built) {
  const std::vector<JointItem>& joints = built.model.joints;
  const auto moves = [](const JointItem& joint) {
    return joint.feedback ||
           std::any_of(joint.signals.begin(), joint.signals.end(), [](const Expression& e) { return e.uses_time(); });
  };
  bool has_rates = false;
  for (const LocalFamily& family : built.system->local().families)
    for (const Origin& origin : family.entry().shape.velocity_rows > 0 ? family.origins : std::vector<Origin>())
      if (origin.kind == OriginKind::joint)
        for (const Expression& e : joints[origin.item].signals) has_rates = has_rates || !e.is_constant() || e.value() != 0;
  return is_so_on_any(built.system->layout().comm, has_rates || std::any_of(joints.begin(), joints.end(), moves));
}

/// A warning where a model that is to move cannot; empty else.
std::string lock_warning(const BuiltModel& built) {
  const Model& model = built.model;
  if (model.analysis.type != AnalysisType::dynamic || built.motions_left != 0 || has_drives(built)) return {};
  return fmt::format(
      "{}: warning: nothing of the model can move: its constraints leave none of its {} degrees of freedom (take joints "
      "that hold less, or ask for analysis: {{type: static}})",
      model.source.file, built.system->global_dofs() - built.numbering->num_states());
}

}  // namespace

JointWarnings settle_constraints(BuiltModel& built, bool starts) {
  const TimedPhase timed(Phase::setup);
  System& system = *built.system;
  const bool projects = built.model.analysis.initial == InitialValues::consistent;
  std::vector<std::string> warnings{far_origin_warning(system)}, of_start;
  const auto warn_of_start = [&](const std::string& warning) {
    if (!warning.empty()) of_start.push_back(warning);
    warnings.push_back(warning);
  };
  if (starts && (projects || built.model.analysis.initial == InitialValues::statics))
    warn_of_start(disconnection_warning(system, 0.0, seeks_rest(built.model.analysis)));
  const bool moves = built.model.analysis.type == AnalysisType::dynamic;
  if (moves)
    for (std::string& warning : motion_jump_warnings(system, 0.0, built.model.analysis.end_time))
      warnings.push_back(std::move(warning));
  const Redundancy redundancy = settle_redundancy(system, 0.0, projects);
  if (!redundancy.has_more && !redundancy.is_uncertain)
    built.motions_left =
        system.global_dofs() - built.numbering->num_states() - (system.global_rows() - std::int64_t{redundancy.rows});
  warnings.push_back(lock_warning(built));
  // what meets no mass has no acceleration either: the error that says so tells all of it
  if (!moves || redundancy.loose.empty()) warnings.push_back(redundancy_warning(built.model, redundancy));
  warnings.push_back(misfit_warning(built.model, redundancy));
  if (starts && !seeks_rest(built.model.analysis)) warn_of_start(redundancy.strain);  // what comes to rest does not spring back
  if (starts && moves) warn_of_start(redundancy.velocities);
  warnings.erase(std::remove(warnings.begin(), warnings.end(), std::string()), warnings.end());
  for (const std::string& warning : warnings)
    if (built.speaks) warn_once(system.layout().comm, warning);
  return {warnings, of_start};
}

}  // namespace sinew
