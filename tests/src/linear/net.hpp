/// \file
/// A net's matrix, for solvers.
#pragma once

#include "base/petsc.hpp"
#include "system/kkt_unknowns.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace sinew::test {

/// [J G^T; G 0] of a grid of n x n blocks of three dofs: neighbours along x are coupled in J, those along y tied by two
/// rows. With bars all neighbours are coupled and tied by one row each.
class Net {
 public:
  explicit Net(int n, double tied = 1, bool has_bars = false) {
    auto unknowns = std::make_shared<KktUnknowns>();
    std::mt19937 random(7);
    std::uniform_real_distribution<double> some(-1, 1);
    const auto block = [n](int i, int j) { return i + n * j; };
    for (int b = 0; b < n * n; ++b) {
      unknowns->initial_position.push_back({static_cast<double>(b % n), static_cast<double>(b / n), 0});
      for (int k = 0; k < 3; ++k) {
        unknowns->block_of_dof.push_back(b);
        for (int l = 0; l < 3; ++l) add(3 * b + k, 3 * b + l, k == l ? 10 : some(random));
      }
    }
    rows_ = 3 * n * n;
    const auto add_bar = [&](int a, int b) {
      for (int k = 0; k < 9; ++k) couple(3 * a + k / 3, 3 * b + k % 3, some(random));
      for (int k = 0; k < 3; ++k) {
        const double along = some(random);
        couple(rows_, 3 * a + k, along);
        couple(rows_, 3 * b + k, -along);
      }
      bars_.push_back({rows_++, a, b, b == a + 1 ? 0 : 1});
    };
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        if (has_bars) {
          if (i + 1 < n) add_bar(block(i, j), block(i + 1, j));
          if (j + 1 < n) add_bar(block(i, j), block(i, j + 1));
          continue;
        }
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
  /// Every entry times a factor near 1, of its own but symmetric; the pattern stays. Diagonal entries times `diagonal` as well.
  void change(double diagonal = 1) {
    for (auto& [at, value] : entries_) {
      const auto [i, j] = at;
      const double factor = (1 + 0.1 * std::sin(1.0 * (i + 1) * (j + 1))) * (i == j ? diagonal : 1);
      petsc(MatSetValue(matrix_, i, j, value * factor, INSERT_VALUES));
    }
    petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }
  /// Bars along x or y, and nothing else in their rows: a line of blocks between two that stand still has one bar too many.
  void align() {
    for (const auto& [row, a, b, axis] : bars_)
      for (int k = 0; k < 3; ++k)
        for (const auto& [block, sign] : {std::pair{a, 1.0}, std::pair{b, -1.0}})
          for (const auto& [i, j] : {std::pair{row, 3 * block + k}, std::pair{3 * block + k, row}})
            petsc(MatSetValue(matrix_, i, j, k == axis ? sign : 0, INSERT_VALUES));
    petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }

 private:
  struct Bar {
    PetscInt row, first, second;
    int axis;
  };
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
  std::vector<Bar> bars_;
  MatHandle matrix_;
};

/// A vector of known numbers.
inline VecHandle known(const Net& net) {
  VecHandle x = net.vector();
  VecWrite values(x);
  PetscInt n = 0;
  petsc(VecGetSize(x, &n));
  for (PetscInt i = 0; i < n; ++i) values[i] = std::sin(1.0 + i);
  return x;
}

}  // namespace sinew::test
