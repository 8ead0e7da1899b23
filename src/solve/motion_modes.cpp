#include "solve/motion_modes.hpp"

#include "solve/acceleration_solver.hpp"
#include "solve/variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

/// A motion as steady as this is left alone.
constexpr double steady = 1e-11;
/// Coefficients that vary by less than this part count as constant.
constexpr double constant = 1e-6;
/// A frame in doubt is not confirmed by a steady motion that lies further away, in parts of the model's length or radians: as
/// far as a state of rest lets an increment go. A top that leans and spins the wrong way round has one upside down.
constexpr double nearby = 0.5;
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
    if (!m.steady.converged && m.unsteadiness > constant)
      throw SolveError(fmt::format(
          "no steady motion is found near the initial state (its accelerations differ by {:.3g} % from those of one); "
          "give positions and velocities that are nearer to it, or take the state as it is with `analysis: {{steady: "
          "given}}`",
          100 * m.unsteadiness));
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
  const FrameFit fit = fit_frame(system, state, options.gravity);
  const std::vector<Vec3<double>> frames = options.frame ? std::vector{*options.frame} : fit.frames;
  const bool in_doubt = !options.frame && !fit.undecided.empty();
  const auto fault = [in_doubt](const MotionModes& m) {
    return in_doubt && m.steady.part > nearby ? std::numeric_limits<double>::infinity() : m.variation;
  };
  Copy best(system, state);
  MotionModes result;
  std::string failure;
  for (const Vec3<double>& W : frames) {
    Copy trial(system, state);
    try {
      MotionModes m = modes_in_frame(system, trial.state(), W, options);
      if (!result.modes.empty() && fault(m) >= fault(result)) continue;
      result = std::move(m);
      Copy::assign(trial.state(), best.state());
    } catch (const SolveError& error) {
      failure = error.what();
    }
    if (!result.modes.empty() && fault(result) <= constant) break;
  }
  if (result.modes.empty()) throw SolveError(failure);
  result.velocity_residual = fit.velocity_residual;
  if (in_doubt) result.undecided = fit.undecided;
  Copy::assign(best.state(), state);
  return result;
}

bool MotionModes::is_steady() const { return variation <= constant && unsteadiness <= constant; }

namespace {

/// How another frame is taken, and what may call for one.
std::string other_frame(const MotionModes& m) {
  if (m.undecided.empty()) return " (another frame: `analysis: {frame: [x, y, z]}`)";
  std::string axes;
  for (const Vec3<double>& e : m.undecided)
    axes += fmt::format("{}({:.3g}, {:.3g}, {:.3g})", axes.empty() ? "" : " and ", e[0], e[1], e[2]);
  return "; velocities and joints do not say how the frame turns about " + axes +
         ": where it is not as here, give it with `analysis: {frame: [x, y, z]}`";
}

}  // namespace

std::string motion_warning(const MotionModes& m) {
  if (m.is_steady()) return {};
  const std::string frame = fmt::format("a frame that turns with ({:.6g}, {:.6g}, {:.6g}) rad/s", m.angular_velocity[0],
                                        m.angular_velocity[1], m.angular_velocity[2]);
  const std::string change = fmt::format(
      "the coefficients of the small motions change by {:.3g} % as it goes on; the modes are those of this moment, frozen{}",
      100 * m.variation, other_frame(m));
  if (m.unsteadiness <= constant)
    return fmt::format("the motion is not steady in {}: it looks so at this moment, but {}", frame, change);
  return fmt::format("the motion is not steady in {}: the accelerations differ by {:.3g} % from those of a steady motion, and {}",
                     frame, 100 * m.unsteadiness, change);
}

}  // namespace sinew
