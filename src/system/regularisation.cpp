#include "system/regularisation.hpp"

#include "base/object_type.hpp"

#include <petscmat.h>

namespace sinew {

namespace {

constexpr const char* key = "sinew_regularisation";

PetscObject object_of(PetscMat A) { return reinterpret_cast<PetscObject>(A); }

}  // namespace

void note_regularisation(PetscMat A, PetscVec r) {
  if (noted_regularisation(A) == r) return;
  petsc(PetscObjectCompose(object_of(A), key, reinterpret_cast<PetscObject>(r)));
}

PetscVec noted_regularisation(PetscMat A) {
  PetscObject found = nullptr;
  petsc(PetscObjectQuery(object_of(A), key, &found));
  return reinterpret_cast<PetscVec>(found);
}

void square_entries(PetscMat A) {
  const auto square = [](PetscMat block) {
    if (!block) return;
    MatInfo info;
    petsc(MatGetInfo(block, MAT_LOCAL, &info));
    PetscScalar* values = nullptr;
    petsc(MatSeqAIJGetArray(block, &values));
    for (PetscInt i = 0; i < static_cast<PetscInt>(info.nz_used); ++i) values[i] *= values[i];
    petsc(MatSeqAIJRestoreArray(block, &values));
  };
  if (!is_distributed_aij(A)) return square(A);
  PetscMat diagonal = nullptr, off = nullptr;
  petsc(MatMPIAIJGetSeqAIJ(A, &diagonal, &off, nullptr));
  square(diagonal);
  square(off);
}

}  // namespace sinew
