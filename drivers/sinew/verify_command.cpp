#include "verify_command.hpp"

#include "base/error.hpp"
#include "command_line.hpp"
#include "command_model.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/size_runs.hpp"
#include "observe/text_file.hpp"
#include "partition/exchange.hpp"
#include "python_script.hpp"
#include "solve/smallest_reactions.hpp"
#include "system/sensors.hpp"
#include "verify/cases.hpp"
#include "verify/work_precision.hpp"
#include "verify/work_runs.hpp"

#include <fmt/format.h>
#include <petscsys.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>

namespace sinew {

namespace {

namespace fs = std::filesystem;

bool is_first_rank() { return comm_rank(MPI_COMM_WORLD) == 0; }

/// Writes a file of figures on the first rank; nothing when no file was asked for. Collective: all ranks learn of a failure.
template <class Write>
void write_file(const std::string& file, const Write& write, std::ios::openmode mode = std::ios::out) {
  if (file.empty()) return;
  std::string fault;
  if (is_first_rank()) {
    std::ofstream out(file, mode);
    if (out) write(out);
    if (!out.flush().good())
      fault = "cannot write " + file + ": does its directory exist, may you write there, is the disk full?";
  }
  throw_from_first_rank(MPI_COMM_WORLD, fault);
}

/// The directory of the pictures, made on the first rank. Collective: all ranks learn of a failure.
void make_directory(const std::string& directory) {
  if (directory.empty()) return;
  std::error_code code;
  if (is_first_rank()) fs::create_directories(directory, code);
  throw_from_first_rank(MPI_COMM_WORLD, code ? "cannot make the directory " + directory + ": " + code.message() : "");
}

/// Do two paths lead to one file?
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code code;
  return !a.empty() && !b.empty() && fs::weakly_canonical(a, code) == fs::weakly_canonical(b, code);
}

/// No file of figures takes the place of another one, or of the model.
void require_files_of_their_own(const VerifyOptions& options, const std::string& json) {
  for (const std::string& file : {options.csv, json})
    if (is_same_file(file, options.work_precision))
      throw InputError(fmt::format("{} is the model itself: write the figures into another file", file));
  if (is_same_file(options.csv, json))
    throw InputError(fmt::format("--csv and --json both write {}: name two files", options.csv));
}

/// Tries all files that were asked for, so that a wrong path fails before the work, not after it. What they hold stays until
/// then.
/// Returns the JSON file: the one that was named, else one beside the pictures, else none.
std::string try_files(const VerifyOptions& options) {
  make_directory(options.pictures);
  const bool only_for_pictures = options.json.empty() && !options.pictures.empty();
  const std::string json = only_for_pictures ? (fs::path(options.pictures) / "verify.json").string() : options.json;
  require_files_of_their_own(options, json);
  const auto nothing = [](std::ostream&) {};
  write_file(options.csv, nothing, std::ios::app);
  write_file(json, nothing, std::ios::app);
  return json;
}

void draw(const VerifyOptions& options, const std::string& json) {
  if (options.pictures.empty()) return;
  std::cout.flush();
  run_python_script({"sinew verify --plot", "plot_verify.py", {"numpy", "matplotlib"}}, {json, "--out", options.pictures},
                    options.python);
}

std::vector<verify::Case> chosen_cases(const VerifyOptions& options) {
  if (options.cases.empty()) return verify::cases();
  std::vector<verify::Case> chosen;
  for (const std::string& name : options.cases) chosen.push_back(verify::find_case(name));
  return chosen;
}

void print_list() {
  for (const verify::Case& c : verify::cases()) std::cout << fmt::format("{:<20} {}\n", c.name, c.summary);
}

verify::WorkPlan plan_of(const VerifyOptions& options) {
  return {options.tolerances, options.equal_steps ? std::vector<double>() : options.global,
          options.equal_steps ? verify::WorkSteps::equal : verify::WorkSteps::controlled};
}

/// What is being run, on rank 0's standard error: large models take their time.
void tell(const std::string& what) {
  if (is_first_rank()) std::cerr << fmt::format("  ... {}\n", what);
}

/// Of a problem given by equations. `begin`: once it is known.
verify::WorkDiagram diagram_of_case(const VerifyOptions& options, const std::function<void()>& begin) {
  if (!options.overrides.empty())
    throw InputError(
        fmt::format("--set {}: '{}' is a case of equations, which has no keys to set; --set is for model files, "
                    "--work-precision MODEL.yaml",
                    options.overrides.front(), options.work_precision));
  const verify::Case& chosen = verify::find_case(options.work_precision);
  if (!chosen.problem)
    throw InputError("the case '" + chosen.name + "' has no problem of its own; take that of jay-negrut, which it studies");
  begin();
  const verify::TestProblem problem = chosen.problem();
  return verify::measure_work(verify::work_problem(chosen.name, problem, chosen.end_time), plan_of(options));
}

/// Of a model file, with the end time and the settings of its analysis. `begin`: once it is read.
verify::WorkDiagram diagram_of_model(const VerifyOptions& options, const std::function<void()>& begin) {
  const auto built = build_for_command(PETSC_COMM_WORLD, options.work_precision, options.overrides);
  if (built->model.analysis.type != AnalysisType::dynamic)
    throw InputError(options.work_precision + ": a work-precision diagram needs an analysis in time (type: dynamic)");
  begin();
  settle_constraints(*built);
  const fs::path path(options.work_precision);
  verify::WorkProblem problem;
  problem.name = path.stem() == "model" && path.has_parent_path() ? path.parent_path().filename().string() : path.stem().string();
  problem.system = built->system.get();
  problem.analysis = built->model.analysis;
  problem.set_start = [&](State& state) { built->system->initial_state(state.q, state.z); };
  problem.length = find_extent(*problem.system, problem.analysis, verify::controlled_options(problem, 0.01), problem.set_start);
  Sensors sensors(built->model, built->meshes, *built->numbering, *built->system);
  sensors.choose_reactions(smallest_reactions(*built->system));
  if (!sensors.is_empty()) {
    problem.columns = sensors.header();
    problem.measure = [&sensors](const Stage& stage, PetscVec a) { return sensors.measure(stage, a); };
    problem.terms = SensorSeries::terms_of(sensors);
  }
  return verify::measure_work(problem, plan_of(options), tell);
}

int run_work_precision(const VerifyOptions& options) {
  std::string json;
  const auto begin = [&] { json = try_files(options); };
  const std::string ending = fs::path(options.work_precision).extension().string();
  const bool is_model = ending == ".yaml" || ending == ".yml";
  const verify::WorkDiagram diagram = is_model ? diagram_of_model(options, begin) : diagram_of_case(options, begin);
  if (is_first_rank()) verify::print_diagram(std::cout, diagram);
  write_file(options.csv, [&](std::ostream& out) { verify::write_csv(out, diagram); });
  write_file(json, [&](std::ostream& out) { verify::write_json(out, diagram); });
  draw(options, json);
  return 0;
}

}  // namespace

