#include "solve/variation.hpp"

#include "base/reduction.hpp"
#include "solve/acceleration_solver.hpp"
#include "solve/quadratic_forms.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A frame that turns by less than this part of the fastest body does not turn: rounding.
constexpr double rounding = 1e-9;
/// What a shape leaves of the three rows of a joint may all be one row's when the joint has turned: so much more than each had.
constexpr double mixed = 1.7320508075688772;

/// The part of the rows of G u: |G_r u| over the sizes of row and motion.
double violation(const System& system, PetscMat K, PetscVec u, double mass) {
  VecHandle image = duplicate(u), dofs = system.make_dof_vector(), rows = system.make_row_vector();
  petsc(MatMult(K, u, image));
  split_kkt(image, dofs, rows);
  const auto& is_velocity = system.layout().row_is_velocity;
  double largest = 0;
  {
    const VecRead row(rows);
    for (std::size_t r = 0; r < is_velocity.size(); ++r) {
      const double size = system.row_mobilities()[r] * mass;
      if (!is_velocity[r] && size > 0) largest = std::max(largest, std::abs(row[static_cast<PetscInt>(r)]) / std::sqrt(size));
    }
  }
  return largest_of_all(system.local().comm, largest);
}

}  // namespace

double variation(const System& system, const MovingState& state, const MovingFrame& frame, const LinearisedSystem& s,
                 const std::vector<std::pair<double, PetscVec>>& shapes) {
  if (frame.rate() == 0) return 0;
  const double W = norm(frame.angular_velocity()), tau = 1 / (W > rounding * frame.rate() ? W : frame.rate());
  Configuration q = system.make_configuration();
  Kokkos::deep_copy(q.values, state.q.values);
  VecHandle z = duplicate(state.z), a = duplicate(state.a), lambda = duplicate(state.lambda);
  petsc(VecCopy(state.z, z));
  petsc(VecCopy(state.lambda, lambda));
  petsc(VecSet(a, 0.0));
  MovingFrame later_frame = frame;
  later_frame.advance(tau, q, z);
  const MovingState later{q, z, a, lambda};
  AccelerationSolver(system).solve(0.0, q, z, a, lambda);
  const LinearisedSystem t = linearise(system, later, later_frame);
  double largest = unsteadiness(system, later, later_frame);
  VecHandle rows = system.make_row_vector();
  std::vector<VecHandle> before, after;
  std::vector<double> masses;
  for (const auto& [omega, shape] : shapes) {
    VecHandle u = duplicate(shape);
    petsc(VecCopy(shape, u));
    before.push_back(make_kkt_vector(system.layout()));
    join_kkt(u, rows, before.back());
    frame.turn(tau, u);
    after.push_back(make_kkt_vector(system.layout()));
    join_kkt(u, rows, after.back());
    masses.push_back(product(s.M, before.back(), before.back()));
    const double own = violation(system, s.K, before.back(), masses.back());
    largest = std::max(largest, violation(system, t.K, after.back(), masses.back()) - mixed * own);
  }
  double lowest = frame.rate();
  for (const auto& [omega, shape] : shapes)
    if (omega > 0) lowest = std::min(lowest, omega);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const double omega = std::max({shapes[i].first, shapes[j].first, lowest}), mass = std::sqrt(masses[i] * masses[j]);
      if (!(mass > 0)) continue;
      const double K = product(t.K, after[i], after[j]) - product(s.K, before[i], before[j]);
      const double D = product(t.D, after[i], after[j]) - product(s.D, before[i], before[j]);
      largest = std::max({largest, std::abs(K) / (omega * omega * mass), std::abs(D) / (omega * mass)});
    }
  return largest;
}

}  // namespace sinew
