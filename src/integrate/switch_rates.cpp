#include "integrate/switch_rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// The moment of the quotient of differences, as a part of the time in which switches change something: the cube root of epsilon,
/// which leaves as much of the quotient's own error as of rounding.
constexpr double quotient_part = 6e-6;

}  // namespace

SwitchRates::SwitchRates(const DynamicSystem& system, double reach)
    : system_(system),
      reach_(reach),
      a_(system.make_dof_vector()),
      lambda_(system.make_row_vector()),
      later_(system.make_configuration()) {}

void SwitchRates::begin(const State& s) {
  petsc(VecCopy(s.lambda, lambda_));
  petsc(VecCopy(s.a, a_));
}

std::vector<double> SwitchRates::first(const State& s) {
  if (!solver_) solver_ = std::make_unique<AccelerationSolver>(system_);
  solver_->solve(s.t, s.q, s.z, a_, lambda_);
  return system_.switch_rates({s.t, &s.q, s.z, lambda_}, a_);
}

std::vector<double> SwitchRates::ways_of_places(const Stage& stage, double moment) const {
  const VecHandle a = system_.make_dof_vector();
  std::vector<double> ways = system_.switch_rates(stage, a);
  petsc(VecSet(a, 1.0));
  const std::vector<double> with_forces = system_.switch_rates(stage, a);
  for (std::size_t k = 0; k < ways.size(); ++k) ways[k] = ways[k] == with_forces[k] ? std::abs(ways[k]) * moment : 0.0;
  return ways;
}

std::vector<double> SwitchRates::second(const State& s, PetscVec a, const std::vector<double>& first) {
  const double moment = quotient_part * reach_;
  const VecHandle w = duplicate(a_), z = duplicate(a_);
  petsc(VecWAXPY(z, moment, a, s.z));
  petsc(VecAXPBYPCZ(w, moment / 2, moment / 2, 0.0, s.z, z));
  system_.retract(s.q, w, later_);
  solver_->solve(s.t + moment, later_, z, a_, lambda_);
  std::vector<double> second = system_.switch_rates({s.t + moment, &later_, z, lambda_}, a_);
  for (std::size_t k = 0; k < second.size(); ++k) second[k] = (second[k] - first[k]) / moment;
  return second;
}

std::vector<double> SwitchRates::rounding_of_second(const Stage& s) const {
  const VecHandle rounding = duplicate(s.z);
  petsc(VecCopy(s.z, rounding));
  petsc(VecAbs(rounding));
  petsc(VecScale(rounding, roundings_of_argument * epsilon / (quotient_part * reach_)));
  return system_.switch_roundings(s, rounding);
}

std::vector<double> SwitchRates::rounding_of_arguments(const Stage& s) const {
  const double length = system_.extent() > 0 ? system_.extent() : 1.0;
  const double farthest = std::max(system_.extent(), system_.configuration_norm(*s.q));
  VecHandle rounding = system_.make_dof_vector();
  system_.dof_sizes(rounding);
  petsc(VecScale(rounding, epsilon * farthest / length));
  return system_.switch_roundings(s, rounding);
}

}  // namespace sinew
