#include "observe/matrix_files.hpp"
#include "observe/mode_files.hpp"
#include "solve/acceleration_solver.hpp"
#include "solve/balance.hpp"
#include "solve/consistent.hpp"
#include "solve/mobility.hpp"
#include "solve/motion_modes.hpp"
#include "solve/slow_modes.hpp"
#include "solve/yielding_share.hpp"
#include "stationary_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

namespace sinew {

namespace {

/// Shapes are drawn with a largest displacement of this part of the model's length.
constexpr double drawn_amplitude = 0.05;
/// What is out of balance in the initial state at rest under the loads that the system holds; lambda gets its multipliers.
Imbalance initial_imbalance(StationaryRun& run, PetscVec lambda) {
  System& system = run.system();
  const State& state = run.state();
  VecHandle a = system.make_dof_vector();
  AccelerationSolver(system).solve(0.0, state.q, state.z, a, lambda);
  return measure_imbalance(system, state.q, state.z, lambda, run.built().model.analysis.newton.tolerance);
}

/// Multipliers of the initial state at rest, and a warning where it would not stay there.
void balance_initial_state(StationaryRun& run) {
  const Imbalance left = initial_imbalance(run, run.state().lambda);
  if (left.is_rest() || left.is_rounding()) return;
  run.warn(fmt::format(
      "the initial state is not one of rest: forces or moments up to {:.3g} are out of balance; the modes are about it as it "
      "stands, without what these forces would do, such as the tension of a wire under its load (analysis: {{about: static}} "
      "finds the state of rest)",
      left.force));
}

/// A warning where the model would move without the loads that are multiplied, which the system is held without: buckling starts
/// from what it is then.
void balance_base_state(StationaryRun& run) {
  const System& system = run.system();
  const VecHandle lambda = system.make_row_vector();
  // without reactions first: they are found from accelerations, for which everything has to have mass
  if (measure_imbalance(system, run.state().q, run.state().z, lambda, run.built().model.analysis.newton.tolerance).is_rest())
    return;
  const Imbalance left = initial_imbalance(run, lambda);
  if (left.is_rest() || left.is_rounding()) return;
  run.warn(
      fmt::format("without loads the initial state is not one of rest: forces or moments up to {:.3g} are out of balance; the "
                  "load factors are those of the frozen state (analysis: {{about: static}} finds the state of rest first)",
                  left.force));
}

/// The state of rest under the loads that are kept, and a warning where they are more than the model bears.
void find_base_state(StationaryRun& run) {
  run.find_rest(false);
  if (run.report().rest["escapes"] > 0)
    run.warn(
        "the loads that are kept lead through states that are not stable: they may buckle the model by themselves, and the load "
        "factors are those of the shape that it has then");
}

/// A warning where the motion is not that of the velocities in the model file, because the joints do not allow these.
void warn_of_velocities(StationaryRun& run) {
  constexpr double noticeable = 1e-6;  // of the largest component
  const ConsistencyReport& start = run.report().consistency;
  if (!(start.velocity_change > noticeable * std::max(max_norm(run.state().z), start.velocity_change))) return;
  run.warn(fmt::format(
      "the initial velocities do not fit the joints, whose rates are up to {:.3g} in place of 0: they are changed by up to "
      "{:.3g} (m/s, or rad/s of turns), the least that makes them fit, and the modes are about the motion that is left "
      "(`velocity` is "
      "that of a body's origin: of what turns about a joint it is W x r, r from the joint to the origin)",
      start.velocity_residual, start.velocity_change));
}

/// The modes about the motion, which the run's state becomes; what they rest on is said and warned of.
MotionModes modes_about_motion(StationaryRun& run) {
  warn_of_velocities(run);
  const Analysis& analysis = run.built().model.analysis;
  MotionModesOptions options;
  options.count = analysis.count;
  options.finds_steady_motion = analysis.steady == SteadyState::find;
  options.tolerance = analysis.newton.tolerance;
  options.frame = analysis.frame;
  options.gravity = run.built().model.gravity;
  State& state = run.state();
  MotionModes found = find_motion_modes(run.system(), {state.q, state.z, run.acceleration(), state.lambda}, options);
  const Vec3<double>& W = found.angular_velocity;
  std::string text =
      fmt::format("motion: seen from a frame with the angular velocity ({:.9g}, {:.9g}, {:.9g}) rad/s; ", W[0], W[1], W[2]);
  if (found.steady.iterations > 0)
    text += fmt::format("{} in {} Newton iterations, which move the initial state by up to {:.3g}; ",
                        found.is_steady() ? "steady motion found" : "no steady motion found", found.steady.iterations,
                        found.steady.change);
  text += fmt::format("accelerations differ by {:.1e} of their size from steady ones, coefficients vary by {:.1e}\n",
                      found.unsteadiness, found.variation);
  run.say(text);
  run.report().motion = {{"frame_x", W[0]},
                         {"frame_y", W[1]},
                         {"frame_z", W[2]},
                         {"change", found.steady.change},
                         {"unsteadiness", found.unsteadiness},
                         {"variation", found.variation}};
  if (const std::string warning = motion_warning(found); !warning.empty()) run.warn(warning);
  return found;
}

/// A warning where a force by an expression has one slope on one side of the state and another one on the other: small motions do
/// not have the frequencies and the damping of either.
void warn_of_bends(StationaryRun& run) {
  const State& state = run.state();
  const std::string bent = run.system().bent_expression({0.0, &state.q, state.z, state.lambda});
  if (bent.empty()) return;
  run.warn(
      fmt::format("{} bends or jumps in this very state: the modes have its slope on one side alone, and small motions that "
                  "go to both sides have other frequencies and damping (bring the state off the bend, or give the law the "
                  "slope that is meant for small motions)",
                  bent));
}

/// A warning where redundant joints are too soft beside the members that they hold; `shares` of the modes.
void warn_of_yielding(StationaryRun& run, const std::string& what, const std::vector<double>& shares) {
  const auto worst = std::max_element(shares.begin(), shares.end());
  if (worst == shares.end() || *worst < largest_yielding_share) return;
  run.warn(fmt::format(
      "redundant joints give way: in mode {} they take {:.2g} % of the strain energy, and its {} is too low by about as "
      "much. What is redundant is held in proportion to masses, too softly beside members as stiff as these: take joints "
      "that hold less, so that none is redundant",
      worst - shares.begin() + 1, 100 * *worst, what));
}

/// A warning where redundant joints leave frequencies open by more than this: they are held by corrections that end where joints
/// miss each other, or in rounding.
constexpr double noticeable_inaccuracy = 1e-9;

void warn_of_inaccuracy(StationaryRun& run, const std::vector<Mode>& modes) {
  double worst = 0;
  for (const Mode& m : modes) worst = std::max(worst, m.inaccuracy);
  if (worst > noticeable_inaccuracy)
    run.warn(
        fmt::format("redundant joints leave the frequencies open by about {:.1g} of their size (bring the joints into line, "
                    "or take joints that hold less, so that none is redundant)",
                    worst));
}

/// Warnings where rounding of stiff parts leaves frequencies open, or has set modes to 0 that stiffness holds.
void warn_of_rounding(StationaryRun& run, const std::vector<Mode>& modes) {
  const std::string remedy =
      "parts of the model are so much stiffer than these motions that rounding of the one hides the other: take fewer elements "
      "along members that are long and thin";
  const auto worst =
      std::max_element(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.rounding < b.rounding; });
  if (worst != modes.end() && worst->rounding > noticeable_rounding)
    run.warn(fmt::format("the frequency of mode {} is open by about {:.2g} % ({})", worst - modes.begin() + 1,
                         100 * std::min(1.0, worst->rounding), remedy));
  const auto is_hidden = [](const Mode& m) { return m.undamped > 0; };
  const auto hidden = std::find_if(modes.begin(), modes.end(), is_hidden);
  if (hidden != modes.end())
    run.warn(
        fmt::format("mode {} reads 0, and {} in all do, though stiffness holds them: without damping its frequency would be "
                    "{:.5g} Hz ({}, or leave the damping out)",
                    hidden - modes.begin() + 1, std::count_if(modes.begin(), modes.end(), is_hidden),
                    hidden->undamped / (2 * std::numbers::pi), remedy));
}

/// Warnings where load factors take displacements for small that are not.
void warn_of_displacements(StationaryRun& run, const std::vector<BucklingMode>& modes) {
  const auto is_wrong = [](const BucklingMode& m) { return m.second_order > largest_second_order; };
  const auto is_far = [&](const BucklingMode& m) { return m.displaced > largest_displacement && !is_wrong(m); };
  const auto tell = [&](const auto& concerns, const std::string& why) {
    const auto first = std::find_if(modes.begin(), modes.end(), concerns);
    if (first == modes.end()) return;
    run.warn(fmt::format("load factor {} ({:.4g}) is not to be trusted, and {} of {} are not: by then the loads have {}",
                         first - modes.begin() + 1, first->load_factor, std::count_if(modes.begin(), modes.end(), concerns),
                         modes.size(), fmt::format(fmt::runtime(why), first->second_order, first->displaced)));
  };
  tell(is_wrong,
       "turned or bent the model so far that terms of second order, which linear buckling leaves out, are {0:.2g} times the "
       "stiffness of the shape (leave out loads across the members, of which a thousandth of those along them is too much for "
       "slender ones; follow the model under its load with `analysis: {{type: static, path: arc-length}}`; or take more "
       "elements)");
  tell(is_far,
       "displaced the model by {1:.2g} of its length, and linear buckling is that of the shape without them (follow the model "
       "under "
       "its load with `analysis: {{type: static, path: arc-length}}`)");
}

/// Files of the linearised equations: sparse ones always, the state-space form where it is small enough.
void write_equations(StationaryRun& run, const LinearisedSystem& linearised, const Vec3<double>* frame_velocity) {
  System& system = run.system();
  State& state = run.state();
  const NaturalUnknowns unknowns(system, *run.built().numbering, run.built().meshes);
  write_matrices(system, unknowns, linearised, run.directory());
  if (unknowns.num_dofs() > most_state_space_dofs) {
    run.warn(
        fmt::format("the state-space form (state_A.mtx and its like) is dense and serves up to {} degrees of freedom, this model "
                    "has {}: it is left out",
                    most_state_space_dofs, unknowns.num_dofs()));
    return;
  }
  std::optional<MovingFrame> frame;
  if (frame_velocity) frame.emplace(system, *frame_velocity, state.q, state.z);
  const MovingState about{state.q, state.z, run.acceleration(), state.lambda};
  write_state_space(run.comm(), make_state_space(system, unknowns, {linearised, about, frame ? &*frame : nullptr}, run.sensors()),
                    run.directory());
}

/// The state as number 0, then every shape on top of it.
template <class Modes>
void observe_shapes(StationaryRun& run, const Modes& modes) {
  System& system = run.system();
  State& state = run.state();
  run.observe(0, 0.0, modes.empty());
  Configuration rest = system.make_configuration();
  Kokkos::deep_copy(rest.values, state.q.values);
  VecHandle w = system.make_dof_vector();
  const double amplitude = drawn_amplitude * system.reach(rest);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    petsc(VecAXPBY(w, amplitude, 0.0, modes[i].shape));
    system.retract(rest, w, state.q);
    run.observe(static_cast<long>(i) + 1, static_cast<double>(i) + 1, i + 1 == modes.size());
    heed_signals(run.comm());
  }
}

}  // namespace

