#include "linear/rank_tree.hpp"
#include "linear/kkt_solver.hpp"
#include "linear/tree_factors.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/chains_and_nets.hpp"

#include <set>

using namespace sinew;

namespace {

/// A chain's tangent, and what each rank eliminates of it by itself.
struct Chain {
  Chain() : built(MPI_COMM_WORLD, test::chain_of(40, "spherical")), tangent(built), A(tangent.matrix), part(A, unknowns()) {
    REQUIRE(factors.analyse(part.rows(), unknowns(), part.kept()));
    REQUIRE(factors.factorise(part.rows()));
  }
  const KktUnknowns& unknowns() const { return *noted_unknowns(A); }
  RankTree tree() const { return {comm_of(A), part.shared()}; }

  test::TextModel built;
  test::Tangent tangent;
  PetscMat A;
  RankPart part;
  TreeFactors factors;
};

bool is_without_ranks() { return !make_substructure_solver() || comm_size(MPI_COMM_WORLD) == 1; }

}  // namespace

TEST_CASE("who watches the fronts above the ranks may do their work again and changes nothing", "[mpi]") {
  if (is_without_ranks()) return;
  const Chain chain;
  RankTree plain = chain.tree(), watched = chain.tree();
  std::set<std::size_t> levels;
  double bytes = 0;
  const FrontWatch twice = [&](std::size_t level, std::size_t received, const std::function<void()>& work) {
    levels.insert(level);
    bytes += static_cast<double>(received);
    work();
    work();
  };
  CHECK(plain.factorise(chain.factors.complement(), {}).is_regular);
  CHECK(watched.factorise(chain.factors.complement(), {}, &twice).is_regular);
  const auto& shared = chain.part.shared();
  std::vector<double> x(shared.size()), y;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(1.0 + static_cast<double>(shared[k].global));
  y = x;
  plain.solve(x);
  watched.solve(y, &twice);
  CHECK(x == y);
  CHECK(levels.size() == (comm_size(MPI_COMM_WORLD) == 2 || comm_rank(MPI_COMM_WORLD) == 2 ? 1 : 2));
  CHECK(bytes > 0);
}

TEST_CASE("what one rank says of its factors all ranks know when the fronts are factorised", "[mpi]") {
  if (is_without_ranks()) return;
  const Chain chain;
  RankTree tree = chain.tree();
  for (int who = 0; who < comm_size(MPI_COMM_WORLD); ++who) {
    const bool is_here = comm_rank(MPI_COMM_WORLD) == who;
    INFO("rank " << who);
    const FactorsVerdict grown = tree.factorise(chain.factors.complement(), {1, is_here ? 0 : 1});
    CHECK(grown.is_regular == 1);
    CHECK(grown.is_like_others == 0);
    const std::vector<double> nothing(chain.factors.complement().size(), 0.0);
    const FactorsVerdict singular = tree.factorise(is_here ? nothing : chain.factors.complement(), {is_here ? 0 : 1, 1});
    CHECK(singular.is_regular == 0);
    CHECK(singular.is_like_others == 1);
  }
}
