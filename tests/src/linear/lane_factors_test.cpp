#include "linear/tree_factors.hpp"

#include "base/index.hpp"
#include "kernels/algebra/lanes.hpp"
#include "linear/kkt_solver.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace sinew;

namespace {

#ifdef SINEW_HAVE_KLU

/// [J G^T; G 0] of a chain of bodies, two rows between each and the next one and two that hold the first. Bodies have four dofs,
/// two of them coupled, but every `period`th has three, if there is a period.
class Rods {
 public:
  explicit Rods(int count, int period = 0) {
    auto unknowns = std::make_shared<KktUnknowns>();
    std::vector<int> first, size;
    for (int b = 0; b < count; ++b) {
      first.push_back(static_cast<int>(unknowns->block_of_dof.size()));
      size.push_back(period > 0 && b % period == 0 ? 3 : 4);
      unknowns->block_of_dof.insert(unknowns->block_of_dof.end(), static_cast<std::size_t>(size.back()), b);
      unknowns->initial_position.push_back({1.0 * b, 0, 0});
    }
    n_ = first.back() + size.back();
    for (int b = 0; b < count; ++b) {
      for (int k = 0; k < size[at(b)]; ++k) entries_[{first[at(b)] + k, first[at(b)] + k}] = 4 + some();
      couple(first[at(b)], first[at(b)] + 1);
      for (int r = 0; r < 2; ++r, ++n_)
        for (const int body : {b - 1, b})
          for (int k = 0; body >= 0 && k < size[at(body)]; ++k) couple(n_, first[at(body)] + k);
    }
    for (int i = static_cast<int>(unknowns->block_of_dof.size()); i < n_; ++i) entries_[{i, i}] = 0;
    petsc(MatCreateSeqAIJ(PETSC_COMM_SELF, n_, n_, 16, nullptr, matrix_.address()));
    set_values();
    note_unknowns(matrix_, unknowns);
  }

  PetscMat matrix() const { return matrix_; }
  int size() const { return n_; }
  /// All numbers anew on the same pattern.
  void change() {
    std::map<std::pair<int, int>, double> factors;
    for (auto& [at, value] : entries_) {
      const auto [i, j] = std::minmax(at.first, at.second);
      value *= factors.emplace(std::pair(i, j), 1 + 0.2 * some()).first->second;
    }
    set_values();
  }
  /// The first two dofs of a body have nothing left but what couples them.
  void take_diagonal(int body) {
    const int i = 4 * body;
    entries_[{i, i}] = entries_[{i + 1, i + 1}] = 0;
    entries_[{i, i + 1}] = entries_[{i + 1, i}] = 2;
    for (auto& [at, value] : entries_)
      if (at.first != at.second && (at.first / 2 == i / 2) != (at.second / 2 == i / 2)) value = 0;
    set_values();
  }
  /// The first dof of a body is in nothing any more, or in something that is no number.
  void spoil(int body, double by) {
    for (auto& [at, value] : entries_)
      if (at.first == 4 * body || at.second == 4 * body) value *= by;
    set_values();
  }

  /// max |b - A x|_i / (|A| |x| + |b|)_i.
  double backward_error(const std::vector<double>& x, const std::vector<double>& b) const {
    std::vector<double> left = b, size = b;
    for (double& one : size) one = std::abs(one);
    for (const auto& [place, value] : entries_) {
      left[at(place.first)] -= value * x[at(place.second)];
      size[at(place.first)] += std::abs(value * x[at(place.second)]);
    }
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(left[i]) / size[i]);
    return largest;
  }

 private:
  double some() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  void couple(int i, int j) { entries_[{i, j}] = entries_[{j, i}] = some(); }
  void set_values() {
    for (const auto& [at, value] : entries_) petsc(MatSetValue(matrix_, at.first, at.second, value, INSERT_VALUES));
    petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }

  int n_ = 0;
  std::mt19937 random_{5};
  std::map<std::pair<int, int>, double> entries_;
  MatHandle matrix_;
};

std::vector<double> some_numbers(int count, double from) {
  std::vector<double> b;
  for (int i = 0; i < count; ++i) b.push_back(std::sin(from + i));
  return b;
}

double backward_error(TreeFactors& factors, const Rods& rods) {
  const std::vector<double> b = some_numbers(rods.size(), 1);
  std::vector<double> x(b.size());
  factors.forward(OneSide<const PetscScalar>{b.data()}, nullptr);
  factors.backward(nullptr, OneSide<PetscScalar>{x.data()});
  return rods.backward_error(x, b);
}

double backward_error(KktSolver& solver, const Rods& rods) {
  const std::vector<double> b = some_numbers(rods.size(), 1);
  std::vector<double> x(b.size());
  VecHandle right, solution;
  petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, rods.size(), b.data(), right.address()));
  petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, rods.size(), x.data(), solution.address()));
  REQUIRE(solver.solve(right, solution));
  return rods.backward_error(x, b);
}

bool is_side_by_side(const std::string& description) { return description.find(" side by side") != std::string::npos; }

constexpr double rounding = 1e-13;

#endif

}  // namespace

#ifdef SINEW_HAVE_KLU

