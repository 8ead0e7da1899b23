#include "partition/mesh_slice.hpp"

#include "input/gmsh.hpp"
#include "model/mesh_measure.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"
#include "partition/mesh_surface.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/mesh_cubes.hpp"

#include <algorithm>
#include <map>
#include <random>

using namespace sinew;
using test::complaint;
using test::cubes;
using test::on_all;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

/// A file of that content, written by rank 0 for all. Collective.
std::filesystem::path shared_file(const std::string& bytes) { return test::shared_file(bytes, "mesh_slices"); }

std::int64_t sum_of(std::int64_t here) {
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT64_T, MPI_SUM, world);
  return here;
}

/// A cell of the whole mesh: its nodes and groups.
struct KnownCell {
  std::vector<int> nodes;
  std::vector<std::string> groups;
};

/// The cells of a dimension by their numbers in the file.
std::map<std::int64_t, KnownCell> cells_of(const Mesh& mesh, int dimension) {
  std::map<std::int64_t, KnownCell> cells;
  const auto& blocks = mesh.cells(dimension);
  for (const CellBlock& block : blocks)
    for (int c = 0; c < block.size(); ++c)
      cells[block.tags[static_cast<std::size_t>(c)]].nodes.assign(block.cell(c).begin(), block.cell(c).end());
  for (const PhysicalGroup& group : mesh.groups)
    for (const CellRef& ref : group.cells)
      if (group.dimension == dimension)
        cells[blocks[static_cast<std::size_t>(ref.block)].tags[static_cast<std::size_t>(ref.cell)]].groups.push_back(group.name);
  return cells;
}

/// Whether the cells that this rank holds are those of the whole mesh with these numbers.
bool agree(const MeshSlice& slice, const std::vector<CellSlice>& blocks, std::map<std::int64_t, KnownCell> whole) {
  for (const CellSlice& cells : blocks)
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const KnownCell& known = whole[cells.tags[c]];
      const auto n = static_cast<std::size_t>(cells.num_nodes());
      if (known.nodes.size() != n) return false;
      for (std::size_t a = 0; a < n; ++a)
        if (slice.near[static_cast<std::size_t>(cells.nodes[c * n + a])].number != known.nodes[a]) return false;
      std::vector<std::string> groups;
      for (std::size_t g = 0; g < slice.groups.size(); ++g)
        if (slice.is_in(cells, c, static_cast<int>(g))) groups.push_back(slice.groups[g].name);
      if (groups != known.groups) return false;
    }
  return true;
}

std::int64_t count(const std::vector<CellSlice>& blocks) {
  std::int64_t total = 0;
  for (const CellSlice& cells : blocks) total += static_cast<std::int64_t>(cells.size());
  return sum_of(total);
}

/// The volume cells have the numbers from 0 on, each once, shape by shape in the order of the file.
bool are_numbered(const MeshSlice& slice, const Mesh& mesh) {
  std::vector<std::int64_t> tags;
  for (const CellBlock& block : mesh.volumes) tags.insert(tags.end(), block.tags.begin(), block.tags.end());
  for (const CellSlice& cells : slice.volumes)
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (tags[static_cast<std::size_t>(cells.numbers[c])] != cells.tags[c]) return false;
  return slice.num_cells == static_cast<std::int64_t>(tags.size());
}

/// Whether this rank's part of a surface has the weights that one rank finds.
bool agree(const SurfaceSlice& surface, const NodeWeights& whole) {
  for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
    const auto at = static_cast<std::size_t>(surface.first) + i;
    if (surface.nodes[i].node != whole.nodes[at] || std::abs(surface.nodes[i].weight - whole.weights[at]) > 1e-14 * whole.total)
      return false;
  }
  return surface.known.num_nodes == static_cast<int>(whole.nodes.size()) &&
         std::abs(surface.known.area - whole.total) < 1e-13 * whole.total;
}

/// The blocks of shapes of a dimension.
std::vector<CellSlice> of_dimension(const std::vector<CellSlice>& blocks, int dimension) {
  std::vector<CellSlice> found;
  for (const CellSlice& cells : blocks)
    if (shape_info(cells.shape).dimension == dimension) found.push_back(cells);
  return found;
}

void check_slices(const std::string& bytes) {
  const auto path = shared_file(bytes);
  Mesh mesh = read_gmsh(path);
  remove_loose_points(mesh, 3);
  const MeshSlice slice = read_mesh_slice(world, path);
  const auto rank = static_cast<std::size_t>(comm_rank(world));
  CHECK(slice.num_points == static_cast<std::int64_t>(mesh.points.size()));
  CHECK(on_all(std::equal(slice.points.begin(), slice.points.end(), mesh.points.begin() + slice.first_points[rank])));
  CHECK(sum_of(static_cast<std::int64_t>(slice.points.size())) == slice.num_points);
  CHECK(on_all(agree(slice, slice.volumes, cells_of(mesh, 3))));
  const std::vector<CellSlice> faces = of_dimension(slice.faces, 2);
  CHECK(on_all(agree(slice, faces, cells_of(mesh, 2))));
  CHECK(count(slice.volumes) == count_cells(mesh, 3));
  CHECK(count(faces) == count_cells(mesh, 2));
  CHECK(on_all(are_numbered(slice, mesh)));
  CHECK(list_groups(slice.groups) == list_groups(mesh.groups));
  for (const PhysicalGroup& group : mesh.groups) {
    const int index = slice.filled_group(group.name, group.dimension);
    CHECK((index >= 0) == !group.cells.empty());
    if (group.dimension <= 2 && index >= 0)
      CHECK(on_all(agree(make_surface(world, slice, index, group.name), node_weights(mesh, group))));
  }
}

}  // namespace

