#include "integrate/bdf_integrator.hpp"
#include "integrate/make_integrator.hpp"
#include "verify/work_runs.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace sinew::verify {

namespace {

WorkReference closed_reference(const WorkProblem& problem) {
  WorkReference reference;
  reference.words = "closed solution";
  for (int k = 1; k <= num_samples; ++k) {
    const DynamicSystem& system = *problem.system;
    WorkSample sample{problem.analysis.end_time * k / num_samples,
                      system.make_configuration(),
                      system.make_dof_vector(),
                      system.make_dof_vector(),
                      system.make_row_vector(),
                      {}};
    problem.solution(sample);
    if (problem.measure) sample.row = problem.measure({sample.t, &sample.q, sample.z, sample.lambda}, sample.a);
    reference.samples.push_back(std::move(sample));
  }
  return reference;
}

/// Integrals are taken by the trapezoidal rule (EnergyLedger), which errs by h^2 whatever the order of the motion: as much as in
/// the runs that are judged, whose steps are not much longer. Richardson's extrapolation from twice the step leaves h^4.
void extrapolate_integrals(const WorkProblem& problem, const std::vector<WorkSample>& coarse, std::vector<WorkSample>& fine) {
  for (std::size_t c = 0; c < problem.columns.size(); ++c)
    if (is_integral(problem.columns[c]))
      for (std::size_t k = 0; k < fine.size(); ++k) fine[k].row[c] += (fine[k].row[c] - coarse[k].row[c]) / 3;
}

/// Runs with `count` and twice as many equal steps: the second is the reference, its difference to the first the uncertainty.
/// Nothing where a step fails.
std::optional<WorkReference> fine_reference(const WorkProblem& problem, const std::function<std::unique_ptr<Integrator>()>& make,
                                            const std::string& name, long count) {
  try {
    const long no_end = std::numeric_limits<long>::max();
    const WorkRun coarse = run_work(problem, *make(), equal_options(problem, count), no_end);
    WorkRun fine = run_work(problem, *make(), equal_options(problem, 2 * coarse.point.steps), no_end);
    WorkReference reference;
    compare(problem, coarse.samples, fine.samples, reference.uncertainty);
    extrapolate_integrals(problem, coarse.samples, fine.samples);
    reference.words = fmt::format(
        "{} with {} equal steps; it differs from the run with half as many by {:.1e} in positions, {:.1e} in velocities, {:.1e} "
        "in accelerations, {:.1e} in multipliers",
        name, fine.point.steps, reference.uncertainty.position_error, reference.uncertainty.velocity_error,
        reference.uncertainty.acceleration_error, reference.uncertainty.multiplier_error);
    reference.samples = std::move(fine.samples);
    return reference;
  } catch (const SolveError&) {
    return {};
  }
}

/// The reference may be wrong by this part of the smallest error that it measures.
constexpr double good_part = 0.01;

bool is_good(const WorkProblem& problem, const WorkReference& reference, const std::vector<WorkSample>& finest) {
  WorkPoint point;
  compare(problem, finest, reference.samples, point);
  return reference.uncertainty.position_error <= good_part * point.position_error;
}

/// BDF of order 5; where that is not good enough for the finest run it or soi2, whichever agrees better with half as many steps:
/// BDF may be unstable where fast modes are undamped.
WorkReference best_fine_reference(const WorkProblem& problem, long count, const std::vector<WorkSample>* finest) {
  NewtonOptions newton = problem.analysis.newton;
  newton.tolerance = std::min(newton.tolerance, 1e-11);
  newton.max = std::max(newton.max, 20);
  const auto bdf = [&]() -> std::unique_ptr<Integrator> {
    BdfOptions options;
    options.order = 5;
    options.newton = newton;
    return make_bdf_integrator(*problem.system, options);
  };
  const auto soi2 = [&] {
    AlphaOptions options;
    options.rho_inf = problem.analysis.rho_inf;
    options.newton = newton;
    return make_alpha_integrator(*problem.system, options);
  };
  std::optional<WorkReference> best = fine_reference(problem, bdf, "bdf-si1 of order 5", count);
  if (best && finest && is_good(problem, *best, *finest)) return std::move(*best);
  std::optional<WorkReference> other = fine_reference(problem, soi2, "soi2", count);
  if (!best || (other && !(best->uncertainty.position_error <= other->uncertainty.position_error))) best = std::move(other);
  if (!best) throw SolveError("no fine run came to its end, so that there is nothing to compare with");
  return std::move(*best);
}

}  // namespace

WorkReference find_reference(const WorkProblem& problem, long count, const std::vector<WorkSample>* finest) {
  return problem.solution ? closed_reference(problem) : best_fine_reference(problem, count, finest);
}

}  // namespace sinew::verify
