#include <petscconf.h>
#if defined(PETSC_HAVE_KOKKOS_KERNELS)  // ahead of all other headers of PETSc
#include <petscvec_kokkos.hpp>

#include <petscmat_kokkos.hpp>
#endif

#include "system/device_access.hpp"

#include "base/device_array.hpp"
#include "base/object_type.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace sinew {

namespace {

constexpr bool reaches_host = std::is_same_v<MemorySpace, HostSpace>;

/// Local numbers with the copies of other ranks' that a ghosted vector holds behind its own.
std::size_t numbers_of(PetscVec v) {
  PetscInt count = 0;
  PetscVec with_ghosts = nullptr;
  petsc(VecGhostGetLocalForm(v, &with_ghosts));
  petsc(VecGetLocalSize(with_ghosts ? with_ghosts : v, &count));
  petsc(VecGhostRestoreLocalForm(v, &with_ghosts));
  return static_cast<std::size_t>(count);
}

/// Whoever still reads or writes a copy when it is given back, finds no numbers there.
void spoil(const DeviceArray<double>& copy) {
  if (reaches_host && copy.extent(0) > 0) Kokkos::deep_copy(copy, std::numeric_limits<double>::quiet_NaN());
}

/// Sweeps may still be at work; then what they have written goes to the host, if it is not there yet.
void write_back(PetscScalar* host, const DeviceArray<double>& copy, bool is_copy) {
  ExecutionSpace().fence();
  if (!is_copy) return;
  Kokkos::deep_copy(HostNumbers<double>(host, copy.extent(0)), copy);
  spoil(copy);
}

/// What PETSc keeps where Kokkos works. Without its Kokkos nothing is there.
#if defined(PETSC_HAVE_KOKKOS_KERNELS)
template <class T>
using Numbers = Kokkos::View<T*, MemorySpace>;

bool is_asked_apart() { return reaches_host && is_memory_apart(); }

/// The vector with the copies behind its own numbers; null of one that sweeps do not reach.
PetscVec in_place(PetscVec v) {
  if (!is_of_kokkos(v) || is_asked_apart()) return nullptr;
  PetscVec with_copies = nullptr;
  petsc(VecGhostGetLocalForm(v, &with_copies));
  return with_copies ? with_copies : v;
}
void leave(PetscVec v, PetscVec form) {
  if (form != v) VecGhostRestoreLocalForm(v, &form);
}
const double* take_for_reading(PetscVec form) {
  Numbers<const PetscScalar> numbers;
  petsc(VecGetKokkosView(form, &numbers));
  return numbers.data();
}
void give_back_read(PetscVec form) {
  Numbers<const PetscScalar> numbers;
  VecRestoreKokkosView(form, &numbers);
}
void take(PetscVec form, OldValues old, DeviceArray<double>& numbers) {
  petsc(old == OldValues::kept ? VecGetKokkosView(form, &numbers) : VecGetKokkosViewWrite(form, &numbers));
}
void give_back(PetscVec form, OldValues old, DeviceArray<double>& numbers) {
  old == OldValues::kept ? VecRestoreKokkosView(form, &numbers) : VecRestoreKokkosViewWrite(form, &numbers);
}
bool is_in_place(PetscMat block) { return is_of_kokkos(block) && !is_asked_apart(); }
/// Of matrices it names the default execution space.
using Entries = Kokkos::View<PetscScalar*>;
void take(PetscMat block, OldValues old, DeviceArray<double>& numbers) {
  Entries entries;
  petsc(old == OldValues::kept ? MatSeqAIJGetKokkosView(block, &entries) : MatSeqAIJGetKokkosViewWrite(block, &entries));
  numbers = DeviceArray<double>(entries.data(), entries.extent(0));
}
void give_back(PetscMat block, OldValues old, DeviceArray<double>& numbers) {
  Entries entries(numbers.data(), numbers.extent(0));
  old == OldValues::kept ? MatSeqAIJRestoreKokkosView(block, &entries) : MatSeqAIJRestoreKokkosViewWrite(block, &entries);
}
#else
PetscVec in_place(PetscVec) { return nullptr; }
void leave(PetscVec, PetscVec) {}
const double* take_for_reading(PetscVec) { return nullptr; }
void give_back_read(PetscVec) {}
bool is_in_place(PetscMat) { return false; }
template <class Object>
void take(Object, OldValues, DeviceArray<double>&) {}
template <class Object>
void give_back(Object, OldValues, DeviceArray<double>&) {}
#endif

}  // namespace

