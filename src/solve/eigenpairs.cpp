#include "solve/eigenpairs.hpp"

#include "solve/motion_space.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

bool is_for_dense(const System& system, const LinearisedSystem& s) {
  return system.has_redundancy() && !s.has_rates && !s.has_states &&
         system.global_dofs() + system.global_rows() <= most_dense_unknowns;
}

double nth_nearest(std::vector<double> distances, int count) {
  if (static_cast<int>(distances.size()) < count) return HUGE_VAL;
  const auto nth = distances.begin() + (count - 1);
  std::nth_element(distances.begin(), nth, distances.end());
  return *nth;
}

VecHandle kkt_sizes(const System& system) {
  VecHandle all = make_kkt_vector(system.layout()), size = system.make_dof_vector(), rows = system.make_row_vector();
  system.dof_sizes(size);
  join_kkt(size, rows, all);
  return all;
}

VecHandle displacements(const System& system, const MotionSpace& space, const double* x) {
  VecHandle w = system.make_dof_vector();
  const std::vector<double> values = space.motion(x);
  std::copy(values.begin(), values.end(), VecWrite(w).data());
  return w;
}

}  // namespace sinew
