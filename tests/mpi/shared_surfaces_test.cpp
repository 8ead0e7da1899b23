#include "partition/shared_surfaces.hpp"
#include "base/error.hpp"
#include "model/registered_catalogue.hpp"
#include "partition/exchange.hpp"
#include "partition/first_rank_readers.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>

#include <fstream>

using namespace sinew;

namespace {

/// An STL file of a tetrahedron with three edges of length 1 along the axes, written by rank 0. Collective.
std::string tetrahedron() {
  const std::string path = test::scratch_path("shared-surface.stl");
  if (comm_rank(MPI_COMM_WORLD) == 0) {
    const char* const corners[] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
    constexpr int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    std::ofstream file(path);
    file << "solid t\n";
    for (const auto& face : faces) {
      file << "facet normal 0 0 0\nouter loop\n";
      for (const int corner : face) file << "vertex " << corners[corner] << "\n";
      file << "endloop\nendfacet\n";
    }
    file << "endsolid t\n";
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return path;
}

Model model_with(const std::string& path, const FileReaders& readers) {
  const std::string text = fmt::format(R"(sinew: 1
bodies:
  a: {{type: rigid, density: 6, position: [0, 0, 0],
       shape: [{{mesh: {{file: '{}', scale: 2}}}}, {{box: [1, 1, 1], position: [5, 0, 0]}}]}}
  b: {{type: point-mass, mass: 1, position: [1, 0, 0]}}
  c: {{type: rigid, density: 6, position: [9, 0, 0], shape: {{sphere: {{radius: 1}}}}}}
analysis: {{end_time: 1, step: 0.1}}
)",
                                       path);
  return read_model_text(text, "test.yaml", registered_catalogue(), {}, readers);
}

const RigidShape& shape_of(const Model& model, std::size_t body) { return *model.bodies[body].body().carried_shape(); }

}  // namespace

TEST_CASE("a surface is read by one rank and held by those that want it, what it weighs is known to all", "[mpi]") {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const std::string path = tetrahedron();
  const Model alone = model_with(path, {read_mesh_surface, read_text_file}),
              shared = model_with(path, readers_on_first_rank(comm));
  const RigidShape &whole = shape_of(alone, 0), &part = shape_of(shared, 0);
  CHECK(part.mass == Approx(6 * (8.0 / 6 + 1)));
  CHECK(part.mass == whole.mass);
  for (int k = 0; k < 9; ++k) CHECK(part.inertia(k / 3, k % 3) == whole.inertia(k / 3, k % 3));
  CHECK(part.surface.points.size() == (comm_rank(comm) == 0 ? 12U : 8U));

  const int last = comm_size(comm) - 1;
  const char is_last = comm_rank(comm) == last ? 1 : 0;
  const BodySurfaces surfaces(comm, shared, {is_last, 0, 1});
  CHECK(surfaces.num_points(0) == 4 + 8);
  CHECK(surfaces.num_triangles(0) == 4 + 12);
  CHECK(surfaces.num_points(1) == 0);
  CHECK(surfaces.of(2).triangles == shape_of(alone, 2).surface.triangles);
  if (is_last == 0) return;
  CHECK(surfaces.of(0).triangles == whole.surface.triangles);
  REQUIRE(surfaces.of(0).points.size() == whole.surface.points.size());
  for (std::size_t k = 0; k < whole.surface.points.size(); ++k)
    for (int i = 0; i < 3; ++i) CHECK(surfaces.of(0).points[k][i] == whole.surface.points[k][i]);
}

TEST_CASE("a surface that cannot be read is refused on all ranks", "[mpi]") {
  CHECK_THROWS_AS(model_with("no-such-file.stl", readers_on_first_rank(MPI_COMM_WORLD)), InputError);
  CHECK_THROWS_AS(model_with(test::source_path("tests/models/bricard.yaml"), readers_on_first_rank(MPI_COMM_WORLD)), InputError);
}
