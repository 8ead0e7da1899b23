#include "linear/carried_pins.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <utility>

namespace sinew {

namespace {

void make_set(MPI_Comm comm, PetscInt first, const std::vector<PetscInt>& own, IsHandle& set) {
  std::vector<PetscInt> numbers;
  for (const PetscInt i : own) numbers.push_back(first + i);
  petsc(ISCreateGeneral(comm, static_cast<PetscInt>(numbers.size()), numbers.data(), PETSC_COPY_VALUES, set.address()));
}

MatHandle product(PetscMat A, PetscMat B) {
  MatHandle both;
  petsc(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, both.address()));
  return both;
}

MatHandle copy(PetscMat A) {
  MatHandle same;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, same.address()));
  return same;
}

/// A += B; A gets the entries of both, whatever their values are.
void add_to(PetscMat A, PetscMat B) { petsc(MatAXPY(A, 1.0, B, DIFFERENT_NONZERO_PATTERN)); }

}  // namespace

void take_block(PetscMat A, IS rows, IS columns, MatHandle& block) {
  PetscMat again = block;
  if (again) return petsc(MatCreateSubMatrix(A, rows, columns, MAT_REUSE_MATRIX, &again));
  petsc(MatCreateSubMatrix(A, rows, columns, MAT_INITIAL_MATRIX, block.address()));
}

CarriedPins::CarriedPins(PetscMat A, const SolidSplit& split, IS bulk, IS border) {
  const MPI_Comm comm = comm_of(A);
  exist_ = is_so_on_any(comm, !split.carried.empty());
  B_ = {bulk, border, {}};
  C_ = {border, bulk, {}};
  D_ = {border, border, {}};
  if (!exist_) return;
  petsc(MatGetOwnershipRange(A, &first_, nullptr));
  std::vector<std::pair<PetscInt, PetscInt>> pairs;  // pin, row
  for (const std::size_t k : split.carried) pairs.emplace_back(split.pins[k], split.pin_rows[k]);
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [pin, row] : pairs) {
    pins_.push_back(pin);
    pin_rows_.push_back(row);
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& one, const auto& other) { return one.second < other.second; });
  for (const auto& [pin, row] : pairs) {
    pins_by_row_.push_back(pin);
    rows_.push_back(row);
  }
  // What stands for columns has to be in rising order, and what stands for rows in that of the factor beside it.
  make_set(comm, first_, pins_, by_pin_);
  make_set(comm, first_, pin_rows_, rows_by_pin_);
  make_set(comm, first_, pins_by_row_, by_row_);
  make_set(comm, first_, rows_, rows_by_row_);
  T_ = {rows_by_pin_, border, {}};
  L_ = {border, rows_by_row_, {}};
  J_up_ = {bulk, by_pin_, {}};
  J_pu_ = {by_row_, bulk, {}};
  J_pp_ = {by_row_, by_pin_, {}};
  B_p_ = {by_row_, border, {}};
  C_p_ = {border, by_pin_, {}};
}

/// T = -c/a, L = -e/f.
void CarriedPins::scale(PetscMat A) {
  if (!inverse_a_) {
    petsc(MatCreateVecs(T_.matrix, nullptr, inverse_a_.address()));
    petsc(MatCreateVecs(L_.matrix, inverse_f_.address(), nullptr));
    petsc(VecDuplicate(inverse_a_, pin_values_.address()));
    petsc(VecDuplicate(inverse_f_, row_values_.address()));
  }
  const auto entry = [&](PetscInt row, PetscInt column) {
    PetscScalar value = 0;
    petsc(MatGetValue(A, first_ + row, first_ + column, &value));
    return value;
  };
  {
    VecWrite a(inverse_a_), f(inverse_f_);
    for (std::size_t k = 0; k < pins_.size(); ++k) {
      const auto i = static_cast<PetscInt>(k);
      a[i] = -1 / entry(pin_rows_[k], pins_[k]);
      f[i] = -1 / entry(pins_by_row_[k], rows_[k]);
    }
  }
  petsc(MatDiagonalScale(T_.matrix, inverse_a_, nullptr));
  petsc(MatDiagonalScale(L_.matrix, nullptr, inverse_f_));
}

void CarriedPins::take(PetscMat A, MatHandle& B, MatHandle& C, MatHandle& D) {
  if (!exist_) {
    take_block(A, B_.rows, B_.columns, B);
    take_block(A, C_.rows, C_.columns, C);
    return take_block(A, D_.rows, D_.columns, D);
  }
  for (Block* block : {&B_, &C_, &D_, &T_, &L_, &J_up_, &J_pu_, &J_pp_, &B_p_, &C_p_})
    take_block(A, block->rows, block->columns, block->matrix);
  scale(A);
  B = copy(B_.matrix);
  C = copy(C_.matrix);
  D = copy(D_.matrix);
  add_to(B, product(J_up_.matrix, T_.matrix));
  add_to(C, product(L_.matrix, J_pu_.matrix));
  add_to(D, product(C_p_.matrix, T_.matrix));
  const MatHandle forces = product(J_pp_.matrix, T_.matrix);
  add_to(forces, B_p_.matrix);
  add_to(D, product(L_.matrix, forces));
}

void CarriedPins::reduce(PetscVec r, PetscVec u) const {
  {
    const VecRead from(r);
    VecWrite to(row_values_);
    for (std::size_t k = 0; k < pins_by_row_.size(); ++k) to[static_cast<PetscInt>(k)] = from[pins_by_row_[k]];
  }
  petsc(MatMultAdd(L_.matrix, row_values_, u, u));
}

void CarriedPins::follow(PetscVec y, PetscVec x) const {
  petsc(MatMult(T_.matrix, y, pin_values_));
  const VecRead from(pin_values_);
  VecWrite to(x);
  for (std::size_t k = 0; k < pins_.size(); ++k) to[pins_[k]] = from[static_cast<PetscInt>(k)];
}

}  // namespace sinew