void require_modes(const BuiltModel& built, const Configuration& q) {
  System& system = *built.system;
  const Analysis& analysis = built.model.analysis;
  if (analysis.type == AnalysisType::buckling) {
    require_motion(system, q, "load factors");
    require_loads(system, q);
  } else if (analysis.about != ModesAbout::motion || !is_nonholonomic(system)) {
    // about a motion, nonholonomic constraints hold rates alone: what they lead moves by itself where nothing else can
    require_motion(system, q, "modes");
  }
}

void run_modes(StationaryRun& run) {
  const Analysis& analysis = run.built().model.analysis;
  require_modes(run.built(), run.state().q);
  if (analysis.about == ModesAbout::initial) balance_initial_state(run);
  run.open_files();
  if (analysis.about == ModesAbout::statics) run.find_rest(false);
  heed_signals(run.comm());
  LinearisedSystem linearised;
  std::vector<Mode> modes;
  std::optional<Vec3<double>> frame_velocity;
  if (analysis.about == ModesAbout::motion) {
    MotionModes found = modes_about_motion(run);
    linearised = std::move(found.linearised);
    modes = std::move(found.modes);
    frame_velocity = found.angular_velocity;
  } else {
    linearised = linearise(run.system(), run.state().q, run.state().lambda, run.state().z);
    if (analysis.about == ModesAbout::statics) linearised.left = run.report().rest.at("residual");
    modes = find_modes(run.system(), linearised, analysis.count);
    sharpen_slow_modes(run.system(), {0.0, &run.state().q, run.state().z, run.state().lambda}, linearised, modes);
  }
  for (const Mode& m : modes)
    run.report().modes.push_back({{"frequency", m.frequency()},
                                  {"omega", m.omega()},
                                  {"real", m.real},
                                  {"imaginary", m.imaginary},
                                  {"damping_ratio", m.damping_ratio()}});
  std::vector<double> shares;
  for (const Mode& m : modes) shares.push_back(yielding_share(run.system(), linearised.K, m.shape, m.omega() == 0));
  warn_of_yielding(run, "frequency", shares);
  warn_of_inaccuracy(run, modes);
  warn_of_rounding(run, modes);
  warn_of_bends(run);
  if (run.writes()) write_modes(run.comm(), run.file("modes.csv"), modes);
  run.say(to_text(modes));
  if (static_cast<int>(modes.size()) < std::min(analysis.count, freedoms(run.system())))
    run.say(
        fmt::format("{} of {} asked for: no more were found (motions without mass have none; where stiffness alone damps, many "
                    "overdamped ones gather at the rate 1/beta and hide what lies beyond)\n",
                    modes.size(), analysis.count));
  if (analysis.matrices && run.writes()) write_equations(run, linearised, frame_velocity ? &*frame_velocity : nullptr);
  observe_shapes(run, modes);
}

void run_buckling(StationaryRun& run) {
  require_modes(run.built(), run.state().q);
  const Analysis& analysis = run.built().model.analysis;
  const bool is_at_rest = analysis.about == ModesAbout::statics;
  if (!is_at_rest) balance_base_state(run);
  run.open_files();
  if (is_at_rest) find_base_state(run);
  const int count = analysis.count;
  const std::vector<BucklingMode> modes =
      find_buckling(run.system(), run.state().q, count, is_at_rest ? run.state().lambda.get() : nullptr);
  std::vector<double> shares;
  for (const BucklingMode& m : modes) {
    run.report().modes.push_back({{"load_factor", m.load_factor}});
    shares.push_back(m.yielding);
  }
  warn_of_yielding(run, "load factor", shares);
  warn_of_displacements(run, modes);
  if (run.writes()) write_buckling(run.comm(), run.file("buckling.csv"), modes);
  run.say(to_text(modes));
  if (static_cast<int>(modes.size()) < count)
    run.say(fmt::format("{} of {} asked for: no other multiple of the loads buckles the model\n", modes.size(), count));
  observe_shapes(run, modes);
}

}  // namespace sinew
