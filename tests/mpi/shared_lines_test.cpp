// Lines of meshes in models that all ranks read together.
#include "base/error.hpp"
#include "bodies/cable.hpp"
#include "bodies/ring.hpp"
#include "model/registered_catalogue.hpp"
#include "partition/exchange.hpp"
#include "partition/first_rank_readers.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"

#include <cmath>
#include <fstream>

using namespace sinew;

namespace {

/// A mesh with an open curve of three cells and a closed one of four with middle nodes, written by rank 0. Collective.
std::string curves() {
  const std::string path = test::scratch_path("shared-lines.msh");
  if (comm_rank(MPI_COMM_WORLD) == 0) {
    std::ofstream file(path);
    file << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"rope\"\n1 2 \"hoop\"\n$EndPhysicalNames\n$Nodes\n12\n"
            "1 0 0 0\n2 1 0 0\n3 2 0.5 0\n4 3 1 1\n";
    for (int k = 0; k < 8; ++k) file << 5 + k << ' ' << std::cos(k * 0.785) << ' ' << std::sin(k * 0.785) << " 0\n";
    file << "$EndNodes\n$Elements\n7\n1 1 2 1 1 3 2\n2 1 2 1 1 1 2\n3 1 2 1 1 3 4\n";
    for (int k = 0; k < 4; ++k)
      file << 4 + k << " 8 2 2 2 " << 5 + 2 * k << ' ' << 5 + (2 * k + 2) % 8 << ' ' << 6 + 2 * k << '\n';
    file << "$EndElements\n";
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return path;
}

Model model_with(const std::string& bodies) {
  const std::string text =
      "sinew: 1\nmaterials: {steel: {density: 1000, youngs_modulus: 1e7}}\nsections: {wire: {shape: circle, diameter: 0.01}}\n"
      "bodies:\n" +
      bodies + "analysis: {end_time: 1, step: 0.1}\n";
  return read_model_text(text, "test.yaml", registered_catalogue(), {}, readers_on_first_rank(MPI_COMM_WORLD));
}

template <class T>
const LinePath* path_of(const Model& model, int body) {
  return dynamic_cast<const T&>(model.body_at(body)).mesh.path.get();
}

}  // namespace

TEST_CASE("lines that one rank reads are known to all, once however many bodies have them", "[mpi]") {
  const std::string rest = "', section: wire, material: steel, ", path = curves();
  const Model model =
      model_with("  a: {type: cable, mesh: '" + path + rest + "group: rope}\n  b: {type: ring, mesh: '" + path + rest +
                 "group: hoop}\n  c: {type: cable, mesh: '" + path + rest + "group: rope, position: [0, 0, 1]}\n");
  const LinePath* rope = path_of<CableItem>(model, 0);
  REQUIRE(rope);
  CHECK(rope == path_of<CableItem>(model, 2));
  REQUIRE(rope->num_elements() == 3);
  for (int k = 0; k < 4; ++k) CHECK(rope->corner(k)[0] == 3 - k);
  CHECK(rope->length() == Approx(1 + std::sqrt(1.25) + std::sqrt(2.25)));
  const LinePath* hoop = path_of<RingItem>(model, 1);
  REQUIRE(hoop);
  CHECK(hoop->is_closed());
  CHECK(hoop->num_elements() == 4);
  CHECK(hoop->places().size() == 8);
}

TEST_CASE("a line that cannot be read is refused on all ranks", "[mpi]") {
  const std::string rest = "section: wire, material: steel", path = curves();
  CHECK_THROWS_AS(model_with("  a: {type: cable, mesh: no-such-file.msh, " + rest + "}\n"), InputError);
  CHECK_THROWS_AS(model_with("  a: {type: cable, mesh: '" + path + "', " + rest + "}\n"), InputError);
  CHECK_THROWS_AS(model_with("  a: {type: cable, mesh: '" + path + "', group: hoop, " + rest + "}\n"), InputError);
  CHECK_THROWS_AS(model_with("  a: {type: ring, mesh: '" + path + "', group: rope, " + rest + "}\n"), InputError);
}
