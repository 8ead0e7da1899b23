/// \file
/// Objects of ours that live with one of PETSc's.
#pragma once

#include "base/petsc.hpp"

#include <memory>

namespace sinew {

namespace detail {

#if PETSC_VERSION_GE(3, 23, 0)
/// What is handed on points to the pointer; its type is void** in PETSc 3.23, void* in 3.26.
template <class T, class Pointer>
PetscErrorCode destroy_composed(Pointer object) {
  delete *static_cast<T**>(static_cast<void*>(object));
  return PetscErrorCode(0);
}
template <class T>
PetscErrorCode set_destroy_composed(PetscContainer container) {
  return PetscContainerSetCtxDestroy(container, destroy_composed<T>);
}
#else
template <class T>
PetscErrorCode destroy_composed(void* object) {
  delete static_cast<T*>(object);
  return PetscErrorCode(0);
}
template <class T>
PetscErrorCode set_destroy_composed(PetscContainer container) {
  return PetscContainerSetUserDestroy(container, destroy_composed<T>);
}
#endif

}  // namespace detail

/// Keeps `object` with A under `key` until A is destroyed or gets another under it.
template <class T>
void compose(PetscMat A, const char* key, std::unique_ptr<T> object) {
  PetscContainer container = nullptr;
  petsc(PetscContainerCreate(PETSC_COMM_SELF, &container));
  petsc(PetscContainerSetPointer(container, object.release()));
  petsc(detail::set_destroy_composed<T>(container));
  petsc(PetscObjectCompose(reinterpret_cast<PetscObject>(A), key, reinterpret_cast<PetscObject>(container)));
  petsc(PetscContainerDestroy(&container));
}

/// What A keeps under `key`, of type T; null if there is nothing.
template <class T>
T* composed(PetscMat A, const char* key) {
  PetscObject found = nullptr;
  petsc(PetscObjectQuery(reinterpret_cast<PetscObject>(A), key, &found));
  if (found == nullptr) return nullptr;
  void* pointer = nullptr;
  petsc(PetscContainerGetPointer(reinterpret_cast<PetscContainer>(found), &pointer));
  return static_cast<T*>(pointer);
}

}  // namespace sinew
