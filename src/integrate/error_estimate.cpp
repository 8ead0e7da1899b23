#include "integrate/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Part of the allowed error that Newton's method may leave.
constexpr double newton_share = 0.01;
/// Newton's method is not asked for more.
constexpr double least_newton_tolerance = 1e-14;
/// After a start the accelerations of stiff modes settle by rho_inf a step; e_z, made of their second difference, waits until
/// this is left.
constexpr double unsettled = 0.1;
constexpr int most_settling_steps = 15;
/// Until then errors of positions count as though those of velocities were as large.
constexpr double settling_factor = 2;
/// Errors that fall by a power of h lower than theirs by this come from accelerations that are not settled either.
constexpr double missing_order = 0.2;
/// By these the measured errors of vibrating, of turning and of flexible systems are alike, and below the tolerance per unit
/// step. Errors of positions also stand for those of velocities across the motion, in the ratio that a vibration has: 1 to
/// |Cz/Cq|. Errors of the speed move everything until the end of the run.
constexpr double position_caution = 1.6;
constexpr double velocity_factor = 2.5;

int settling_steps(double rho_inf) {
  if (rho_inf <= 0) return 1;
  const double steps = rho_inf < 1 ? std::log(unsettled) / std::log(rho_inf) : most_settling_steps;
  return std::clamp(static_cast<int>(std::ceil(steps)), 1, most_settling_steps);
}

}  // namespace

ErrorEstimate::ErrorEstimate(const StageEquations& equations, Method method, const ErrorTolerance& tolerance)
    : equations_(equations), system_(equations.system()), c_(equations.coefficients()), weights_(system_, tolerance) {
  for (VecHandle* v : {&e_q_, &e_z_, &e_s_, &product_, &rest_}) *v = system_.make_dof_vector();
  rows_ = system_.make_row_vector();
  petsc(VecGetSize(rows_, &num_rows_));
  is_index3_ = method == Method::index3 && num_rows_ > 0;
  if (tolerance.per_unit_step) filter_.emplace(weights_, e_q_);
  const AlphaCoefficients& c = c_;
  if (method != Method::index3) settling_steps_ = settling_steps((1 + c.al) / (1 - c.al));
  Cq_ = c.position_error();
  Cz_ = c.velocity_error();
  position_factor_ = position_caution * (1 + std::abs(Cz_ / Cq_));
}

void ErrorEstimate::accept() {
  along_motion_.accept();
  ++steps_;
  if (filter_) filter_->accept();
}

void ErrorEstimate::begin(const State& s, double h) {
  if (s.h_old == 0) {
    steps_ = 0;
    if (filter_) filter_->clear();
  }
  weights_.set(s);
  const ErrorTolerance& t = weights_.tolerance();
  least_displacement_ = equations_.least_displacement(weights_.of_displacements());
  least_velocity_ = equations_.least_velocity(weights_.of_velocities());
  double allowed = std::min(least_displacement_, least_velocity_);
  // What is left in velocities step after step moves things for the rest of the run.
  if (t.per_unit_step) allowed = std::min(allowed, least_displacement_ / (t.unit * equations_.rate()));
  newton_tolerance_ = std::max(least_newton_tolerance, newton_share * allowed * (t.per_unit_step ? h / t.unit : 1.0));
}

double ErrorEstimate::judge(const State& s, double h, PetscVec aA, PetscVec a1, StepSolver& solver) {
  const ErrorTolerance& tolerance = weights_.tolerance();
  const double steps = tolerance.per_unit_step ? tolerance.unit / h : 1.0;
  find_position_error(s, h, aA, a1);
  const bool is_settled = steps_ >= settling_steps_;
  const double q = (is_settled ? 1.0 : settling_factor) * position_error(h);
  double z = is_settled ? velocity_factor * velocity_error(s, h, a1, solver) * steps : 0.0;
  if (z > 0 && is_rough(s.t, h, z)) {
    steps_ = 0;
    z = 0;
  }
  const double state = equations_.states().exist() ? state_error(s, h, aA, a1) * steps : 0.0, largest = std::max({q, z, state});
  worst_ = largest == q ? e_q_ : largest == z ? e_z_ : e_s_;
  return largest;
}

/// Has the error of the velocities fallen by less than its order since the last attempt, which was too long? Then what is seen is
/// not a smooth motion but accelerations of stiff modes, which shorter steps only show more of.
bool ErrorEstimate::is_rough(double t, double h, double z) {
  const double order = weights_.tolerance().per_unit_step ? 2 : 3;
  const bool is_repeated = t == rejected_time_ && h < 0.99 * rejected_step_;
  const bool is_rough = is_repeated && z > rejected_error_ * std::pow(h / rejected_step_, order - missing_order);
  rejected_time_ = z > 1 ? t : std::numeric_limits<double>::quiet_NaN();
  rejected_step_ = h;
  rejected_error_ = z;
  return is_rough;
}

/// The first term of the Taylor series that a step has wrong, that of the exponential map included, after what the constraints
/// did to q1.
void ErrorEstimate::find_position_error(const State& s, double h, PetscVec aA, PetscVec a1) {
  petsc(VecWAXPY(e_q_, -1.0, aA, a1));
  petsc(VecScale(e_q_, Cq_ * h * h));
  if (system_.has_rotations()) {
    system_.commutator(s.z, a1, product_);
    petsc(VecAXPY(e_q_, h * h * h / 12, product_));
  }
  equations_.add_position_correction(a1, e_q_);
  equations_.states().set(e_q_, 0.0);
  if (is_index3_) tangent_at(s.z).apply(e_q_);
}

