#include "linear/solid_preconditioner.hpp"

#include <petscksp.h>

namespace sinew {

namespace {

/// Iterations for a decimal digit of the residual from which multigrid is cheaper than incomplete factors, in spite of its set-up:
/// measured with hexahedra of 48,000 unknowns, where a digit takes it 1.6 iterations of thrice the price.
constexpr double slow_digit = 5;

/// The first matrix of a matrix's own rank is factorised incompletely: symmetric, moved where it is not definite.
void use_incomplete_cholesky(PC pc) {
  petsc(PCSetType(pc, PCICC));
  petsc(PCFactorSetShiftType(pc, MAT_SHIFT_POSITIVE_DEFINITE));
}

}  // namespace

void SolidPreconditioner::create(PetscMat J) {
  MPI_Comm comm = MPI_COMM_NULL;
  petsc(PetscObjectGetComm(reinterpret_cast<PetscObject>(J), &comm));
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
  if (!pc_ || is_outdated_) create(J);
  is_outdated_ = false;
  petsc(PCSetOperators(pc_, J, J));
  PetscBool is_multigrid = PETSC_FALSE;
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc_.get()), PCGAMG, &is_multigrid));
  if (is_multigrid == PETSC_TRUE) {
    if (!keeps_interpolation_) note_motions(J, place);
    petsc(PCGAMGSetReuseInterpolation(pc_, keeps_interpolation_ ? PETSC_TRUE : PETSC_FALSE));
    keeps_interpolation_ = true;
  }
  if (quietly([this] { return PCSetUp(pc_); }) != 0 || quietly([this] { return PCSetUpOnBlocks(pc_); }) != 0) return false;
  PCFailedReason reason = PC_NOERROR;
  petsc(PCGetFailedReason(pc_, &reason));
  return reason == PC_NOERROR;
}

bool SolidPreconditioner::improve() {
  if (kind_ != Kind::incomplete) return false;
  kind_ = Kind::multigrid;
  is_outdated_ = true;
  return true;
}

bool SolidPreconditioner::is_slow(int iterations, double digits) const {
  return kind_ == Kind::incomplete && iterations > slow_digit * digits;
}

std::string SolidPreconditioner::describe() const {
  if (kind_ == Kind::incomplete) return "incomplete Cholesky factors of every rank's block";
  if (kind_ == Kind::multigrid) return "smoothed aggregation (GAMG)";
  PCType type = nullptr;
  if (pc_) petsc(PCGetType(pc_, &type));
  return type ? type : "by options";
}

}  // namespace sinew
