#include "solve/motion_modes.hpp"

#include "solve/acceleration_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// A motion as steady as this is left alone.
constexpr double steady = 1e-11;
/// Coefficients that vary by less than this part count as constant.
constexpr double constant = 1e-6;
/// Coefficients are compared over so many shapes.
constexpr std::size_t compared = 10;

/// A copy of a moving state.
struct Copy {
  explicit Copy(const System& system, const MovingState& from)
      : q(system.make_configuration()), z(duplicate(from.z)), a(duplicate(from.a)), lambda(duplicate(from.lambda)) {
    assign(from, state());
  }
  MovingState state() { return {q, z, a, lambda}; }
  static void assign(const MovingState& from, const MovingState& to) {
    Kokkos::deep_copy(to.q.values, from.q.values);
    petsc(VecCopy(from.z, to.z));
    petsc(VecCopy(from.a, to.a));
    petsc(VecCopy(from.lambda, to.lambda));
  }

  Configuration q;
  VecHandle z, a, lambda;
};

MotionModes modes_in_frame(const System& system, const MovingState& state, const Vec3<double>& W,
                           const MotionModesOptions& options) {
  MotionModes m;
  m.angular_velocity = W;
  MovingFrame frame(system, W, state.q, state.z);
  m.unsteadiness = unsteadiness(system, state, frame);
  if (options.finds_steady_motion && m.unsteadiness > steady) {
    m.steady = find_steady_motion(system, state, frame, options.tolerance);
    if (!m.steady.converged)
      throw SolveError(
          fmt::format("no steady motion is found near the initial state ({:.2g} of its accelerations are not those of one); give "
                      "positions and "
                      "velocities that are nearer to it, or take the state as it is with `analysis: {{steady: given}}`",
                      m.unsteadiness));
    AccelerationSolver(system).solve(0.0, state.q, state.z, state.a, state.lambda);
    m.unsteadiness = unsteadiness(system, state, frame);
  }
  m.linearised = linearise(system, state, frame);
  m.modes = find_modes(system, m.linearised, options.count);
  std::vector<std::pair<double, PetscVec>> shapes;
  for (std::size_t i = 0; i < std::min(compared, m.modes.size()); ++i)
    shapes.emplace_back(m.modes[i].omega(), m.modes[i].shape.get());
  m.variation = variation(system, state, frame, m.linearised, shapes);
  return m;
}

}  // namespace

MotionModes find_motion_modes(const System& system, const MovingState& state, const MotionModesOptions& options) {
  if (system.reads_multipliers())
    throw InputError(
        "modes about a motion are not built yet for models with friction in joints, which depends on their reactions (leave the "
        "friction out, or ask for modes about a state of rest)");
  AccelerationSolver(system).solve(0.0, state.q, state.z, state.a, state.lambda);
  const FrameFit fit = fit_frame(system, state);
  std::vector<Vec3<double>> frames = {options.frame.value_or(fit.least)};
  if (!options.frame && norm(fit.most - fit.least) > 1e-9 * norm(fit.most)) frames.push_back(fit.most);
  Copy best(system, state);
  MotionModes result;
  std::string failure;
  for (const Vec3<double>& W : frames) {
    Copy trial(system, state);
    try {
      MotionModes m = modes_in_frame(system, trial.state(), W, options);
      if (!result.modes.empty() && m.variation >= result.variation) continue;
      result = std::move(m);
      Copy::assign(trial.state(), best.state());
    } catch (const SolveError& error) {
      failure = error.what();
    }
    if (!result.modes.empty() && result.variation <= constant) break;
  }
  if (result.modes.empty()) throw SolveError(failure);
  result.velocity_residual = fit.velocity_residual;
  Copy::assign(best.state(), state);
  return result;
}

bool MotionModes::is_steady() const { return variation <= constant && unsteadiness <= constant; }

std::string motion_warning(const MotionModes& m) {
  if (m.is_steady()) return {};
  const std::string frame = fmt::format("a frame that turns with ({:.6g}, {:.6g}, {:.6g}) rad/s", m.angular_velocity[0],
                                        m.angular_velocity[1], m.angular_velocity[2]);
  const std::string change = fmt::format(
      "the coefficients of the small motions change by {:.2g} of their size as it goes on; the modes are those of this "
      "moment, frozen (another frame: `analysis: {{frame: [x, y, z]}}`)",
      m.variation);
  if (m.unsteadiness <= constant)
    return fmt::format("the motion is not steady in {}: it looks so at this moment, but {}", frame, change);
  return fmt::format("the motion is not steady in {}: {:.2g} of the accelerations differ from those of a steady motion, and {}",
                     frame, m.unsteadiness, change);
}

}  // namespace sinew
