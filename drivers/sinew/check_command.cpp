#include "check_command.hpp"

#include "command_model.hpp"
#include "integrate/simulation.hpp"
#include "observe/error_bar_run.hpp"
#include "solve/acceleration_solver.hpp"
#include "stationary_run.hpp"
#include "system/body_masses.hpp"
#include "system/sensors.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

struct CheckOptions {
  std::string model;
  std::vector<std::string> overrides;
};

/// The unknowns that are solved for: those of the bodies, which the model's own lines say, and what comes to them.
std::string unknowns(const BuiltModel& built) {
  std::int64_t attached = 0;
  for (const auto& [body, mesh] : built.meshes.known) attached += 6 * mesh.num_attachments() * built.model.num_instances(body);
  const std::int64_t states = built.numbering->num_states();
  std::string with;
  if (attached > 0)
    with +=
        fmt::format("{} of frames that follow the surfaces and points of solids which joints, forces and sensors name", attached);
  if (states > 0) with += fmt::format("{}{} states of controls", with.empty() ? "" : ", and ", states);
  return fmt::format("in all: {} degrees of freedom{}, {} constraint rows, on {} rank{}\n", built.system->global_dofs(),
                     with.empty() ? "" : " (with " + with + ")", built.system->global_rows(), comm_size(PETSC_COMM_WORLD),
                     comm_size(PETSC_COMM_WORLD) == 1 ? "" : "s");
}

/// What lines and meshes weigh and where they are, which shows millimetres that were taken for metres. Collective.
std::string weights(const BuiltModel& built, const Configuration& q) {
  constexpr std::size_t most_named = 20;
  std::vector<int> bodies;
  for (std::size_t b = 0; b < built.model.bodies.size(); ++b)
    if (const Body& body = built.model.bodies[b].body(); body.line() != nullptr || body.meshed() != nullptr)
      bodies.push_back(static_cast<int>(b));
  const std::size_t left = bodies.size() - std::min(bodies.size(), most_named);
  bodies.resize(bodies.size() - left);
  const std::vector<BodyMass> masses = body_masses(*built.system, *built.numbering, bodies, q);
  const auto point = [&](const Vec3<double>& x) {
    const auto rounded = [&](double value) { return std::abs(value) < 1e-9 * built.system->extent() ? 0.0 : value; };
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", rounded(x[0]), rounded(x[1]), rounded(x[2]));
  };
  std::string text;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const BodyMass& m = masses[k];
    text += fmt::format("{}: mass {:.6g}, centre of mass at {}, from {} to {}\n",
                        built.model.bodies[static_cast<std::size_t>(bodies[k])].name.text(), m.mass, point(m.centre),
                        point(m.low), point(m.high));
  }
  return left > 0 ? text + fmt::format("and {} more lines and meshes\n", left) : text;
}

/// A motion begins with accelerations and reactions that belong to its start, where nothing ends it yet. Throws InputError where
/// it cannot. Collective.
void require_beginning(const BuiltModel& built, const State& state) {
  const System& system = *built.system;
  const VecHandle a = system.make_dof_vector(), lambda = system.make_row_vector();
  system.take_samples({0.0, &state.q, state.z, nullptr}, true);
  try {
    AccelerationSolver(system).solve(0.0, state.q, state.z, a, lambda);
  } catch (const SolveError& fault) {
    throw InputError(fmt::format("{}: error: {}", built.model.source.file, fault.what()));
  }
  system.require_not_over({0.0, &state.q, state.z, lambda});
}

int check(const CheckOptions& options) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  const auto built = build_for_command(comm, options.model, options.overrides);
  const System& system = *built->system;
  const Analysis& analysis = built->model.analysis;
  const bool has_time = analysis.type == AnalysisType::dynamic;
  if (!has_time) refuse_unknown(built->model);
  const Sensors sensors(built->model, built->meshes, *built->numbering, system);
  if (wants_error_bars(analysis)) require_error_bars(analysis, sensors);
  print_once(comm, to_text(built->model));
  print_once(comm, mass_properties(built->model));
  print_once(comm, reduced_sizes(built->model));
  State state = make_state(system);
  system.initial_state(state.q, state.z);
  print_once(comm, weights(*built, state.q));
  print_once(comm, unknowns(*built));
  system.require_admissible(state.q);
  settle_constraints(*built);
  if (built->motions_left)
    print_once(comm, fmt::format("independent motions left by the constraints: {}\n", *built->motions_left));
  if (built->model.analysis.initial == InitialValues::given) require_consistency(system, 0.0, state.q, state.z, 1e-8);
  const ConsistencyReport report = project_onto_constraints(system, 0.0, state.q, state.z);
  print_once(comm,
             fmt::format(
                 "initial state: residuals {:.2e} (position) and {:.2e} (velocity); a consistent one is {:.2e} and {:.2e} away\n",
                 report.position_residual, report.velocity_residual, report.position_change, report.velocity_change));
  if (has_time && analysis.initial != InitialValues::statics) require_beginning(*built, state);
  if (analysis.type == AnalysisType::modes || analysis.type == AnalysisType::buckling) require_modes(*built, state.q);
  print_once(comm, "the model is fit to run\n");
  return 0;
}

}  // namespace

void add_check_command(CLI::App& app, std::function<int()>& job) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "read and validate a model, test its initial state, say sizes");
  command->add_option("model", options->model, "model file")->required();
  command->add_option("--set", options->overrides, "change a value of the model")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->callback([options, &job] { job = [options] { return check(*options); }; });
}

}  // namespace sinew
