#include "linear/kkt_solver.hpp"
#include "linear/mumps_factors.hpp"

namespace sinew {

#ifdef PETSC_HAVE_MUMPS

namespace {

/// Setting of MUMPS: minimum degree that looks out for rows that are nearly full. Three factorisations of such a matrix, with
/// 3,000 full rows, and what led there took 8.2 s with it and 12.8 s with MUMPS's own choice, half of it for the order.
constexpr MumpsFactors::Setting order_of_dense_rows{7, 6};

class MumpsSolver final : public KktSolver {
 public:
  explicit MumpsSolver(bool has_dense_rows)
      : factors_(MAT_FACTOR_LU, has_dense_rows ? std::vector{order_of_dense_rows} : std::vector<MumpsFactors::Setting>{}) {}

  bool factorise(PetscMat A) override { return factors_.factorise(A); }

  bool solve(PetscVec b, PetscVec x) override {
    if (factors_.get() == nullptr) return false;
    petsc(MatSolve(factors_.get(), b, x));
    return true;
  }

  std::string describe() const override { return "LU by MUMPS"; }

 private:
  MumpsFactors factors_;
};

}  // namespace

std::unique_ptr<KktSolver> make_mumps_solver(bool has_dense_rows) { return std::make_unique<MumpsSolver>(has_dense_rows); }

#else

std::unique_ptr<KktSolver> make_mumps_solver(bool) { return nullptr; }

#endif

}  // namespace sinew
