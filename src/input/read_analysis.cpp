#include "input/analysis_warnings.hpp"
#include "input/section_readers.hpp"
#include "model/run_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

bool is_bdf(IntegratorName name) { return name == IntegratorName::bdf_si1 || name == IntegratorName::bdf_si2; }

bool is_newmark(IntegratorName name) { return name == IntegratorName::newmark || name == IntegratorName::trapezoid; }

bool has_rho_inf(IntegratorName name) {
  return name == IntegratorName::soi2 || name == IntegratorName::gen_alpha || name == IntegratorName::gen_alpha_ggl;
}

/// Errors of steps that are smaller are what Newton's method leaves, at its best 1e-14, a hundredth of it.
constexpr double least_tolerance = 1e-12;
/// Roundings of the times of a run below which a step does not move them.
constexpr double roundings_of_time = 16;

StepControl read_step_control(const DocumentNode& node, const ValueReader& values) {
  StepControl control;
  MapReader map(node, "analysis.step", values.faults);
  const auto read = [&](const char* key, double& target) {
    const DocumentNode* given = map.find(key);
    if (given) target = values.positive(*given, std::string("analysis.step.") + key);
    return given != nullptr;
  };
  const bool is_global = read("global", control.global);
  if (is_global) {
    control.per_unit_step = true;
    control.tolerance = control.global;
    for (const char* other : {"tolerance", "absolute", "relative", "per"})
      if (const auto* given = map.find(other))
        values.faults.error(given->mark, std::string("analysis.step: ") + other + " and global exclude each other",
                            "global: 1e-3 is all that is needed");
    if (control.global >= 1) values.faults.error(node.mark, "analysis.step.global must be below 1", "1e-3 is usual");
  }
  const bool tolerance = read("tolerance", control.tolerance) || is_global;
  const bool parts =
      static_cast<int>(read("absolute", control.absolute)) + static_cast<int>(read("relative", control.relative)) > 0;
  for (const auto& [key, value] : {std::pair{"tolerance", control.tolerance}, std::pair{"relative", control.relative}})
    if (const auto* given = map.find(key); given && !is_global && value >= 1)
      values.faults.error(given->mark, std::string("analysis.step.") + key + " must be below 1", "1e-4 is usual");
  for (const auto& [key, value] : {std::pair{"tolerance", control.tolerance}, std::pair{"global", control.global}})
    if (const auto* given = map.find(key); given && value > 0 && value < least_tolerance)
      values.faults.warning(given->mark, std::string("analysis.step.") + key + " is below what rounding allows",
                            "1e-10 is about the least");
  read("initial", control.initial);
  read("min", control.min);
  read("max", control.max);
  if (!tolerance && !parts && map.is_map())
    values.faults.error(node.mark, "error-controlled steps need a tolerance", "add tolerance: 1e-4");
  if (control.min > 0 && control.max > 0 && control.min > control.max)
    values.faults.error(node.mark, "analysis.step: min is larger than max");
  if (control.initial > 0 && ((control.max > 0 && control.initial > control.max) || control.initial < control.min))
    values.faults.error(node.mark, "analysis.step: initial does not lie between min and max");
  if (const auto* per = map.find("per")) {
    const std::string word = values.text(*per, "analysis.step.per");
    control.per_unit_step = word == "unit-step";
    if (!word.empty() && word != "step" && word != "unit-step")
      values.faults.error(per->mark, "analysis.step.per cannot be '" + word + "'", "write step or unit-step");
  }
  return control;
}

/// Steps must be positive, and neither longer than the run nor so short that it never ends.
void check_steps(const DocumentNode& node, const StepSequence& sequence, double end_time, Faults& faults) {
  if (!(end_time > 0)) return;
  const double longest = *std::max_element(sequence.steps.begin(), sequence.steps.end());
  const double mean =
      std::accumulate(sequence.steps.begin(), sequence.steps.end(), 0.0) / static_cast<double>(sequence.steps.size());
  if (longest > end_time * (1 + 1e-9))
    faults.error(node.mark, "analysis.step is longer than end_time", "choose a step well below end_time");
  if (end_time / mean > longest_run)
    faults.error(node.mark, "analysis.step is absurdly small: the run would take more than 1e10 steps", "steps are in seconds");
  else if (const double shortest = *std::min_element(sequence.steps.begin(), sequence.steps.end());
           shortest < roundings_of_time * std::numeric_limits<double>::epsilon() * end_time)
    faults.error(node.mark, fmt::format("a step of {:g} vanishes beside times up to {:g}", shortest, end_time),
                 "take it out of the list, or write a longer one");
}

