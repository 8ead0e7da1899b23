/// \file
/// The equations of one step, section by section as in Jay and Negrut: kinematics, momentum, constraints. Generalized-alpha and
/// multistep formulas differ in what the step starts from.
#pragma once

#include "base/reduction.hpp"
#include "base/vector_pool.hpp"
#include "integrate/alpha_coefficients.hpp"
#include "integrate/first_order_states.hpp"
#include "integrate/integrator.hpp"
#include "integrate/step_scales.hpp"
#include "solve/newton.hpp"

#include <cmath>
#include <vector>

namespace sinew {

/// Are two steps of one size? Steps end at multiples of a decimal number, so that equal ones differ by the rounding of times.
inline bool is_same_step(double h, double last) { return std::abs(h - last) <= 1e-6 * h; }

/// out = a x + b y in one pass; `out` is neither of them. Local.
inline void combine(double a, PetscVec x, double b, PetscVec y, PetscVec out) {
  PetscInt count = 0;
  petsc(VecGetLocalSize(out, &count));
  const VecRead of_x(x), of_y(y);
  VecWrite to(out);
  for (PetscInt i = 0; i < count; ++i) to[i] = a * of_x[i] + b * of_y[i];
}

/// A multistep formula at t1 = t0 + h: w1 = w + b w1' for the positions q0 o exp(w1), z1 = z + b z1' for the velocities.
struct MultistepBase {
  double h = 0, b = 0;
  PetscVec w = nullptr, z = nullptr;
  const Configuration* predicted = nullptr;  ///< of t1: where M is taken
};

/// Everything that is constant during a step of size h from (t0, q0, z0).
class StageEquations {
 public:
  StageEquations(const DynamicSystem&, const AlphaCoefficients&, StateRule = StateRule::bdf2);

  /// Starts a step from the state with the (updated) acceleration aA and MaA. The references must outlive it. Collective.
  void begin(const State&, double h, PetscVec aA, PetscVec MaA);
  /// Starts a step of a multistep formula from the state's q, with beta h^2 = b^2, gamma h = b, am = af = 0: M at = f. The
  /// references must outlive it. Collective.
  void begin(const State&, const MultistepBase&);
  /// `advance`, then `move`. Collective.
  void kinematics(PetscVec at, PetscVec zt);
  /// w = h z0 + h^2 (1/2 - beta) aA + h^2 beta at, zt = z0 + h (1 - gamma) aA + h gamma at; with a multistep formula
  /// zt = z + b at, w = base + b T(w)^-1 zt. First-order states: s1 = s0 + h (1 - gs) aA + h gs s1' with aA of `old_rates`,
  /// respectively the multistep formula. Collective, but without messages.
  void advance(PetscVec at, PetscVec zt);
  /// q1 = q0 o exp(w). Collective.
  void move(PetscVec zt);
  /// e += beta h^2 (a1 - at): by how much the constraints at position level have moved q1 from where a1 alone would.
  /// Generalized-alpha only.
  void add_position_correction(PetscVec a1, PetscVec e) const;
  /// out = M1 v with the mass matrix of the step. Collective.
  void mass_times(PetscVec v, PetscVec out) const;
  /// r = m M1 a + am MaA - th f - af f0, given Ma = M1 a and f; th (s' - f_s) for first-order states, whose s' belongs to t1.
  /// Collective.
  void momentum(PetscVec Ma, PetscVec f, PetscVec r) const;
  /// z += gamma h da, for first-order states gs h da: what a change of the acceleration does to the velocity.
  void add_velocity_change(PetscVec da, PetscVec z) const;
  /// J = d momentum / d at through positions, velocities and M; velocity_row_q for constraints in the rows of the stage.
  TangentShift tangent_shift() const;
  /// The rows of a step in place of g: g/(beta h^2), and k/(gamma h) in the nonholonomic rows; `all_at_velocity_level`: (g_t + G
  /// z)/(gamma h) in the others.
  void scale_rows(PetscVec position, PetscVec velocity, bool all_at_velocity_level) const;
  /// Of these rows, those at position level that rounding of positions accounts for become 0. Local.
  void leave_rounding(PetscVec rows) const;
  double position_scale() const { return 1 / (c_.beta * h_ * h_); }
  double velocity_scale() const { return 1 / (c_.gamma * h_); }

  /// The stage at t1 with velocity z and multipliers lambda.
  Stage stage(PetscVec z, PetscVec lambda) const { return {t1_, &q1_, z, lambda}; }
  const Configuration& q1() const { return q1_; }
  /// The stage that the step starts from, without multipliers.
  Stage start() const { return {t0_, &state_->q, state_->z, nullptr}; }
  /// w of q1 = q0 o exp(w).
  PetscVec chart() const { return w_; }
  /// The increment whose T is that of dq1 = beta h^2 T d at; of a multistep formula b zt, up to terms of second order.
  PetscVec increment() const { return base_.w ? tangent_increment_.get() : w_.get(); }
  double h() const { return h_; }
  double t1() const { return t1_; }
  const AlphaCoefficients& coefficients() const { return c_; }
  const DynamicSystem& system() const { return system_; }

  /// Work vectors, dofs, rows and KKT vectors of the system's layout, for what is not needed at the same time.
  VectorPool& dof_room() const { return dof_room_; }
  VectorPool& row_room() const { return row_room_; }
  VectorPool& kkt_room() const { return kkt_room_; }

  /// What is large in this step and what is rounding.
  const StepScales& scales() const { return scales_; }

  // Measures are those of this rank, without messages; the largest of all ranks' is what counts.