// Of any length, so that the last run is like the others or not, and lanes are left; bodies of two kinds.
TEST_CASE("leaves side by side are solved to rounding, with the first numbers and with others", "[serial]") {
  for (const int count : {63, 64, 100, 129, 160})
    for (const int period : {0, 3, 5}) {
      INFO(count << " bodies, every " << period << "th another one");
      Rods rods(count, period);
      TreeFactors factors(24, EliminationTree::Division::runs);
      REQUIRE(factors.analyse(MatrixRows(rods.matrix()), *noted_unknowns(rods.matrix())));
      for (int time = 0; time < 3; ++time) {
        REQUIRE(factors.factorise(MatrixRows(rods.matrix())));
        CHECK(backward_error(factors, rods) < rounding);
        rods.change();
      }
      CHECK(is_side_by_side(factors.describe()) == (lane_count > 1));
      CHECK(factors.growth() > 0);
    }
}

TEST_CASE("leaves side by side solve for two right-hand sides as for each by itself", "[serial]") {
  const Rods rods(100);
  TreeFactors factors(40, EliminationTree::Division::runs);
  REQUIRE(factors.analyse(MatrixRows(rods.matrix()), *noted_unknowns(rods.matrix())));
  REQUIRE(factors.factorise(MatrixRows(rods.matrix())));
  const std::vector<double> b[2] = {some_numbers(rods.size(), 1), some_numbers(rods.size(), 2)};
  std::vector<double> x[2] = {std::vector<double>(b[0].size()), std::vector<double>(b[0].size())};
  factors.forward(TwoSides<const PetscScalar>{b[0].data(), b[1].data()}, nullptr);
  factors.backward(nullptr, TwoSides<PetscScalar>{x[0].data(), x[1].data()});
  for (int side = 0; side < 2; ++side) CHECK(rods.backward_error(x[side], b[side]) < rounding);
}

TEST_CASE("a leaf without a pivot, or with numbers that are none, is found out in whatever lane it is", "[serial]") {
  for (const double by : {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int body = 10; body < 100; body += 9) {
      INFO("body " << body << " times " << by);
      Rods rods(100);
      TreeFactors factors(40, EliminationTree::Division::runs);
      REQUIRE(factors.analyse(MatrixRows(rods.matrix()), *noted_unknowns(rods.matrix())));
      REQUIRE(factors.factorise(MatrixRows(rods.matrix())));
      rods.spoil(body, by);
      CHECK_FALSE(factors.factorise(MatrixRows(rods.matrix())));
    }
}

TEST_CASE("a solver has long chains side by side, without the pivots of others where these do not serve", "[serial]") {
  if (lane_count < 4) return;
  Rods rods(400);
  const auto solver = make_substructure_solver();
  REQUIRE(solver->factorise(rods.matrix()));
  CHECK(is_side_by_side(solver->describe()));
  CHECK(backward_error(*solver, rods) < rounding);
  rods.change();
  REQUIRE(solver->factorise(rods.matrix()));
  CHECK(backward_error(*solver, rods) < rounding);
  rods.take_diagonal(200);
  REQUIRE(solver->factorise(rods.matrix()));
  CHECK(backward_error(*solver, rods) < rounding);
  CHECK(solver->describe().find("one leaf") != std::string::npos);
}

TEST_CASE("a chain is divided into runs of whole periods, and what is not numbered along a chain is left whole", "[serial]") {
  const Rods rods(100, 7);
  const EliminationTree tree(MatrixRows(rods.matrix()), *noted_unknowns(rods.matrix()), 70, {}, EliminationTree::Division::runs);
  CHECK(tree.leaves == 8);
  for (int p = 0; p < 7; ++p) {
    std::size_t rows = 0;  // of the 14 bodies' own joints but the one to the next run; the first one's has none before it
    for (const PetscInt i : tree.interior[at(p)]) rows += at(i) >= noted_unknowns(rods.matrix())->block_of_dof.size() ? 1 : 0;
    CHECK(tree.interior[at(p)].size() == 14 * 4 - 2 + rows);
    CHECK(rows == (p == 0 ? 28 : 26));
  }
  const Rods few(100);
  KktUnknowns mixed = *noted_unknowns(few.matrix());
  // neighbours in the chain are far apart in the numbering: blocks 0, 2, 4, ... 1, 3, 5 ... of dofs that rise
  MatHandle shuffled;
  IsHandle order;
  std::vector<PetscInt> places;
  const auto num_dofs = static_cast<PetscInt>(mixed.block_of_dof.size());
  for (const PetscInt odd : {0, 1})
    for (PetscInt i = 0; i < num_dofs; ++i)
      if (i / 4 % 2 == odd) places.push_back(i);
  for (PetscInt i = num_dofs; i < few.size(); ++i) places.push_back(i);
  petsc(ISCreateGeneral(PETSC_COMM_SELF, few.size(), places.data(), PETSC_COPY_VALUES, order.address()));
  petsc(MatPermute(few.matrix(), order, order, shuffled.address()));
  CHECK(EliminationTree(MatrixRows(shuffled), mixed, 70, {}, EliminationTree::Division::runs).leaves == 1);
}

#endif
