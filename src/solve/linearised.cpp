#include "solve/linearised.hpp"

#include "base/reduction.hpp"
#include "solve/held_rows.hpp"
#include "solve/state_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// What round-off and the tolerance of an equilibrium leave of symmetry, as a part of the entries of the rows; and how many
/// roundings of the largest entry of all do.
constexpr double unsymmetric = 1e-10, roundings = 10;
/// Damping below this, relative to the critical damping of the dofs that it works on, is round-off.
constexpr double undamped = 1e-13;
/// Stands for one over the root of nothing: where a dof has no stiffness or no mass of its own, any damping counts.
constexpr double endless = 1e100;

MatHandle tangent(const System& system, const Stage& stage, const TangentShift& shift) {
  MatHandle A = system.make_tangent_matrix();
  system.assemble_tangent(stage, shift, nullptr, A);
  return A;
}

/// The part of the tangent that goes with a coefficient of the shift: constraint rows and regularisation cancel.
MatHandle part(const System& system, const Stage& stage, const TangentShift& shift) {
  MatHandle A = tangent(system, stage, shift);
  const MatHandle borders = tangent(system, stage, {});
  petsc(MatAXPY(A, -1.0, borders, SAME_NONZERO_PATTERN));
  return A;
}

/// Adds 1 to the diagonal in the states.
void add_rates_of_states(const System& system, PetscMat A) {
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(A, &first, nullptr));
  for (const PetscInt s : system.layout().states) petsc(MatSetValue(A, first + s, first + s, 1.0, ADD_VALUES));
  petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
}

/// max_j |A_ij| of every row. Collective.
VecHandle largest_of_rows(PetscMat A) {
  VecHandle largest;
  petsc(MatCreateVecs(A, nullptr, largest.address()));
  petsc(MatGetRowMaxAbs(A, largest, nullptr));
  return largest;
}

/// 1/sqrt(M_ii), 0 for what has no mass and for rows.
VecHandle inverse_root_masses(const System& system) {
  VecHandle scale = make_kkt_vector(system.layout()), m = system.make_dof_vector(), rows = system.make_row_vector();
  system.mass_diagonal(m);
  system.clear_states(m);
  {
    VecWrite mass(m);
    for (PetscInt i = 0; i < system.layout().num_dofs; ++i) mass[i] = mass[i] > 0 ? 1 / std::sqrt(mass[i]) : 0.0;
  }
  join_kkt(m, rows, scale);
  return scale;
}

/// max_j |A_ij| right_j of every row, times left_i where it is given.
VecHandle largest_scaled(PetscMat A, PetscVec left, PetscVec right) {
  MatHandle scaled;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, scaled.address()));
  petsc(MatDiagonalScale(scaled, left, right));
  return largest_of_rows(scaled);
}

/// max |D_ij| / sqrt(c_i c_j) > undamped with c_i = sqrt(K_ii M_ii), which is the same in any units and beside whatever else
/// there is: the damping of a balance wheel counts on a machine whose mounts are 1e15 times as stiff.
bool has_damping(const LinearisedSystem& s) {
  VecHandle stiffness, mass;
  petsc(MatCreateVecs(s.D, stiffness.address(), mass.address()));
  petsc(MatGetDiagonal(s.K, stiffness));
  petsc(MatGetDiagonal(s.M, mass));
  {
    const VecRead m(mass);
    VecWrite k(stiffness);
    PetscInt count = 0;
    petsc(VecGetLocalSize(mass, &count));
    for (PetscInt i = 0; i < count; ++i) {
      const double critical = std::sqrt(std::abs(k[i])) * std::sqrt(std::abs(m[i]));
      k[i] = critical > 0 ? 1 / std::sqrt(critical) : endless;
    }
  }
  return max_norm(largest_scaled(s.D, stiffness, stiffness)) > undamped;
}

