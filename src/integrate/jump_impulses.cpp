#include "integrate/jump_impulses.hpp"

#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"

namespace sinew {

/// [M G^T; G 0] (w, -Lambda) = (M (z+ - z-), 0): w is what no impulse of a joint has changed, nothing.
VecHandle impulses_of_jump(const DynamicSystem& system, const State& after, PetscVec before) {
  const MatHandle matrix = system.make_projection_matrix();
  const Stage stage{after.t, &after.q, after.z, after.lambda};
  system.assemble_projection(stage, matrix);
  const KspHandle ksp = make_linear_solver("sinew_impulse_", matrix);
  refine_solutions(ksp);
  VecHandle change = duplicate(after.z), momentum = duplicate(after.z), impulses = system.make_row_vector();
  petsc(VecWAXPY(change, -1.0, before, after.z));
  system.mass_times(stage, change, momentum);
  VecHandle right = make_kkt_vector(system.layout()), solution = make_kkt_vector(system.layout());
  join_kkt(momentum, impulses, right);
  if (solve_linear(ksp, right, solution)) split_kkt(solution, change, impulses);
  petsc(VecScale(impulses, -1.0));
  return impulses;
}

}  // namespace sinew
