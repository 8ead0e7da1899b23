#include "run/built_model.hpp"

#include "base/reduction.hpp"
#include "base/timing.hpp"
#include "model/fast_waves.hpp"
#include "model/registered_catalogue.hpp"
#include "observe/checkpoints.hpp"
#include "partition/collective_error.hpp"
#include "partition/first_rank_readers.hpp"
#include "solve/disconnection.hpp"
#include "solve/far_origin.hpp"
#include "solve/joint_starts.hpp"
#include "solve/modal_reduction.hpp"
#include "solve/redundancy.hpp"
#include "system/memory_need.hpp"
#include "system/motion_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

std::unique_ptr<BuiltModel> build_model(MPI_Comm comm, const std::string& path, const BuildOptions& options) {
  const TimedPhase timed(Phase::setup);
  auto built = std::make_unique<BuiltModel>();
  built->warn = options.warn;
  const auto tell = [&](const std::string& warning) {
    if (options.warn) options.warn(warning);
  };
  const std::string text = text_from_first_rank(comm, [&] { return read_model_file(path); });
  throw_together(comm, [&] {
    built->model = read_model_text(text, path, registered_catalogue(), options.overrides, readers_on_first_rank(comm));
  });
  for (std::string& warning : fast_wave_warnings(built->model)) built->model.warnings.push_back(std::move(warning));
  if (!options.restart.empty()) take_modal_shapes(comm, options.restart, built->model);
  built->model = with_modal_shapes(comm, std::move(built->model));
  for (const std::string& warning : built->model.warnings) tell(warning);
  built->meshes = read_solid_meshes(comm, built->model);
  for (const std::string& warning : built->meshes.warnings) {
    tell(warning);
    built->model.warnings.push_back(warning);
  }
  require_memory(comm, built->model, built->meshes);
  throw_together(comm, [&] { built->numbering = std::make_unique<Numbering>(built->model, built->meshes); });
  std::vector<std::string> of_starts;  // what goes on from a checkpoint says nothing of them
  built->system = std::make_unique<System>(built->model, distribute_at_start(comm, built->model, built->meshes, *built->numbering,
                                                                             options.restart.empty() ? &of_starts : nullptr));
  for (const std::string& warning : of_starts) {
    tell(warning);
    built->model.warnings.push_back(warning);
  }
  built->meshes.sources.clear();
  return built;
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
  if (built.warn) std::for_each(warnings.begin(), warnings.end(), built.warn);
  return {warnings, of_start};
}

}  // namespace sinew