/// max |K_ij| / sqrt(M_ii M_jj), 0 where nothing resists. Of a stiffness without negative directions that is a ratio of the
/// diagonal; forces in joints alone may leave rounding there and stand beside it.
double largest_ratio(const System& system, PetscMat K, PetscVec scale) {
  VecHandle diagonal = duplicate(scale), k = system.make_dof_vector(), rows = system.make_row_vector();
  double largest = max_norm(largest_scaled(K, scale, scale));
  petsc(MatGetDiagonal(K, diagonal));
  split_kkt(diagonal, k, rows);
  {
    const VecRead stiff(k);
    for (const PetscInt s : system.layout().states) largest = std::max(largest, stiff[s] * stiff[s]);
  }
  return largest_of_all(system.layout().comm, largest);
}

/// How fast nonholonomic rows k_z w' + k_q w = 0 alone take motions back: a skate that is pulled at v, its wheel l behind, with
/// v / l.
double largest_rate_of_rows(const System& system, const LinearisedSystem& s, PetscVec scale) {
  const VecHandle of_places = largest_scaled(s.K, nullptr, scale), of_rates = largest_scaled(s.D, nullptr, scale);
  double largest = 0;
  {
    const VecRead places(of_places), rates(of_rates);
    const auto& is_velocity = system.layout().row_is_velocity;
    for (std::size_t r = 0; r < is_velocity.size(); ++r) {
      const PetscInt i = system.layout().num_dofs + static_cast<PetscInt>(r);
      if (is_velocity[r] && rates[i] > 0) largest = std::max(largest, places[i] / rates[i]);
    }
  }
  return largest_of_all(system.layout().comm, largest);
}

/// A KKT vector of the sizes of states, 1 in all other entries.
VecHandle kkt_state_sizes(const System& system, PetscVec states) {
  VecHandle sizes = make_kkt_vector(system.layout()), dofs = system.make_dof_vector(), rows = system.make_row_vector();
  petsc(VecSet(dofs, 1.0));
  petsc(VecSet(rows, 1.0));
  set_state_sizes(system.layout(), states, dofs);
  join_kkt(dofs, rows, sizes);
  return sizes;
}

/// max |K_ij| of states by states: of these over their sizes a rate, 1/s.
double largest_rate_of_states(const System& system, PetscMat K) {
  VecHandle is_state = make_kkt_vector(system.layout()), dofs = system.make_dof_vector(), rows = system.make_row_vector();
  petsc(VecSet(dofs, 1.0));
  system.clear_all_but_states(dofs);
  join_kkt(dofs, rows, is_state);
  return max_norm(largest_scaled(K, is_state, is_state));
}

}  // namespace

LinearisedSystem with_states_over_sizes(const System& system, const LinearisedSystem& s) {
  LinearisedSystem t;
  VecHandle inverse = duplicate(s.state_sizes);
  petsc(VecCopy(s.state_sizes, inverse));
  petsc(VecReciprocal(inverse));
  for (const auto& [from, to] : {std::pair{&s.K, &t.K}, std::pair{&s.D, &t.D}, std::pair{&s.M, &t.M}}) {
    petsc(MatDuplicate(*from, MAT_COPY_VALUES, to->address()));
    petsc(MatDiagonalScale(*to, inverse, s.state_sizes));
  }
  note_unknowns(t.K, noted_unknowns(s.K));
  t.is_damped = s.is_damped;
  t.is_symmetric = is_symmetric(t.K) && is_symmetric(t.D);
  const double of_states = largest_rate_of_states(system, t.K);
  t.scale = std::max(s.scale, of_states * of_states);
  t.fastest = std::max(s.fastest, of_states);
  t.rate = s.rate;
  t.has_rates = s.has_rates;
  t.has_states = s.has_states;
  t.state_sizes = duplicate(s.state_sizes);
  petsc(VecCopy(s.state_sizes, t.state_sizes));
  t.left = s.left;
  t.structure = s.structure;
  return t;
}

MatHandle shifted(const LinearisedSystem& s, double sigma) {
  MatHandle A;
  petsc(MatDuplicate(s.K, MAT_COPY_VALUES, A.address()));
  petsc(MatAXPY(A, -sigma, s.M, s.structure));
  if (s.structure == SAME_NONZERO_PATTERN) note_unknowns(A, noted_unknowns(s.K));
  return A;
}

