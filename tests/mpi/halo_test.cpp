#include "base/reduction.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

#include <cmath>
#include <limits>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Every rank knows nodes of others; joints with rows that others know come with the surface.
const std::string model = R"yaml(sinew: 1
title: A chain that ends in a block
materials: {rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  "link{i}": {repeat: {i: 1..12}, type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [i - 0.5, 0, 0],
              points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}
  block: {type: solid, box: {size: [1, 1, 1], elements: [2, 2, 2], order: 1}, position: [12, -0.5, -0.5], material: rubber}
joints:
  hook: {type: spherical, connect: [ground, link1.start]}
  "pin{i}": {repeat: {i: 2..12}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
  end: {type: spherical, connect: [link12.end, block.x-]}
analysis: {end_time: 1, step: 0.01}
)yaml";

/// How many of the copies of others' dofs are not `factor` times what `wavy_dofs` gives them, on all ranks. Collective.
int wrong_copies(const System& system, PetscVec v, double factor) {
  const LocalModel& local = system.local();
  const VecRead x(v);
  int wrong = 0;
  for (std::size_t n = static_cast<std::size_t>(local.num_owned_nodes); n + 1 < local.node_id.size(); ++n)
    for (int i = 0; i < local.size(n).dofs; ++i)
      if (x[local.dof[n] + i] != factor * wave(local.node_id[n], i)) ++wrong;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, local.comm);
  return wrong;
}

}  // namespace

TEST_CASE("copies of other ranks' entries follow every change of their vectors, several at a time", "[mpi]") {
  const TextModel built(PETSC_COMM_WORLD, model);
  const System& system = *built.system;
  VecHandle u = wavy_dofs(system, 1), v = wavy_dofs(system, 2), l = wavy_rows(system, 1);
  system.share({u, nullptr, v, u}, {l});
  CHECK(wrong_copies(system, u, 1) == 0);
  CHECK(wrong_copies(system, v, 2) == 0);
  petsc(VecScale(u, 4));  // by PETSc
  {
    VecWrite x(v);  // by hand
    for (PetscInt i = 0; i < system.layout().num_dofs; ++i) x[i] *= 2;
  }
  system.share({u}, {});
  system.share({v}, {});
  CHECK(wrong_copies(system, u, 4) == 0);
  CHECK(wrong_copies(system, v, 4) == 0);
}

TEST_CASE("copies are renewed where a vector changed, and only there", "[mpi]") {
  const TextModel built(PETSC_COMM_WORLD, model);
  const System& system = *built.system;
  const LocalModel& local = system.local();
  VecHandle v = wavy_dofs(system, 1);
  system.share({v}, {});
  const auto spoil = [&] {  // behind PETSc's back, so that the vector's state stays
    auto* x = const_cast<double*>(VecRead(v).data());
    for (int i = local.num_owned_dofs; i < local.num_local_dofs; ++i) x[i] = -7;
  };
  int copies = local.num_local_dofs - local.num_owned_dofs;
  MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_SUM, local.comm);
  spoil();
  system.share({v}, {});
  CHECK(wrong_copies(system, v, 1) == copies);
  petsc(VecScale(v, 3));
  system.share({v}, {});
  CHECK(wrong_copies(system, v, 3) == 0);
  // More vectors than are remembered: those that were forgotten are brought up to date again.
  std::vector<VecHandle> many;
  for (int k = 0; k < 40; ++k) many.push_back(wavy_dofs(system, 1));
  for (const VecHandle& one : many) system.share({one}, {});
  spoil();
  system.share({v}, {});
  CHECK(wrong_copies(system, v, 3) == 0);
}

TEST_CASE("a reduction adds up and compares at once; what is no number stays none", "[mpi]") {
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  Reduction all(PETSC_COMM_WORLD);
  const auto most = all.largest(rank), sum = all.sum(rank + 1), least = all.largest(-rank);
  const auto none = all.largest(rank == 0 ? std::numeric_limits<double>::quiet_NaN() : 1e300);
  const auto bound = all.largest(rank == 0 ? std::numeric_limits<double>::infinity() : 1);
  all.share();
  CHECK(all[most] == size - 1);
  CHECK(all[sum] == size * (size + 1) / 2);
  CHECK(all[least] == 0);
  CHECK(std::isnan(all[none]));
  CHECK(std::isinf(all[bound]));
  CHECK(largest_of_all(PETSC_COMM_WORLD, 2.0 * rank) == 2.0 * (size - 1));
}
