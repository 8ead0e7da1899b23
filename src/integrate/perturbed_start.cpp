#include "integrate/perturbed_start.hpp"

#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"

namespace sinew {

namespace {

/// rows = G r: the rows g_t + G z are affine in z. Zero in rows of the velocity level.
void gradient_times(const DynamicSystem& system, const State& s, PetscVec r, PetscVec rows) {
  VecHandle sum = duplicate(r), before = system.make_row_vector();
  petsc(VecWAXPY(sum, 1.0, s.z, r));
  system.constraints({s.t, &s.q, s.z, nullptr}, nullptr, before);
  system.constraints({s.t, &s.q, sum, nullptr}, nullptr, rows);
  petsc(VecAXPY(rows, -1.0, before));
  const auto& is_velocity = system.layout().row_is_velocity;
  VecWrite value(rows);
  for (std::size_t i = 0; i < is_velocity.size(); ++i)
    if (is_velocity[i]) value[static_cast<PetscInt>(i)] = 0;
}

}  // namespace

void perturb_velocity(const DynamicSystem& system, const AlphaCoefficients& c, double h, PetscVec jerk, State& s) {
  VecHandle r = duplicate(jerk), zero = system.make_dof_vector(), rows = system.make_row_vector();
  system.commutator(s.z, s.a, r);
  petsc(VecAXPBY(r, (1 - 6 * c.beta - 3 * c.al) / 6, 1.0 / 12, jerk));
  gradient_times(system, s, r, rows);
  MatHandle metric = system.make_projection_matrix();
  system.assemble_projection({s.t, &s.q, s.z, nullptr}, metric);
  KspHandle ksp = make_linear_solver("sinew_start_", metric);
  refine_solutions(ksp);
  VecHandle rhs = make_kkt_vector(system.layout()), solution = make_kkt_vector(system.layout());
  join_kkt(zero, rows, rhs);
  if (!solve_linear(ksp, rhs, solution)) throw SolveError("start: perturbed: the projection matrix [M G^T; G 0] is singular");
  split_kkt(solution, r, rows);
  petsc(VecAXPY(s.z, h * h, r));
}

}  // namespace sinew