/// The projection with M and G of the end of the step.
TangentProjection& ErrorEstimate::tangent_at(PetscVec z) {
  if (!tangent_) tangent_.emplace(system_);
  tangent_->set(equations_.stage(z, nullptr));
  return *tangent_;
}

/// e_q over its weights. Per unit step: what the errors of all steps amount to, or all of this step's, if that is more.
double ErrorEstimate::position_error(double h) {
  // Of what Newton's method and rounding may leave in a position, w, an acceleration has w/(beta h^2).
  const double left = (newton_tolerance_ + equations_.position_rounding()) / least_displacement_;
  const double noise = position_factor_ * 2 * std::abs(Cq_) / c_.beta * left;
  const double step = position_factor_ * weights_.of_configuration(e_q_);
  if (!filter_) return std::max(0.0, step - noise);
  const double persistent = filter_->measure(e_q_, Cq_, h, position_factor_) - noise * weights_.tolerance().unit / h;
  return std::max({0.0, step - noise, persistent});
}

/// e_z over its weights, by the second divided difference of a_old, a, a1.
double ErrorEstimate::velocity_error(const State& s, double h, PetscVec a1, StepSolver& solver) {
  const double hp = s.h_old, first = (c_.al - 1) * hp, second = c_.al * hp, third = (1 + c_.al) * h;  // their times from t_n
  const double scale = 2 * Cz_ * h * h * h / (third - first), rise = scale / (third - second), fall = scale / (second - first);
  petsc(VecAXPBYPCZ(e_z_, rise, -rise - fall, 0.0, a1, s.a));
  petsc(VecAXPY(e_z_, fall, s.a_used));
  equations_.states().set(e_z_, 0.0);
  allow(e_z_, solver);
  // In velocities they may leave u, hence u/(gamma h) in an acceleration. Newton's method gains digits fast, so that its
  // tolerance is what it does leave in positions only where that is near rounding.
  const double left =
      equations_.position_rounding() + (newton_tolerance_ > least_newton_tolerance ? 0.0 : least_newton_tolerance);
  const double uncertainty = newton_tolerance_ / (c_.gamma * h) + left / (c_.beta * h * h * equations_.rate());
  const double noise = 2 * (std::abs(rise) + std::abs(fall)) * uncertainty / least_velocity_;
  if (system_.is_mechanical()) keep_along_motion(s.z, h);
  return std::max(0.0, weights_.of_velocity(e_z_) - noise);
}

/// e_s over its weights, those of velocities. The rule of two steps leaves cB h^3 s''', cB = gs (h + hp)/(6 h), and the
/// trapezoidal rule h^3 s'''/12 the same way, so that e_s is cB/(cB - 1/12) times the difference of what they give.
double ErrorEstimate::state_error(const State& s, double h, PetscVec aA, PetscVec a1) {
  const double gs = equations_.state_gamma(), hp = s.h_old;
  const bool has_two = equations_.states_have_two_steps(), has_past = hp > 0;
  const double first = h * (0.5 - gs), second = has_past ? -h * h * h / 6 / (h + hp) : 0.0;
  const double cB = gs * (h + hp) / (6 * h), factor = has_past ? cB / (cB - 1.0 / 12) : 1.0;
  petsc(VecSet(e_s_, 0.0));
  {
    const VecRead rate(a1), now(s.a), before(s.a_used), old(aA);
    VecWrite e(e_s_);
    for (const PetscInt i : equations_.states().dofs()) {
      if (has_two) {
        e[i] = factor * (first * rate[i] + h / 2 * now[i] - h * (1 - gs) * old[i]);
      } else {
        e[i] = first * (rate[i] - now[i]);
        if (has_past) e[i] += second * ((rate[i] - now[i]) / h - (now[i] - before[i]) / hp);
      }
    }
  }
  return weights_.of_velocity(e_s_);
}

/// e := e - M^-1 G^T nu with G e = 0: constraints hold at velocity level, so that their part of the formula is none of the error.
/// Of no consequence along the motion unless it is driven, since else G z = 0.
void ErrorEstimate::allow(PetscVec e, StepSolver& solver) {
  if (is_index3_) {
    tangent_->apply(e);
  } else if (num_rows_ > 0 && system_.is_mechanical() && has_drives() && !solver.project_change(e)) {
    tangent_at(rest_).apply(e);
  }
}

/// Do constraints move what is at rest?
bool ErrorEstimate::has_drives() {
  double largest = 0;
  system_.constraints(equations_.stage(rest_, nullptr), nullptr, rows_);
  petsc(VecNorm(rows_, NORM_INFINITY, &largest));
  return largest > 0;
}

/// e_z := eps z with eps = z^T M e_z / z^T M z, as far as eps/h persists.
void ErrorEstimate::keep_along_motion(PetscVec z, double h) {
  equations_.mass_times(z, product_);
  double motion = 0, along = 0;
  equations_.states().set(product_, 0.0);
  petsc(VecDot(z, product_, &motion));
  petsc(VecDot(e_z_, product_, &along));
  const double rate = motion > 0 ? along / motion / h : 0.0;
  petsc(VecAXPBY(e_z_, h * along_motion_.measure(rate, h, weights_.tolerance().unit), 0.0, z));
  equations_.states().set(e_z_, 0.0);
}

std::string ErrorEstimate::describe(double error) {
  VecHandle parts = duplicate(e_q_);
  weights_.divide(worst_, worst_ != e_q_.get(), parts);
  const std::string body = system_.body_of_largest(parts);
  return fmt::format("the estimated error of the {} is {:.3g} times the tolerance{}",
                     worst_ == e_q_.get()   ? "positions"
                     : worst_ == e_z_.get() ? "velocities"
                                            : "first-order states",
                     error, body.empty() ? "" : ", most at " + body);
}

}  // namespace sinew
