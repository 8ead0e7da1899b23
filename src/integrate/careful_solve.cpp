#include "integrate/step_solver.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Of the integrator's own error: what Newton's method adds to it, at most, if it always errs to the same side. A hundredth
/// changes no digit of the errors of a bar on a hinge and costs 0.1 to 0.4 iterations a step more.
constexpr double part_of_error = 0.05;
/// What Newton's method may leave of a step in a singular position. As measured on parallelograms that are flat at the end of a
/// step (of 1 to 10 ms; soi2, gen-alpha, gen-alpha-ggl): gaps of places of 6e-10 of the extent and of 7e-6 of the speeds; with a
/// tenth of it one step in six was not solved.
constexpr double left_at_singular_positions = 1e-6;

}  // namespace

NewtonSettings newton_settings(const NewtonOptions& options, double error_share, std::optional<double> gap_error_share) {
  NewtonSettings settings;
  settings.tolerance = options.tolerance;
  settings.share = options.is_automatic ? part_of_error * error_share : 0.0;
  if (options.is_automatic && gap_error_share) settings.gap_share = part_of_error * *gap_error_share;
  settings.max_iterations = options.max;
  settings.refresh = options.jacobian == NewtonJacobian::full   ? TangentRefresh::every_iteration
                     : options.jacobian == NewtonJacobian::step ? TangentRefresh::once
                                                                : TangentRefresh::automatic;
  return settings;
}

namespace {

/// For as long as it lives.
class GivingConstraints {
 public:
  GivingConstraints(const DynamicSystem& system, StepSolver& solver) : system_(system), solver_(solver) {
    system_.let_constraints_give(true);
    solver_.invalidate();
  }
  ~GivingConstraints() {
    system_.let_constraints_give(false);
    solver_.invalidate();
  }
  GivingConstraints(const GivingConstraints&) = delete;
  GivingConstraints& operator=(const GivingConstraints&) = delete;

 private:
  const DynamicSystem& system_;
  StepSolver& solver_;
};

void add(const NewtonReport& report, StepOutcome& outcome) {
  outcome.newton += report.iterations;
  outcome.linear += report.linear;
  outcome.factorizations += report.factorizations;
}

/// New tangents in every iteration, and time for more of these.
NewtonSettings with_new_tangents(NewtonSettings settings) {
  settings.refresh = TangentRefresh::every_iteration;
  settings.max_iterations = std::max(25, 2 * settings.max_iterations);
  return settings;
}

}  // namespace

NewtonReport solve_giving_way(const DynamicSystem& system, StepSolver& solver, NewtonSettings settings,
                              const std::function<void()>& prepare, StepResult& result, StepOutcome& outcome) {
  const GivingConstraints giving(system, solver);
  settings = with_new_tangents(settings);
  settings.tolerance = std::max(settings.tolerance, left_at_singular_positions);
  settings.share = 0;
  settings.force_share = 1;
  settings.gap_share.reset();
  prepare();
  const NewtonReport report = solver.solve(result, settings);
  add(report, outcome);
  return report;
}

NewtonReport solve_carefully(const DynamicSystem& system, StepSolver& solver, NewtonSettings settings,
                             const std::function<void()>& prepare, StepResult& result, StepOutcome& outcome) {
  NewtonReport report;
  std::string refusal;  // what a solution was refused for: that says more than why it is not found again
  const auto attempt = [&](const NewtonSettings& way) {
    prepare();
    report = solver.solve(result, way);
    if (report.refused) refusal = report.reason;
    add(report, outcome);
  };
  const bool gives_up = system.switches() == nullptr;  // across a jump they go to and fro until its instant has been found
  settings.gives_up = gives_up;
  attempt(settings);
  // Whole corrections by new tangents, then such as leave less of the residual; where the former have just shown to fail, last.
  const bool searches_first = report.gave_up;
  for (const bool is_last : {false, true}) {
    if (report.converged) break;
    NewtonSettings careful = with_new_tangents(settings);
    careful.line_search = is_last != searches_first;
    careful.gives_up = gives_up && !is_last && !searches_first;
    solver.invalidate();
    attempt(careful);
  }
  outcome.refused = !report.converged && !refusal.empty();
  if (outcome.refused) report.reason = refusal;
  return report;
}

void take_over(const StageEquations& equations, const StepResult& result, PetscVec aA, PetscVec MaA, double h, State& s) {
  Kokkos::deep_copy(s.q.values, equations.q1().values);
  const std::pair<PetscVec, PetscVec> moves[] = {
      {s.lambda, s.lambda_old}, {aA, s.a_used},   {MaA, s.Ma_used}, {result.a1, s.a},
      {result.Ma1, s.Ma},       {result.z1, s.z}, {result.f1, s.f}, {result.lambda1, s.lambda}};
  for (const auto& [from, to] : moves) petsc(VecCopy(from, to));
  s.t = equations.t1();
  s.h_old = h;
  s.gs_old = equations.state_gamma();
}

}  // namespace sinew
