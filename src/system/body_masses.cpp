#include "system/body_masses.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace sinew {

namespace {

/// Calls each(n, x, dof) for the owned nodes of a body's first instance that have a vector: x is that, dof its first number.
template <class Each>
void for_nodes(const LocalModel& local, const Numbering& numbering, int body, const double* config, Each each) {
  const auto first = local.node_id.begin(), end = first + local.num_owned_nodes;
  const std::int64_t last = numbering.node(body, 0, static_cast<int>(numbering.size(body).nodes));
  for (auto at = std::lower_bound(first, end, numbering.node(body, 0, 0)); at != end && *at < last; ++at) {
    const auto n = static_cast<int>(at - first);
    if (local.has_vector(n))
      each(n, config + local.config_offset[static_cast<std::size_t>(n)], local.dof[static_cast<std::size_t>(n)]);
  }
}

}  // namespace

std::vector<BodyMass> body_masses(const System& system, const Numbering& numbering, const std::vector<int>& bodies,
                                  const Configuration& q) {
  const LocalModel& local = system.local();
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  const VecHandle e = system.make_dof_vector(), Me = system.make_dof_vector();
  {
    VecWrite along_x(e);
    for (const int body : bodies)
      for_nodes(local, numbering, body, config.data(), [&](int n, const double*, int dof) {
        if (local.is_place(n)) along_x[dof] = 1;
      });
  }
  system.mass_times(Stage{0.0, &q, nullptr, nullptr}, e, Me);
  std::vector<std::array<double, 4>> sums(bodies.size());    // m, m c
  std::vector<std::array<double, 6>> bounds(bodies.size());  // high, -low
  {
    const VecRead weight(Me);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      bounds[b].fill(std::numeric_limits<double>::lowest());
      for_nodes(local, numbering, bodies[b], config.data(), [&](int n, const double* x, int dof) {
        const bool is_place = local.is_place(n);
        if (is_place) sums[b][0] += weight[dof];
        for (std::size_t i = 0; i < 3; ++i) {
          sums[b][i + 1] += weight[dof] * x[i];
          if (!is_place) continue;
          bounds[b][i] = std::max(bounds[b][i], x[i]);
          bounds[b][i + 3] = std::max(bounds[b][i + 3], -x[i]);
        }
      });
    }
  }
  const auto count = static_cast<int>(bodies.size());
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4 * count, MPI_DOUBLE, MPI_SUM, local.comm);
  MPI_Allreduce(MPI_IN_PLACE, bounds.data(), 6 * count, MPI_DOUBLE, MPI_MAX, local.comm);
  std::vector<BodyMass> masses(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    masses[b].mass = sums[b][0];
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      masses[b].centre[i] = sums[b][k + 1] / sums[b][0];
      masses[b].high[i] = bounds[b][k];
      masses[b].low[i] = -bounds[b][k + 3];
    }
  }
  return masses;
}

}  // namespace sinew
