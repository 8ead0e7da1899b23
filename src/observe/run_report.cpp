#include "observe/run_report.hpp"

#include "base/blas_threads.hpp"
#include "base/build_info.hpp"
#include "base/gpu_aware_mpi.hpp"
#include "kernels/sweep/device.hpp"
#include "linear/solver_notes.hpp"
#include "model/choices.hpp"
#include "observe/json_writer.hpp"
#include "observe/text_file.hpp"
#include "partition/exchange.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace sinew {

namespace {

std::string processor_name() {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return name;
}

std::string petsc_options() {
  char* text = nullptr;
  petsc(PetscOptionsGetAll(nullptr, &text));
  std::string options = text ? text : "";
  PetscFree(text);
  while (!options.empty() && options.back() == ' ') options.pop_back();
  return options;
}

/// Largest resident memory of any rank, MiB. Collective.
double peak_memory(MPI_Comm comm) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  double mine = static_cast<double>(usage.ru_maxrss) / 1024, largest = 0;
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  return largest;
}

void write_build(JsonWriter& json) {
  const BuildInfo& build = build_info();
  json.value("program", "sinew");
  json.value("version", std::string(build.version));
  json.value("revision", std::string(build.revision));
  json.open_object("build");
  json.value("type", std::string(build.build_type));
  json.value("compiler", std::string(build.compiler));
  json.value("petsc", std::string(build.petsc));
  json.value("kokkos", std::string(build.kokkos));
  json.close_object();
}

void write_machine(JsonWriter& json, int ranks, double memory) {
  json.open_object("machine");
  json.value("host", processor_name());
  json.value("ranks", ranks);
  json.value("execution_space", ExecutionSpace::name());
  json.value("device", device_text());
  json.value("gpu_aware_mpi", is_mpi_gpu_aware());
  json.value("threads_per_rank", static_cast<std::int64_t>(ExecutionSpace().concurrency()));
  const BlasThreads blas = blas_threads();
  json.value("blas", blas.library.empty() ? std::string("unknown") : blas.library);
  json.value("blas_threads_per_rank", blas.count);
  json.value("peak_memory_mib", memory);
  json.close_object();
}

void write_outcome(JsonWriter& json, const RunReport& report) {
  const SimulationSummary& s = report.summary;
  json.value("outcome", report.outcome);
  if (!report.reason.empty()) json.value("reason", report.reason);
  json.open_object("summary");
  json.value("end_time", s.end_time);
  json.value("steps", static_cast<std::int64_t>(s.steps));
  json.value("rejected", static_cast<std::int64_t>(s.rejected));
  json.value("inaccurate", static_cast<std::int64_t>(s.inaccurate));
  json.value("switches", static_cast<std::int64_t>(s.switches));
  json.value("cut", static_cast<std::int64_t>(s.cut));
  json.value("shortest_step", s.shortest);
  json.value("longest_step", s.longest);
  json.value("newton", static_cast<std::int64_t>(s.newton));
  json.value("most_newton", s.most_newton);
  json.value("factorizations", static_cast<std::int64_t>(s.factorizations));
  json.close_object();
}

void write_initial_state(JsonWriter& json, const ConsistencyReport& c) {
  json.open_object("initial_state");
  json.value("position_residual", c.position_residual);
  json.value("velocity_residual", c.velocity_residual);
  json.value("position_change", c.position_change);
  json.value("velocity_change", c.velocity_change);
  json.value("position_left", c.position_left);
  json.value("velocity_left", c.velocity_left);
  json.close_object();
}

void write_beginning(JsonWriter& json, const RunReport& report) {
  if (!report.restarted) return write_initial_state(json, report.consistency);
  json.open_object("restart");
  json.value("checkpoint", report.restarted->checkpoint);
  json.value("time", report.restarted->time);
  json.value("steps", static_cast<std::int64_t>(report.restarted->steps));
  json.close_object();
}

void write_figures(JsonWriter& json, const char* name, const std::map<std::string, double>& figures) {
  if (figures.empty()) return;
  json.open_object(name);
  for (const auto& [key, value] : figures) json.value(key, value);
  json.close_object();
}

void write_error_bars(JsonWriter& json, const RunReport& report) {
  if (report.error_bars.empty()) return;
  json.open_object("error_bars");
  for (const auto& [key, figure] : report.error_bars)
    std::visit([&, &name = key](const auto& value) { json.value(name, value); }, figure);
  json.close_object();
}

void write_modes(JsonWriter& json, const RunReport& report) {
  write_figures(json, "state_of_rest", report.rest);
  write_figures(json, "motion", report.motion);
  if (report.modes.empty()) return;
  json.open_list("modes");
  for (const auto& mode : report.modes) {
    json.open_object("");
    for (const auto& [name, value] : mode) json.value(name, value);
    json.close_object();
  }
  json.close_list();
}

void write_times(JsonWriter& json, const char* name, const PhaseTimes& times) {
  json.open_object(name);
  json.value("total", times.total);
  for (int p = 0; p < num_phases; ++p) json.value(name_of(static_cast<Phase>(p)), times.mean[p]);
  json.close_object();
}