void read_step(const DocumentNode& node, const ValueReader& values, Analysis& analysis) {
  if (node.is_map()) {
    analysis.step = read_step_control(node, values);
    return;
  }
  StepSequence sequence;
  const std::size_t before = values.faults.num_errors();
  if (node.is_sequence()) {
    sequence.steps.clear();
    for (const DocumentNode& item : node.items) sequence.steps.push_back(values.positive(item, "analysis.step"));
    if (node.items.empty()) values.faults.error(node.mark, "analysis.step is an empty list", "write step: 1e-3");
  } else {
    sequence.steps = {values.positive(node, "analysis.step")};
  }
  if (values.faults.num_errors() == before) check_steps(node, sequence, analysis.end_time, values.faults);
  if (sequence.steps.empty()) sequence.steps = {1e-3};
  analysis.step = std::move(sequence);
}

void read_newton(const DocumentNode& node, const ValueReader& values, NewtonOptions& newton) {
  MapReader map(node, "analysis.newton", values.faults);
  const auto* given_tolerance = map.find("tolerance");
  if (given_tolerance && !(given_tolerance->is_scalar() && given_tolerance->text == "automatic")) {
    const auto* given = given_tolerance;
    newton.is_automatic = false;
    newton.tolerance = values.positive(*given, "analysis.newton.tolerance");
    if (newton.tolerance >= 1)
      values.faults.error(given->mark, "analysis.newton.tolerance must be below 1", "1e-8 is usual");
    else if (newton.tolerance < 1e-14)
      values.faults.warning(given->mark, "analysis.newton.tolerance is below what rounding allows", "1e-12 is about the least");
  }
  if (const auto* given = map.find("max")) newton.max = static_cast<int>(values.whole(*given, "analysis.newton.max", 1, 1000));
  if (const auto* given = map.find("jacobian"))
    newton.jacobian = values.choice(*given, "analysis.newton.jacobian", newton.jacobian);
}

/// Newmark's method is stable with any step where 2 beta >= gamma >= 1/2 (docs/theory/newmark.md).
void warn_of_growth(MapReader& map, const ValueReader& values, const Analysis& analysis) {
  const DocumentNode* node = map.find("gamma") ? map.find("gamma") : map.find("beta");
  if (node && analysis.gamma < 0.5)
    values.faults.warning(node->mark, "Newmark's method with gamma below 1/2 makes every vibration grow", "take 0.5 or more");
  else if (node && 2 * analysis.beta < analysis.gamma)
    values.faults.warning(
        node->mark,
        "Newmark's method with beta below gamma / 2 makes vibrations grow that are fast beside the step, and "
        "constraints are such",
        fmt::format("with gamma {:g} take beta: {:.6g}", analysis.gamma, std::pow(analysis.gamma + 0.5, 2) / 4));
}

