#include "solve/eigenpairs.hpp"

#include "solve/motion_space.hpp"

#include <algorithm>

namespace sinew {

bool is_for_dense(const System& system, const LinearisedSystem& s) {
  return system.has_redundancy() && !s.has_rates && !s.has_states &&
         system.global_dofs() + system.global_rows() <= most_dense_unknowns;
}

VecHandle displacements(const System& system, const MotionSpace& space, const double* x) {
  VecHandle w = system.make_dof_vector();
  const std::vector<double> values = space.motion(x);
  std::copy(values.begin(), values.end(), VecWrite(w).data());
  return w;
}

}  // namespace sinew
