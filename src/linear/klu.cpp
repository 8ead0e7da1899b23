#include "linear/klu.hpp"

#if defined(SINEW_HAVE_KLU) && !defined(PETSC_USE_64BIT_INDICES)

#include <klu.h>

#include <memory>

namespace sinew {

namespace {

/// Kept pivots are given up when the smallest one, relative to the largest, falls below this part of what a search for pivots
/// gave.
constexpr double tolerated_drop = 1e-3;

/// The rows of a sequential AIJ matrix, as long as this object lives.
class Rows {
 public:
  explicit Rows(PetscMat A) : matrix_(A) {
    PetscBool done = PETSC_FALSE;
    petsc(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &starts, &columns, &done));
    if (!done) throw SolveError("KLU needs a sequential AIJ matrix");
    petsc(MatSeqAIJGetArrayRead(A, &values));
  }
  ~Rows() {
    PetscBool done = PETSC_FALSE;
    MatSeqAIJRestoreArrayRead(matrix_, &values);
    MatRestoreRowIJ(matrix_, 0, PETSC_FALSE, PETSC_FALSE, &n, &starts, &columns, &done);
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  PetscInt n = 0;
  const PetscInt* starts = nullptr;
  const PetscInt* columns = nullptr;
  const PetscScalar* values = nullptr;

 private:
  PetscMat matrix_;
};

/// The rows of A are handed to KLU as the columns of A^T, so that A x = b is its transposed system.
class KluFactors {
 public:
  KluFactors() { klu_defaults(&common_); }
  ~KluFactors() {
    if (numeric_) klu_free_numeric(&numeric_, &common_);
    if (symbolic_) klu_free_symbolic(&symbolic_, &common_);
  }
  KluFactors(const KluFactors&) = delete;
  KluFactors& operator=(const KluFactors&) = delete;

  /// False: the matrix is singular.
  bool factorise(PetscMat matrix) {
    const Rows A(matrix);
    // KLU takes its arrays as not constant and leaves them alone.
    auto* starts = const_cast<PetscInt*>(A.starts);
    auto* columns = const_cast<PetscInt*>(A.columns);
    auto* values = const_cast<PetscScalar*>(A.values);
    n_ = A.n;
    if (!symbolic_) symbolic_ = klu_analyze(n_, starts, columns, &common_);
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

  bool solve(PetscScalar* x) { return numeric_ && klu_tsolve(symbolic_, numeric_, n_, 1, x, &common_); }

 private:
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  PetscInt n_ = 0;
  double smallest_pivot_ = 0;
};

KluFactors& factors_of(PC pc) {
  void* context = nullptr;
  petsc(PCShellGetContext(pc, &context));
  return *static_cast<KluFactors*>(context);
}

/// Errors must not leave through PETSc's C code.
template <class Call>
PetscErrorCode guarded(Call call) {
  try {
    call();
    return PetscErrorCode(0);
  } catch (const std::exception&) {
    return PetscErrorCode(PETSC_ERR_LIB);
  }
}

PetscErrorCode set_up(PC pc) {
  return guarded([pc] {
    PetscMat A = nullptr, P = nullptr;
    petsc(PCGetOperators(pc, &A, &P));
    petsc(PCSetFailedReason(pc, factors_of(pc).factorise(P) ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  });
}

PetscErrorCode apply(PC pc, PetscVec b, PetscVec x) {
  return guarded([=] {
    petsc(VecCopy(b, x));
    VecWrite values(x);
    if (!factors_of(pc).solve(values.data())) throw SolveError("KLU cannot solve");
  });
}

PetscErrorCode destroy(PC pc) {
  return guarded([pc] { delete &factors_of(pc); });
}

}  // namespace

bool has_klu() { return true; }

bool use_klu(PC pc) {
  petsc(PCSetType(pc, PCSHELL));
  petsc(PCShellSetContext(pc, std::make_unique<KluFactors>().release()));
  petsc(PCShellSetName(pc, "LU by KLU, pivots kept"));
  petsc(PCShellSetSetUp(pc, set_up));
  petsc(PCShellSetApply(pc, apply));
  petsc(PCShellSetDestroy(pc, destroy));
  return true;
}

}  // namespace sinew

#else

namespace sinew {

bool has_klu() { return false; }
bool use_klu(PC) { return false; }

}  // namespace sinew

#endif
