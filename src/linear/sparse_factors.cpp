#include "linear/sparse_factors.hpp"

#include "linear/tree_factors.hpp"

#if defined(SINEW_HAVE_KLU) && !defined(PETSC_USE_64BIT_INDICES)

#include <fmt/format.h>
#include <klu.h>

#include <memory>

namespace sinew {

namespace {

/// Kept pivots are given up when the smallest one, relative to the largest, falls below this part of what a search for pivots
/// gave.
constexpr double tolerated_drop = 1e-3;
/// Operations an unknown, as KLU estimates them from the pattern, from which substructures are faster: the dense fronts of nets
/// pay there, while KLU's pivots leave its order and fill more than it estimates. 40 steps on one core, s: net of 10 x 10 rods
/// (631 operations) 0.164 by KLU, 0.144 by substructures; 20 x 20 rods (1,430) 1.17 and 0.74; 5 x 5 cables (697) 0.126 and
/// 0.076; 10 x 10 cables (4,730) 1.1 and 0.33. Chains, trees and ladders have 16 to 160: fall-1000 0.23 and 0.31.
constexpr double most_operations = 600;

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
    const MatrixRows A(matrix);
    n_ = A.n;
    // KLU takes its arrays as not constant and leaves them alone.
    symbolic_ = klu_analyze(n_, const_cast<PetscInt*>(A.starts), const_cast<PetscInt*>(A.columns), &common_);
    return symbolic_ && n_ > 0 ? symbolic_->est_flops / n_ : 0;
  }

  /// False: the matrix is singular. It must have been analysed.
  bool factorise(PetscMat matrix) {
    if (!symbolic_) return false;
    const MatrixRows A(matrix);
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

/// By KLU where the pattern lets it, by substructures where its factors would fill, by MUMPS where those are singular.
class SparseFactors {
 public:
  bool factorise(PC pc, PetscMat A) {
    if (!is_chosen_) {
      is_chosen_ = true;
      klu_ = std::make_unique<KluFactors>();
      const double operations = klu_->analyse(A);
      if (operations > most_operations) {
        klu_.reset();
        tree_ = std::make_unique<TreeFactors>();
        why_ = fmt::format("KLU: {:.3g} operations an unknown", operations);
      }
    }
    matrix_ = A;
    if (klu_) return klu_->factorise(A);
    if (tree_ && tree_->factorise(A)) {
      if (!why_.empty()) petsc(PCShellSetName(pc, fmt::format("LU by substructures, {} ({})", tree_->describe(), why_).c_str()));
      why_.clear();
      return true;
    }
    return leave_tree() && mumps_.factorise(A);
  }

  bool solve(PetscVec b, PetscVec x) {
    if (tree_) {
      if (tree_->solve(matrix_, b, x)) return true;
      if (!leave_tree() || !mumps_.factorise(matrix_)) return false;
    }
    if (!klu_) {
      mumps_.solve(b, x);
      return true;
    }
    petsc(VecCopy(b, x));
    VecWrite values(x);
    return klu_->solve(values.data());
  }

 private:
  /// For good: what is singular in its parts alone is none for MUMPS.
  bool leave_tree() {
    tree_.reset();
    return MumpsFactors::is_there;
  }

  bool is_chosen_ = false;
  PetscMat matrix_ = nullptr;  ///< factorised last
  std::string why_;            ///< KLU does not serve, to be said once
  std::unique_ptr<KluFactors> klu_;
  std::unique_ptr<TreeFactors> tree_;
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

bool has_sparse_factors() { return true; }

bool use_sparse_factors(PC pc) {
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

bool has_sparse_factors() { return false; }
bool use_sparse_factors(PC) { return false; }

}  // namespace sinew

#endif
