#include "linear/solid_preconditioner.hpp"

#include "base/reduction.hpp"

#include <petscksp.h>

#include <limits>

namespace sinew {

namespace {

/// Iterations for a decimal digit of the residual from which multigrid is cheaper than incomplete factors, in spite of its
/// set-up: measured with hexahedra of 48,000 unknowns, where a digit takes it 1.6 iterations of thrice the price.
constexpr double slow_digit = 5;

/// Couplings of nodes below this part of their own stiffness do not bring them into one aggregate. Of a slender rod of
/// second-order tetrahedra at h = 5e-4 it saves four iterations of ten and a tenth of the time; .01 to .08 do nearly as well,
/// from .12 on it takes more. Hexahedra do not mind.
constexpr double weak_coupling = 0.05;

/// Setting up anew, in iterations: with those hexahedra .025 against .004 s, and .4 against .009.
constexpr double price_of_incomplete = 6, price_of_multigrid = 45;
/// Iterations from which their rate can be told.
constexpr double telling = 8;

/// Symmetric factors without fill, of a matrix that is moved where it is not definite.
void use_incomplete_cholesky(PC pc) {
  petsc(PCSetType(pc, PCICC));
  petsc(PCFactorSetShiftType(pc, MAT_SHIFT_POSITIVE_DEFINITE));
}

/// Aggregates of fewer nodes than have six motions leave unknowns of coarse grids without an equation: they get one, x = 0.
void fill_diagonal(PetscMat A) {
  VecHandle diagonal;
  petsc(MatCreateVecs(A, diagonal.address(), nullptr));
  petsc(MatGetDiagonal(A, diagonal));
  PetscInt count = 0, empty = 0;
  petsc(VecGetLocalSize(diagonal, &count));
  {
    VecWrite d(diagonal);
    for (PetscInt i = 0; i < count; ++i) {
      if (d[i] != 0) continue;
      d[i] = 1;
      ++empty;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &empty, 1, MPIU_INT, MPI_SUM, comm_of(A));
  if (empty > 0) petsc(MatDiagonalSet(A, diagonal, INSERT_VALUES));
}

/// One symmetric sweep of Gauss and Seidel's method on every rank's block takes fewer iterations than PETSc's two of Chebyshev's,
/// for the same work. What the user says comes after.
void use_sweeps(PC pc) {
  PetscInt levels = 0;
  petsc(PCMGGetLevels(pc, &levels));
  for (PetscInt level = 1; level < levels; ++level) {
    KSP smoother = nullptr;
    PC sweep = nullptr;
    petsc(PCMGGetSmoother(pc, level, &smoother));
    petsc(KSPSetType(smoother, KSPRICHARDSON));
    petsc(KSPSetTolerances(smoother, 0.0, 0.0, 1e300, 1));
    petsc(KSPGetPC(smoother, &sweep));
    petsc(PCSetType(sweep, PCSOR));
    PetscMat A = nullptr;
    petsc(PCGetOperators(sweep, nullptr, &A));
    fill_diagonal(A);
    petsc(KSPSetFromOptions(smoother));
  }
}

/// What products of matrices keep for other numbers: beside the coarse grids themselves it is most of the memory, and saves the
/// smaller part of their next set-up.
void forget_products(PC pc) {
  PetscInt levels = 0;
  petsc(PCMGGetLevels(pc, &levels));
  for (PetscInt level = 0; level < levels; ++level) {
    KSP smoother = nullptr;
    PetscMat A = nullptr, interpolation = nullptr;
    petsc(level > 0 ? PCMGGetSmoother(pc, level, &smoother) : PCMGGetCoarseSolve(pc, &smoother));
    petsc(KSPGetOperators(smoother, nullptr, &A));
    if (level > 0) petsc(PCMGGetInterpolation(pc, level, &interpolation));
    for (PetscMat product : {A, interpolation})
      if (product) petsc(MatProductClear(product));
  }
}

}  // namespace

void SolidPreconditioner::create(PetscMat J) {
  const MPI_Comm comm = comm_of(J);
  int size = 1;
  MPI_Comm_size(comm, &size);
  petsc(PCCreate(comm, pc_.address()));
  petsc(PCSetOptionsPrefix(pc_, prefix_.c_str()));
  petsc(PCSetOperators(pc_, J, J));
  PetscBool is_chosen = PETSC_FALSE;
  petsc(PetscOptionsHasName(nullptr, prefix_.c_str(), "-pc_type", &is_chosen));
  if (is_chosen == PETSC_TRUE) kind_ = Kind::chosen;
  if (kind_ == Kind::multigrid) {
    petsc(PCSetType(pc_, PCGAMG));
    PetscReal threshold = weak_coupling;
    petsc(PCGAMGSetThreshold(pc_, &threshold, 1));
  } else if (size > 1) {
    petsc(PCSetType(pc_, PCBJACOBI));
  } else {
    use_incomplete_cholesky(pc_);
  }
  read_options(prefix_, [this] { return PCSetFromOptions(pc_); });
  if (kind_ != Kind::incomplete || size == 1) return;
  petsc(PCSetUp(pc_));  // makes the solvers of the blocks, which are factorised when first used
  PetscInt count = 0;
  KSP* blocks = nullptr;
  petsc(PCBJacobiGetSubKSP(pc_, &count, nullptr, &blocks));
  for (PetscInt k = 0; k < count; ++k) {
    PC block = nullptr;
    petsc(KSPGetPC(blocks[k], &block));
    use_incomplete_cholesky(block);
    petsc(KSPSetFromOptions(blocks[k]));
  }
}

/// The six rigid motions, which cost no energy and which interpolation must therefore represent. They turn with the body.
void SolidPreconditioner::note_motions(PetscMat J, const std::vector<std::array<double, 3>>& place) const {
  VecHandle coordinates;
  petsc(MatCreateVecs(J, coordinates.address(), nullptr));
  petsc(VecSetBlockSize(coordinates, 3));
  {
    VecWrite x(coordinates);
    for (std::size_t n = 0; n < place.size(); ++n)
      for (std::size_t i = 0; i < 3; ++i) x[static_cast<PetscInt>(3 * n + i)] = place[n][i];
  }
  MatNullSpace motions = nullptr;
  petsc(MatNullSpaceCreateRigidBody(coordinates, &motions));
  petsc(MatSetNearNullSpace(J, motions));
  petsc(MatNullSpaceDestroy(&motions));
}

bool SolidPreconditioner::set_up(PetscMat J, const std::vector<std::array<double, 3>>& place) {
  if (!is_of_kind_) create(J);
  is_of_kind_ = true;
  wants_new_ = is_old_ = false;
  iterations_ = digits_ = best_rate_ = cost_of_age_ = 0;
  petsc(PCSetOperators(pc_, J, J));
  PetscBool is_multigrid = PETSC_FALSE;
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc_.get()), PCGAMG, &is_multigrid));
  if (is_multigrid == PETSC_TRUE) note_motions(J, place);
  petsc(PCSetReusePreconditioner(pc_, PETSC_FALSE));
  const MPI_Comm comm = comm_of(J);
  if (!is_so_on_all(comm, quietly([this] { return PCSetUp(pc_); }) == 0) ||
      !is_so_on_all(comm, quietly([this] { return PCSetUpOnBlocks(pc_); }) == 0))
    return false;
  if (is_multigrid == PETSC_TRUE) {
    petsc(MatSetNearNullSpace(J, nullptr));
    forget_products(pc_);
    use_sweeps(pc_);
  }
  petsc(PCSetReusePreconditioner(pc_, PETSC_TRUE));
  PCFailedReason reason = PC_NOERROR;
  petsc(PCGetFailedReason(pc_, &reason));
  return is_so_on_all(comm, reason == PC_NOERROR);  // blocks of ranks fail by themselves
}

