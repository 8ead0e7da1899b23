#include "integrate/stage_equations.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// h the step, hp the one before.
double gamma_of(StateRule rule, double gamma, double h, double hp) {
  switch (rule) {
    case StateRule::bdf2: return (h + hp) / (2 * h + hp);
    case StateRule::trapezoid: return 0.5;
    case StateRule::gamma: return gamma;
    case StateRule::euler: return 1.0;
  }
  return 1.0;
}

}  // namespace

StageEquations::StageEquations(const DynamicSystem& system, const AlphaCoefficients& c, StateRule rule)
    : system_(system),
      c_(c),
      states_(system),
      rule_(rule),
      state_gamma_(gamma_of(rule, c.gamma, 1, 1)),
      q1_(system.make_configuration()),
      q_mass_(system.make_configuration()),
      w_(system.make_dof_vector()),
      tangent_increment_(system.make_dof_vector()) {}

void StageEquations::begin(const State& state, double h, PetscVec aA, PetscVec MaA) {
  state_ = &state;
  h_ = h;
  t0_ = state.t;
  t1_ = state.t + h;
  aA_ = aA;
  MaA_ = MaA;
  state_gamma_ = states_have_two_steps() && state.h_old == 0 ? first_state_gamma_ : gamma_of(rule_, c_.gamma, h, state.h_old);
  if (!system_.is_mechanical()) {
    t_mass_ = t0_ + (1 + c_.al) * h;
    petsc(VecAXPBY(w_, (1 + c_.al) * h, 0.0, state.z));
    system_.retract(state.q, w_, q_mass_);
  }
  measure_state();
}

void StageEquations::begin(const State& state, const MultistepBase& base) {
  state_ = &state;
  base_ = base;
  h_ = base.h;
  t0_ = state.t;
  t1_ = t_mass_ = state.t + base.h;
  c_ = newmark_coefficients(base.b * base.b / (base.h * base.h), base.b / base.h);
  state_gamma_ = c_.gamma;
  aA_ = state.a;
  MaA_ = state.Ma;
  Kokkos::deep_copy(q_mass_.values, base.predicted->values);
  measure_state();
}

void StageEquations::old_rates(const State& s, PetscVec aA) const {
  if (states_.dofs().empty()) return;
  const double now = states_have_two_steps() && s.h_old > 0 ? s.gs_old : 1.0;
  const VecRead rate(s.a), older(s.a_used);
  VecWrite out(aA);
  for (const PetscInt i : states_.dofs()) out[i] = now * rate[i] + (1 - now) * older[i];
}

void StageEquations::measure_state() {
  y_size_ = 1 + system_.configuration_norm(state_->q);
  z_size_ = 1 + states_.norm_of_others(state_->z);
}

void StageEquations::kinematics(PetscVec at, PetscVec zt) {
  if (base_.w) {
    petsc(VecWAXPY(zt, base_.b, at, base_.z));
    system_.chart_step(base_.w, base_.b, zt, w_);
    petsc(VecCopy(zt, tangent_increment_));
    petsc(VecScale(tangent_increment_, base_.b));
    system_.retract(state_->q, w_, q1_);
    return;
  }
  petsc(VecAXPBY(w_, h_, 0.0, state_->z));
  petsc(VecAXPBYPCZ(w_, h_ * h_ * (0.5 - c_.beta), h_ * h_ * c_.beta, 1.0, aA_, at));
  system_.retract(state_->q, w_, q1_);
  petsc(VecCopy(state_->z, zt));
  petsc(VecAXPBYPCZ(zt, h_ * (1 - c_.gamma), h_ * c_.gamma, 1.0, aA_, at));
  if (states_.dofs().empty()) return;
  const VecRead s0(state_->z), old_rate(aA_), rate(at);
  VecWrite s1(zt);
  for (const PetscInt i : states_.dofs()) s1[i] = s0[i] + h_ * ((1 - state_gamma_) * old_rate[i] + state_gamma_ * rate[i]);
}

/// With w = h z0 + h^2 (1/2 - beta) aA + h^2 beta at of the last `kinematics`.
void StageEquations::add_position_correction(PetscVec a1, PetscVec e) const {
  petsc(VecAXPBYPCZ(e, h_, -1.0, 1.0, state_->z, w_));
  petsc(VecAXPBYPCZ(e, h_ * h_ * (0.5 - c_.beta), h_ * h_ * c_.beta, 1.0, aA_, a1));
}

void StageEquations::add_velocity_change(PetscVec da, PetscVec z) const {
  petsc(VecAXPY(z, c_.gamma * h_, da));
  if (states_.dofs().empty()) return;
  const VecRead change(da);
  VecWrite out(z);
  for (const PetscInt i : states_.dofs()) out[i] += (state_gamma_ - c_.gamma) * h_ * change[i];
}

TangentShift StageEquations::tangent_shift() const {
  TangentShift shift;
  shift.q = c_.th() * c_.beta * h_ * h_;
  shift.v = c_.th() * c_.gamma * h_;
  shift.a = c_.m();
  shift.velocity_row_q = c_.beta * h_ / c_.gamma;
  shift.state_v = state_gamma_ / c_.gamma;
  shift.state_a = c_.th() / c_.m();
  return shift;
}

void StageEquations::mass_times(PetscVec v, PetscVec out) const {
  const Stage stage{t_mass_, system_.is_mechanical() ? &state_->q : &q_mass_, nullptr, nullptr};
  system_.mass_times(stage, v, out);
}

void StageEquations::momentum(PetscVec Ma, PetscVec f, PetscVec r) const {
  petsc(VecAXPBY(r, c_.m(), 0.0, Ma));
  petsc(VecAXPBYPCZ(r, c_.am, -c_.th(), 1.0, MaA_, f));
  petsc(VecAXPY(r, -c_.af, state_->f));
  if (states_.dofs().empty()) return;
  const VecRead rate(Ma), force(f);
  VecWrite out(r);
  for (const PetscInt i : states_.dofs()) out[i] = c_.th() * (rate[i] - force[i]);
}

double StageEquations::displacement_measure(PetscVec d_at) const {
  return c_.beta * h_ * h_ * states_.norm_of_others(d_at) / y_size_;
}

double StageEquations::velocity_measure(PetscVec d_a1) const { return c_.gamma * h_ * states_.norm_of_others(d_a1) / z_size_; }

double StageEquations::rate_measure(PetscVec d_a1) const { return std::max(velocity_measure(d_a1), state_measure(d_a1)); }

void StageEquations::scale_rows(PetscVec position, PetscVec velocity, bool all_at_velocity_level) const {
  const auto& is_velocity = system_.layout().row_is_velocity;
  VecWrite g(position);
  const VecRead k(velocity);
  for (std::size_t r = 0; r < is_velocity.size(); ++r) {
    const auto i = static_cast<PetscInt>(r);
    g[i] = all_at_velocity_level || is_velocity[r] ? k[i] * velocity_scale() : g[i] * position_scale();
  }
}

}  // namespace sinew
