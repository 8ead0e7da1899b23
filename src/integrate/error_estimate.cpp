#include "integrate/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Part of the allowed error that Newton's method may leave.
constexpr double newton_share = 0.01;
/// Newton's method is not asked for more.
constexpr double least_newton_tolerance = 1e-12;

}  // namespace

ErrorEstimate::ErrorEstimate(const DynamicSystem& system, const AlphaCoefficients& c, const ErrorTolerance& tolerance)
    : system_(system), c_(c), weights_(system, tolerance), e_q_(system.make_dof_vector()), e_z_(system.make_dof_vector()) {
  const double bias = 0.5 * (c.th() - c.al * c.al - c.m() * (1 + 2 * c.al));  // a_n = a(t_n + al h) + bias h^2 a''
  Cq_ = 1.0 / 6 - c.beta - c.al / 2;
  Cz_ = c.al * c.al / 2 - 1.0 / 12 - bias;
}

void ErrorEstimate::begin(const State& s, double h) {
  weights_.set(s);
  const ErrorTolerance& t = weights_.tolerance();
  petsc(VecNorm(s.z, NORM_INFINITY, &speed_));
  speed_ += 1;
  const double length = 1 + system_.configuration_norm(s.q);
  const double allowed = std::min(weights_.least_of_configuration() / length, weights_.least_of_velocity() / speed_);
  newton_tolerance_ = std::max(least_newton_tolerance, newton_share * allowed * (t.per_unit_step ? h / t.unit : 1.0));
}

double ErrorEstimate::judge(const State& s, double h, PetscVec aA, PetscVec a1) {
  petsc(VecWAXPY(e_q_, -1.0, aA, a1));
  petsc(VecScale(e_q_, Cq_ * h * h));
  const double q = weights_.of_configuration(e_q_);
  double z = 0;
  if (s.h_old > 0) {
    const double hp = s.h_old, first = (c_.al - 1) * hp, second = c_.al * hp, third = (1 + c_.al) * h;  // times of a_old, a, a1 from t_n
    const double scale = 2 * Cz_ * h * h * h / (third - first), rise = scale / (third - second), fall = scale / (second - first);
    petsc(VecAXPBYPCZ(e_z_, rise, -rise - fall, 0.0, a1, s.a));
    petsc(VecAXPY(e_z_, fall, s.a_used));
    // An uncertainty of a by u/(gamma h), u that of the velocity, in each of the three.
    const double noise = 2 * (std::abs(rise) + std::abs(fall)) / (c_.gamma * h) * newton_tolerance_ * speed_;
    z = std::max(0.0, weights_.of_velocity(e_z_) - noise / weights_.least_of_velocity());
  }
  velocity_is_worse_ = z > q;
  const ErrorTolerance& tolerance = weights_.tolerance();
  return std::max(q, z) * (tolerance.per_unit_step ? tolerance.unit / h : 1.0);
}

std::string ErrorEstimate::describe(double error) {
  VecHandle parts = duplicate(e_q_);
  weights_.divide(velocity_is_worse_ ? e_z_ : e_q_, velocity_is_worse_, parts);
  const std::string body = system_.body_of_largest(parts);
  return fmt::format("the estimated error of the {} is {:.3g} times the tolerance{}", velocity_is_worse_ ? "velocities" : "positions", error,
                     body.empty() ? "" : ", most at " + body);
}

}  // namespace sinew
