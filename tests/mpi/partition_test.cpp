#include "linear/rank_part.hpp"
#include "partition/coordinate_bisection.hpp"
#include "partition/exchange.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/chains_and_nets.hpp"

using namespace sinew;

TEST_CASE("nodes are bisected by their places into parts of one weight that lie together", "[mpi]") {
  const int rank = comm_rank(MPI_COMM_WORLD), size = comm_size(MPI_COMM_WORLD);
  std::vector<std::array<double, 3>> places;
  std::vector<int> weights;
  for (int i = rank; i < 600; i += size) {  // along y, each rank holds some of everywhere; two nodes at every place
    places.push_back({0, 0.5 * (i / 2), 0});
    weights.push_back(3);
  }
  const std::vector<int> parts = bisect_coordinates(MPI_COMM_WORLD, places, weights);
  std::vector<double> count(static_cast<std::size_t>(size), 0.0), lowest(count.size(), 1e9), highest(count.size(), -1e9);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const auto p = static_cast<std::size_t>(parts[n]);
    count[p] += 1;
    lowest[p] = std::min(lowest[p], places[n][1]);
    highest[p] = std::max(highest[p], places[n][1]);
  }
  MPI_Allreduce(MPI_IN_PLACE, count.data(), size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, lowest.data(), size, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, highest.data(), size, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int p = 0; p < size; ++p) {
    CHECK(count[static_cast<std::size_t>(p)] == Approx(600.0 / size).margin(2));
    if (p > 0) CHECK(lowest[static_cast<std::size_t>(p)] > highest[static_cast<std::size_t>(p) - 1]);
  }
}

TEST_CASE("a net of cables is cut straight across, with a jog at most", "[mpi]") {
  if (comm_size(MPI_COMM_WORLD) != 2) return;
  const test::TextModel built(MPI_COMM_WORLD, test::cable_net(12));
  const test::Tangent tangent(built);
  PetscMat const A = tangent.matrix;
  const RankPart part(A, *noted_unknowns(A));
  CHECK(part.kept().size() <= 15 * 6);  // a node of each of the 13 cables that cross; a jog adds two at most
}
