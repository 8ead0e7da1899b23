#include "integrate/step_solver.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Of the integrator's own error: what Newton's method adds to it, at most, if it always errs to the same side. A hundredth
/// changes no digit of the errors of a bar on a hinge and costs 0.1 to 0.4 iterations a step more.
constexpr double part_of_error = 0.05;

}  // namespace

NewtonSettings newton_settings(const NewtonOptions& options, double error_share) {
  NewtonSettings settings;
  settings.tolerance = options.tolerance;
  settings.share = options.is_automatic ? part_of_error * error_share : 0.0;
  settings.max_iterations = options.max;
  settings.refresh = options.jacobian == NewtonJacobian::full   ? TangentRefresh::every_iteration
                     : options.jacobian == NewtonJacobian::step ? TangentRefresh::once
                                                                : TangentRefresh::automatic;
  return settings;
}

NewtonReport solve_carefully(StepSolver& solver, NewtonSettings settings, const std::function<void()>& prepare,
                             StepResult& result, StepOutcome& outcome) {
  const int most_iterations = settings.max_iterations;
  NewtonReport report;
  std::string refusal;  // what a solution was refused for: that says more than why it is not found again
  for (int care = 0; care < 3 && !report.converged; ++care) {
    if (care > 0) {
      settings.refresh = TangentRefresh::every_iteration;
      settings.line_search = care > 1;
      settings.max_iterations = std::max(25, 2 * most_iterations);
      solver.invalidate();
    }
    prepare();
    report = solver.solve(result, settings);
    if (report.refused) refusal = report.reason;
    outcome.newton += report.iterations;
    outcome.linear += report.linear;
    outcome.factorizations += report.factorizations;
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