bool is_memory_apart() {
  static const bool is_so = [] {
    PetscBool is_asked = PETSC_FALSE;
    if (reaches_host) petsc(PetscOptionsGetBool(nullptr, nullptr, "-sinew_memory_apart", &is_asked, nullptr));
    return !reaches_host || is_asked;
  }();
  return is_so;
}

DeviceRead::DeviceRead(PetscVec v) : vec_(v) {
  if (!vec_) return;
  if ((in_place_ = in_place(vec_)) != nullptr) {
    data_ = take_for_reading(in_place_);
    return;
  }
  petsc(VecGetArrayRead(vec_, &host_));
  data_ = host_;
  if (!is_memory_apart()) return;
  copy_ = copied_to_device("vector.read", host_, numbers_of(vec_));
  data_ = copy_.data();
}

DeviceRead::~DeviceRead() {
  if (!vec_) return;
  ExecutionSpace().fence();
  if (in_place_) {
    give_back_read(in_place_);
    leave(vec_, in_place_);
    return;
  }
  spoil(copy_);
  VecRestoreArrayRead(vec_, &host_);
}

DeviceWrite::DeviceWrite(PetscVec v, OldValues old) : vec_(v), old_(old) {
  if ((in_place_ = in_place(vec_)) != nullptr) {
    take(in_place_, old_, copy_);
    data_ = copy_.data();
    return;
  }
  petsc(old == OldValues::kept ? VecGetArray(vec_, &host_) : VecGetArrayWrite(vec_, &host_));
  data_ = host_;
  if (!is_memory_apart()) return;
  const std::size_t count = numbers_of(vec_);
  copy_ = old == OldValues::kept ? copied_to_device("vector.write", host_, count) : uninitialised<double>("vector.write", count);
  if (old == OldValues::overwritten) spoil(copy_);
  data_ = copy_.data();
}

DeviceWrite::~DeviceWrite() {
  if (in_place_) {
    ExecutionSpace().fence();
    give_back(in_place_, old_, copy_);
    leave(vec_, in_place_);
    return;
  }
  write_back(host_, copy_, data_ != host_);
  old_ == OldValues::kept ? VecRestoreArray(vec_, &host_) : VecRestoreArrayWrite(vec_, &host_);
}

DeviceEntries::DeviceEntries(PetscMat block, PetscInt count, OldValues old) : block_(block), old_(old) {
  if (!block_) return;
  if ((is_in_place_ = is_in_place(block_))) {
    take(block_, old_, copy_);
    data_ = copy_.data();
    return;
  }
  petsc(old == OldValues::kept ? MatSeqAIJGetArray(block_, &host_) : MatSeqAIJGetArrayWrite(block_, &host_));
  data_ = host_;
  if (!is_memory_apart()) return;
  const auto size = static_cast<std::size_t>(count);
  copy_ =
      old == OldValues::kept ? copied_to_device("matrix.entries", host_, size) : uninitialised<double>("matrix.entries", size);
  if (old == OldValues::overwritten) spoil(copy_);
  data_ = copy_.data();
}

DeviceEntries::~DeviceEntries() {
  if (!block_) return;
  if (is_in_place_) {
    ExecutionSpace().fence();
    give_back(block_, old_, copy_);
    return;
  }
  write_back(host_, copy_, data_ != host_);
  old_ == OldValues::kept ? MatSeqAIJRestoreArray(block_, &host_) : MatSeqAIJRestoreArrayWrite(block_, &host_);
}

}  // namespace sinew
