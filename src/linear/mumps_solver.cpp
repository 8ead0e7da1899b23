#include "linear/kkt_solver.hpp"

namespace sinew {

#ifdef PETSC_HAVE_MUMPS

namespace {

class MumpsSolver final : public KktSolver {
 public:
  bool factorise(PetscMat A) override {
    constexpr int workspace = 14, more_workspace = 200;  // pivots of the constraints are delayed to later fronts
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

  bool solve(PetscVec b, PetscVec x) override {
    petsc(MatSolve(factors_, b, x));
    return true;
  }

  std::string describe() const override { return "LU by MUMPS"; }

 private:
  MatHandle factors_;
};

}  // namespace

std::unique_ptr<KktSolver> make_mumps_solver() { return std::make_unique<MumpsSolver>(); }

#else

std::unique_ptr<KktSolver> make_mumps_solver() { return nullptr; }

#endif

}  // namespace sinew
