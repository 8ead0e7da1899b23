/// \file
/// The contract of the time integrators: they own the layout of their unknowns and the algebra of a step, and know no element.
#pragma once

#include "base/vector_pool.hpp"
#include "integrate/alpha_coefficients.hpp"
#include "model/analysis.hpp"
#include "system/archive.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sinew {

/// The solution at time t and what the next step needs of the past.
struct State {
  double t = 0;
  Configuration q;       ///< y_n
  VecHandle z;           ///< z_n
  VecHandle lambda;      ///< multipliers of all rows at t_n
  VecHandle f;           ///< f(t_n, q_n, z_n, lambda_n)
  VecHandle a;           ///< a_n, at t_n + alpha h; in first-order states s' at t_n
  VecHandle Ma;          ///< M a_n as it stands in the step's equations
  VecHandle a_used;      ///< aA of the last step: the acceleration it started from, after the variable-step update
  VecHandle Ma_used;     ///< MaA of the last step
  VecHandle lambda_old;  ///< multipliers one step back, for the prediction
  double h_old = 0;      ///< last step; 0 before the first one and after a restart without history
  double gs_old = 0;     ///< of first-order states: (s_n - s_(n-1))/h_old = gs_old a + (1 - gs_old) a_used
};

/// A state with zero vectors of the system's layouts. Collective.
State make_state(const DynamicSystem&);
/// Copies values; the target must have been made by make_state. Collective.
void copy_state(const State& from, State& to);
/// Writes a state down or takes it back; it must have been made by make_state. Collective.
void persist(Archive&, State&);

/// What became of one attempt at a step.
struct StepOutcome {
  bool accepted = false;
  std::string reason;    ///< why it was not accepted
  bool refused = false;  ///< solved, but what was found is no solution, as the reason says
  bool strays = false;   ///< solved, but it leads where the motion was not going: see Integrator::expect
  int newton = 0;        ///< Newton iterations, failed attempts included
  int linear = 0;        ///< Krylov iterations or direct solves
  int factorizations = 0;
  double residual = 0;  ///< last Newton correction in the units of the stopping test
  /// estimated local error over tolerance; of prescribed steps relative to extent and speed, see resolution.hpp
  double error = 0;
};

/// How the equations of a step are solved: two systems in turn, or one. automatic: block, but one system for small models whose
/// bodies spin fast.
enum class KktForm { automatic, block, monolithic };
/// SOI2 and `stabilised` (Gear, Gupta and Leimkuhler) have the constraints at position and velocity level, the others at one of
/// them.
enum class Method { soi2, stabilised, index3, index2 };

struct AlphaOptions {
  Method method = Method::soi2;
  double rho_inf = 0.8;
  std::optional<AlphaCoefficients> coefficients;  ///< others than those of rho_inf: Newmark's method
  StartMethod start = StartMethod::derivative;    ///< see docs/theory/soi2.md
  StepUpdates updates = StepUpdates::both;
  StateRule states = StateRule::bdf2;
  KktForm kkt = KktForm::automatic;
  NewtonOptions newton;
  double duration = 0;  ///< of the run; 0: not known
};

/// Local errors of positions and velocities are weighed by absolute + relative |y| (respectively |z|).
struct ErrorTolerance {
  double absolute = 0, relative = 0;
  bool per_unit_step = false;
  double unit = 1;         ///< of time: with errors per unit step, those of all steps within a unit stay within the tolerance
  double end = 1;          ///< of the run, until when velocities that are wrong displace
  double length = 0;       ///< of a model without extent, m; 0: what its motion covers
  double least_count = 1;  ///< so many times every error counts at least: a bound on that of one step, of loose tolerances
  std::vector<double> state_sizes = {};  ///< see FirstOrderStates::expect

  /// So many times the error of a step of size h is held against the tolerance. Steps that are shorter than `least_share` of the
  /// unit count as if they were so long: where accelerations begin with infinite rates (x^1.5 at 0), errors fall more slowly
  /// than h there, and would ask for ever shorter ones.
  double steps(double h) const { return per_unit_step ? std::max(least_count, unit / std::max(h, least_share * unit)) : 1.0; }
  static constexpr double least_share = 1e-7;  ///< a hundred thousand such steps add a hundredth of the tolerance
};

