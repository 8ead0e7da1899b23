#include "base/reduction.hpp"
#include "linear/kkt_solver.hpp"
#include "linear/matrix_rows.hpp"

#if defined(SINEW_HAVE_KLU) && !defined(PETSC_USE_64BIT_INDICES)

#include <klu.h>

#include <algorithm>

namespace sinew {

namespace {

/// Kept pivots are given up when the smallest one, relative to the largest, falls below this part of what a search for pivots
/// gave.
constexpr double tolerated_drop = 1e-3;

/// The rows of A are handed to KLU as the columns of A^T, so that A x = b is its transposed system.
class KluSolver final : public KktSolver {
 public:
  KluSolver() { klu_defaults(&common_); }
  ~KluSolver() override {
    if (numeric_) klu_free_numeric(&numeric_, &common_);
    if (symbolic_) klu_free_symbolic(&symbolic_, &common_);
  }
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;

  bool factorise(PetscMat matrix) override {
    const MatrixRows A(matrix);
    // KLU takes its arrays as not constant and leaves them alone.
    auto* starts = const_cast<PetscInt*>(A.starts);
    auto* columns = const_cast<PetscInt*>(A.columns);
    auto* values = const_cast<PetscScalar*>(A.values.first);
    if (!symbolic_) symbolic_ = klu_analyze(n_ = A.n, starts, columns, &common_);
    if (!symbolic_) return false;
    if (numeric_ && klu_refactor(starts, columns, values, symbolic_, numeric_, &common_) && common_.status == KLU_OK &&
        klu_rcond(symbolic_, numeric_, &common_) && common_.rcond >= tolerated_drop * smallest_pivot_)
      return true;
    if (numeric_) klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(starts, columns, values, symbolic_, &common_);
    if (!numeric_ || common_.status != KLU_OK) return false;
    klu_rcond(symbolic_, numeric_, &common_);
    smallest_pivot_ = common_.rcond;
    return true;
  }

  bool solve(PetscVec b, PetscVec x) override {
    petsc(VecCopy(b, x));
    VecWrite values(x);
    return numeric_ && klu_tsolve(symbolic_, numeric_, n_, 1, values.data(), &common_);
  }

  std::string describe() const override { return "LU by KLU, pivots kept"; }

 private:
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  PetscInt n_ = 0;
  double smallest_pivot_ = 0;
};

/// Every rank gets the whole matrix and factorises it by itself.
class GatheredKluSolver final : public KktSolver {
 public:
  ~GatheredKluSolver() override {
    if (gathered_ != nullptr) MatDestroySubMatrices(1, &gathered_);
  }
  bool factorise(PetscMat A) override {
    if (!all_) {
      PetscInt n = 0;
      petsc(MatGetSize(A, &n, nullptr));
      petsc(ISCreateStride(PETSC_COMM_SELF, n, 0, 1, all_.address()));
    }
    const IS all = all_;
    petsc(MatCreateSubMatrices(A, 1, &all, &all, gathered_ == nullptr ? MAT_INITIAL_MATRIX : MAT_REUSE_MATRIX, &gathered_));
    return is_so_on_all(comm_of(A), own_.factorise(gathered_[0]));
  }

  bool solve(PetscVec b, PetscVec x) override {
    if (!scatter_) {
      petsc(VecScatterCreateToAll(b, scatter_.address(), everything_.address()));
      solution_ = duplicate(everything_);
    }
    petsc(VecScatterBegin(scatter_, b, everything_, INSERT_VALUES, SCATTER_FORWARD));
    petsc(VecScatterEnd(scatter_, b, everything_, INSERT_VALUES, SCATTER_FORWARD));
    if (!is_so_on_all(comm_of(b), own_.solve(everything_, solution_))) return false;
    PetscInt first = 0, end = 0;
    petsc(VecGetOwnershipRange(x, &first, &end));
    const VecRead from(solution_);
    VecWrite to(x);
    std::copy(from.data() + first, from.data() + end, to.data());
    return true;
  }

  std::string describe() const override { return own_.describe() + ", every rank by itself"; }

 private:
  KluSolver own_;
  PetscMat* gathered_ = nullptr;
  IsHandle all_;
  ScatterHandle scatter_;
  VecHandle everything_, solution_;
};

}  // namespace

std::unique_ptr<KktSolver> make_klu_solver(int ranks) {
  if (ranks == 1) return std::make_unique<KluSolver>();
  return std::make_unique<GatheredKluSolver>();
}

}  // namespace sinew

#else

namespace sinew {

std::unique_ptr<KktSolver> make_klu_solver(int) { return nullptr; }

}  // namespace sinew

#endif