void SolidPreconditioner::note(int iterations, double digits) {
  iterations_ += iterations;
  digits_ += digits;
  if (iterations_ < telling || !(digits_ > 0)) return;
  if (kind_ == Kind::incomplete && iterations_ > slow_digit * digits_) {
    improve();
    return;
  }
  if (!(best_rate_ > 0)) {
    best_rate_ = iterations_ / digits_;
    return;
  }
  cost_of_age_ += iterations - best_rate_ * digits;
  if (cost_of_age_ >= more_ + (kind_ == Kind::incomplete ? price_of_incomplete : price_of_multigrid)) wants_new_ = true;
}

double SolidPreconditioner::most_iterations(double digits) const {
  return kind_ == Kind::incomplete ? telling + slow_digit * digits : std::numeric_limits<double>::infinity();
}

bool SolidPreconditioner::improve() {
  if (kind_ != Kind::incomplete) return false;
  kind_ = Kind::multigrid;
  is_of_kind_ = false;
  wants_new_ = true;
  return true;
}

std::string SolidPreconditioner::describe() const {
  if (kind_ == Kind::incomplete) return "incomplete Cholesky factors of every rank's block";
  if (kind_ == Kind::multigrid) return "smoothed aggregation (GAMG)";
  PCType type = nullptr;
  if (pc_) petsc(PCGetType(pc_, &type));
  return type ? type : "by options";
}

}  // namespace sinew
