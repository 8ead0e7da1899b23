#include "integrate/integrator.hpp"
#include "integrate/perturbed_start.hpp"
#include "integrate/step_solver.hpp"
#include "solve/consistent.hpp"

namespace sinew {

namespace {

/// Generalized-alpha over one step after the other: start, variable-step updates, prediction, solution, new history.
class AlphaIntegrator final : public Integrator {
 public:
  AlphaIntegrator(const DynamicSystem& system, const AlphaOptions& options);
  void start(State&, double h) override;
  StepOutcome step(State&, double h) override;
  void output_acceleration(const State&, PetscVec a) const override;

 private:
  void start_acceleration(const State&, double h);
  bool holds_over_step(const State&, double h, PetscVec jerk);
  void rate_of_acceleration(const State&, double e, PetscVec rate);
  void derivative_start(const State&, double h);
  void two_point_start(const State&, double h);
  void acceleration_at(const State&, double h, PetscVec jerk, PetscVec a);
  void mass_at_alpha(const State&, double h, PetscVec a, PetscVec Ma);
  void updated_acceleration(const State&, double h);
  void predict(const State&, double h);
  NewtonReport attempt(const State&, double h, StepOutcome&);
  void accept(State&, double h);

  const DynamicSystem& system_;
  AlphaOptions options_;
  AlphaCoefficients c_;
  StageEquations equations_;
  std::unique_ptr<StepSolver> solver_;
  std::unique_ptr<AccelerationSolver> acceleration_;
  StepResult result_;
  VecHandle aA_, MaA_, probe_z_, probe_w_, probe_lambda_;
  Configuration probe_q_;
};

AlphaIntegrator::AlphaIntegrator(const DynamicSystem& system, const AlphaOptions& options)
    : system_(system),
      options_(options),
      c_(options.coefficients.value_or(alpha_coefficients(options.rho_inf))),
      equations_(system, c_),
      aA_(system.make_dof_vector()),
      MaA_(system.make_dof_vector()),
      probe_z_(system.make_dof_vector()),
      probe_w_(system.make_dof_vector()),
      probe_lambda_(system.make_row_vector()),
      probe_q_(system.make_configuration()) {
  const bool general = !system.is_mechanical() || options.kkt == KktForm::monolithic;
  if (options.start == StartMethod::perturbed && options.method != Method::index3)
    throw InputError("start: perturbed belongs to position constraints only (gen-alpha); take another start");
  if (options.method == Method::stabilised)
    solver_ = make_stabilised_solver(equations_);
  else if (general && options.method == Method::soi2)
    solver_ = make_monolithic_solver(equations_);
  else
    solver_ = make_block_solver(equations_, options.method);
  for (VecHandle* v : {&result_.a1, &result_.z1, &result_.Ma1, &result_.f1}) *v = system.make_dof_vector();
  result_.lambda1 = system.make_row_vector();
}

void AlphaIntegrator::start(State& s, double h) {
  acceleration_ = std::make_unique<AccelerationSolver>(system_);
  acceleration_->solve(s.t, s.q, s.z, s.a, s.lambda);
  if (options_.start == StartMethod::perturbed) {
    rate_of_acceleration(s, 1e-3 * h, aA_);
    perturb_velocity(system_, c_, h, aA_, s);
    acceleration_->solve(s.t, s.q, s.z, s.a, s.lambda);
  }
  const Stage stage{s.t, &s.q, s.z, s.lambda};
  system_.forces(stage, s.f);
  system_.mass_times(stage, s.a, s.Ma);
  s.h_old = 0;
}

/// ac(t0 + h, q0 o exp(h z0 + h^2 a0 / 2 + h^3 j / 6), z0 + h a0 + h^2 j / 2), with the multipliers of t0 as first guess; j may be null.
void AlphaIntegrator::acceleration_at(const State& s, double h, PetscVec jerk, PetscVec a) {
  petsc(VecAXPBY(probe_w_, h, 0.0, s.z));
  petsc(VecAXPY(probe_w_, h * h / 2, s.a));
  if (jerk != nullptr) petsc(VecAXPY(probe_w_, h * h * h / 6, jerk));
  system_.retract(s.q, probe_w_, probe_q_);
  petsc(VecWAXPY(probe_z_, h, s.a, s.z));
  if (jerk != nullptr) petsc(VecAXPY(probe_z_, h * h / 2, jerk));
  petsc(VecCopy(s.lambda, probe_lambda_));
  petsc(VecCopy(s.a, a));
  acceleration_->solve(s.t + h, probe_q_, probe_z_, a, probe_lambda_);
}

/// Does a0 + h j miss the acceleration at the end of the step by less than h j? Not for modes that the step does not resolve.
bool AlphaIntegrator::holds_over_step(const State& s, double h, PetscVec jerk) {
  double size = 0, miss = 0;
  petsc(VecNorm(jerk, NORM_2, &size));
  try {
    acceleration_at(s, h, jerk, MaA_);
  } catch (const SolveError&) {
    return false;
  }
  petsc(VecAXPBYPCZ(MaA_, -1.0, -h, 1.0, s.a, jerk));
  petsc(VecNorm(MaA_, NORM_2, &miss));
  return miss <= h * size;
}

/// da/dt along the flow by a difference over e.
void AlphaIntegrator::rate_of_acceleration(const State& s, double e, PetscVec rate) {
  acceleration_at(s, e, nullptr, rate);
  petsc(VecAXPY(rate, -1.0, s.a));
  petsc(VecScale(rate, 1 / e));
}

/// aA = a0 + al h j, j = da/dt along the flow by a difference over e = h/1000; aA = a0 where this change exceeds a0 and does not hold
/// over the step (stiff modes). A start with a0 = 0 whose a changes smoothly keeps its order so.
void AlphaIntegrator::derivative_start(const State& s, double h) {
  rate_of_acceleration(s, 1e-3 * h, aA_);
  double jerk = 0, size = 0;
  petsc(VecNorm(aA_, NORM_2, &jerk));
  petsc(VecNorm(s.a, NORM_2, &size));
  const bool keep = -c_.al * h * jerk <= size || holds_over_step(s, h, aA_);
  petsc(VecAYPX(aA_, keep ? c_.al * h : 0.0, s.a));
}

void AlphaIntegrator::two_point_start(const State& s, double h) {
  acceleration_at(s, h, nullptr, aA_);
  petsc(VecAXPBY(aA_, 1 - c_.al, c_.al, s.a));
}

void AlphaIntegrator::mass_at_alpha(const State& s, double h, PetscVec a, PetscVec Ma) {
  petsc(VecAXPBY(probe_w_, c_.al * h, 0.0, s.z));
  system_.retract(s.q, probe_w_, probe_q_);
  system_.mass_times({s.t + c_.al * h, &probe_q_, s.z, s.lambda}, a, Ma);
}

void AlphaIntegrator::start_acceleration(const State& s, double h) {
  if (!acceleration_) acceleration_ = std::make_unique<AccelerationSolver>(system_);
  switch (options_.start) {
    case StartMethod::derivative:
    case StartMethod::perturbed:
    case StartMethod::kkt2:
      if (c_.al == 0) {
        petsc(VecCopy(s.a, aA_));
      } else if (options_.start == StartMethod::kkt2) {
        two_point_start(s, h);
      } else {
        derivative_start(s, h);
      }
      break;
    case StartMethod::zero: petsc(VecSet(aA_, 0.0)); break;
    case StartMethod::implicit: throw InputError("start: implicit is not built yet; use derivative, kkt2 or a0");
    case StartMethod::a0: petsc(VecCopy(s.a, aA_)); break;
  }
  mass_at_alpha(s, h, aA_, MaA_);
}

/// aA = a + w (a - a_old), MaA likewise, w = al (h/hp - 1), as far as the options ask for it.
void AlphaIntegrator::updated_acceleration(const State& s, double h) {
  const double w = c_.al * (h / s.h_old - 1);
  const StepUpdates mode = options_.updates;
  const auto update = [w](PetscVec now, PetscVec old, bool on, PetscVec out) {
    petsc(VecCopy(now, out));
    if (on) petsc(VecAXPBYPCZ(out, w, -w, 1.0, now, old));
  };
  update(s.a, s.a_used, mode == StepUpdates::both || mode == StepUpdates::a || mode == StepUpdates::recompute, aA_);
  if (mode == StepUpdates::recompute) {
    mass_at_alpha(s, h, aA_, MaA_);
  } else {
    update(s.Ma, s.Ma_used, mode == StepUpdates::both || mode == StepUpdates::Ma, MaA_);
  }
}

/// Linear extrapolation of acceleration and multipliers.
void AlphaIntegrator::predict(const State& s, double h) {
  if (s.h_old == 0) {
    petsc(VecCopy(aA_, result_.a1));
    petsc(VecCopy(s.lambda, result_.lambda1));
    return;
  }
  const double ra = ((1 + c_.al) * h - c_.al * s.h_old) / s.h_old, rl = h / s.h_old;
  petsc(VecCopy(s.a, result_.a1));
  petsc(VecAXPBYPCZ(result_.a1, ra, -ra, 1.0, s.a, s.a_used));
  petsc(VecCopy(s.lambda, result_.lambda1));
  petsc(VecAXPBYPCZ(result_.lambda1, rl, -rl, 1.0, s.lambda, s.lambda_old));
}

NewtonReport AlphaIntegrator::attempt(const State& s, double h, StepOutcome& outcome) {
  const auto prepare = [&] {
    equations_.begin(s, h, aA_, MaA_);
    predict(s, h);
  };
  return solve_carefully(*solver_, options_.newton, prepare, result_, outcome);
}

void AlphaIntegrator::accept(State& s, double h) {
  Kokkos::deep_copy(s.q.values, equations_.q1().values);
  const std::pair<PetscVec, PetscVec> moves[] = {{s.lambda, s.lambda_old}, {aA_, s.a_used},      {MaA_, s.Ma_used},      {result_.a1, s.a},
                                       {result_.Ma1, s.Ma},      {result_.z1, s.z},    {result_.f1, s.f},      {result_.lambda1, s.lambda}};
  for (const auto& [from, to] : moves) petsc(VecCopy(from, to));
  s.t = equations_.t1();
  s.h_old = h;
}

StepOutcome AlphaIntegrator::step(State& s, double h) {
  StepOutcome outcome;
  if (s.h_old == 0) {
    start_acceleration(s, h);
  } else {
    updated_acceleration(s, h);
  }
  const NewtonReport report = attempt(s, h, outcome);
  outcome.accepted = report.converged;
  outcome.reason = report.reason;
  outcome.residual = report.correction;
  if (!report.converged) return outcome;
  accept(s, h);
  acceleration_.reset();  // its matrix is as large as the tangent and serves the start only
  return outcome;
}

void AlphaIntegrator::output_acceleration(const State& s, PetscVec a) const {
  petsc(VecCopy(s.a, a));
  if (s.h_old > 0) petsc(VecAXPBYPCZ(a, -c_.al, c_.al, 1.0, s.a, s.a_used));
}

}  // namespace

std::unique_ptr<Integrator> make_alpha_integrator(const DynamicSystem& system, const AlphaOptions& options) {
  return std::make_unique<AlphaIntegrator>(system, options);
}

}  // namespace sinew
