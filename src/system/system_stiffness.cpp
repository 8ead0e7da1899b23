#include "system/device_access.hpp"
#include "system/element_motion.hpp"
#include "system/element_ranges.hpp"
#include "system/ghost_sums.hpp"
#include "system/system.hpp"

#include "base/timing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// What sums of an element leave: some 24 entries, and the entries themselves, of 1e-16 each.
constexpr double sum_noise = 1e-14;
/// What turned axes mix of the stiffness of three directions: some three products, and as many sums.
constexpr double axis_noise = 1e-15;
/// As much of an element's rows may be left when it moves as a whole: what turned axes mix of stiff and soft directions.
constexpr double whole_noise = 1e-13;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// K of one element, by rows.
struct ElementMatrix {
  const double* entries;
  int size;

  double operator()(int i, int j) const { return entries[static_cast<std::ptrdiff_t>(i) * size + j]; }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(x.size(), 0.0);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) y[i] += (*this)(i, j) * x[j];
    return y;
  }
  /// sum_j |K_ij| |x_j|
  std::vector<double> terms_of(const std::vector<double>& x) const {
    std::vector<double> y(x.size(), 0.0);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) y[i] += std::abs((*this)(i, j) * x[j]);
    return y;
  }
};

/// Of the three components of a vector the largest: what turned axes may make of each.
std::vector<double> in_any_direction(const std::vector<double>& x) {
  std::vector<double> found(x.size());
  for (std::size_t i = 0; i + 3 <= x.size(); i += 3)
    std::fill_n(&found[i], 3, std::max({std::abs(x[i]), std::abs(x[i + 1]), std::abs(x[i + 2])}));
  return found;
}

double product_of_sizes(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] * y[i]);
  return sum;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

/// K x of one element, with what is known of x^T K x.
struct ElementProduct {
  std::vector<double> y;
  StiffnessWork work;
};

/// The product with all of x.
ElementProduct plain_product(const ElementMatrix& K, const std::vector<double>& x) {
  return {K.times(x), {0, sum_noise * product_of_sizes(x, K.terms_of(x))}};
}

/// Is what K makes of the motion r as a whole, up to rounding, what turns the forces? Else something holds the element from
/// outside, and its own stiffness is not told from that. `of_directions`: what rounding of places turns an element by.
bool resists_nothing(const ElementMatrix& K, const std::vector<double>& r, const std::vector<double>& turned,
                     double of_directions) {
  const std::vector<double> y = K.times(r);
  const double noise = (whole_noise + of_directions) * largest(K.terms_of(in_any_direction(r)));
  for (std::size_t i = 0; i < y.size(); ++i)
    if (std::abs(y[i] - turned[i]) > noise) return false;
  return true;
}

/// The product with what is left of x without the motion of the whole. `reach`: the largest coordinate of the places, m, by whose
/// rounding forces are not known.
ElementProduct split_product(const ElementMatrix& K, const ElementMotion& motion, const std::vector<double>& x,
                             const std::vector<double>& f, double reach) {
  Vec3<double> turn;
  const std::vector<double> r = motion.whole(x, turn), turned = motion.turned_forces(turn, f);
  if (!resists_nothing(K, r, turned, 2 * epsilon * reach / motion.span())) return plain_product(K, x);
  std::vector<double> d = x;
  for (std::size_t i = 0; i < d.size(); ++i) d[i] -= r[i];
  ElementProduct found{K.times(d), {}};
  for (std::size_t i = 0; i < d.size(); ++i) {
    found.work.strain += d[i] * found.y[i];
    found.y[i] += turned[i];
  }
  const double of_places = epsilon * reach * largest(K.terms_of(std::vector<double>(d.size(), 1.0)));
  found.work.rounding = sum_noise * product_of_sizes(x, K.terms_of(d)) +
                        axis_noise * product_of_sizes(in_any_direction(x), K.terms_of(in_any_direction(d))) +
                        std::min(of_places, largest(f)) * dot(turn, turn) * motion.span();
  return found;
}

/// This rank's part of motions and of K times them: local dofs.
struct LocalProducts {
  std::vector<std::vector<double>> x, y;
  std::vector<StiffnessWork> work;
};

