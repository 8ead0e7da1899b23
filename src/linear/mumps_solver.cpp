#include "linear/kkt_solver.hpp"

namespace sinew {

#ifdef PETSC_HAVE_MUMPS

namespace {

class MumpsSolver final : public KktSolver {
 public:
  /// Pivots of the constraints are delayed to later fronts, of dependent ones nearly all of them: where MUMPS runs out of the
  /// workspace that it was given, it gets more. That says nothing about the matrix.
  bool factorise(PetscMat A) override {
    constexpr int most_workspace = 51200;  // 4^4 times the first; no model that was tried is refused at it
    for (;;) {
      const MatFactorError error = factorise_with_workspace(A);
      if (error == MAT_FACTOR_NOERROR) return true;
      if (error != MAT_FACTOR_OUTMEMORY || workspace_ >= most_workspace) return false;
      workspace_ *= 4;
      factors_ = MatHandle();  // PETSc goes on with none that have failed
    }
  }

  bool solve(PetscVec b, PetscVec x) override {
    petsc(MatSolve(factors_, b, x));
    return true;
  }

  std::string describe() const override { return "LU by MUMPS"; }

 private:
  MatFactorError factorise_with_workspace(PetscMat A) {
    constexpr int extra_workspace = 14;
    MatFactorInfo info;
    petsc(MatFactorInfoInitialize(&info));
    if (!factors_) {
      petsc(MatGetFactor(A, MATSOLVERMUMPS, MAT_FACTOR_LU, factors_.address()));
      petsc(MatMumpsSetIcntl(factors_, extra_workspace, workspace_));
      petsc(MatLUFactorSymbolic(factors_, A, nullptr, nullptr, &info));
    }
    petsc(MatLUFactorNumeric(factors_, A, &info));
    MatFactorError error = MAT_FACTOR_NOERROR;
    petsc(MatFactorGetError(factors_, &error));
    return error;
  }

  MatHandle factors_;
  int workspace_ = 200;  ///< per cent more than MUMPS's estimate
};

}  // namespace

std::unique_ptr<KktSolver> make_mumps_solver() { return std::make_unique<MumpsSolver>(); }

#else

std::unique_ptr<KktSolver> make_mumps_solver() { return nullptr; }

#endif

}  // namespace sinew
