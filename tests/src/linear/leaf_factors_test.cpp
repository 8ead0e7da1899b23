#include "linear/leaf_factors.hpp"

#include "linear/tree_factors.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace sinew;

namespace {

#ifdef SINEW_HAVE_KLU

/// J of a chain of `count` blocks of `size` dofs, every block coupled with the next one and J no more symmetric than it need be,
/// with a row of constraints on the first dof: the columns of a block have the same rows.
class Chain {
 public:
  Chain(int count, int size) : size_(size), n_(count * size + 1) {
    auto unknowns = std::make_shared<KktUnknowns>();
    std::uniform_real_distribution<double> some(-1, 1);
    for (int b = 0; b < count; ++b) {
      unknowns->initial_position.push_back({1.0 * b, 0, 0});
      for (int k = 0; k < size; ++k) {
        unknowns->block_of_dof.push_back(b);
        const int first = std::max(0, (b - 1) * size), last = std::min(count, b + 2) * size, i = b * size + k;
        for (int j = first; j < last; ++j) entries_[{i, j}] = (i == j ? 3.0 * size : 0) + some(random_);
      }
    }
    entries_[{0, n_ - 1}] = entries_[{n_ - 1, 0}] = 1;
    entries_[{n_ - 1, n_ - 1}] = 0;
    petsc(MatCreateSeqAIJ(PETSC_COMM_SELF, n_, n_, 3 * size + 1, nullptr, matrix_.address()));
    set_values();
    note_unknowns(matrix_, unknowns);
  }

  PetscMat matrix() const { return matrix_; }
  int size() const { return n_; }
  /// The dofs of a block.
  std::vector<PetscInt> block(int b) const {
    std::vector<PetscInt> dofs;
    for (int k = 0; k < size_; ++k) dofs.push_back(b * size_ + k);
    return dofs;
  }
  /// All numbers anew on the same pattern.
  void change() {
    std::uniform_real_distribution<double> factor(0.8, 1.2);
    for (auto& entry : entries_) entry.second *= factor(random_);
    set_values();
  }

  /// max |b - A x|_i / (|A| |x| + |b|)_i.
  double backward_error(const std::vector<double>& x, const std::vector<double>& b) const {
    std::vector<double> left = b, size(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) size[i] = std::abs(b[i]);
    for (const auto& [at, value] : entries_) {
      const auto i = static_cast<std::size_t>(at.first), j = static_cast<std::size_t>(at.second);
      left[i] -= value * x[j];
      size[i] += std::abs(value * x[j]);
    }
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(left[i]) / size[i]);
    return largest;
  }

 private:
  void set_values() {
    for (const auto& [at, value] : entries_) petsc(MatSetValue(matrix_, at.first, at.second, value, INSERT_VALUES));
    petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }

  int size_, n_;
  std::mt19937 random_{11};
  std::map<std::pair<PetscInt, PetscInt>, double> entries_;
  MatHandle matrix_;
};

std::vector<double> some_numbers(int count) {
  std::vector<double> b;
  for (int i = 0; i < count; ++i) b.push_back(std::sin(1.0 + i));
  return b;
}

/// Of the solution by factors that keep `kept`, whose own equations are solved densely, by Gauss and Seidel's sweeps.
double backward_error(TreeFactors& factors, const Chain& chain, const std::vector<PetscInt>& kept = {}) {
  const std::vector<double> b = some_numbers(chain.size());
  const std::size_t count = kept.size();
  std::vector<double> x(b.size()), rest(count), boundary(count, 0.0);
  factors.forward(OneSide<const PetscScalar>{b.data()}, rest.data());
  for (int sweep = 0; sweep < 200; ++sweep)
    for (std::size_t i = 0; i < count; ++i) {
      double left = rest[i] + b[static_cast<std::size_t>(kept[i])];
      for (std::size_t j = 0; j < count; ++j)
        if (j != i) left -= factors.complement()[j * count + i] * boundary[j];
      boundary[i] = left / factors.complement()[i * count + i];
    }
  factors.backward(boundary.data(), OneSide<PetscScalar>{x.data()});
  for (std::size_t i = 0; i < count; ++i) x[static_cast<std::size_t>(kept[i])] = boundary[i];
  return chain.backward_error(x, b);
}

constexpr double rounding = 1e-14;

#endif

}  // namespace

#ifdef SINEW_HAVE_KLU

TEST_CASE("chains of blocks of any size are solved to rounding, with the first numbers and with others", "[serial]") {
  for (int size = 1; size <= 19; ++size) {
    INFO("blocks of " << size << " dofs");
    Chain chain(20, size);
    TreeFactors factors;
    REQUIRE(factors.analyse(MatrixRows(chain.matrix()), *noted_unknowns(chain.matrix())));
    for (int time = 0; time < 3; ++time) {
      REQUIRE(factors.factorise(MatrixRows(chain.matrix())));
      CHECK(backward_error(factors, chain) < rounding);
      chain.change();
    }
  }
}

namespace {

/// A chain of `count` blocks, of which two that lie so far from its ends are kept: with the first numbers and with others.
void check_parts(int count, int size, int from_ends) {
  Chain chain(count, size);
  std::vector<PetscInt> kept = chain.block(from_ends);
  for (const PetscInt dof : chain.block(count - 1 - from_ends)) kept.push_back(dof);
  TreeFactors factors;
  REQUIRE(factors.analyse(MatrixRows(chain.matrix()), *noted_unknowns(chain.matrix()), kept));
  for (int time = 0; time < 3; ++time) {
    REQUIRE(factors.factorise(MatrixRows(chain.matrix())));
    CHECK(backward_error(factors, chain, kept) < rounding);
    chain.change();
  }
}

}  // namespace

TEST_CASE("parts of chains between others are solved to rounding, with the first numbers and with others", "[serial]") {
  for (int size = 1; size <= 19; ++size) {
    INFO("blocks of " << size << " dofs");
    check_parts(20, size, 4);
  }
}

TEST_CASE("cuts that go along with a long part are solved to rounding", "[serial]") {
  for (const int size : {3, 5, 6, 8}) {
    INFO("blocks of " << size << " dofs");
    for (const int unknowns : {2048, 2560, 2571, 3001}) check_parts(unknowns / size + 3, size, 1 + unknowns % 3);
  }
}

#endif