/// Keys that only some integrators have.
void read_integrator_options(MapReader& map, const ValueReader& values, Analysis& analysis) {
  const std::string name = name_of(analysis.integrator);
  const bool has_time = analysis.type == AnalysisType::dynamic;  // without it none of them has an effect, which is said once
  const auto note_unused = [&](const DocumentNode& node, const char* key) {
    if (!has_time) return;
    values.faults.warning(node.mark,
                          std::string("analysis.") + key + " has no effect: the integrator " + name + " does not use it");
  };
  if (const auto* node = map.find("rho_inf")) {
    const std::size_t before = values.faults.num_errors();
    analysis.rho_inf = values.constant(*node, "analysis.rho_inf");
    if (!has_rho_inf(analysis.integrator)) {
      note_unused(*node, "rho_inf");
    } else if (values.faults.num_errors() == before && !(analysis.rho_inf >= 0 && analysis.rho_inf <= 1)) {
      values.faults.error(node->mark, "analysis.rho_inf must lie between 0 and 1, but is " + node->text,
                          "0 damps the highest frequencies at once, 1 not at all");
    } else if (analysis.rho_inf == 1 && has_time) {
      const auto* sequence = std::get_if<StepSequence>(&analysis.step);
      if (!sequence || !sequence->is_fixed())
        values.faults.warning(
            node->mark, "rho_inf 1 with changing steps need not be stable, and its accelerations and reactions are of order 1",
            "take 0.9 or less");
    }
  }
  if (const auto* node = map.find("order")) {
    if (!is_bdf(analysis.integrator))
      note_unused(*node, "order");
    else
      analysis.order = static_cast<int>(values.whole(*node, "analysis.order", 1, 6));
  }
  for (const char* key : {"beta", "gamma"})
    if (const auto* node = map.find(key)) {
      const double value = values.positive(*node, std::string("analysis.") + key);
      (key[0] == 'b' ? analysis.beta : analysis.gamma) = value;
      if (analysis.integrator != IntegratorName::newmark) note_unused(*node, key);
    }
  if (analysis.integrator == IntegratorName::newmark && has_time) warn_of_growth(map, values, analysis);
  if (const auto* node = map.find("constraints")) {
    analysis.constraints = values.choice(*node, "analysis.constraints", analysis.constraints);
    if (!is_newmark(analysis.integrator)) note_unused(*node, "constraints");
  }
}

void read_dynamics(MapReader& map, const ValueReader& values, Analysis& analysis) {
  const bool has_time = analysis.type == AnalysisType::dynamic;
  if (const auto* node = has_time ? map.require("end_time", "end_time: 1.0") : map.find("end_time"))
    analysis.end_time = values.positive(*node, "analysis.end_time", true);
  if (const auto* node = map.find("integrator"))
    analysis.integrator = values.choice(*node, "the integrator", analysis.integrator);
  if (const auto* node = map.find("start")) {
    analysis.start = values.choice(*node, "analysis.start", analysis.start);
    const bool has_positions = analysis.integrator == IntegratorName::gen_alpha || is_newmark(analysis.integrator);
    if (has_time && analysis.start == StartMethod::perturbed && !has_positions && !is_bdf(analysis.integrator))
      values.faults.error(node->mark,
                          std::string("analysis.start: perturbed belongs to constraints at position level alone, and not to ") +
                              name_of(analysis.integrator),
                          "leave it out, or take integrator: gen-alpha");
  }
  if (const auto* node = map.find("updates")) analysis.updates = values.choice(*node, "analysis.updates", analysis.updates);
  if (const auto* node = map.find("states")) {
    analysis.states = values.choice(*node, "analysis.states", analysis.states);
    if (is_bdf(analysis.integrator) && has_time)
      values.faults.warning(node->mark, "analysis.states has no effect: bdf steps states with its own formula");
  }
  if (const auto* node = map.find("step")) read_step(*node, values, analysis);
  if (const auto* node = map.find("error_bars")) {
    analysis.error_bars = values.boolean(*node, "analysis.error_bars");
    const auto* control = std::get_if<StepControl>(&analysis.step);
    if (analysis.error_bars && control && control->global > 0 && has_time)
      values.faults.warning(node->mark, "analysis.error_bars has no effect here",
                            "step: {global: ...} has error bars of its own");
  }
  read_integrator_options(map, values, analysis);
}

/// Keys that only modes have.
void read_modes(MapReader& map, const ValueReader& values, Analysis& analysis) {
  const bool has_modes = analysis.type == AnalysisType::modes;
  const auto find = [&](const char* key, bool belongs, const char* remedy) {
    const DocumentNode* node = belongs ? map.find(key) : map.find_foreign(key);
    if (node && !belongs) values.faults.warning(node->mark, std::string("analysis.") + key + " has no effect here", remedy);
    return node;
  };
  if (const auto* about = map.find("about")) {
    analysis.about = values.choice(*about, "analysis.about", analysis.about);
    if (analysis.type == AnalysisType::buckling && analysis.about == ModesAbout::motion)
      values.faults.error(about->mark, "analysis.about: motion belongs to modes: what moves does not buckle",
                          "write static, for the state of rest under the loads of `kept`, or initial");
  }
  const bool moves = has_modes && analysis.about == ModesAbout::motion;
  if (const auto* node = find("steady", moves, "it belongs to modes about: motion"))
    analysis.steady = values.choice(*node, "analysis.steady", analysis.steady);
  if (const auto* node = find("frame", moves, "it belongs to modes about: motion"))
    if (!node->is_scalar() || node->text != "automatic") analysis.frame = values.constant_vector(*node, "analysis.frame");
  if (const auto* node = find("matrices", has_modes, "it belongs to modes"))
    analysis.matrices = values.boolean(*node, "analysis.matrices");
}

