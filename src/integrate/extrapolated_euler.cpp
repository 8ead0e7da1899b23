#include "integrate/extrapolated_euler.hpp"

#include "integrate/bdf_coefficients.hpp"

#include <vector>

namespace sinew {

ExtrapolatedEuler::ExtrapolatedEuler(const DynamicSystem& system, const StageEquations& equations)
    : system_(system), equations_(equations), part_(make_state(system)) {
  for (VecHandle* v : {&w_, &z_, &error_w_, &error_z_, &way_of_part_}) *v = system.make_dof_vector();
}

/// In `count` equal parts, the last one to t + h exactly.
NewtonReport ExtrapolatedEuler::go(const State& s, double h, int count, const Solve& solve, const StepResult& result) {
  NewtonReport report;
  copy_state(s, part_);
  for (int i = 0; i < count; ++i) {
    const double part = i + 1 < count ? h / count : s.t + h - part_.t;
    report = solve(part_, part);
    if (!report.converged) break;
    take_over(equations_, result, result.a1, result.Ma1, part, part_);
  }
  return report;
}

NewtonReport ExtrapolatedEuler::step(const State& s, double h, int order, const Solve& solve, const StepResult& result,
                                     const Settings& see_first) {
  NewtonReport report;
  const std::vector<double> weights = subdivision_weights(order), lower = subdivision_weights(order - 1);
  for (PetscVec v : {w_.get(), z_.get(), error_w_.get(), error_z_.get()}) petsc(VecSet(v, 0.0));
  for (int count = 1; count <= order; ++count) {
    report = go(s, h, count, solve, result);
    if (!report.converged) return report;
    if (count == 1) see_first(report);
    const auto n = static_cast<std::size_t>(count - 1);
    const double more = weights[n] - (count < order ? lower[n] : 0.0);
    system_.difference(s.q, part_.q, way_of_part_);
    petsc(VecAXPY(w_, weights[n], way_of_part_));
    petsc(VecAXPY(z_, weights[n], part_.z));
    petsc(VecAXPY(error_w_, more, way_of_part_));
    petsc(VecAXPY(error_z_, more, part_.z));
  }
  system_.retract(s.q, w_, part_.q);
  petsc(VecCopy(z_, part_.z));
  part_.t = s.t + h;
  return report;
}

}  // namespace sinew
