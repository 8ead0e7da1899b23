/// \file
/// Single runs of a work-precision diagram, and what they err by.
#pragma once

#include "integrate/simulation.hpp"
#include "verify/work_precision.hpp"

#include <vector>

namespace sinew::verify {

/// States are compared at as many equally spaced times.
constexpr int num_samples = 10;

/// What one run gave.
struct WorkRun {
  WorkPoint point;
  std::vector<WorkSample> samples;
};

/// A run from the problem's start, ended with SolveError once it has taken more than so many iterations. Collective.
WorkRun run_work(const WorkProblem&, Integrator&, const SimulationOptions&, long most_newton);

/// Steps by estimated errors per unit step.
SimulationOptions controlled_options(const WorkProblem&, double tolerance);
/// At least `count` equal steps, so many that they end on the times of the samples.
SimulationOptions equal_options(const WorkProblem&, long count);

/// Errors over the samples; what is not a number stays so. `tolerance`: of the level, 0: there is none. Throws SolveError where
/// the run missed a time. Collective.
void compare(const WorkProblem&, const std::vector<WorkSample>&, const std::vector<WorkSample>& right, WorkPoint&,
             double tolerance = 0);

/// Seconds of the processor, on the slowest rank of the system. Collective.
double processor_seconds(MPI_Comm);

/// The right values.
struct WorkReference {
  std::vector<WorkSample> samples;
  std::string words;
  WorkPoint uncertainty;
};
/// The closed solution, or a fine run: of twice `count` equal steps and more. `finest`: the most exact run so far, may be null.
/// Throws SolveError where no fine run comes to its end. Collective.
WorkReference find_reference(const WorkProblem&, long count, const std::vector<WorkSample>* finest);

/// Runs that are compared until the tolerance is met, against the reference. Collective.
GlobalPoint measure_global(const WorkProblem&, double tolerance, const std::vector<WorkSample>& right);

}  // namespace sinew::verify