TEST_CASE("ranks that read a mesh together hold what one rank reads, in every format", "[mpi]") {
  for (const auto format : test::all_gmsh_formats) {
    CAPTURE(format.old, format.binary);
    for (const int order : {1, 2}) check_slices(test::gmsh_bytes(test::pyramid(order), format));
    for (const int spread : {1, 1000}) check_slices(test::gmsh_bytes(cubes(5, spread), format));
  }
}

TEST_CASE("no rank holds much more than its share of a mesh's points and cells", "[mpi]") {
  const int n = 16;
  const MeshSlice slice = read_mesh_slice(world, shared_file(test::gmsh_bytes(cubes(n, 3), {false, true})));
  const std::int64_t points = (n + 1) * (n + 1) * (n + 1), cells = n * n * n, size = comm_size(world);
  CHECK(on_all(static_cast<std::int64_t>(slice.points.size()) < points / size + 2 * n));
  std::int64_t held = 0;
  for (const CellSlice& part : slice.volumes) held += static_cast<std::int64_t>(part.size());
  CHECK(on_all(held * size < cells * 17 / 16 + 64 * size));
}

TEST_CASE("what is wrong with a mesh is told as one rank tells it", "[mpi]") {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  for (const auto format : {test::GmshFormat{false, false}, test::GmshFormat{true, false}}) {
    const std::string good = test::gmsh_bytes(cubes(4, 1), format);
    std::vector<std::string> damaged{with(good, "0 3 3", "0 3 nan"), with(good, "$EndNodes\n", ""),
                                     good.substr(0, good.size() / 2), good.substr(0, good.size() - 30)};
    test::FileMesh mesh = cubes(4, 1);
    mesh.nodes[70].first = mesh.nodes[20].first;
    mesh.nodes[90].first = mesh.nodes[20].first;
    damaged.push_back(test::gmsh_bytes(mesh, format));
    mesh = cubes(4, 1);
    mesh.elements[70].nodes[3] = mesh.elements[90].nodes[4] = 5000;
    damaged.push_back(test::gmsh_bytes(mesh, format));
    mesh = cubes(4, 1);
    for (std::size_t i = 0; i < mesh.elements.size(); ++i)
      if (mesh.elements[i].type == 5 && i % 4 == 1) std::swap(mesh.elements[i].nodes[0], mesh.elements[i].nodes[6]);
    damaged.push_back(test::gmsh_bytes(mesh, format));
    mesh = cubes(4, 1);
    std::erase_if(mesh.elements, [](const auto& element) { return element.dimension == 3; });
    damaged.push_back(test::gmsh_bytes(mesh, format));
    for (std::size_t i = 0; i < damaged.size(); ++i) {
      CAPTURE(format.old, i);
      const auto path = shared_file(damaged[i]);
      const std::string alone = complaint([&] {
        Mesh whole = read_gmsh(path);
        remove_loose_points(whole, 3);
        require_solid_mesh(whole);
      });
      const std::string together = complaint([&] { read_mesh_slice(world, path); });
      CHECK(!alone.empty());
      CHECK(together == alone);
      MPI_Barrier(world);
    }
  }
}

TEST_CASE("meshes with random damage are read or refused by all ranks alike", "[mpi]") {
  std::mt19937 random(20260311);
  for (const auto format : test::all_gmsh_formats) {
    const auto good = test::gmsh_bytes(cubes(3, 1), format);
    for (int trial = 0; trial < 40; ++trial) {
      auto bytes = good;
      const auto at = random() % bytes.size();
      switch (trial % 4) {
        case 0: bytes.resize(at); break;
        case 1: bytes[at] = static_cast<char>(random()); break;
        case 2: bytes.erase(at, 1 + random() % 8); break;
        default: bytes.insert(at, std::string(1 + random() % 4, "0123456789-. $\n\xff"[random() % 16]));
      }
      CAPTURE(format.old, format.binary, trial);
      const auto path = shared_file(bytes);
      const bool alone = complaint([&] {
                           Mesh whole = read_gmsh(path);
                           remove_loose_points(whole, 3);
                           require_solid_mesh(whole);
                         }).empty();
      const bool together = complaint([&] { read_mesh_slice(world, path); }).empty();
      CHECK(on_all(alone) == alone);
      CHECK(on_all(together == alone));
      MPI_Barrier(world);
    }
  }
}

TEST_CASE("what ranks send to one another arrives by sender, whole and once", "[mpi]") {
  const int rank = comm_rank(world), size = comm_size(world);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<std::int64_t>> outgoing(static_cast<std::size_t>(size));
    const auto amount = [&](int from, int to) { return (7 * from + 3 * to + round) % 4 == 0 ? 1000 * round : 0; };
    for (int to = 0; to < size; ++to)
      outgoing[static_cast<std::size_t>(to)].assign(static_cast<std::size_t>(amount(rank, to)), 100 * rank + to + 10000 * round);
    const auto incoming = all_to_all(world, outgoing);
    bool is_right = true;
    for (int from = 0; from < size; ++from) {
      const auto& part = incoming[static_cast<std::size_t>(from)];
      is_right = is_right && static_cast<int>(part.size()) == amount(from, rank) &&
                 std::all_of(part.begin(), part.end(), [&](std::int64_t v) { return v == 100 * from + rank + 10000 * round; });
    }
    CHECK(on_all(is_right));
  }
}
