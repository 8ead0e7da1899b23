#include "solve/mobility.hpp"

#include "base/reduction.hpp"
#include "linear/direct_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A share of a random motion (in the norm of kinetic energy) below this is what regularised constraints leave; one motion among
/// 10^6 has 1e-3.
constexpr double noticeable = 1e-6;

}  // namespace

bool can_move(const System& system, const Configuration& q) {
  if (system.model().num_states() > 0) return true;
  if (system.global_rows() == 0) return system.global_dofs() > 0;
  VecHandle x = system.make_dof_vector(), Mx = system.make_dof_vector(), none = system.make_row_vector();
  petsc(VecSetRandom(x, nullptr));
  const Stage stage{0.0, &q, x, nullptr};
  system.mass_times(stage, x, Mx);
  PetscScalar before = 0, after = 0;
  petsc(VecDot(x, Mx, &before));
  // M w + G^T mu = M x, G w = 0: the motion nearest to x that the constraints allow
  const MatHandle A = system.make_projection_matrix();
  system.assemble_projection(stage, A);
  const KspHandle ksp = make_direct_solver("sinew_mobility_", A, system.is_compact());
  VecHandle rhs = make_kkt_vector(system.layout()), solution = make_kkt_vector(system.layout());
  join_kkt(Mx, none, rhs);
  if (!solve_linear(ksp, rhs, solution)) return true;  // singular: the joints do not hold something without mass
  split_kkt(solution, x, none);
  system.mass_times(stage, x, Mx);
  petsc(VecDot(x, Mx, &after));
  return after > noticeable * noticeable * before;
}

bool is_nonholonomic(const System& system) {
  const auto& kinds = system.layout().row_is_velocity;
  return is_so_on_any(system.layout().comm, std::find(kinds.begin(), kinds.end(), 1) != kinds.end());
}

void require_motion(const System& system, const Configuration& q, const std::string& what) {
  if (can_move(system, q)) return;
  const Model& model = system.model();
  const std::string place = model.joints.empty() ? "" : model.source.locate(model.joints.front().mark) + ": error: ";
  throw InputError(
      fmt::format("{}nothing can move: the joints hold all {} degrees of freedom of the model, so that there are no {} "
                  "(take a joint away, or ask for `analysis: {{type: static}}`, which gives the reactions)",
                  place, static_cast<long>(system.global_dofs()), what));
}

}  // namespace sinew
