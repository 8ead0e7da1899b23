#include "system/device_access.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace sinew {

namespace {

constexpr bool reaches_host = std::is_same_v<MemorySpace, HostSpace>;

template <class T>
using HostNumbers = Kokkos::View<T*, HostSpace, Kokkos::MemoryUnmanaged>;

/// Local numbers with the copies of other ranks' that a ghosted vector holds behind its own.
std::size_t numbers_of(PetscVec v) {
  PetscInt count = 0;
  PetscVec with_ghosts = nullptr;
  petsc(VecGhostGetLocalForm(v, &with_ghosts));
  petsc(VecGetLocalSize(with_ghosts ? with_ghosts : v, &count));
  petsc(VecGhostRestoreLocalForm(v, &with_ghosts));
  return static_cast<std::size_t>(count);
}

DeviceArray<double> room(const std::string& label, std::size_t count) {
  return DeviceArray<double>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
}

DeviceArray<double> copied(const std::string& label, const PetscScalar* host, std::size_t count) {
  DeviceArray<double> copy = room(label, count);
  Kokkos::deep_copy(copy, HostNumbers<const double>(host, count));
  return copy;
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
  petsc(VecGetArrayRead(vec_, &host_));
  data_ = host_;
  if (!is_memory_apart()) return;
  copy_ = copied("vector.read", host_, numbers_of(vec_));
  data_ = copy_.data();
}

DeviceRead::~DeviceRead() {
  if (!vec_) return;
  ExecutionSpace().fence();
  spoil(copy_);
  VecRestoreArrayRead(vec_, &host_);
}

DeviceWrite::DeviceWrite(PetscVec v, OldValues old) : vec_(v), old_(old) {
  petsc(old == OldValues::kept ? VecGetArray(vec_, &host_) : VecGetArrayWrite(vec_, &host_));
  data_ = host_;
  if (!is_memory_apart()) return;
  const std::size_t count = numbers_of(vec_);
  copy_ = old == OldValues::kept ? copied("vector.write", host_, count) : room("vector.write", count);
  if (old == OldValues::overwritten) spoil(copy_);
  data_ = copy_.data();
}

DeviceWrite::~DeviceWrite() {
  write_back(host_, copy_, data_ != host_);
  old_ == OldValues::kept ? VecRestoreArray(vec_, &host_) : VecRestoreArrayWrite(vec_, &host_);
}

DeviceEntries::DeviceEntries(PetscMat block, PetscInt count, OldValues old) : block_(block), old_(old) {
  if (!block_) return;
  petsc(old == OldValues::kept ? MatSeqAIJGetArray(block_, &host_) : MatSeqAIJGetArrayWrite(block_, &host_));
  data_ = host_;
  if (!is_memory_apart()) return;
  const auto size = static_cast<std::size_t>(count);
  copy_ = old == OldValues::kept ? copied("matrix.entries", host_, size) : room("matrix.entries", size);
  if (old == OldValues::overwritten) spoil(copy_);
  data_ = copy_.data();
}

DeviceEntries::~DeviceEntries() {
  if (!block_) return;
  write_back(host_, copy_, data_ != host_);
  old_ == OldValues::kept ? MatSeqAIJRestoreArray(block_, &host_) : MatSeqAIJRestoreArrayWrite(block_, &host_);
}

}  // namespace sinew
