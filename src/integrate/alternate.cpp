#include "integrate/alternate.hpp"

namespace sinew {

namespace {

/// Each costs one solution with the tangent after the first.
constexpr int max_rounds = 20;

}  // namespace

NewtonReport alternate(NewtonSolver& newton, PetscVec x, const NewtonSettings& settings,
                       const std::function<Projected(double)>& project) {
  NewtonReport report = newton.solve(x, settings);
  NewtonSettings continued = settings;
  continued.continues = true;
  continued.share = 0;
  continued.tolerance = report.allowed;
  for (int round = 0; report.converged && round < max_rounds; ++round) {
    const Projected projected = project(report.limit);
    if (projected == Projected::failed) {
      report.converged = false;
      report.reason = "the projection of the velocities does not converge";
      return report;
    }
    if (projected == Projected::without_effect) return report;
    const NewtonReport again = newton.solve(x, continued);
    report.iterations += again.iterations;
    report.linear += again.linear;
    report.factorizations += again.factorizations;
    report.converged = again.converged;
    report.reason = again.reason;
    report.correction = again.correction;
    if (again.converged && (again.first_correction <= report.limit || again.met_rounding)) return report;
  }
  if (report.converged) {
    report.converged = false;
    report.reason = "velocities and accelerations do not settle";
  }
  return report;
}

}  // namespace sinew
