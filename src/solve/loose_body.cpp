#include "solve/loose_body.hpp"

#include "linear/direct_solver.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

/// A mass that is put on every dof, in parts of the mean one: what has none moves so many times further under a force.
constexpr double added_mass = 1e-9;
/// A motion with less than this part of the mean mass has none: bodies of one model may differ by as much.
constexpr double least_mass = 1e-7;

/// The mean of m s^2 over all dofs of size s that have a mass; 1 where none has.
double mean_mass(PetscVec mass, PetscVec size) {
  VecHandle weighted = duplicate(mass);
  petsc(VecPointwiseMult(weighted, mass, size));
  petsc(VecPointwiseMult(weighted, weighted, size));
  double sum = 0;
  PetscInt count = 0;
  petsc(VecNorm(weighted, NORM_1, &sum));
  petsc(VecGetSize(weighted, &count));
  return sum > 0 ? sum / static_cast<double>(count) : 1.0;
}

}  // namespace

std::string loose_body(const DynamicSystem& system, const Stage& stage) {
  if (!system.is_mechanical()) return {};
  VecHandle mass = system.make_dof_vector(), size = system.make_dof_vector(), rows = system.make_row_vector();
  VecHandle push = make_kkt_vector(system.layout()), moved = duplicate(push), added = duplicate(push);
  system.mass_diagonal(mass);
  system.dof_sizes(size);
  const double mean = mean_mass(mass, size);
  // A force of the mean mass times the size of its dof on everything, each by another amount, so that no motion escapes it.
  VecHandle force = duplicate(size);
  petsc(VecSetRandom(force, nullptr));
  petsc(VecShift(force, 1.0));
  petsc(VecPointwiseDivide(force, force, size));
  petsc(VecScale(force, mean));
  join_kkt(force, rows, push);
  petsc(VecPointwiseMult(mass, size, size));
  petsc(VecReciprocal(mass));
  petsc(VecScale(mass, added_mass * mean));
  join_kkt(mass, rows, added);
  const MatHandle A = system.make_projection_matrix();
  system.assemble_projection(stage, A);
  petsc(MatDiagonalSet(A, added, ADD_VALUES));
  const KspHandle ksp = make_direct_solver("sinew_start_", A, system.is_compact());
  if (!solve_linear(ksp, push, moved)) return {};
  split_kkt(moved, force, rows);
  petsc(VecPointwiseDivide(force, force, size));
  const std::string body = max_norm(force) * least_mass > 1 ? system.body_of_largest(force) : std::string();
  if (body.empty()) return {};
  return fmt::format(
      "{} can move in a way that meets no mass: give it a mass and moments of inertia, however small, or joints that hold it",
      body);
}

std::string loose_body(const System& system) {
  const Configuration q = system.make_configuration();
  const VecHandle z = system.make_dof_vector();
  const std::string who = loose_body(system, {0.0, &q, z, nullptr});
  return who.empty() ? "a body without mass is not held" : who;
}

}  // namespace sinew
