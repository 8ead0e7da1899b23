#include "linear/tree_factors.hpp"
#include "linear/batched_factors.hpp"

#include "linear/kkt_solver.hpp"

#include "tests/catch.hpp"
#include "tests/src/linear/net.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

#ifdef SINEW_HAVE_KLU

/// max |A x - b| for the x that a solver finds for the b of a known one.
double residual(KktSolver& solver, const Net& net) {
  const VecHandle x = known(net), b = net.vector(), r = net.vector();
  petsc(MatMult(net.matrix(), x, b));
  petsc(VecSet(x, 0.0));
  REQUIRE(solver.solve(b, x));
  petsc(MatMult(net.matrix(), x, r));
  petsc(VecAXPY(r, -1.0, b));
  return max_norm(r);
}

/// The same by factors that keep no unknown, or `kept` given as known.
template <class Factors>
double residual(Factors& factors, const Net& net, const std::vector<PetscInt>& kept = {}) {
  const VecHandle x = known(net), b = net.vector(), r = net.vector();
  petsc(MatMult(net.matrix(), x, b));
  std::vector<double> values, rest(kept.size());
  {
    const VecRead right(b);
    VecWrite solution(x);
    for (const PetscInt i : kept) values.push_back(solution[i]);
    factors.forward(OneSide<const PetscScalar>{right.data()}, rest.data());
    factors.backward(values.data(), OneSide<PetscScalar>{solution.data()});
    // What the interior takes from the right-hand side of the kept, with their own part, is S times the kept.
    for (std::size_t i = 0; i < kept.size(); ++i) {
      double sum = rest[i] + right[kept[i]];
      for (std::size_t j = 0; j < kept.size(); ++j) sum -= factors.complement()[j * kept.size() + i] * values[j];
      CHECK(std::abs(sum) < 1e-10);
    }
  }
  petsc(MatMult(net.matrix(), x, r));
  petsc(VecAXPY(r, -1.0, b));
  return max_norm(r);
}

#endif

}  // namespace

#ifdef SINEW_HAVE_KLU

TEMPLATE_TEST_CASE("a net is solved by substructures of any size, and again with other numbers", "[serial]", TreeFactors,
                   BatchedFactors) {
  for (const PetscInt leaf_size : {20, 60, 200, 100000}) {
    Net net(12);
    TestType factors(leaf_size);
    INFO("leaves of " << leaf_size);
    {
      const MatrixRows A(net.matrix());
      REQUIRE(factors.analyse(A, *noted_unknowns(net.matrix())));
      REQUIRE(factors.factorise(A));
    }
    CHECK(residual(factors, net) < 1e-10);
    net.change();
    REQUIRE(factors.factorise(MatrixRows(net.matrix())));
    CHECK(residual(factors, net) < 1e-10);
  }
}

TEST_CASE("two right-hand sides are solved for together as each by itself", "[serial]") {
  const auto [n, kind] = GENERATE(table<int, Substructures>({{3, Substructures::sparse},
                                                             {8, Substructures::sparse},
                                                             {20, Substructures::sparse},
                                                             {3, Substructures::batched},
                                                             {20, Substructures::batched}}));
  {
    const Net net(n);
    INFO(n << " blocks a side");
    const auto solver = make_substructure_solver(kind);
    REQUIRE(solver->factorise(net.matrix()));
    const VecHandle b[2] = {known(net), net.vector()}, x[2] = {net.vector(), net.vector()}, left = net.vector();
    petsc(MatMult(net.matrix(), b[0], b[1]));
    REQUIRE(solver->solve_pair(b[0], x[0], b[1], x[1]));
    for (int i = 0; i < 2; ++i) {
      petsc(MatMult(net.matrix(), x[i], left));
      petsc(VecAXPY(left, -1.0, b[i]));
      CHECK(max_norm(left) < 1e-10);
    }
  }
}

TEMPLATE_TEST_CASE("what a tree leaves of unknowns that are kept is their Schur complement", "[serial]", TreeFactors,
                   BatchedFactors) {
  const int n = 8;
  const Net net(n);
  const MatrixRows A(net.matrix());
  const auto num_dofs = static_cast<PetscInt>(3 * n * n);
  std::vector<PetscInt> kept;
  for (const PetscInt block : {0, 7, 28, 63})
    for (PetscInt k = 0; k < 3; ++k) kept.push_back(3 * block + k);
  for (PetscInt r = num_dofs; r < A.n; ++r)  // all rows that touch them
    for (PetscInt k = A.starts[r]; k < A.starts[r + 1]; ++k)
      if (std::find(kept.begin(), kept.end(), A.columns[k]) != kept.end() && kept.back() != r) kept.push_back(r);
  for (const PetscInt leaf_size : {20, 60, 100000}) {
    TestType factors(leaf_size);
    INFO("leaves of " << leaf_size);
    REQUIRE(factors.analyse(A, *noted_unknowns(net.matrix()), kept));
    REQUIRE(factors.factorise(A));
    CHECK(residual(factors, net, kept) < 1e-10);
  }
}

