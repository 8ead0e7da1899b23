#include "integrate/alpha_start.hpp"

#include "integrate/error_estimate.hpp"
#include "integrate/perturbed_start.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Rates are differences over this part of a step.
constexpr double small = 1e-3;

}  // namespace

AlphaStart::AlphaStart(StageEquations& equations, StartMethod method)
    : system_(equations.system()),
      method_(method),
      c_(equations.coefficients()),
      equations_(equations),
      states_(equations.states()) {}

AccelerationSolver& AlphaStart::acceleration() {
  if (!acceleration_) acceleration_ = std::make_unique<AccelerationSolver>(system_);
  return *acceleration_;
}

AlphaStart::Probe& AlphaStart::probe() {
  if (!probe_) probe_.emplace(system_);
  return *probe_;
}

void AlphaStart::begin(State& s, double h) {
  acceleration().solve(s.t, s.q, s.z, s.a, s.lambda);
  if (method_ == StartMethod::perturbed) {
    const VectorPool::Loan jerk = equations_.dof_room().borrow();
    rate_of_acceleration(s, small * h, jerk);
    perturb_velocity(system_, c_, h, jerk, s);
    acceleration().solve(s.t, s.q, s.z, s.a, s.lambda);
  }
  const Stage stage{s.t, &s.q, s.z, s.lambda};
  system_.forces(stage, s.f);
  system_.mass_times(stage, s.a, s.Ma);
  s.h_old = 0;
}

/// ac(t0 + h, q0 o exp(h z0 + h^2 a0 / 2 + h^3 j / 6), z0 + h a0 + h^2 j / 2), with the multipliers of t0 as first guess; j may
/// be null.
void AlphaStart::acceleration_at(const State& s, double h, PetscVec jerk, PetscVec a) {
  Probe& there = probe();
  const VectorPool::Loan w = equations_.dof_room().borrow();
  petsc(VecAXPBY(w, h, 0.0, s.z));
  petsc(VecAXPY(w, h * h / 2, s.a));
  if (jerk != nullptr) petsc(VecAXPY(w, h * h * h / 6, jerk));
  system_.retract(s.q, w, there.q);
  petsc(VecWAXPY(there.z, h, s.a, s.z));
  if (jerk != nullptr) petsc(VecAXPY(there.z, h * h / 2, jerk));
  petsc(VecCopy(s.lambda, there.lambda));
  petsc(VecCopy(s.a, a));
  acceleration().solve(s.t + h, there.q, there.z, a, there.lambda);
}

/// Norm of a dof vector over the sizes of its entries, without first-order states: places and turns weigh alike in all units.
double AlphaStart::size_of(PetscVec v) const {
  VecHandle sizes = duplicate(v);
  system_.dof_sizes(sizes);
  petsc(VecPointwiseDivide(sizes, v, sizes));
  return states_.norm_of_others(sizes, NORM_2);
}

/// Does a0 + h j miss the acceleration at the end of the step by less than half of h j or, where this is more, a0? Not for modes
/// that the step does not resolve, nor for a load that jumps at t0 (there h j is a thousand times the change).
bool AlphaStart::holds_over_step(const State& s, double h, PetscVec jerk) {
  const VectorPool::Loan missed = equations_.dof_room().borrow();
  try {
    acceleration_at(s, h, jerk, missed);
  } catch (const SolveError&) {
    return false;
  }
  petsc(VecAXPBYPCZ(missed, -1.0, -h, 1.0, s.a, jerk));
  return size_of(missed) <= std::max(0.5 * h * size_of(jerk), size_of(s.a));
}