void write_list(JsonWriter& json, const std::string& key, const std::vector<std::string>& texts) {
  json.open_list(key);
  for (const std::string& text : texts) json.entry(text);
  json.close_list();
}

void write_solvers(JsonWriter& json) {
  const std::map<std::string, SolverNote> notes = solver_notes();
  if (notes.empty()) return;
  json.open_object("solvers");
  for (const auto& [prefix, note] : notes) {
    json.open_object(prefix);
    json.value("solver", note.solver);
    if (!note.reason.empty()) json.value("reason", note.reason);
    if (!note.detours.empty()) json.value("detours", note.detours);
    json.close_object();
  }
  json.close_object();
}

/// Collective.
RunText compose(MPI_Comm comm, const RunReport& report) {
  JsonWriter json;
  write_build(json);
  json.value("written", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
  write_list(json, "command_line", report.command_line);
  json.value("model", report.model_file);
  json.value("title", report.title);
  json.open_object("options");
  for (const auto& [name, text] : report.options) json.value(name, text);
  json.close_object();
  json.value("petsc_options", petsc_options());
  write_machine(json, comm_size(comm), peak_memory(comm));
  json.open_object("sizes");
  for (const auto& [name, count] : report.sizes) json.value(name, count);
  json.close_object();
  write_list(json, "warnings", report.warnings);
  RunText run;
  run.outcome_begin = json.length();
  write_outcome(json, report);
  run.outcome_end = json.length();
  write_beginning(json, report);
  write_modes(json, report);
  write_error_bars(json, report);
  write_solvers(json);
  write_times(json, "seconds", gather_phase_times(comm));
  if (report.before_steps) write_times(json, "seconds_of_steps", gather_phase_times(comm, *report.before_steps));
  run.text = json.finish();
  return run;
}

std::string step_text(const Analysis& analysis) {
  if (const auto* control = std::get_if<StepControl>(&analysis.step)) {
    if (control->global > 0) return fmt::format("global {}", control->global);
    const char* per = control->per_unit_step ? "unit-step" : "step";
    if (control->absolute == 0 && control->relative == 0) return fmt::format("tolerance {} per {}", control->tolerance, per);
    return fmt::format("tolerance {}, absolute {}, relative {} per {}", control->tolerance, control->absolute, control->relative,
                       per);
  }
  std::string text;
  for (const double h : std::get<StepSequence>(analysis.step).steps) text += (text.empty() ? "" : ", ") + fmt::format("{}", h);
  return text;
}

}  // namespace

std::map<std::string, std::int64_t> sizes_of(const Model& model, const System& system) {
  std::int64_t nodes = system.local().num_owned_nodes;
  MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT64_T, MPI_SUM, system.local().comm);
  return {{"bodies", model.num_bodies()},
          {"joints", model.num_joints()},
          {"forces", model.num_forces()},
          {"controls", model.num_controls()},
          {"nodes", nodes},
          {"states", model.num_states()},
          {"dofs", system.global_dofs()},
          {"rows", system.global_rows()},
          {"unknowns", static_cast<std::int64_t>(system.global_dofs()) + system.global_rows()}};
}

std::map<std::string, std::string> options_of(const Model& model) {
  const Analysis& a = model.analysis;
  return {{"analysis", name_of(a.type)},
          {"end_time", fmt::format("{}", a.end_time)},
          {"integrator", name_of(a.integrator)},
          {"start", name_of(a.start)},
          {"updates", name_of(a.updates)},
          {"states", name_in_file(a.states)},
          {"rho_inf", fmt::format("{}", a.rho_inf)},
          {"order", a.order > 0 ? fmt::format("{}", a.order) : "variable"},
          {"beta", fmt::format("{}", a.beta)},
          {"gamma", fmt::format("{}", a.gamma)},
          {"constraints", name_in_file(a.constraints)},
          {"step", step_text(a)},
          {"newton.tolerance", fmt::format("{}", a.newton.tolerance)},
          {"newton.max", fmt::format("{}", a.newton.max)},
          {"newton.jacobian", name_of(a.newton.jacobian)},
          {"initial", name_of(a.initial)}};
}

RunText write_run_report(MPI_Comm comm, const std::filesystem::path& file, const RunReport& report) {
  const std::filesystem::path part = file.string() + ".part";
  RunText run = compose(comm, report);
  std::string fault;
  try {
    TextFile(comm, part).write(run.text);
  } catch (const EnvironmentError& error) {
    fault = error.what();
  }
  if (comm_rank(comm) == 0) {
    std::error_code code;
    if (fault.empty()) std::filesystem::rename(part, file, code);
    if (code) fault = fmt::format("cannot write {}: {}", file.string(), code.message());
    if (!fault.empty()) std::filesystem::remove(part, code);
  }
  throw_from_first_rank(comm, fault);
  return run;
}

}  // namespace sinew
