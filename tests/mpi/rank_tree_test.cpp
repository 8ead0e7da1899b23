#include "linear/rank_tree.hpp"
#include "linear/kkt_solver.hpp"
#include "linear/tree_factors.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/chains_and_nets.hpp"

#include <set>

using namespace sinew;

TEST_CASE("who watches the fronts above the ranks may do their work again and changes nothing", "[mpi]") {
  if (!make_substructure_solver() || comm_size(MPI_COMM_WORLD) == 1) return;
  const test::TextModel built(MPI_COMM_WORLD, test::chain_of(40, "spherical"));
  const test::Tangent tangent(built);
  PetscMat const A = tangent.matrix;
  const MPI_Comm comm = comm_of(A);
  const auto unknowns = noted_unknowns(A);
  RankPart part(A, *unknowns);
  TreeFactors factors;
  REQUIRE(factors.analyse(part.rows(), *unknowns, part.kept()));
  REQUIRE(factors.factorise(part.rows()));
  RankTree plain(comm, part.shared()), watched(comm, part.shared());

  std::set<std::size_t> levels;
  double bytes = 0;
  const FrontWatch twice = [&](std::size_t level, std::size_t received, const std::function<void()>& work) {
    levels.insert(level);
    bytes += static_cast<double>(received);
    work();
    work();
  };
  CHECK(plain.factorise(factors.complement()));
  CHECK(watched.factorise(factors.complement(), &twice));
  std::vector<double> x(part.kept().size()), y;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(1.0 + static_cast<double>(part.shared()[k].global));
  y = x;
  plain.solve(x);
  watched.solve(y, &twice);
  CHECK(x == y);
  CHECK(levels.size() == (comm_size(MPI_COMM_WORLD) == 2 || comm_rank(MPI_COMM_WORLD) == 2 ? 1 : 2));
  CHECK(bytes > 0);
}
