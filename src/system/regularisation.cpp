#include "system/regularisation.hpp"

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

}  // namespace sinew
