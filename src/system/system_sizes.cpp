// How large a model is, how fine its elements are, and the sizes that its unknowns are measured by.
#include "system/system.hpp"

#include "base/reduction.hpp"
#include "system/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Places that a joint holds together coincide but for rounding and for the digits of the model file. What lies between them
/// is no length: it would make noise of every error, and of what Newton's method leaves. Below this part of the extent, to which
/// half the digits of a number agree, they count as one; rounding is then amplified to that part at most, far below tolerances.
const double coincident = std::sqrt(std::numeric_limits<double>::epsilon());

}  // namespace

double System::largest_coordinate(const Configuration& q) const {
  const auto values = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  double largest = 0;
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    for (int i = 0; i < 3 && local_.is_place(n); ++i) largest = std::max(largest, std::abs(values(local_.config_offset[n] + i)));
  return largest;
}

double System::largest_shaft_angle(const Configuration& q) const {
  if (std::find(local_.kinds.begin(), local_.kinds.end(), NodeKind::scalar) == local_.kinds.end()) return 0;
  const auto values = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  double largest = 0;
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    if (local_.kinds[static_cast<std::size_t>(n)] == NodeKind::scalar)
      largest = std::max(largest, std::abs(values(local_.config_offset[n])));
  return largest;
}

void System::measure_elements() {
  finest_length_ = local_.extent;
  const auto place = [&](int node) {
    const double* x = local_.config.data() + local_.config_offset[static_cast<std::size_t>(node)];
    return Vec3<double>{{x[0], x[1], x[2]}};
  };
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const FamilyShape& shape = families_[f]->shape();
    if ((!shape.has_mass && shape.rows() == 0) || families_[f]->size() == 0) continue;
    const std::vector<int>& nodes = families_[f]->data().nodes;
    const auto count = static_cast<std::size_t>(shape.nodes_per_element);
    for (std::size_t e = 0; e < nodes.size(); e += count)
      for (std::size_t a = e; a < e + count; ++a)
        for (std::size_t b = e; b < a; ++b) {
          if (nodes[a] == local_.ground() || nodes[b] == local_.ground()) continue;
          // Of joints those between bodies count: the nodes of a surface do not turn the frame in their middle one by one.
          if (!shape.has_mass && !(local_.turns(nodes[a]) && local_.turns(nodes[b]))) continue;
          if (!local_.is_place(nodes[a]) || !local_.is_place(nodes[b])) continue;
          const double length = norm(place(nodes[a]) - place(nodes[b]));
          if (length > (shape.has_mass ? 0 : coincident * local_.extent)) finest_length_ = std::min(finest_length_, length);
        }
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &finest_length_, 1, MPI_DOUBLE, MPI_MIN, local_.comm);
}

double System::reach(const Configuration& q) const {
  const double largest = configuration_norm(q);
  if (local_.extent == 0) return largest;
  const std::vector<double> values = host_values(q);
  double way = 0;
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    for (int i = 0; i < 3 && local_.is_place(n); ++i) {
      const auto at = static_cast<std::size_t>(local_.config_offset[n] + i);
      way = std::max(way, std::abs(values[at] - local_.config[at]));
    }
  if (is_parallel_) way = largest_of_all(local_.comm, way);
  return std::min(largest, local_.extent + way);
}

void System::dof_sizes_with(double length, PetscVec out) const {
  petsc(VecSet(out, 1.0));
  VecWrite size(out);
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    if (local_.is_place(n)) std::fill_n(size.data() + local_.dof[n], 3, length);
}

/// Those of owned nodes about their places: half the trace of an inertia is the integral of r^2 dm. 0 of what does not turn.
std::vector<double> System::gyration_radii() const {
  std::vector<double> radii(static_cast<std::size_t>(local_.num_owned_nodes), 0.0);
  const VecHandle diagonal = make_dof_vector();
  petsc(MatGetDiagonal(mass_, diagonal));
  const VecRead m(diagonal);
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    const PetscInt mass = local_.dof[n], turn = mass + local_.size(n).first_turn;
    if (local_.is_place(n) && local_.turns(n) && m[mass] > 0)
      radii[static_cast<std::size_t>(n)] = std::sqrt(0.5 * (m[turn] + m[turn + 1] + m[turn + 2]) / m[mass]);
  }
  return radii;
}

MechanismSizes System::mechanism_sizes(const Stage& stage) const {
  const std::vector<double> extents = mechanism_extents(local_, families_, {bodies_of_local_nodes(), gyration_radii()});
  MechanismSizes sizes{make_dof_vector(), make_dof_vector(), make_row_vector()};
  reaction_sizes(stage, extents, sizes.reactions);
  petsc(VecSet(sizes.extents, 1.0));
  petsc(VecSet(sizes.dofs, 1.0));
  VecWrite extent(sizes.extents), size(sizes.dofs);
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    const double length = extents[static_cast<std::size_t>(n)];
    std::fill_n(extent.data() + local_.dof[n], local_.size(n).dofs, length);
    if (local_.is_place(n)) std::fill_n(size.data() + local_.dof[n], 3, length);
  }
  return sizes;
}

void System::least_masses(PetscVec out) const {
  constexpr double share = 1e-6;
  const VecHandle diagonal = make_dof_vector();
  petsc(MatGetDiagonal(mass_, diagonal));
  const VecRead m(diagonal);
  const auto unit = [this](int n, int i) { return local_.is_place(n) && i < 3 ? 0 : 1; };
  double sums[4] = {0, 0, 0, 0};  // of either unit: masses, and how many
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    for (int i = 0; i < local_.size(n).dofs; ++i) {
      sums[unit(n, i)] += m[local_.dof[n] + i];
      sums[2 + unit(n, i)] += 1;
    }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM, local_.comm);
  VecWrite least(out);
  std::fill_n(least.data(), local_.num_owned_dofs, 1.0);  // of first-order states
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    for (int i = 0; i < local_.size(n).dofs; ++i) {
      const int u = unit(n, i);
      const double mean = sums[u] / sums[2 + u];
      least[local_.dof[n] + i] = mean > 0 ? share * mean : 1.0;
    }
}

void System::error_sizes(const Configuration& /*q*/, PetscVec z, PetscVec q_size, PetscVec z_size) const {
  const VecRead velocity(z);
  double largest[2] = {0, 0};  // speed, angular speed
  const auto unit = [this](int n, int i) { return local_.has_vector(n) && i < 3 ? 0 : 1; };
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    for (int i = 0; i < local_.size(n).dofs; ++i)
      largest[unit(n, i)] = std::max(largest[unit(n, i)], std::abs(velocity[local_.dof[n] + i]));
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, local_.comm);
  dof_sizes(q_size);
  VecWrite of_q(q_size), of_z(z_size);
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    for (int i = 0; i < local_.size(n).dofs; ++i) of_z[local_.dof[n] + i] = largest[unit(n, i)];
  for (const PetscInt s : layout_.states) of_q[s] = of_z[s] = 1;
}

}  // namespace sinew
