/// \file
/// Models that all ranks run together and the first runs alone.
#pragma once

#include "tests/catch.hpp"
#include "tests/physics/curved_mesh.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace sinew::test {

/// A file of that mesh, written by rank 0 for all. Collective.
inline std::string shared_mesh(const std::string& name, const FileMesh& mesh) {
  const std::string file = fmt::format("{}_{}.msh", name, comm_size(MPI_COMM_WORLD));
  if (comm_rank(MPI_COMM_WORLD) == 0) write_scratch(file, gmsh_bytes(mesh, {false, true}));
  MPI_Barrier(MPI_COMM_WORLD);
  return scratch_path(file);
}

/// What is recorded at the end is the same within 1e-5. Returns what one rank recorded, on the first. Collective.
inline std::optional<Values> check_beside_one_rank(const std::string& text) {
  const Trajectory together = run_model(MPI_COMM_WORLD, text, {.at_every_step = false, .overrides = {}});
  if (comm_rank(MPI_COMM_WORLD) != 0) return {};
  const Trajectory alone = run_model(MPI_COMM_SELF, text, {.at_every_step = false, .overrides = {}});
  const Values &found = together.values.back(), &expected = alone.values.back();
  REQUIRE(found.size() == expected.size());
  for (const auto& [column, value] : expected) {
    CAPTURE(column);
    CHECK(found.at(column) == Approx(value).epsilon(1e-5).margin(1e-5));
  }
  return expected;
}

}  // namespace sinew::test