/// Do the rates of first-order states follow their own rates of change, s0' + h s'', to the end of the step? Not where a state is
/// stiff.
bool AlphaStart::states_are_smooth(const State& s, double h, ErrorEstimate* estimate) {
  double sums[2] = {0, 0};
  const VectorPool::Loan rates = equations_.dof_room().borrow(), at_end = equations_.dof_room().borrow();
  if (estimate) estimate->set_first_rates(nullptr);
  try {
    rate_of_acceleration(s, small * h, rates);
    if (estimate) estimate->set_first_rates(rates);
    acceleration_at(s, h, rates, at_end);
  } catch (const SolveError&) {
    return false;
  }
  {
    const VecRead rate(s.a), change(rates), later(at_end);
    for (const PetscInt i : states_.dofs()) {
      const double expected = h * change[i], miss = later[i] - rate[i] - expected;
      sums[0] += miss * miss;
      sums[1] += expected * expected;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, system_.layout().comm);
  return sums[0] <= sums[1];
}

/// da/dt along the flow by a difference over e.
void AlphaStart::rate_of_acceleration(const State& s, double e, PetscVec rate) {
  acceleration_at(s, e, nullptr, rate);
  petsc(VecAXPY(rate, -1.0, s.a));
  petsc(VecScale(rate, 1 / e));
}

/// (f(to) - f(from))/(to - from) at the state's own place, velocity and multipliers: what does not depend on time by itself
/// cancels to the last bit. `f` finds something in a stage; `room` has vectors for it.
template <class Function>
void AlphaStart::rate_in_time(const State& s, double from, double to, const Function& f, VectorPool& room, PetscVec rate) {
  const VectorPool::Loan before = room.borrow();
  f(Stage{from, &s.q, s.z, s.lambda}, before);
  f(Stage{to, &s.q, s.z, s.lambda}, rate);
  petsc(VecAXPY(rate, -1.0, before));
  petsc(VecScale(rate, 1 / (to - from)));
}

void AlphaStart::rate_of_loads(const State& s, double from, double to, PetscVec rate) {
  const auto forces = [this](const Stage& stage, PetscVec f) { system_.forces(stage, f); };
  rate_in_time(s, from, to, forces, equations_.dof_room(), rate);
  states_.set(rate, 0.0);
}

/// Of what the constraints ask of accelerations besides G a, the second derivatives of prescribed motions.
void AlphaStart::rate_of_drift(const State& s, double from, double to, PetscVec rate) {
  const auto drift = [this](const Stage& stage, PetscVec rows) { system_.constraint_drift(stage, rows); };
  rate_in_time(s, from, to, drift, equations_.row_room(), rate);
}

/// aA = a0 + al h j, j = da/dt along the flow by a difference over e = h/1000. Where this change exceeds a0 and does not hold
/// over the step there are modes that the step does not resolve; a start from rest excites them, and h^2 a0 would throw them far
/// from where they come to lie within the step: aA is then what the model takes up in a step of a0 and of the change that loads
/// bring by themselves (by a difference beyond t0, where one may jump). A start with a0 = 0 whose a changes smoothly keeps its
/// order so.
void AlphaStart::derivative_start(const State& s, double h, PetscVec aA, PetscVec MaA) {
  rate_of_acceleration(s, small * h, aA);
  const double jerk = size_of(aA), size = size_of(s.a);
  // on the spring of a switch that slides j is small where a0 is large, and the other way round
  const bool is_small = -c_.al * h * jerk <= size && !equations_.slides();
  const bool keep = is_small || holds_over_step(s, h, aA);
  has_lost_jerk_ = !keep;
  petsc(VecAYPX(aA, keep ? c_.al * h : 0.0, s.a));
  if (keep || !system_.is_mechanical()) return;
  const VectorPool::Loan change = equations_.dof_room().borrow();
  rate_of_loads(s, s.t + small * h, s.t + 2 * small * h, change);
  petsc(VecScale(change, c_.al * h));
  equations_.begin(s, h, aA, MaA);
  if (!acceleration().soften({s.t, &s.q, s.z, s.lambda}, equations_.tangent_shift(), aA, change)) petsc(VecCopy(s.a, aA));
}

/// a stands for the time t + al hp, before the bend, and goes on from there into the steps behind it: it was to have changed by
/// al hp j until there, j = M^-1 of what the rates of loads change by, and G j what those of prescribed accelerations do (of
/// that, what the step resolves: others are none of the smooth motion that a history is of; accelerations computed anew would
/// have all of them, and of a mesh those that its stiffness makes of the error of a step). a_used, at t - hp + al hp, follows
/// likewise. The acceleration at t stays as it is.
void AlphaStart::pass_bend(State& s, const Breakpoint& bend, double h) {
  if (c_.al == 0 || s.h_old == 0 || !system_.is_mechanical()) return;
  const VectorPool::Loan change = equations_.dof_room().borrow(), old_rate = equations_.dof_room().borrow(),
                         jerk = equations_.dof_room().borrow();
  rate_of_loads(s, bend.after, bend.after + small * h, change);
  rate_of_loads(s, bend.before - small * s.h_old, bend.before, old_rate);
  petsc(VecAXPY(change, -1.0, old_rate));
  const VectorPool::Loan asked = equations_.row_room().borrow(), from_then_on = equations_.row_room().borrow();
  if (bend.bends_motion) {
    rate_of_drift(s, bend.before - small * s.h_old, bend.before, asked);
    rate_of_drift(s, bend.after, bend.after + small * h, from_then_on);
    petsc(VecAXPY(asked, -1.0, from_then_on));  // G j + drift' = 0
  }
  equations_.begin(s, h, s.a, s.Ma);
  petsc(VecSet(jerk, 0.0));
  if (!AccelerationSolver(system_).soften({s.t, &s.q, s.z, s.lambda}, equations_.tangent_shift(), jerk, change,
                                          bend.bends_motion ? static_cast<PetscVec>(asked) : nullptr))
    return;
  states_.set(jerk, 0.0);
  const auto shift = [this, hp = s.h_old](PetscVec now, PetscVec used, PetscVec rate) {
    petsc(VecAXPY(now, c_.al * hp, rate));
    petsc(VecAXPY(used, (c_.al - 1) * hp, rate));
  };
  shift(s.a, s.a_used, jerk);
  equations_.mass_times(jerk, change);
  shift(s.Ma, s.Ma_used, change);
}

void AlphaStart::two_point_start(const State& s, double h, PetscVec aA) {
  acceleration_at(s, h, nullptr, aA);
  petsc(VecAXPBY(aA, 1 - c_.al, c_.al, s.a));
}

void AlphaStart::mass_at_alpha(const State& s, double h, PetscVec a, PetscVec Ma) {
  Probe& there = probe();
  const VectorPool::Loan w = equations_.dof_room().borrow();
  petsc(VecAXPBY(w, c_.al * h, 0.0, s.z));
  system_.retract(s.q, w, there.q);
  system_.mass_times({s.t + c_.al * h, &there.q, s.z, s.lambda}, a, Ma);
}

void AlphaStart::find_first(const State& s, double h, ErrorEstimate* estimate, PetscVec aA, PetscVec MaA) {
  has_stiff_states_ = false;
  if (states_.exist() && (equations_.states_have_two_steps() || estimate)) {
    has_stiff_states_ = !states_are_smooth(s, h, estimate);
    equations_.set_first_states(!has_stiff_states_);
  }
  first_acceleration(s, h, aA, MaA);
  equations_.old_rates(s, h, aA);
  mass_at_alpha(s, h, aA, MaA);
  probe_.reset();
}

/// What a state has to be at the start of a step so that its mean over the step is that of s = s_e + (s0 - s_e) e^(-t/tau), where
/// implicit Euler's rule and the rate at the start, s0', tell k = h/tau by (s1 - s0)/(h s0') = 1/(1 + k), and so s_e. The step
/// weighs what stands at its end with W = gamma th/m, through forces and accelerations alike, and the start with 1 - W:
///
///   s = s_e + (s0 - s_e) ((1 - e^(-k))/k - W/(1 + k))/(1 - W)
///
/// from s0 for slow states to s1 for fast ones. What does not behave so is taken where the step ends.
void AlphaStart::set_states_of_step(PetscVec start, PetscVec rates, PetscVec end, double h, PetscVec z) const {
  const double W = c_.gamma * c_.th() / c_.m();
  const VecRead s0(start), rate(rates), s1(end);
  VecWrite s(z);
  for (const PetscInt i : states_.dofs()) {
    const double part = (s1[i] - s0[i]) / (h * rate[i]), k = (1 - part) / part;
    s[i] = s1[i];
    if (!(part > 0 && part < 1 && W < 1)) continue;
    const double settled = s0[i] + h * rate[i] / k;
    s[i] = settled + (s0[i] - settled) * (-std::expm1(-k) / k - W / (1 + k)) / (1 - W);
  }
}

void AlphaStart::find_first_behind_states(State& s, double h, PetscVec z1, PetscVec aA, PetscVec MaA) {
  const VectorPool::Loan states = equations_.dof_room().borrow(), rates = equations_.dof_room().borrow(),
                         forces = equations_.dof_room().borrow();
  petsc(VecCopy(s.z, states));
  petsc(VecCopy(s.a, rates));
  petsc(VecCopy(s.f, forces));
  set_states_of_step(states, rates, z1, h, s.z);
  begin(s, h);
  states_.set(s.a, 0.0);  // they stay there
  first_acceleration(s, h, aA, MaA);
  states_.copy(states, s.z);
  states_.copy(rates, s.a);
  states_.copy(rates, s.Ma);
  states_.copy(forces, s.f);
  equations_.old_rates(s, h, aA);
  mass_at_alpha(s, h, aA, MaA);
  probe_.reset();
}

/// aA as the method has it.
void AlphaStart::first_acceleration(const State& s, double h, PetscVec aA, PetscVec MaA) {
  has_lost_jerk_ = false;
  switch (method_) {
    case StartMethod::derivative:
    case StartMethod::perturbed:
    case StartMethod::kkt2:
      if (c_.al == 0) {
        petsc(VecCopy(s.a, aA));
      } else if (method_ == StartMethod::kkt2) {
        two_point_start(s, h, aA);
      } else {
        derivative_start(s, h, aA, MaA);
      }
      break;
    case StartMethod::zero: petsc(VecSet(aA, 0.0)); break;
    case StartMethod::implicit:  // goes on from a0 by repeated steps
    case StartMethod::a0: petsc(VecCopy(s.a, aA)); break;
  }
}

}  // namespace sinew
