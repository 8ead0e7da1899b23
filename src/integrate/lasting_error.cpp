#include "integrate/lasting_error.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// The part by which velocities are raised to see how forces change with them: far above rounding, and small beside 1.
constexpr double faster = 1e-5;

}  // namespace

LastingError::LastingError(const StageEquations& equations, const ErrorWeights& weights)
    : equations_(equations), system_(equations.system()), weights_(weights) {
  for (VecHandle* v : {&motion_, &part_, &energy_, &weight_}) *v = system_.make_dof_vector();
  petsc(VecSet(part_, 1.0));
  system_.sum_over_bodies({part_});
  petsc(VecReciprocal(part_));
}

void LastingError::forget() {
  newest_ = 0;
  past_ = {0, 0};
}

double LastingError::along_motion(const State& s, PetscVec e) { return displacement(s, find_part(s.z, e), e); }

double LastingError::steady_along_motion(const State& s, PetscVec e) {
  newest_ = find_part(s.z, e);
  const bool is_steady = std::ranges::all_of(past_, [this](double past) { return past * newest_ > 0; });
  return is_steady ? displacement(s, newest_, e) : 0;
}

/// eps of e := eps z, the mean of what bodies b have of it along their own motion, a part of that:
///
///   eps_b = z_b^T M e_b / z_b^T M z_b        eps = sum s_b eps_b / sum s_b        s_b = |e_b|^2 |z_b|^2
///
/// |.|^2 the mean square over a body's dofs, in their weights: it has no masses in it, so that a heavy body hides no light one,
/// and what nothing is wrong of, as it coasts or follows a drive, has no say.
double LastingError::find_part(PetscVec z, PetscVec e) {
  petsc(VecCopy(z, motion_));
  equations_.states().set(motion_, 0.0);
  const VectorPool::Loan product = equations_.dof_room().borrow(), speed = equations_.dof_room().borrow();
  equations_.mass_times(motion_, product);
  weights_.divide(e, false, weight_);
  weights_.divide(motion_, false, speed);
  petsc(VecPointwiseMult(energy_, motion_, product));
  petsc(VecPointwiseMult(product, e, product));
  for (PetscVec v : {weight_.get(), speed.get()}) petsc(VecPointwiseMult(v, v, v));
  system_.sum_over_bodies({weight_, speed, energy_, product});
  for (PetscVec v : {weight_.get(), speed.get()}) petsc(VecPointwiseMult(v, v, part_));
  petsc(VecPointwiseMult(weight_, weight_, speed));
  largest_ = max_norm(weight_);
  return mean_over_bodies(product);
}

/// Nor does what nothing is wrong of count as displaced: every body does to the part sqrt(s_b / max s).
double LastingError::displacement(const State& s, double eps, PetscVec e) {
  {
    VecWrite out(e);
    const VecRead motion(motion_), weight(weight_);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i)
      out[i] = largest_ > 0 ? eps * std::sqrt(weight[i] / largest_) * motion[i] : 0.0;
  }
  return weights_.of_lasting(e, time_of_decay(s, std::max(0.0, weights_.tolerance().end - s.t)));
}

/// sum s_b (x_b / z_b^T M z_b) / sum s_b, x_b at every dof of the body; 0 where nothing moves.
double LastingError::mean_over_bodies(PetscVec x) const {
  double part = 0, whole = 0;
  {
    const VecRead amount(x), energy(energy_), weight(weight_), share(part_);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) {
      if (!(energy[i] > 0)) continue;
      part += share[i] * weight[i] * (amount[i] / energy[i]);
      whole += share[i] * weight[i];
    }
  }
  Reduction sums(system_.layout().comm);
  const std::size_t of_part = sums.sum(part), of_whole = sums.sum(whole);
  sums.share();
  return sums[of_whole] > 0 ? sums[of_part] / sums[of_whole] : 0.0;
}

/// What an error of the velocity along the motion displaces by until `end` from now, over that error: as damping lets it,
///
///   integral of e^(-d s) = (1 - e^(-d end))/d        d the mean over bodies of -z_b^T (df/dz z)_b / z_b^T M z_b
///
/// What grows with it (d < 0) belongs to the problem and is not foreseen.
double LastingError::time_of_decay(const State& s, double end) {
  const VectorPool::Loan power = equations_.dof_room().borrow(), velocities = equations_.dof_room().borrow(),
                         forces = equations_.dof_room().borrow();
  system_.forces({s.t, &s.q, s.z, s.lambda}, power);
  petsc(VecWAXPY(velocities, faster, motion_, s.z));
  system_.forces({s.t, &s.q, velocities, s.lambda}, forces);
  petsc(VecAXPY(power, -1.0, forces));
  petsc(VecPointwiseMult(power, power, motion_));
  system_.sum_over_bodies({power});
  const double d = mean_over_bodies(power) / faster;
  return d * end > faster ? -std::expm1(-d * end) / d : end;
}

void LastingError::persist(Archive& archive, std::optional<LastingError>& lasting) {
  std::array<double, 2> past = lasting ? lasting->past_ : std::array<double, 2>{};
  archive.pass("along_motion_before", past[0]);
  archive.pass("along_motion", past[1]);
  if (lasting) lasting->past_ = past;
}

}  // namespace sinew
