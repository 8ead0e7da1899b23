#include "input/analysis_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sinew {
namespace {

/// Of an analysis without time the keys of dynamics have no effect. Where `--set` chose its type the keys of the file belong to
/// the analysis that the file asks for, and nothing is said of them.
void warn_of_dynamics(const DocumentNode& analysis, const DocumentNode& type, Faults& faults) {
  const std::string keys[] = {"end_time",   "step",    "integrator", "start", "updates", "states",     "stop",
                              "error_bars", "rho_inf", "order",      "beta",  "gamma",   "constraints"};
  const bool is_of_file = type.mark.override_index < 0;
  std::vector<std::string> idle;
  const DocumentNode* first = nullptr;  // in the order of the file
  for (const DocumentEntry& entry : analysis.entries) {
    const bool is_foreign = std::find(std::begin(keys), std::end(keys), entry.key) != std::end(keys);
    if (!is_foreign || entry.value.is_null() || (!is_of_file && entry.value.mark.override_index < 0)) continue;
    idle.push_back(entry.key);
    if (!first) first = &entry.value;
  }
  if (!idle.empty())
    faults.warning(first->mark,
                   fmt::format("in analysis {} {} no effect here", fmt::join(idle, ", "), idle.size() > 1 ? "have" : "has"),
                   "only type: dynamic goes on in time");
}

/// Of the keys of states of rest and of modes, those of another analysis without time than the one that is asked for. Where
/// `--set` chose its type, likewise.
void warn_of_other_rest(const DocumentNode& map, const DocumentNode& type, Faults& faults, const Analysis& analysis) {
  const auto warn = [&](const char* key, bool has_effect, const char* remedy) {
    const DocumentNode* node = has_effect ? nullptr : map.find(key);
    if (node && (type.mark.override_index < 0 || node->mark.override_index >= 0))
      faults.warning(node->mark, std::string("analysis.") + key + " has no effect here", remedy);
  };
  const bool buckles = analysis.type == AnalysisType::buckling;
  warn("about", buckles || analysis.type == AnalysisType::modes, "it belongs to modes and buckling");
  warn("kept", buckles, "it belongs to buckling");
  for (const char* key : {"path", "steps", "unstable"})
    warn(key, finds_rest(analysis), "it belongs to the search for a state of rest");
}

/// What constraints at position level alone do to reactions: where steps change, and where nothing damps.
void warn_of_reactions(const DocumentNode& map, Faults& faults, const Analysis& analysis) {
  const auto* sequence = std::get_if<StepSequence>(&analysis.step);
  const DocumentNode *step = map.find("step"), *level = map.find("constraints");
  if (step && analysis.integrator == IntegratorName::gen_alpha && !(sequence && sequence->is_fixed()))
    faults.warning(step->mark,
                   "gen-alpha has constraints at position level alone: every change of the step throws off accelerations "
                   "and reactions, however small the errors of positions are",
                   "take integrator: soi2 where they matter");
  const bool is_undamped = analysis.integrator == IntegratorName::trapezoid ||
                           (analysis.integrator == IntegratorName::newmark && analysis.gamma <= 0.5);
  const DocumentNode* node = level ? level : map.find("integrator");
  if (step && analysis.constraints == ConstraintLevel::velocity && !(sequence && sequence->is_fixed()))
    faults.warning(step->mark,
                   "accelerations and reactions of Newmark's methods are of order 1 where steps change, positions and "
                   "velocities of order 2",
                   "take integrator: soi2, or steps of one size");
  if (node && is_undamped && analysis.constraints == ConstraintLevel::position)
    faults.warning(node->mark,
                   "nothing damps this method, and with constraints at position level the errors of its reactions grow "
                   "until they ruin the motion",
                   "take integrator: soi2, constraints: velocity, or newmark with gamma: 0.6 and beta: 0.3025");
}

/// The estimated errors of a step are those of order 2, without what a method of order 1 takes from the motion. With global
/// bounds whole runs are compared, which hides nothing.
void warn_of_unseen_errors(const DocumentNode& map, Faults& faults, const Analysis& analysis) {
  const auto* control = std::get_if<StepControl>(&analysis.step);
  const DocumentNode* gamma = map.find("gamma");
  if (gamma && control && control->global == 0 && analysis.integrator == IntegratorName::newmark && analysis.gamma != 0.5)
    faults.warning(gamma->mark,
                   "step control judges newmark as a method of order 2, which it is with gamma 0.5 alone: what its damping "
                   "takes from the motion is not seen, and errors are far beyond the tolerance",
                   "take integrator: soi2, or step: {global: ...}");
}

/// Keys of other analyses that read like some of a run in time.
void warn_of_idle_keys(const DocumentNode& map, Faults& faults, const Analysis& analysis) {
  const auto warn = [&](const char* key, const char* remedy) {
    if (const DocumentNode* node = map.find(key))
      faults.warning(node->mark, std::string("analysis.") + key + " has no effect in a dynamic analysis", remedy);
  };
  warn("about", "initial: static starts from the state of rest");
  if (analysis.initial == InitialValues::statics) return;
  for (const char* key : {"path", "unstable"}) warn(key, "it belongs to the search for a state of rest: initial: static");
}

}  // namespace

void warn_of_analysis(const DocumentNode& map, const Analysis& analysis, bool has_joints, Faults& faults) {
  if (analysis.type != AnalysisType::dynamic) {
    if (const auto* type = map.find("type")) {
      warn_of_dynamics(map, *type, faults);
      warn_of_other_rest(map, *type, faults, analysis);
    }
    return;
  }
  if (has_joints) warn_of_reactions(map, faults, analysis);
  warn_of_unseen_errors(map, faults, analysis);
  warn_of_idle_keys(map, faults, analysis);
}

}  // namespace sinew
