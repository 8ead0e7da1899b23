#include "system/kkt_unknowns.hpp"

namespace sinew {

namespace {

constexpr const char* key = "sinew_unknowns";
using Shared = std::shared_ptr<const KktUnknowns>;

#if PETSC_VERSION_GE(3, 23, 0)
PetscErrorCode destroy(void** context) {
  delete static_cast<Shared*>(*context);
  return PetscErrorCode(0);
}
PetscErrorCode set_destroy(PetscContainer container) { return PetscContainerSetCtxDestroy(container, destroy); }
#else
PetscErrorCode destroy(void* context) {
  delete static_cast<Shared*>(context);
  return PetscErrorCode(0);
}
PetscErrorCode set_destroy(PetscContainer container) { return PetscContainerSetUserDestroy(container, destroy); }
#endif

PetscObject object_of(PetscMat A) { return reinterpret_cast<PetscObject>(A); }

}  // namespace

void note_unknowns(PetscMat A, std::shared_ptr<const KktUnknowns> unknowns) {
  PetscContainer container = nullptr;
  petsc(PetscContainerCreate(PETSC_COMM_SELF, &container));
  petsc(PetscContainerSetPointer(container, std::make_unique<Shared>(std::move(unknowns)).release()));
  petsc(set_destroy(container));
  petsc(PetscObjectCompose(object_of(A), key, reinterpret_cast<PetscObject>(container)));
  petsc(PetscContainerDestroy(&container));
}

std::shared_ptr<const KktUnknowns> noted_unknowns(PetscMat A) {
  PetscObject found = nullptr;
  petsc(PetscObjectQuery(object_of(A), key, &found));
  if (found == nullptr) return nullptr;
  void* pointer = nullptr;
  petsc(PetscContainerGetPointer(reinterpret_cast<PetscContainer>(found), &pointer));
  return *static_cast<Shared*>(pointer);
}

}  // namespace sinew
