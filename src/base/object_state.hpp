/// \file
/// Whether an object of PETSc has been written to since.
#pragma once

#include "base/petsc.hpp"

// The only header that declares PetscObjectStateGet, part of PETSc's manual, in PETSc 3.18.
#include <petsc/private/petscimpl.h>

namespace sinew {

/// Rises whenever somebody writes to the object.
template <class T>
PetscObjectState state_of(T object) {
  PetscObjectState state = 0;
  petsc(PetscObjectStateGet(reinterpret_cast<PetscObject>(object), &state));
  return state;
}

}  // namespace sinew
