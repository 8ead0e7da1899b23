#include "linear/tree_factors.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace sinew;

namespace {

#ifdef SINEW_HAVE_KLU

/// [J G^T; G 0] of a grid of n x n blocks of three dofs: neighbours along x are coupled in J, those along y tied by two rows.
class Net {
 public:
  explicit Net(int n, double tied = 1) {
    auto unknowns = std::make_shared<KktUnknowns>();
    std::mt19937 random(7);
    std::uniform_real_distribution<double> some(-1, 1);
    const auto block = [n](int i, int j) { return i + n * j; };
    for (int b = 0; b < n * n; ++b) {
      unknowns->position.push_back({static_cast<double>(b % n), static_cast<double>(b / n), 0});
      for (int k = 0; k < 3; ++k) {
        unknowns->block_of_dof.push_back(b);
        for (int l = 0; l < 3; ++l) add(3 * b + k, 3 * b + l, k == l ? 10 : some(random));
      }
    }
    rows_ = 3 * n * n;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        if (i + 1 < n)
          for (int k = 0; k < 9; ++k) couple(3 * block(i, j) + k / 3, 3 * block(i + 1, j) + k % 3, some(random));
        if (j + 1 < n)
          for (int r = 0; r < 2; ++r, ++rows_)
            for (int k = 0; k < 3; ++k) {
              couple(rows_, 3 * block(i, j) + k, tied * some(random));
              couple(rows_, 3 * block(i, j + 1) + k, tied * some(random));
            }
      }
    for (int r = 3 * n * n; r < rows_; ++r) add(r, r, 0);
    make();
    note_unknowns(matrix_, unknowns);
  }

  PetscMat matrix() const { return matrix_; }
  VecHandle vector() const {
    VecHandle v;
    petsc(VecCreateSeq(PETSC_COMM_SELF, rows_, v.address()));
    return v;
  }
  /// Every entry times a factor near 1, of its own but symmetric; the pattern stays.
  void change() {
    for (auto& [at, value] : entries_) {
      const auto [i, j] = at;
      petsc(MatSetValue(matrix_, i, j, value * (1 + 0.1 * std::sin(1.0 * (i + 1) * (j + 1))), INSERT_VALUES));
    }
    petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }

 private:
  void add(PetscInt i, PetscInt j, double value) { entries_[{i, j}] += value; }
  void couple(PetscInt i, PetscInt j, double value) {
    add(i, j, value);
    add(j, i, value);
  }
  void make() {
    std::vector<PetscInt> lengths(static_cast<std::size_t>(rows_), 0);
    for (const auto& entry : entries_) ++lengths[static_cast<std::size_t>(entry.first.first)];
    petsc(MatCreateSeqAIJ(PETSC_COMM_SELF, rows_, rows_, 0, lengths.data(), matrix_.address()));
    for (const auto& [at, value] : entries_) petsc(MatSetValue(matrix_, at.first, at.second, value, INSERT_VALUES));
    petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }

  std::map<std::pair<PetscInt, PetscInt>, double> entries_;
  PetscInt rows_ = 0;
  MatHandle matrix_;
};

/// max |A x - b| for the x that comes out of a known one.
double residual(TreeFactors& factors, const Net& net) {
  const VecHandle x = net.vector(), b = net.vector(), r = net.vector();
  {
    VecWrite known(x);
    PetscInt n = 0;
    petsc(VecGetSize(x, &n));
    for (PetscInt i = 0; i < n; ++i) known[i] = std::sin(1.0 + i);
  }
  petsc(MatMult(net.matrix(), x, b));
  petsc(VecSet(x, 0.0));
  REQUIRE(factors.solve(net.matrix(), b, x));
  petsc(MatMult(net.matrix(), x, r));
  petsc(VecAXPY(r, -1.0, b));
  return max_norm(r);
}

#endif

}  // namespace

#ifdef SINEW_HAVE_KLU

TEST_CASE("a net is solved by substructures of any size, and again with other numbers", "[serial]") {
  for (const PetscInt leaf_size : {20, 60, 200, 100000}) {
    Net net(12);
    TreeFactors factors(leaf_size);
    INFO("leaves of " << leaf_size);
    REQUIRE(factors.factorise(net.matrix()));
    CHECK(residual(factors, net) < 1e-10);
    net.change();
    REQUIRE(factors.factorise(net.matrix()));
    CHECK(residual(factors, net) < 1e-10);
  }
}

TEST_CASE("a tree eliminates every unknown once, and no row below a dof that stands in it", "[serial]") {
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
      if (i >= num_dofs && A.columns[k] < num_dofs) CHECK(is_above(mine, other));
    }
  }
}

TEST_CASE("rows that say nothing are found out, and matrices of unknown kind are left alone", "[serial]") {
  const Net net(6, 0.0);
  TreeFactors factors(20);
  CHECK_FALSE(factors.factorise(net.matrix()));
  MatHandle plain;
  petsc(MatDuplicate(net.matrix(), MAT_COPY_VALUES, plain.address()));
  if (!noted_unknowns(plain)) CHECK_FALSE(TreeFactors().factorise(plain));
}

#endif