/// What elements of a family add. `forces`, `matrices`: of element after element, the latter from the first of the range on.
struct FamilyNumbers {
  const Family& family;
  ElementRange range;
  const std::vector<double>&forces, &matrices;
};

void add_family(const LocalModel& local, const std::vector<double>& config, double reach, const FamilyNumbers& f,
                LocalProducts& sums) {
  const auto D = static_cast<std::size_t>(f.family.shape().dofs());
  const auto entries = static_cast<std::size_t>(f.family.entries_per_element(MatrixKind::tangent));
  std::vector<double> x(D), force(D);
  for (int e = f.range.first; e < f.range.last; ++e) {
    const std::vector<int> dofs = f.family.element_dofs(e, local.dof, local.kinds);
    const ElementMatrix K{&f.matrices[static_cast<std::size_t>(e - f.range.first) * entries], static_cast<int>(D)};
    const ElementMotion whole(local, config.data(), f.family, e);
    std::copy_n(&f.forces[static_cast<std::size_t>(e) * D], D, force.begin());
    for (std::size_t k = 0; k < sums.x.size(); ++k) {
      for (std::size_t i = 0; i < D; ++i) x[i] = dofs[i] < 0 ? 0.0 : sums.x[k][static_cast<std::size_t>(dofs[i])];
      const bool splits = whole.is_free() && f.family.shape().coupled_rows() == 0;
      const ElementProduct product = splits ? split_product(K, whole, x, force, reach) : plain_product(K, x);
      for (std::size_t i = 0; i < D; ++i)
        if (dofs[i] >= 0) sums.y[k][static_cast<std::size_t>(dofs[i])] += product.y[i];
      sums.work[k].strain += product.work.strain;
      sums.work[k].rounding += product.work.rounding;
    }
  }
}

/// Numbers of a sweep, element by element.
std::vector<double> on_host(const SlotLayout& layout, const DeviceArray<double>& slots) {
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), slots);
  return layout.by_element(host.data());
}

}  // namespace

std::vector<StiffnessWork> System::stiffness_times(const Stage& stage, const std::vector<PetscVec>& x,
                                                   const std::vector<PetscVec>& out) const {
  const TimedPhase timed(Phase::assembly);
  LocalProducts sums;
  sums.work.resize(x.size());
  for (const PetscVec motion : x) {
    share({motion}, {});
    const VecRead values(motion);
    sums.x.emplace_back(values.data(), values.data() + local_.num_local_dofs);
    sums.y.emplace_back(sums.x.back().size(), 0.0);
  }
  SweepState s = sweep_state(stage);
  feed(stage);
  const DeviceRead z(stage.z), lambda(stage.lambda);
  s.velocity = z.data();
  s.multiplier = lambda.data();
  SweepState weightless = s;  // weight does not turn with an element
  weightless.environment.gravity = {};
  const std::vector<double> config = host_values(*stage.q);
  const double reach = largest_coordinate(*stage.q);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const Family& family = *families_[f];
    const auto sweep = [&](const SlotLayout& layout, const auto& fill) {
      const DeviceArray<double> slots("stiffness", layout.size());
      fill(slots.data());
      scale_load(f, slots.data(), static_cast<std::ptrdiff_t>(layout.size()));
      return on_host(layout, slots);
    };
    if (family.size() == 0 || !family.has_square_block(MatrixKind::tangent)) continue;
    const std::vector<double> forces = sweep(family.force_slots(), [&](double* slots) { family.forces(weightless, slots); });
    for (const ElementRange range : element_ranges(family, MatrixKind::tangent)) {
      const std::vector<double> matrices = sweep(family.entry_slots(MatrixKind::tangent, range),
                                                 [&](double* slots) { family.tangent(s, {.q = 1}, range, slots); });
      add_family(local_, config, reach, {family, range, forces, matrices}, sums);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.work.data(), 2 * static_cast<int>(x.size()), MPI_DOUBLE, MPI_SUM, local_.comm);
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::copy(sums.y[k].begin(), sums.y[k].end(), VecWrite(out[k]).data());
    add_ghosts_to_owners(is_parallel_, out[k]);
  }
  return sums.work;
}

}  // namespace sinew
