#include "integrate/error_estimate.hpp"

#include "base/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

ErrorEstimate::ErrorEstimate(const StageEquations& equations, Method method, const ErrorTolerance& tolerance)
    : equations_(equations),
      system_(equations.system()),
      c_(equations.coefficients()),
      weights_(system_, tolerance, equations.states()) {
  for (VecHandle* v : {&e_q_, &e_s_, &product_, &e_z_, &faster_}) *v = system_.make_dof_vector();
  if (tolerance.per_unit_step && system_.is_mechanical()) lasting_.emplace(equations_, weights_);
  if (method == Method::index3 && equations_.scales().has_rows()) tangent_.emplace(system_);
}

void ErrorEstimate::begin(const State& s, double h) {
  if (lasting_ && s.h_old == 0) lasting_->forget();
  weights_.set(s, h);
  const ErrorTolerance& t = weights_.tolerance();
  least_displacement_ = equations_.least_displacement(weights_.of_displacements());
  double allowed = std::min(least_displacement_, equations_.least_velocity(weights_.of_velocities()));
  // What is left in velocities step after step moves things for the rest of the run.
  if (t.per_unit_step) allowed = std::min(allowed, least_displacement_ / (t.unit * equations_.scales().rate()));
  newton_tolerance_ = std::max(least_newton_tolerance, newton_share * allowed / t.steps(h));
}

double ErrorEstimate::judge(const State& s, double h, PetscVec aA, PetscVec a1, StepSolver& solver) {
  const ErrorTolerance& tolerance = weights_.tolerance();
  const double steps = tolerance.steps(h);
  weights_.see_end(s, h, a1);
  find_position_error(s, h, aA, a1);
  const bool has_velocities = tolerance.per_unit_step && s.h_old > 0;
  const double time = has_velocities ? find_velocity_error(s, h, a1, solver) : 0.0;
  const double q = position_error(h, time);
  double z = has_velocities ? lasting_error(s) : 0.0;
  if (velocities_.shows_more(s.t, h, z, h * h * h)) {  // the next steps have to agree anew
    if (lasting_) lasting_->forget();
    z = 0;
  }
  double state = equations_.states().exist() ? state_error(s, h, aA, a1) : 0.0;
  // Rates of first-order states that jump within the step leave an error of order h, of which every run has as many as there are
  // jumps: they count once, not per unit step. Anew in every attempt: a stiff state looks so as long as steps are far too long.
  if (rates_.shows_more(s.t, h, state, h * h)) state *= tolerance.least_count / steps;
  const double largest = std::max({q, z, state});
  worst_ = largest == q ? e_q_ : largest == z ? e_z_ : e_s_;
  return largest * steps;
}

/// The first term of the Taylor series that a step has wrong, that of the exponential map included, after what the constraints
/// did to q1.
void ErrorEstimate::find_position_error(const State& s, double h, PetscVec aA, PetscVec a1) {
  petsc(VecWAXPY(e_q_, -1.0, aA, a1));
  petsc(VecScale(e_q_, c_.position_error() * h * h));
  if (system_.has_rotations()) {
    system_.commutator(s.z, a1, product_);
    petsc(VecAXPY(e_q_, h * h * h / 12, product_));
  }
  equations_.add_position_correction(a1, e_q_);
  equations_.states().set(e_q_, 0.0);
  if (tangent_) {  // accelerations oscillate across the constraints after every change of the step, which no position shows
    tangent_->set(equations_.stage(s.z, nullptr));
    tangent_->apply(e_q_);
  }
}

/// e_q over its weights, per unit step with what velocities have wrong for a while: in a vibration that displaces by |Cz/Cq|
/// times as much, at its peaks; and where e_q passes through zero, by |e_z| times the time for which it goes on. If the sum of
/// the two is more, it becomes e_q.
double ErrorEstimate::position_error(double h, double time) {
  const double factor = weights_.tolerance().per_unit_step ? 1 + std::abs(c_.velocity_error() / c_.position_error()) : 1.0;
  // Of what Newton's method and rounding may leave in a position, w, an acceleration has w/(beta h^2), and u/(gamma h) of what is
  // left in a velocity, u; Newton's method keeps to both.
  const double moved = std::min(1.0, c_.beta / c_.gamma * h * equations_.scales().rate() / equations_.scales().length());
  const double left =
      (newton_tolerance_ * moved + system_.amplified_rounding() * equations_.scales().position_rounding()) / least_displacement_;
  const double noise = 2 * std::abs(c_.position_error()) / c_.beta * left;
  double error = factor * weights_.of_configuration(e_q_);
  if (time > 0) {
    petsc(VecCopy(e_q_, product_));
    petsc(VecCopy(e_z_, faster_));
    for (PetscVec v : {product_.get(), faster_.get()}) petsc(VecAbs(v));
    petsc(VecAXPY(product_, time, faster_));
    if (const double sum = weights_.of_configuration(product_); sum > error) {
      error = sum;
      petsc(VecCopy(product_, e_q_));
    }
  }
  return std::max(0.0, error - factor * noise);
}