  /// The largest of all ranks' measures. Collective.
  double of_all(double measure) const { return largest_of_all(system_.layout().comm, measure); }
  /// Does a switch of the state slide?
  bool slides() const;
  /// Does what holds those that slide follow from the motion over a step (SwitchBoard::holding_rate)?
  bool holds_fast() const;
  /// Size of a change of at in displacement, relative to the extent of the model (rotations in radians), and of a change of a1 in
  /// velocity, relative to the largest speed so far; every dof by its own size. General equations: relative to 1 + |y| and 1 +
  /// |z|.
  double displacement_measure(PetscVec d_at) const;
  double velocity_measure(PetscVec d_a1) const;
  /// What a correction that removes these residuals comes to in displacement_measure or velocity_measure, more where the system
  /// is stiff: M^-1 of what is left of the momentum equation, and gaps by the sizes of their rows (both as in the rows of the
  /// stage, see scale_rows). Gaps that rounding of positions makes do not count. Infinite for general equations, which have no
  /// such estimate.
  double imbalance(PetscVec momentum) const;
  double gap(PetscVec rows, bool all_at_velocity_level) const;
  /// The larger of both, infinite where there are first-order states: they have an equation without mass, which is none of it.
  /// Beside it the former, where there are constraints or a switch slides, and the latter.
  Remainder remainder(PetscVec momentum, PetscVec rows, bool all_at_velocity_level) const;
  /// Sum over this rank of two such residuals' products, both at velocity level, in the units of `remainder`. Mechanical systems.
  double product(const PetscVec (&a)[2], const PetscVec (&b)[2]) const;
  /// What rounding leaves open of a velocity, in velocity_measure: that of the forces at work, and that of positions through the
  /// accelerations that close gaps. One sweep of forces. Collective.
  Rounding rounding(PetscVec z, PetscVec lambda) const;
  /// What rounding of places, of states and of the velocities that follow from places leaves open of first-order states, in
  /// state_measure: what is steep in a place has a rate without its last digits. Assembles the tangent. Collective.
  double state_rounding(PetscVec z, PetscVec lambda) const;
  /// One rounding of positions alone.
  double rate_of_position_rounding() const;
  /// Whether what is left of the momentum equation moves nothing by more than rounding of places in this step. Collective.
  bool is_rounding_at_rest(PetscVec momentum) const;
  /// Takes away from the momentum equation what rounding of places makes of its forces by way of the stiffness at the end of the
  /// step, which is assembled for it: stretched by as little, stiff members pull by more than slow motions take. Collective.
  void take_out_rounding(PetscVec z, PetscVec lambda, PetscVec momentum) const;
  /// The least displacement, respectively velocity, that a vector holds, in displacement_measure and in velocity_measure.
  /// Collective.
  double least_displacement(PetscVec v) const;
  double least_velocity(PetscVec v) const { return least_displacement(v) * scales_.length() / scales_.rate(); }
  /// The same as velocity_measure of first-order states, every one by its own size.
  double state_measure(PetscVec d_a1) const { return state_gamma_ * h_ * states_.relative_norm(d_a1); }
  /// By displacement_measure, velocity_measure and state_measure, where at and a1 change alike.
  Correction change(PetscVec d) const;
  double change_measure(PetscVec d) const { return change(d).size(); }
  const FirstOrderStates& states() const { return states_; }
  /// See FirstOrderStates::expect.
  void expect_states(const std::vector<double>& sizes) { states_.expect(sizes); }
  /// gs of first-order states in this step.
  double state_gamma() const { return state_gamma_; }
  /// The first step of the rule of two steps: the trapezoidal rule where the states are smooth over it, otherwise implicit Euler.
  void set_first_states(bool are_smooth) { first_state_gamma_ = are_smooth ? 0.5 : 1.0; }
  bool states_have_two_steps() const { return rule_ == StateRule::bdf2; }
  /// Has the rule of two steps a past, which is not far shorter than h? Else it makes a step of the trapezoidal rule.
  static bool state_has_past(const State&, double h);
  /// So many times the trapezoidal rule's error, (h omega)^2/12 of the frequency of a swing, is that of their rule: (h omega)^2/3
  /// of BDF 2. Rules of first order err by more.
  double state_error_share() const { return rule_ == StateRule::trapezoid ? 1 : 4; }
  /// The order of their rule.
  int state_order() const { return states_have_two_steps() || state_gamma_ == 0.5 ? 2 : 1; }
  /// What of earlier steps counts in the next one: the largest speed, the rule of states in a first step. Collective.
  void persist(Archive&);
  /// What an acceleration that is wrong by 1 moves in a step, by the sizes of velocities or displacements. Local.
  double effect_of_acceleration() const;
  /// What stands for their old rate in a step of h from this state: s0', or of the rule of two steps (s0 - s_(-1))/hp. Local.
  void old_rates(const State&, double h, PetscVec aA) const;

 private:
  const DynamicSystem& system_;
  AlphaCoefficients c_;
  FirstOrderStates states_;
  bool mass_varies_;
  StateRule rule_;
  double state_gamma_, first_state_gamma_ = 1;
  double h_ = 0, t0_ = 0, t1_ = 0;
  const State* state_ = nullptr;
  PetscVec aA_ = nullptr, MaA_ = nullptr;
  MultistepBase base_;         ///< without vectors in generalized-alpha
  Configuration q1_, q_mass_;  ///< q_mass_: where M is taken, if it varies
  double t_mass_ = 0;
  VecHandle w_, tangent_increment_;
  StepScales scales_;
  mutable VectorPool dof_room_, row_room_, kkt_room_;
};

}  // namespace sinew