int run_verify(const VerifyOptions& options) {
  if (!options.work_precision.empty()) return run_work_precision(options);
  const bool first = is_first_rank();
  if (options.list) {
    if (first) print_list();
    return 0;
  }
  const std::vector<verify::Case> chosen = chosen_cases(options);
  const std::string json = try_files(options);
  std::vector<verify::Report> reports;
  std::string failed;
  for (const verify::Case& c : chosen) {
    reports.push_back(verify::run_case(c));
    if (first) {
      verify::print_report(std::cout, reports.back());
      std::cout.flush();
    }
    if (!reports.back().passed()) failed += " " + c.name;
  }
  write_file(options.csv, [&](std::ostream& out) { verify::write_csv(out, reports); });
  write_file(json, [&](std::ostream& out) { verify::write_json(out, reports); });
  draw(options, json);
  if (first) {
    if (failed.empty())
      std::cout << fmt::format("{} of {} cases pass\n", reports.size(), reports.size());
    else
      std::cout << fmt::format("FAIL:{}\n", failed);
  }
  return failed.empty() ? 0 : 3;
}

void add_verify_command(CLI::App& app, std::function<int()>& job) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "integrate problems with known answers and judge errors and observed orders");
  CLI::Option* cases = command->add_option("case", options->cases, "names of cases; all when none is given")->type_name("CASE");
  CLI::Option* csv = command->add_option("--csv", options->csv, "write every error and order to this file")
                         ->type_name("FILE")
                         ->check(check_file);
  CLI::Option* json = command->add_option("--json", options->json, "the same as JSON")->type_name("FILE")->check(check_file);
  CLI::Option* pictures = command->add_option("--plot", options->pictures, "draw errors over step sizes into this directory")
                              ->type_name("DIR")
                              ->check(check_directory);
  command->add_option("--python", options->python, "the Python interpreter for --plot")->type_name("FILE")->check(check_file);
  CLI::Option* diagram =
      command
          ->add_option("--work-precision", options->work_precision,
                       "instead of verdicts: errors of all integrators over the work they cost, for a model file or a case")
          ->type_name("MODEL|CASE")
          ->check(check_file)
          ->excludes(cases);
  command
      ->add_option("--set", options->overrides, "change a value of the model of the work-precision diagram: --set constants.N=10")
      ->needs(diagram)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--tolerances", options->tolerances, "of the work-precision diagram, separated by commas")
      ->needs(diagram)
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--global", options->global,
                   "global tolerances of the work-precision diagram: error bars beside true errors, separated by commas")
      ->needs(diagram)
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_flag("--equal-steps", options->equal_steps, "the diagram with as many equal steps as soi2 needs with error control")
      ->needs(diagram);
  CLI::Option* list = command->add_flag("--list", options->list, "name the cases and stop");
  for (CLI::Option* file : {csv, json, pictures}) list->excludes(file);
  command->callback([options, &job] { job = [options] { return run_verify(*options); }; });
}

}  // namespace sinew
