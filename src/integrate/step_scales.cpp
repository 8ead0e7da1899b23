#include "integrate/step_scales.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Speeds that have risen by that factor in a step may do so in the next.
constexpr double speeding_up = 1.5;

/// 1 / (size times diagonal of M). A coordinate without mass of its own moves with what holds it: M size^2, the inertia in a
/// motion of everything by its size, is for it the (harmonic) mean of the others.
VecHandle mobilities(const DynamicSystem& system, PetscVec inverse_size) {
  const PetscInt n = system.layout().num_dofs;
  VecHandle out = system.make_dof_vector();
  system.mass_diagonal(out);
  petsc(VecReciprocal(out));  // leaves zeros alone
  double sums[2] = {0, 0};
  {
    const VecRead inverse_mass(out), factor(inverse_size);
    for (PetscInt i = 0; i < n; ++i) {
      if (inverse_mass[i] == 0 || factor[i] == 0) continue;
      sums[0] += inverse_mass[i] * factor[i] * factor[i];
      sums[1] += 1;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, system.layout().comm);
  const VecRead factor(inverse_size);
  VecWrite mobility(out);
  for (PetscInt i = 0; i < n; ++i) {
    if (factor[i] == 0)
      mobility[i] = 0;
    else if (mobility[i] == 0)
      mobility[i] = sums[0] / std::max(1.0, sums[1]) / factor[i];
    else
      mobility[i] *= factor[i];
  }
  return out;
}

}  // namespace

StepScales::StepScales(const DynamicSystem& system, const FirstOrderStates& states)
    : system_(system), states_(states), inverse_size_(system.make_dof_vector()) {
  system.dof_sizes(inverse_size_);
  states_.set(inverse_size_, 0.0);
  petsc(VecReciprocal(inverse_size_));  // leaves zeros alone
  if (system.is_mechanical()) mobility_ = mobilities(system, inverse_size_);
  const VecHandle rows = system.make_row_vector();
  system.row_sizes(rows);
  const VecRead size(rows);
  row_size_.assign(size.data(), size.data() + system.layout().num_rows);
  PetscInt num_rows = 0;
  petsc(VecGetSize(rows, &num_rows));
  has_rows_ = num_rows > 0;
}

double StepScales::velocity_rounding() { return epsilon; }

double StepScales::rest_rate() const { return gap_rounding() * length_ / h_; }

void StepScales::begin(const State& state, double h) {
  h_ = h;
  Reduction sizes(system_.layout().comm);
  sizes.largest(system_.largest_coordinate(state.q));
  sizes.largest(largest(state.z, inverse_size_));
  sizes.largest(system_.largest_shaft_angle(state.q));
  sizes.share();
  const double farthest = sizes[0];
  if (!system_.is_mechanical()) {
    length_ = 1 + farthest;
    position_rounding_ = epsilon;
    rate_ = 1 + states_.norm_of_others(state.z);
    return;
  }
  const double length = system_.extent() > 0 ? system_.extent() : 1.0;
  position_rounding_ = epsilon * (1 + std::max(farthest / length, sizes[2]));  // an angle's size is 1
  const double before = fastest_;
  fastest_ = std::max(fastest_, sizes[1]);
  const double rest = rest_rate();
  speeds_up_ = fastest_ <= rest || fastest_ > speeding_up * before;
  rate_ = least_rate_ = std::max(fastest_, rest);
}

void StepScales::see_speed(PetscVec zt) {
  if (!speeds_up_) return;
  const double speed = largest_of_all(system_.layout().comm, largest(zt));
  rate_ = std::isfinite(speed) ? std::max(least_rate_, speed) : least_rate_;
}

/// The largest part(|v_i|, factor_i) of this rank, infinite where one is no number. In lanes, which the processor takes at once.
template <class Part>
double StepScales::largest_part(PetscVec v, PetscVec factors, const Part& part_of) const {
  constexpr PetscInt lanes = 8;
  const PetscInt count = system_.layout().num_dofs, whole = count - count % lanes;
  double most[lanes] = {}, odd[lanes] = {};  // odd: zero, or no number
  {
    const VecRead values(v), scale(factors);
    const double *value = values.data(), *factor = scale.data();
    const auto take = [&](PetscInt i, PetscInt k) {
      const double part = part_of(std::abs(value[i]), factor[i]);
      most[k] = part > most[k] ? part : most[k];
      odd[k] += part - part;
    };
    for (PetscInt i = 0; i < whole; i += lanes)
      for (PetscInt k = 0; k < lanes; ++k) take(i + k, k);
    for (PetscInt i = whole; i < count; ++i) take(i, 0);
  }
  double size = *std::max_element(most, most + lanes);
  if (std::accumulate(odd, odd + lanes, 0.0) != 0) size = std::numeric_limits<double>::infinity();
  return size;
}

/// max |v_i| factor_i.
double StepScales::largest(PetscVec v, PetscVec factors) const {
  return largest_part(v, factors, [](double value, double factor) { return value * factor; });
}

double StepScales::largest_work(PetscVec f) const {
  return largest_part(f, inverse_size_, [](double force, double inverse) { return inverse > 0 ? force / inverse : 0.0; });
}

double StepScales::largest_gap(PetscVec rows, bool all_at_velocity_level, double noise) const {
  double gap = 0;
  const VecRead residual(rows);
  const auto& is_velocity = system_.layout().row_is_velocity;
  for (std::size_t r = 0; r < row_size_.size(); ++r) {
    const double part = std::abs(residual[static_cast<PetscInt>(r)]) / row_size_[r];
    if (!(part <= gap) && (all_at_velocity_level || is_velocity[r] || !(part <= noise))) gap = part;
  }
  return gap;
}

double StepScales::velocity_gap(PetscVec rows) const {
  const VecRead rate(rows);
  double largest = 0;
  for (std::size_t r = 0; r < row_size_.size(); ++r) {
    const double part = std::abs(rate[static_cast<PetscInt>(r)]) / row_size_[r];
    if (!(part <= largest)) largest = part;
  }
  return largest / rate_;
}

StepScales::Products StepScales::products(const PetscVec (&a)[2], const PetscVec (&b)[2]) const {
  Products sums;
  {
    const VecRead of_a(a[0]), of_b(b[0]), mobility(mobility_);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) sums.forces += of_a[i] * of_b[i] * mobility[i] * mobility[i];
  }
  const VecRead of_a(a[1]), of_b(b[1]);
  for (std::size_t r = 0; r < row_size_.size(); ++r) {
    const auto i = static_cast<PetscInt>(r);
    sums.gaps += of_a[i] * of_b[i] / (row_size_[r] * row_size_[r]);
  }
  return sums;
}

}  // namespace sinew
