/// \file
/// What to compute and what to keep of it.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "model/source_mark.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

enum class AnalysisType { dynamic, statics, modes, buckling };
enum class ModesAbout { initial, statics, motion };
enum class SteadyState { find, given };
enum class StaticPath { load, arc_length };
/// What becomes of a state of rest that the smallest push would end.
enum class UnstableRest { leave, keep };
enum class IntegratorName { soi2, gen_alpha, gen_alpha_ggl, bdf_si1, bdf_si2, newmark, trapezoid };
enum class StartMethod { derivative, kkt2, a0, implicit, zero, perturbed };
enum class StepUpdates { both, a, Ma, none, recompute };
enum class NewtonJacobian { automatic, full, step };
enum class ConstraintLevel { position, velocity };
/// How first-order states go on: by the backward differentiation formula of two steps, or s1 = s0 + h (1 - gs) s0' + h gs s1'
/// with gs = 1/2, gamma of the method, or 1.
enum class StateRule { bdf2, trapezoid, gamma, euler };
enum class InitialValues { consistent, given, as_is, statics };

/// Steps that are repeated cyclically until the end; one entry: a fixed step.
struct StepSequence {
  std::vector<double> steps{1e-3};
  /// Step number n = 0, 1 ...
  double step(long n) const { return steps[static_cast<std::size_t>(n) % steps.size()]; }
  /// The sum of the first n of them, without the drift of adding them one by one.
  double sum(long n) const;
  bool is_fixed() const;
};

/// Error-controlled steps; what is 0 was not given.
struct StepControl {
  double tolerance = 0;
  double initial = 0, min = 0, max = 0;
  double absolute = 0, relative = 0;
  bool per_unit_step = false;
  double global = 0;  ///< tolerance of the errors of all that is recorded, by comparison of runs
};

/// Newton's iteration.
struct NewtonOptions {
  double tolerance = 1e-8;   ///< displacement over the model's extent, velocity over its largest speed
  bool is_automatic = true;  ///< not more than the tolerance, and a small share of what the integrator leaves in the step
  int max = 12;
  NewtonJacobian jacobian = NewtonJacobian::automatic;
};

/// Modes of vibration or buckling that may be asked for.
constexpr int most_modes = 100000;

/// A force that buckling does not multiply: its place in the model's forces, and the instance; -1: all of them.
struct KeptForce {
  int item = 0;
  std::int64_t instance = -1;
};

/// `analysis:` of the model file.
struct Analysis {
  AnalysisType type = AnalysisType::dynamic;
  ModesAbout about = ModesAbout::initial;  ///< buckling: initial, without loads, or static, under those that are kept
  std::vector<KeptForce> kept;             ///< of buckling
  bool keeps_gravity = false;
  SteadyState steady = SteadyState::find;  ///< modes about a motion: find the steady motion nearby, or take the state as given
  /// modes about a motion: angular velocity of the frame, rad/s; absent: from the motion
  std::optional<Vec3<double>> frame;
  bool matrices = false;  ///< modes: write the linearised equations
  double end_time = 0;
  IntegratorName integrator = IntegratorName::soi2;
  int order = 0;       ///< bdf; 0: variable
  double beta = 0.25;  ///< newmark
  double gamma = 0.5;  ///< newmark
  /// trapezoid, newmark: at the level of positions nothing drifts apart, but where nothing damps (gamma = 1/2) errors of the
  /// reactions grow, of which the reader warns (docs/theory/newmark.md)
  ConstraintLevel constraints = ConstraintLevel::position;
  StartMethod start = StartMethod::derivative;
  StepUpdates updates = StepUpdates::both;
  StateRule states = StateRule::bdf2;  ///< not of bdf, which has a formula of its own
  double rho_inf = 0.8;
  std::variant<StepSequence, StepControl> step;
  bool error_bars = false;  ///< a second run with every step halved says how far to trust the first
  NewtonOptions newton;
  InitialValues initial = InitialValues::consistent;
  int static_steps = 0;  ///< load increments; 0: the program chooses
  StaticPath static_path = StaticPath::load;
  UnstableRest unstable = UnstableRest::leave;
  int count = 10;  ///< modes or load factors wanted
};

/// Is a state of rest looked for, in an analysis without time?
bool finds_rest(const Analysis& analysis);

/// The words of the model file.
const char* name_of(AnalysisType value);
const char* name_of(ModesAbout value);
const char* name_of(StaticPath value);
const char* name_of(UnstableRest value);
const char* name_of(IntegratorName value);
const char* name_of(StartMethod value);
const char* name_of(StepUpdates value);
const char* name_of(NewtonJacobian value);
const char* name_of(InitialValues value);

/// How often something is written.
struct Interval {
  enum class Unit {
    unset,      ///< not in the file: the program's default
    steps,      ///< an integer
    simulated,  ///< seconds of the model's time; steps land on these times
    wall_clock  ///< `600 s`
  };
  Unit unit = Unit::unset;
  double value = 0;
  SourceMark mark;
};

enum class FieldQuantity { displacement, velocity, acceleration, stress };
const char* name_of(FieldQuantity value);

/// `output:` of the model file.
struct Output {
  std::string directory;      ///< never empty: the file's name with `.out` unless given
  SourceMark directory_mark;  ///< unknown where the model file does not say it
  Interval fields;
  std::vector<FieldQuantity> quantities{FieldQuantity::displacement};
  Interval sensors{Interval::Unit::steps, 1, {}};
  Interval checkpoint;
  int kept_checkpoints = 2;
};

}  // namespace sinew
