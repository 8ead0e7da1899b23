#include "base/object_type.hpp"

#include <optional>
#include <string>

namespace sinew {

namespace {

/// What an option says, if it is there.
std::optional<std::string> option(const char* name) {
  char text[256] = "";
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsGetString(nullptr, nullptr, name, text, sizeof text, &is_set));
  if (is_set == PETSC_FALSE) return {};
  return text;
}

/// Asked for every vector that a sweep reads or writes; where PETSc has no Kokkos nothing is of its types.
template <class Object>
bool is_one_of([[maybe_unused]] Object object, [[maybe_unused]] const char* first, [[maybe_unused]] const char* second) {
#if defined(PETSC_HAVE_KOKKOS_KERNELS)
  if (object == nullptr) return false;
  PetscBool is_so = PETSC_FALSE;
  petsc(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(object), &is_so, first, second, ""));
  return is_so == PETSC_TRUE;
#else
  return false;
#endif
}

}  // namespace

VecHandle make_vector(MPI_Comm comm, PetscInt owned) {
  VecHandle v;
  if (!option("-vec_type")) {
    petsc(VecCreateMPI(comm, owned, PETSC_DETERMINE, v.address()));
    return v;
  }
  petsc(VecCreate(comm, v.address()));
  petsc(VecSetSizes(v, owned, PETSC_DETERMINE));
  petsc(VecSetFromOptions(v));
  return v;
}

VecHandle make_ghosted_vector(MPI_Comm comm, PetscInt owned, const std::vector<PetscInt>& ghosts) {
  const auto count = static_cast<PetscInt>(ghosts.size());
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  if (ranks > 1 && !option("-vec_type")) {
    VecHandle v;
    petsc(VecCreateGhostWithArray(comm, owned, PETSC_DETERMINE, count, ghosts.data(), nullptr, v.address()));
    return v;
  }
  VecHandle v = make_vector(comm, owned);  // of one rank, which has no ghosts, it is its own local form
  if (ranks > 1) petsc(VecMPISetGhost(v, count, ghosts.data()));
  return v;
}

void take_type_of_options(MatHandle& A) {
  const auto wanted = option("-mat_type");
  if (!wanted) return;
  PetscMat same = A;
  petsc(MatConvert(A, wanted->c_str(), MAT_INPLACE_MATRIX, &same));
}

bool is_of_kokkos(PetscVec v) { return is_one_of(v, "seqkokkos", "mpikokkos"); }
bool is_of_kokkos(PetscMat A) { return is_one_of(A, "seqaijkokkos", "mpiaijkokkos"); }

bool is_distributed_aij(PetscMat A) {
  PetscBool is_so = PETSC_FALSE;
  petsc(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(A), MATMPIAIJ, &is_so));
  return is_so == PETSC_TRUE;
}

}  // namespace sinew