MatHandle stiffness(const System& system, const Configuration& q, PetscVec lambda) {
  const VecHandle z = system.make_dof_vector();
  MatHandle K = tangent(system, {0.0, &q, z, lambda}, {1, 0, 0});
  hold_beside_stiffness(system, K);
  return K;
}

int freedoms(const System& system) {
  return std::max(1, static_cast<int>(system.global_dofs() - system.global_rows() + system.redundant_rows()));
}

MatHandle symmetric_part(PetscMat A) {
  MatHandle symmetric;
  petsc(MatTranspose(A, MAT_INITIAL_MATRIX, symmetric.address()));
  petsc(MatAXPY(symmetric, 1.0, A, DIFFERENT_NONZERO_PATTERN));
  petsc(MatScale(symmetric, 0.5));
  return symmetric;
}

bool is_symmetric(PetscMat A) {
  MatHandle skew;
  petsc(MatTranspose(A, MAT_INITIAL_MATRIX, skew.address()));
  petsc(MatAXPY(skew, -1.0, A, DIFFERENT_NONZERO_PATTERN));
  const VecHandle size = largest_of_rows(A);
  const double largest = max_norm(size);
  if (!(largest > 0)) return true;
  // Rounding of the largest entries may stand in the rows of small ones.
  const double noise = roundings * std::numeric_limits<double>::epsilon() * largest / unsymmetric;
  {
    VecWrite scale(size);
    PetscInt num_rows = 0;
    petsc(VecGetLocalSize(size, &num_rows));
    for (PetscInt i = 0; i < num_rows; ++i) scale[i] = 1 / std::sqrt(std::max(scale[i], noise));
  }
  petsc(MatDiagonalScale(skew, size, size));
  return max_norm(largest_of_rows(skew)) <= unsymmetric;
}

LinearisedSystem linearise(const System& system, const Configuration& q, PetscVec lambda, PetscVec rest) {
  const VecHandle zero = system.make_dof_vector();
  const Stage stage{0.0, &q, rest ? rest : zero.get(), lambda};
  LinearisedSystem s;
  s.has_states = system.model().num_states() > 0;
  s.K = tangent(system, stage, {.q = 1, .state_q = 1});
  s.D = part(system, stage, {.v = 1, .state_v = 0});
  s.M = part(system, stage, {.a = 1, .state_a = 0});
  hold_beside_stiffness(system, s.K);
  if (s.has_states) {
    add_rates_of_states(system, s.D);
    s.state_sizes = kkt_state_sizes(system, stage.z);
  }
  classify(system, s);
  return s;
}

void classify(const System& system, LinearisedSystem& s) {
  s.is_damped = s.has_rates || s.has_states || has_damping(s);
  s.is_symmetric = is_symmetric(s.K) && (!s.is_damped || is_symmetric(s.D));
  const VecHandle scale = inverse_root_masses(system);
  s.scale = largest_ratio(system, s.K, scale);
  s.fastest = std::max({std::sqrt(s.scale), max_norm(largest_scaled(s.D, scale, scale)), s.rate});
  if (s.has_rates) s.fastest = std::max(s.fastest, largest_rate_of_rows(system, s, scale));
  if (!(s.fastest > 0)) s.fastest = 1;
  if (!(s.scale > 0)) s.scale = s.fastest * s.fastest;
}

int num_eigenvalues(const System& system, const LinearisedSystem& s) {
  const auto& kinds = system.layout().row_is_velocity;
  int rates = s.has_rates ? static_cast<int>(std::count(kinds.begin(), kinds.end(), 1)) : 0;
  MPI_Allreduce(MPI_IN_PLACE, &rates, 1, MPI_INT, MPI_SUM, system.layout().comm);
  const auto motions = static_cast<int>(system.global_dofs() - system.global_rows() + system.redundant_rows()),
             states = static_cast<int>(system.model().num_states());
  return std::max(2, 2 * motions - states + rates);
}

}  // namespace sinew
