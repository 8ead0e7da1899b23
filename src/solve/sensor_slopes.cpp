#include "solve/sensor_slopes.hpp"

#include "base/split_mix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew {

namespace {

/// The first step of places, in parts of the model's length or in radians. The second one, of 1e-5, is about the best for what
/// bends at these sizes: the cube root of rounding.
constexpr double first_step = 8e-5;
/// Steps become so much smaller, and at most so many are made: the last is 5e-12 of the length, where rounding of places is 1e-4
/// of the step.
constexpr double step_ratio = 8;
constexpr int most_steps = 9;
/// Slopes are known well enough within such a part of the largest of their output: a state of rest is known no better.
constexpr double accuracy = 1e-8;
constexpr double rounding_unit = std::numeric_limits<double>::epsilon();
/// So many changes of all numbers by their rounding, up or down at random, tell what that makes of the outputs.
constexpr int num_probes = 4;

/// 1 or -1, the same for a number's place in the model on any number of ranks.
double random_sign(std::int64_t place, int probe) {
  return (split_mix(static_cast<std::uint64_t>(place)) >> probe) & 1 ? 1.0 : -1.0;
}

/// How often a change goes into what is there.
double ratio(double size, double change) { return change > 0 ? size / change : 0.0; }

}  // namespace

SensorSlopes::SensorSlopes(const System& system, const NaturalUnknowns& unknowns, const MovingState& state,
                           const MovingFrame* frame, const Sensors& sensors)
    : system_(system), unknowns_(unknowns), state_(state), sensors_(sensors) {
  if (frame) {
    B_ = frame->velocity_matrix();
    C_ = frame->coriolis_matrix();
    A_ = frame->centrifugal_matrix();
  }
  measure_rounding();
}

void SensorSlopes::measure_rounding() {
  const VecHandle sizes = system_.make_dof_vector();
  system_.dof_sizes(sizes);
  const double far = std::max(1.0, system_.largest_coordinate(state_.q) / std::max(system_.extent(), rounding_unit));
  const double places = rounding_unit * far, velocities = rounding_unit * max_norm(state_.z),
               accelerations = rounding_unit * max_norm(state_.a), reactions = rounding_unit * max_norm(state_.lambda);
  for (int p = 0; p < num_probes; ++p) {
    Direction d{system_.make_dof_vector(), system_.make_dof_vector(), system_.make_dof_vector(), system_.make_row_vector()};
    {
      const VecRead size(sizes);
      VecWrite q(d.q), z(d.z), a(d.a), lambda(d.lambda);
      for (std::size_t i = 0; i < unknowns_.dofs().size(); ++i) {
        const auto k = static_cast<PetscInt>(i);
        const double sign = random_sign(unknowns_.dofs()[i], p);
        q[k] = places * size[k] * sign;
        z[k] = velocities * sign;
        a[k] = accelerations * sign;
      }
      for (std::size_t i = 0; i < unknowns_.rows().size(); ++i)
        lambda[static_cast<PetscInt>(i)] = reactions * random_sign(unknowns_.rows()[i], p);
    }
    const std::vector<double> above = measure(1, d), below = measure(-1, d);
    rounding_.resize(above.size(), 0.0);
    for (std::size_t k = 0; k < above.size(); ++k)
      rounding_[k] = std::max({rounding_[k], std::abs(above[k] - below[k]), rounding_unit * std::abs(above[k])});
  }
}

std::vector<double> SensorSlopes::along(const StateChange& change) {
  const Direction d = direction(change);
  ExtrapolatedSlopes slopes(rounding_, step_ratio);
  double h = longest_step(d);
  for (int k = 0; k < most_steps; ++k, h /= step_ratio) {
    const std::vector<double> above = measure(h, d), below = measure(-h, d);
    slopes.add(h, above, below);
    if (settle(slopes)) break;
  }
  return slopes.slopes();
}

/// Is everything known well enough? The same on all ranks.
bool SensorSlopes::settle(ExtrapolatedSlopes& slopes) {
  sizes_.resize(slopes.slopes().size(), 0.0);
  std::vector<double> margins;
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    sizes_[k] = std::max(sizes_[k], std::abs(slopes.slopes()[k]));
    margins.push_back(accuracy * sizes_[k]);
  }
  slopes.settle(margins);
  int are_settled = slopes.are_settled() ? 1 : 0;
  MPI_Bcast(&are_settled, 1, MPI_INT, 0, system_.layout().comm);
  return are_settled != 0;
}

SensorSlopes::Direction SensorSlopes::direction(const StateChange& change) const {
  Direction d{dofs(change.w), dofs(change.rate), dofs(change.second), system_.make_row_vector(), change.load};
  {
    VecWrite to(d.lambda);
    for (std::size_t i = 0; i < unknowns_.rows().size(); ++i) to[static_cast<PetscInt>(i)] = change.mu[unknowns_.rows()[i]];
  }
  if (!B_) return d;
  add(C_, d.z, d.a);
  add(A_, d.q, d.a);
  add(B_, d.q, d.z);
  return d;
}

/// Owned dofs of a column in natural order; of null zero.
VecHandle SensorSlopes::dofs(const double* column) const {
  VecHandle v = system_.make_dof_vector();
  if (column == nullptr) return v;
  VecWrite to(v);
  for (std::size_t i = 0; i < unknowns_.dofs().size(); ++i) to[static_cast<PetscInt>(i)] = column[unknowns_.dofs()[i]];
  return v;
}

/// sum += A x.
void SensorSlopes::add(PetscMat A, PetscVec x, PetscVec sum) const {
  VecHandle from = make_kkt_vector(system_.layout()), to = make_kkt_vector(system_.layout());
  VecHandle part = system_.make_dof_vector(), rows = system_.make_row_vector();
  join_kkt(x, rows, from);
  petsc(MatMult(A, from, to));
  split_kkt(to, part, rows);
  petsc(VecAXPY(sum, 1.0, part));
}

/// How far the first difference goes. Most outputs are linear in accelerations, multipliers and loads, and quadratic in
/// velocities: what is there of them is no step too large.
double SensorSlopes::longest_step(const Direction& d) const {
  const double moved = max_norm(d.q), hastened = max_norm(d.z), accelerated = max_norm(d.a), reacted = max_norm(d.lambda);
  if (moved > 0) return first_step * std::max(system_.reach(state_.q), first_step) / moved;
  if (hastened > 0) return std::max(1.0, max_norm(state_.z)) / hastened;
  const double unit = 1 / std::max({accelerated, reacted, d.load ? 1.0 : 0.0, std::numeric_limits<double>::min()});
  return std::max({unit, ratio(max_norm(state_.a), accelerated), ratio(max_norm(state_.lambda), reacted)});
}

std::vector<double> SensorSlopes::measure(double h, const Direction& d) const {
  Configuration q = system_.make_configuration();
  VecHandle w = duplicate(d.q), z = duplicate(d.z), a = duplicate(d.a), lambda = duplicate(d.lambda);
  petsc(VecCopy(d.q, w));
  petsc(VecScale(w, h));
  system_.retract(state_.q, w, q);
  petsc(VecWAXPY(z, h, d.z, state_.z));
  petsc(VecWAXPY(a, h, d.a, state_.a));
  petsc(VecWAXPY(lambda, h, d.lambda, state_.lambda));
  if (d.load) system_.change_load(*d.load, h);
  std::vector<double> values = sensors_.measure({0.0, &q, z, lambda}, a);
  if (d.load) system_.change_load(*d.load, 0.0);
  return values;
}

}  // namespace sinew