/// Keys of the search for a state of rest.
void read_rest(MapReader& map, const ValueReader& values, Analysis& analysis) {
  const bool has_time = analysis.type == AnalysisType::dynamic;
  if (const auto* steps = has_time ? map.find_foreign("steps") : map.find("steps")) {
    analysis.static_steps = static_cast<int>(values.whole(*steps, "analysis.steps", 1, 1000000));
    if (has_time) values.faults.error(steps->mark, "analysis.steps belongs to static analyses", "did you mean 'step'?");
  }
  if (const auto* path = map.find("path")) analysis.static_path = values.choice(*path, "analysis.path", analysis.static_path);
  const auto* unstable = map.find("unstable");
  if (!unstable) return;
  analysis.unstable = values.choice(*unstable, "analysis.unstable", analysis.unstable);
  if (analysis.unstable == UnstableRest::leave && analysis.static_path == StaticPath::arc_length)
    values.faults.warning(unstable->mark,
                          "analysis.unstable: leave has no effect with path: arc-length, whose states are kept as they are");
}

}  // namespace

void read_analysis(const DocumentNode& node, ReadContext& context) {
  Analysis& analysis = context.model.analysis;
  const ValueReader values = context.values();
  MapReader map(node, "analysis", context.faults);
  const auto* type = map.find("type");
  if (type) analysis.type = values.choice(*type, "the analysis", analysis.type);
  read_dynamics(map, values, analysis);
  const bool has_time = analysis.type == AnalysisType::dynamic;
  if (const auto* stop = map.find("stop"); stop && has_time) read_stop(*stop, context);
  read_modes(map, values, analysis);
  read_kept_loads(map, context);
  read_rest(map, values, analysis);
  const bool has_modes = analysis.type == AnalysisType::modes || analysis.type == AnalysisType::buckling;
  if (const auto* count = has_modes ? map.find("count") : map.find_foreign("count")) {
    analysis.count = static_cast<int>(values.whole(*count, "analysis.count", 1, most_modes));
    if (!has_modes) context.faults.error(count->mark, "analysis.count belongs to modes and buckling");
  }
  if (const auto* newton = map.find("newton")) read_newton(*newton, values, analysis.newton);
  if (const auto* initial = map.find("initial")) {
    analysis.initial = values.choice(*initial, "analysis.initial", analysis.initial);
    // where `--set` or the command chose the type, the file's own key belongs to the analysis that the file asks for
    const bool is_meant = !type || type->mark.override_index < 0 || initial->mark.override_index >= 0;
    if (analysis.initial == InitialValues::statics && analysis.type != AnalysisType::dynamic && is_meant)
      context.faults.error(initial->mark, "analysis.initial: static belongs to dynamic analyses",
                           "modes about the state of rest: about: static");
  }
  warn_of_analysis(node, analysis, !context.model.joints.empty(), context.faults);
}