TEST_CASE("a solver chooses its leaves itself and takes other numbers", "[serial]") {
  Net net(20);
  const auto solver = make_substructure_solver();
  REQUIRE(solver->factorise(net.matrix()));
  CHECK(residual(*solver, net) < 1e-10);
  net.change();
  REQUIRE(solver->factorise(net.matrix()));
  CHECK(residual(*solver, net) < 1e-10);
  CHECK(solver->describe().find("LU by substructures, ") == 0);
}

TEST_CASE("factors of other numbers are found out by the first solution, whatever rows the right-hand side has", "[serial]") {
  for (const bool is_full : {true, false}) {
    INFO((is_full ? "a full right-hand side" : "one of zeros but for a row"));
    Net net(8);
    const auto solver = make_substructure_solver();
    REQUIRE(solver->factorise(net.matrix()));
    net.change();  // behind its back
    const VecHandle b = is_full ? known(net) : net.vector(), x = net.vector(), left = net.vector();
    if (!is_full) {
      VecWrite values(b);
      values[40] = 1;
    }
    REQUIRE(solver->solve(b, x));
    petsc(MatMult(net.matrix(), x, left));
    petsc(VecAXPY(left, -1.0, b));
    CHECK(max_norm(left) < 1e-10);
  }
}

// Factors like those that have solved well are not looked at again; these become unlike them little by little, and at once.
TEST_CASE("pivots that serve less and less are given up before solutions are wrong", "[serial]") {
  for (const double drop : {0.5, 1e-2, 1e-9}) {
    Net net(8);
    const auto solver = make_substructure_solver();
    for (double diagonal = 1; diagonal >= 1e-9; diagonal *= drop) {
      net.change(diagonal);
      REQUIRE(solver->factorise(net.matrix()));
      INFO("diagonal entries times " << diagonal << ", after " << drop << " each time");
      CHECK(residual(*solver, net) < 1e-10);
    }
  }
}

TEST_CASE(
    "a tree eliminates every unknown once, what stands in one row of the matrix on one way up, and dofs that are coupled in "
    "fronts as thin as the net",
    "[serial]") {
  const Net net(12);
  const MatrixRows A(net.matrix());
  const auto unknowns = noted_unknowns(net.matrix());
  const auto num_dofs = static_cast<PetscInt>(unknowns->block_of_dof.size());
  const EliminationTree tree(A, *unknowns, 40);
  CHECK(tree.leaves == 16);
  std::vector<int> node(static_cast<std::size_t>(A.n), 0), times(static_cast<std::size_t>(A.n), 0);
  const auto take = [&](PetscInt unknown, int t) {
    node[static_cast<std::size_t>(unknown)] = t;
    ++times[static_cast<std::size_t>(unknown)];
  };
  for (int p = 0; p < tree.leaves; ++p)
    for (const PetscInt i : tree.interior[static_cast<std::size_t>(p)]) take(i, tree.leaves + p);
  for (int t = 1; t < tree.leaves; ++t)
    for (const int u : tree.inner[static_cast<std::size_t>(t)].eliminated) take(tree.interface[static_cast<std::size_t>(u)], t);
  const auto is_above = [](int above, int below) {
    while (below > above) below >>= 1;
    return below == above;
  };
  for (PetscInt i = 0; i < A.n; ++i) {
    CHECK(times[static_cast<std::size_t>(i)] == 1);
    for (PetscInt k = A.starts[i]; k < A.starts[i + 1]; ++k) {
      const int mine = node[static_cast<std::size_t>(i)], other = node[static_cast<std::size_t>(A.columns[k])];
      CHECK((is_above(mine, other) || is_above(other, mine)));
    }
  }
  std::size_t dofs_at_root = 0;
  for (const int u : tree.inner[1].eliminated) dofs_at_root += tree.interface[static_cast<std::size_t>(u)] < num_dofs ? 1 : 0;
  CHECK(dofs_at_root <= 36);
}