/// e_s over its weights, those of velocities. The rule of two steps leaves cB h^3 s''', cB = gs (h + hp)/(6 h), and the
/// trapezoidal rule h^3 s'''/12 the same way, so that e_s is cB/(cB - 1/12) times the difference of what they give. Where that
/// rule makes a trapezoidal step itself there is none: s''' then follows from s1', s0' and r, the quotient of the step before,
/// or, without one, s0'' as the start has found it,
///
///   s''' = ((s1' - s0')/h - 2 (s0' - r)/hp)/(h/2 + hp/3)        s''' = ((s1' - s0')/h - s0'')/(h/2)
double ErrorEstimate::state_error(const State& s, double h, PetscVec aA, PetscVec a1) {
  const double gs = equations_.state_gamma(), hp = s.h_old, first = h * (0.5 - gs);
  const bool has_two = equations_.states_have_two_steps(), has_difference = has_two && equations_.state_has_past(s, h);
  const double cB = gs * (h + hp) / (6 * h), factor = cB / (cB - 1.0 / 12);
  const double second = -h * h * h / 12 / (h / 2 + (has_two ? hp / 3 : hp / 2));
  const bool has_second = hp > 0 || (gs == 0.5 && !first_rates_.empty());
  petsc(VecSet(e_s_, 0.0));
  {
    const VecRead rate(a1), now(s.a), before(s.a_used), old(aA);
    VecWrite e(e_s_);
    std::size_t k = 0;
    for (const PetscInt i : equations_.states().dofs()) {
      if (has_difference) {
        e[i] = factor * (first * rate[i] + h / 2 * now[i] - h * (1 - gs) * old[i]);
        continue;
      }
      e[i] = first * (rate[i] - now[i]);
      if (!has_second) continue;
      const double part = has_two ? 2 * (1 - s.gs_old) : 1.0;  // s0' - r is (1 - gs_old) of what a changes by
      const double change = hp > 0 ? part * (now[i] - before[i]) / hp : first_rates_[k++];
      e[i] += second * ((rate[i] - now[i]) / h - change);
    }
  }
  return weights_.of_velocity(e_s_);
}

void ErrorEstimate::set_first_rates(PetscVec rates) {
  first_rates_.clear();
  if (rates == nullptr) return;
  const VecRead rate(rates);
  for (const PetscInt i : equations_.states().dofs()) first_rates_.push_back(rate[i]);
}

/// e_z by the second divided difference of a_old, a, a1, without what stiff forces take back within the step. Returns the time
/// for which what is left goes on one way, 1/w, or 0 where that is not known. w is the larger of the frequency of the motion,
/// |a''|/|a'| in the norm of the masses, and that of the forces which act on e_z, as S = M + (th/m) (beta h^2 K + gamma h D), the
/// matrix of the step, has them: with e_z = S^-1 M e
///
///   e_z^T S e_z = e_z^T M e        w^2 = e_z^T (S - M) e_z / (beta h^2 e_z^T M e_z)
double ErrorEstimate::find_velocity_error(const State& s, double h, PetscVec a1, StepSolver& solver) {
  const double hp = s.h_old, first = (c_.al - 1) * hp, second = c_.al * hp, third = (1 + c_.al) * h;  // their times from t_n
  const double scale = 2 * c_.velocity_error() * h * h * h / (third - first);
  const double rise = scale / (third - second), fall = scale / (second - first);
  petsc(VecAXPBYPCZ(e_z_, rise, -rise - fall, 0.0, a1, s.a));
  petsc(VecAXPY(e_z_, fall, s.a_used));
  equations_.states().set(e_z_, 0.0);
  if (!system_.is_mechanical()) {
    solver.soften(e_z_);
    return 0;
  }
  const auto square = [this](PetscVec v) {
    double sum = 0;
    equations_.mass_times(v, product_);
    petsc(VecDot(v, product_, &sum));
    return sum;
  };
  petsc(VecWAXPY(faster_, -1.0, s.a, a1));
  equations_.states().set(faster_, 0.0);
  const double changed = square(faster_) / ((third - second) * (third - second));
  const double bent = square(e_z_) / std::pow(c_.velocity_error() * h * h * h, 2);
  petsc(VecCopy(product_, faster_));
  if (!solver.soften(e_z_)) return 0;
  equations_.states().set(e_z_, 0.0);  // what forces make of them has units of its own, and errors of its own
  double before = 0;
  petsc(VecDot(e_z_, faster_, &before));
  const double left = square(e_z_);
  if (!(changed > 0 && left > 0)) return 0;
  const double w = std::sqrt(std::max(bent / changed, (before / left - 1) / (c_.beta * h * h)));
  return w > 0 ? 1 / w : 0;
}

/// What e_z displaces by until the end of the run, over the weights of positions.
double ErrorEstimate::lasting_error(const State& s) {
  if (lasting_) return lasting_->steady_along_motion(s, e_z_);
  return weights_.of_lasting(e_z_, std::max(0.0, weights_.tolerance().end - s.t));
}

void ErrorEstimate::persist(Archive& archive) {
  const Archive::Part part(archive, "estimate");
  LastingError::persist(archive, lasting_);
  weights_.persist(archive);
}

void ErrorEstimate::renew() {
  if (tangent_) tangent_.emplace(system_);
}

void ErrorEstimate::accept() {
  if (lasting_) lasting_->accept();
}

std::string ErrorEstimate::describe(double error) {
  weights_.divide(worst_, worst_ == e_s_.get(), product_);
  const std::string body = system_.body_of_largest(product_);
  return fmt::format("the estimated error of the {} is {:.3g} times the tolerance{}",
                     worst_ == e_q_.get()   ? "positions"
                     : worst_ == e_z_.get() ? "velocities"
                                            : "first-order states",
                     error, body.empty() ? "" : ", most at " + body);
}

}  // namespace sinew
