#include "integrate/integrator.hpp"

namespace sinew {

State make_state(const DynamicSystem& system) {
  State s;
  s.q = system.make_configuration();
  s.z = system.make_dof_vector();
  s.f = system.make_dof_vector();
  s.a = system.make_dof_vector();
  s.Ma = system.make_dof_vector();
  s.a_used = system.make_dof_vector();
  s.Ma_used = system.make_dof_vector();
  s.lambda = system.make_row_vector();
  s.lambda_old = system.make_row_vector();
  return s;
}

void copy_state(const State& from, State& to) {
  to.t = from.t;
  to.h_old = from.h_old;
  to.gs_old = from.gs_old;
  Kokkos::deep_copy(to.q.values, from.q.values);
  const std::pair<PetscVec, PetscVec> pairs[] = {{from.z, to.z},           {from.f, to.f},
                                                 {from.a, to.a},           {from.Ma, to.Ma},
                                                 {from.a_used, to.a_used}, {from.Ma_used, to.Ma_used},
                                                 {from.lambda, to.lambda}, {from.lambda_old, to.lambda_old}};
  for (const auto& [source, target] : pairs) petsc(VecCopy(source, target));
}

void persist(Archive& archive, State& s) {
  auto& [t, q, z, lambda, f, a, Ma, a_used, Ma_used, lambda_old, h_old, gs_old] = s;
  const Archive::Part part(archive, "state");
  archive.pass("time", t);
  archive.pass("last_step", h_old);
  archive.pass("gs_old", gs_old);
  archive.pass("configuration", q);
  archive.pass_dofs("velocity", z);
  archive.pass_dofs("force", f);
  archive.pass_dofs("acceleration", a);
  archive.pass_dofs("inertia", Ma);
  archive.pass_dofs("acceleration_used", a_used);
  archive.pass_dofs("inertia_used", Ma_used);
  archive.pass_rows("multipliers", lambda);
  archive.pass_rows("multipliers_before", lambda_old);
}

}  // namespace sinew