/// Asked about every solved step before it is taken over: the state it starts from, and its end. False: the step is not
/// accepted. Collective.
using StepGate = std::function<bool(const State& begin, const Stage& end)>;

/// What is to be said of a run when it has come to its end; an empty sentence: nothing.
struct RunVerdict {
  std::string sentence;
  bool is_unresolved = false;  ///< it says that the steps do not resolve the motion
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Prepares the first step of size h from consistent q and z: accelerations, multipliers and history. Collective.
  virtual void start(State&, double h) = 0;
  /// Behind a bend of loads or drives, where rates of accelerations jump: what a step of size h goes on with becomes that of a
  /// motion which had the new rates before. Collective.
  virtual void pass_bend(State&, const Breakpoint&, double /*h*/) {}
  /// One step of size h. When it is not accepted the state is as it was. Collective.
  virtual StepOutcome step(State&, double h) = 0;
  /// From now on every step is judged: StepOutcome::error is the estimated local error over the tolerance, and a step with an
  /// error above 1 is not accepted. False: this integrator has no estimate.
  virtual bool judge_errors(const ErrorTolerance&) { return false; }
  /// From now on Newton's method leaves of a step only a small part of these errors. Steps are not judged: for runs that are
  /// compared, whose differences do not show what all of them lack. Where Newton's method knows no errors it stays as it is.
  virtual void solve_within(const ErrorTolerance&) {}
  /// What is known of where the next steps end, until something else is said. `unknown`: a step that changes velocities as none
  /// before it is not accepted, where constraints are redundant (StepOutcome::strays): it may have left its branch. `regular`: it
  /// is. `singular`: it ends in a singular position, where constraints give way (see `solve_giving_way`); what errors are seen is
  /// noted and judges nothing.
  enum class Ending { unknown, regular, singular };
  void expect(Ending ending) { ending_ = ending; }
  /// From now on steps have to pass this gate.
  void guard(StepGate gate) { gate_ = std::move(gate); }
  /// The power of h with which the estimated local error (of a step, not per unit step) falls.
  virtual int error_order() const { return 3; }
  /// A step that is longer than the last one by more than this starts without history, which would be extrapolated further than
  /// its digits reach, or so far that errors grow from step to step.
  virtual double largest_growth() const { return 10; }
  /// Does a change of the step cost accuracy, so that steps are better kept as long as they serve? Multistep formulas.
  virtual bool keeps_steps() const { return false; }
  /// Do steps of changing sizes keep the order of all that is recorded? Not where constraints hold at position level alone:
  /// reactions then swing by the first power of h behind every change.
  virtual bool suits_changing_steps() const { return true; }
  /// What the next step needs of the past beside the state: history, orders, what has been noted for verdicts. What solvers keep
  /// to be faster (tangents, factors) is no part of it. Collective.
  virtual void persist(Archive&) = 0;
  /// Lets solvers forget what they keep, so that the next steps are those, bit by bit, of an integrator that was made anew and
  /// has taken back what `persist` wrote. Collective.
  virtual void renew() = 0;
  /// What is to be said of the accepted steps: what they have not resolved, what the method has let go. Empty sentences where
  /// all is well. Collective.
  virtual std::vector<RunVerdict> verdicts() const { return {}; }
  /// Lends work vectors over dofs; steps borrow of it as well, and have given back all that others may want between two of them.
  virtual VectorPool& dof_room() = 0;
  /// Acceleration at t_n (not at t_n + alpha h), second-order accurate. Collective.
  virtual void output_acceleration(const State&, PetscVec a) const = 0;

 protected:
  /// May the step be taken over, as far as the gate is asked? Collective.
  bool may_pass(const State& begin, const Stage& end) const { return !gate_ || gate_(begin, end); }
  Ending ending() const { return ending_; }
  bool constraints_give() const { return ending_ == Ending::singular; }

 private:
  StepGate gate_;
  Ending ending_ = Ending::unknown;
};

/// Generalized-alpha, or Newmark's method by its coefficients. The system must outlive it.
std::unique_ptr<Integrator> make_alpha_integrator(const DynamicSystem&, const AlphaOptions&);

}  // namespace sinew
