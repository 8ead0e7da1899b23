#include "linear/klu.hpp"

#if defined(SINEW_HAVE_KLU) && !defined(PETSC_USE_64BIT_INDICES)

#include <fmt/format.h>
#include <klu.h>

#include <memory>

namespace sinew {

namespace {

/// Kept pivots are given up when the smallest one, relative to the largest, falls below this part of what a search for pivots
/// gave.
constexpr double tolerated_drop = 1e-3;
/// Operations an unknown, as KLU estimates them from the pattern, from which MUMPS is faster: the dense fronts of nets pay there.
/// One factorisation on one core: a net of rods with 8,580 unknowns (1,430 operations each) 15 ms by KLU and 22 by MUMPS, with
/// 33,960 (3,470) 310 and 148; a net of cables with 3,200 (4,730) 48 and 21, with 25,800 9,700 and 53. Chains, trees and ladders
/// have 16 to 160.
constexpr double most_operations = 2500;

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

  /// Operations an unknown if no pivot is moved; 0: the pattern is singular.
  double analyse(PetscMat matrix) {
    const Rows A(matrix);
    n_ = A.n;
    // KLU takes its arrays as not constant and leaves them alone.
    symbolic_ = klu_analyze(n_, const_cast<PetscInt*>(A.starts), const_cast<PetscInt*>(A.columns), &common_);
    return symbolic_ && n_ > 0 ? symbolic_->est_flops / n_ : 0;
  }

  /// False: the matrix is singular. It must have been analysed.
  bool factorise(PetscMat matrix) {
    if (!symbolic_) return false;
    const Rows A(matrix);
    auto* starts = const_cast<PetscInt*>(A.starts);
    auto* columns = const_cast<PetscInt*>(A.columns);
    auto* values = const_cast<PetscScalar*>(A.values);
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

#ifdef PETSC_HAVE_MUMPS
/// LU factors of sequential matrices of one pattern by MUMPS.
class MumpsFactors {
 public:
  static constexpr bool is_there = true;

  /// False: the matrix is singular.
  bool factorise(PetscMat A) {
    constexpr int workspace = 14, more_workspace = 100;  // pivots of the constraints are delayed to later fronts
    MatFactorInfo info;
    petsc(MatFactorInfoInitialize(&info));
    if (!factors_) {
      petsc(MatGetFactor(A, MATSOLVERMUMPS, MAT_FACTOR_LU, factors_.address()));
      petsc(MatMumpsSetIcntl(factors_, workspace, more_workspace));
      petsc(MatLUFactorSymbolic(factors_, A, nullptr, nullptr, &info));
    }
    petsc(MatLUFactorNumeric(factors_, A, &info));
    MatFactorError error = MAT_FACTOR_NOERROR;
    petsc(MatFactorGetError(factors_, &error));
    return error == MAT_FACTOR_NOERROR;
  }
  void solve(PetscVec b, PetscVec x) const { petsc(MatSolve(factors_, b, x)); }

 private:
  MatHandle factors_;
};
#else
struct MumpsFactors {
  static constexpr bool is_there = false;
  bool factorise(PetscMat) { return false; }
  void solve(PetscVec, PetscVec) const {}
};
#endif

/// By KLU where the pattern lets it, by MUMPS where its factors would fill.
class SparseFactors {
 public:
  bool factorise(PC pc, PetscMat A) {
    if (!is_chosen_) {
      is_chosen_ = true;
      klu_ = std::make_unique<KluFactors>();
      const double operations = klu_->analyse(A);
      if (MumpsFactors::is_there && operations > most_operations) {
        klu_.reset();
        petsc(PCShellSetName(pc, fmt::format("LU by MUMPS (KLU: {:.3g} operations an unknown)", operations).c_str()));
      }
    }
    return klu_ ? klu_->factorise(A) : mumps_.factorise(A);
  }

  bool solve(PetscVec b, PetscVec x) const {
    if (!klu_) {
      mumps_.solve(b, x);
      return true;
    }
    petsc(VecCopy(b, x));
    VecWrite values(x);
    return klu_->solve(values.data());
  }

 private:
  bool is_chosen_ = false;
  std::unique_ptr<KluFactors> klu_;
  MumpsFactors mumps_;
};

SparseFactors& factors_of(PC pc) {
  void* context = nullptr;
  petsc(PCShellGetContext(pc, &context));
  return *static_cast<SparseFactors*>(context);
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
    petsc(PCSetFailedReason(pc, factors_of(pc).factorise(pc, P) ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  });
}

PetscErrorCode apply(PC pc, PetscVec b, PetscVec x) {
  return guarded([=] {
    if (!factors_of(pc).solve(b, x)) throw SolveError("KLU cannot solve");
  });
}

PetscErrorCode destroy(PC pc) {
  return guarded([pc] { delete &factors_of(pc); });
}

}  // namespace

bool has_klu() { return true; }

bool use_klu(PC pc) {
  petsc(PCSetType(pc, PCSHELL));
  petsc(PCShellSetContext(pc, std::make_unique<SparseFactors>().release()));
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