namespace {

bool is_integer_text(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// An integer (steps), a real number (seconds of the model) or, where allowed, `600 s` (wall clock).
Interval read_interval(const DocumentNode& node, const ValueReader& values, const std::string& what, bool wall_clock_allowed) {
  Interval interval;
  interval.mark = node.mark;
  const std::string text = node.is_scalar() ? node.text : "";
  if (is_integer_text(text)) {
    interval.unit = Interval::Unit::steps;
    interval.value = static_cast<double>(values.whole(node, what, 1, 1000000000000));
    return interval;
  }
  const std::size_t last = text.find_last_not_of(' ');
  const bool wall_clock = last != std::string::npos && last > 0 && text[last] == 's' && text[last - 1] == ' ';
  DocumentNode number = node;
  if (wall_clock) number.text = text.substr(0, last);
  interval.unit = wall_clock ? Interval::Unit::wall_clock : Interval::Unit::simulated;
  interval.value = values.positive(number, what);
  if (wall_clock && !wall_clock_allowed)
    values.faults.error(node.mark, what + " cannot follow the wall clock",
                        "write an integer for steps, or a real number for seconds of the model");
  return interval;
}

/// Steps end at every multiple of a time of the model. One that is longer than the run may have been meant as a number of steps,
/// which only digits are: a constant or a product is a time.
void check_interval(const Interval& interval, const Analysis& analysis, const std::string& what, Faults& faults) {
  if (analysis.type != AnalysisType::dynamic || interval.unit != Interval::Unit::simulated || !(interval.value > 0)) return;
  if (analysis.end_time / interval.value > longest_run)
    faults.error(interval.mark, what + " is absurdly small: the run would take more than 1e10 steps",
                 "it is in seconds, and a whole number counts steps");
  if (interval.value > analysis.end_time && interval.value == std::floor(interval.value))
    faults.warning(interval.mark, fmt::format("{} is {:g} s, which is longer than the run", what, interval.value),
                   "a number of steps is written in digits, like every: 10");
}

void read_fields_output(const DocumentNode& node, const ValueReader& values, Output& output) {
  MapReader map(node, "output.fields", values.faults);
  if (const auto* every = map.find("every")) output.fields = read_interval(*every, values, "output.fields.every", false);
  if (const auto* list = map.find("quantities")) {
    output.quantities.clear();
    std::vector<DocumentNode> words{*list};
    if (list->is_sequence()) words = list->items;
    for (const DocumentNode& word : words)
      output.quantities.push_back(values.choice(word, "output.fields.quantities", FieldQuantity::displacement));
  }
}

/// A run with error bars is several runs that are compared: none of them is one that could go on by itself.
void read_checkpoint_output(const DocumentNode& node, ReadContext& context) {
  Output& output = context.model.output;
  const Analysis& analysis = context.model.analysis;
  MapReader map(node, "output.checkpoint", context.faults);
  if (const auto* every = map.require("every", "every: 600 s"))
    output.checkpoint = read_interval(*every, context.values(), "output.checkpoint.every", true);
  if (const auto* keep = map.find("keep"))
    output.kept_checkpoints = static_cast<int>(context.values().whole(*keep, "output.checkpoint.keep", 1, 1000000));
  const auto* control = std::get_if<StepControl>(&analysis.step);
  if (analysis.type != AnalysisType::dynamic)
    context.faults.warning(node.mark, "only dynamic runs write checkpoints", "take `checkpoint` out of `output`");
  else if (analysis.error_bars || (control != nullptr && control->global > 0))
    context.faults.error(node.mark,
                         "a run with error bars is several runs that are compared, and none of them goes on from a checkpoint",
                         "take out `checkpoint`, or the error bars");
}

}  // namespace

void read_output(const DocumentNode& node, ReadContext& context) {
  Output& output = context.model.output;
  const ValueReader values = context.values();
  MapReader map(node, "output", context.faults);
  if (const auto* directory = map.find("directory")) {
    output.directory = values.text(*directory, "output.directory");
    output.directory_mark = directory->mark;
  }
  if (const auto* fields = map.find("fields")) read_fields_output(*fields, values, output);
  if (const auto* sensors = map.find("sensors")) {
    MapReader inner(*sensors, "output.sensors", context.faults);
    if (const auto* every = inner.require("every", "every: 1"))
      output.sensors = read_interval(*every, values, "output.sensors.every", false);
  }
  if (const auto* checkpoint = map.find("checkpoint")) read_checkpoint_output(*checkpoint, context);
  check_interval(output.fields, context.model.analysis, "output.fields.every", context.faults);
  check_interval(output.sensors, context.model.analysis, "output.sensors.every", context.faults);
  check_interval(output.checkpoint, context.model.analysis, "output.checkpoint.every", context.faults);
}

}  // namespace sinew