namespace {

/// How many of some rows of G are independent on some dofs, by elimination with pivots from all that is left.
std::size_t rank_of(const SparseRows& A, const std::vector<PetscInt>& rows, const std::vector<PetscInt>& dofs) {
  std::vector<std::vector<double>> G(rows.size(), std::vector<double>(dofs.size(), 0.0));
  for (std::size_t r = 0; r < rows.size(); ++r)
    A.for_values(rows[r], [&](PetscInt column, PetscScalar value) {
      const auto found = std::lower_bound(dofs.begin(), dofs.end(), column);
      if (found != dofs.end() && *found == column) G[r][static_cast<std::size_t>(found - dofs.begin())] = value;
    });
  std::size_t rank = 0;
  for (; rank < G.size(); ++rank) {
    std::size_t row = rank, column = 0;
    for (std::size_t r = rank; r < G.size(); ++r)
      for (std::size_t c = 0; c < dofs.size(); ++c)
        if (std::abs(G[r][c]) > std::abs(G[row][column])) row = r, column = c;
    std::swap(G[rank], G[row]);
    if (!(std::abs(G[rank][column]) > 1e-6)) break;
    for (std::size_t r = rank + 1; r < G.size(); ++r) {
      const double factor = G[r][column] / G[rank][column];
      for (std::size_t c = 0; c < dofs.size(); ++c) G[r][c] -= factor * G[rank][c];
    }
  }
  return rank;
}

}  // namespace

// Blocks of three dofs in a square, all neighbours coupled and tied by a row along the line between them, as masses by bars: what
// is inside between masses that stand still has more bars than it could have.
TEST_CASE("rows that touch the interface are eliminated as low as they are independent there, and no lower", "[serial]") {
  const Net net(8, 1, true);
  const MatrixRows A(net.matrix());
  const auto unknowns = noted_unknowns(net.matrix());
  const auto num_dofs = static_cast<PetscInt>(unknowns->block_of_dof.size());
  const EliminationTree tree(A, *unknowns, 40);
  REQUIRE(tree.leaves > 2);
  std::vector<std::vector<PetscInt>> eliminated(2 * static_cast<std::size_t>(tree.leaves));
  for (std::size_t p = 0; p < tree.interior.size(); ++p) eliminated[tree.interior.size() + p] = tree.interior[p];
  for (std::size_t t = tree.inner.size() - 1; t >= 1; --t) {
    for (const int u : tree.inner[t].eliminated) eliminated[t].push_back(tree.interface[static_cast<std::size_t>(u)]);
    for (const std::size_t child : {2 * t, 2 * t + 1})
      eliminated[t].insert(eliminated[t].end(), eliminated[child].begin(), eliminated[child].end());
  }
  std::size_t beside_dofs_above = 0;
  for (std::size_t t = 1; t < eliminated.size(); ++t) {
    std::vector<PetscInt> rows, dofs;
    for (const PetscInt i : eliminated[t]) (i < num_dofs ? dofs : rows).push_back(i);
    std::sort(dofs.begin(), dofs.end());
    INFO("node " << t << " of " << tree.leaves << " leaves");
    CHECK(rank_of(A, rows, dofs) == rows.size());
    for (const PetscInt r : rows) {
      bool has_dof_above = false;
      A.for_columns(r, [&](PetscInt j) {
        has_dof_above = has_dof_above || (j < num_dofs && !std::binary_search(dofs.begin(), dofs.end(), j));
      });
      beside_dofs_above += has_dof_above ? 1 : 0;
    }
  }
  CHECK(beside_dofs_above > 0);
}

TEST_CASE("where rows become dependent in a part of a net they are placed anew", "[serial]") {
  for (const Substructures kind : {Substructures::sparse, Substructures::batched}) {
    Net net(24, 1, true);
    const auto solver = make_substructure_solver(kind);
    REQUIRE(solver->factorise(net.matrix()));
    CHECK(residual(*solver, net) < 1e-9);
    CHECK(solver->describe().find("leaves") != std::string::npos);
    net.align();
    REQUIRE(solver->factorise(net.matrix()));
    CHECK(residual(*solver, net) < 1e-9);
  }
}

TEST_CASE("a net of masses between bars is solved by substructures of any size", "[serial]") {
  for (const PetscInt leaf_size : {20, 60, 100000}) {
    Net net(10, 1, true);
    TreeFactors factors(leaf_size);
    const MatrixRows A(net.matrix());
    REQUIRE(factors.analyse(A, *noted_unknowns(net.matrix())));
    REQUIRE(factors.factorise(A));
    CHECK(residual(factors, net) < 1e-10);
  }
}

TEST_CASE("rows that say nothing are found out, and matrices of unknown kind are left alone", "[serial]") {
  const Net net(6, 0.0);
  for (const Substructures kind : {Substructures::sparse, Substructures::batched})
    CHECK_FALSE(make_substructure_solver(kind)->factorise(net.matrix()));
  MatHandle plain;
  petsc(MatDuplicate(net.matrix(), MAT_COPY_VALUES, plain.address()));
  if (!noted_unknowns(plain)) CHECK_FALSE(make_substructure_solver()->factorise(plain));
}

#endif
