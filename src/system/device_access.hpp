/// \file
/// PETSc's numbers where sweeps can reach them. PETSc keeps them on the host, unless vectors and matrices are of its Kokkos types
/// (-vec_type kokkos -mat_type aijkokkos), which need no copy; sweeps read and write the memory of Kokkos' default execution
/// space, which on a GPU is another one. Whoever hands numbers of a vector or matrix to a sweep takes them from these objects.
#pragma once

#include "base/petsc.hpp"
#include "kernels/portability.hpp"

namespace sinew {

/// Do sweeps get copies of numbers that PETSc has on the host? Always where they cannot reach its memory. Where they can, option
/// -sinew_memory_apart makes it so: answers stay the same bit by bit, and numbers that went around these objects would be missed.
bool is_memory_apart();

/// The local numbers of a vector, copies of other ranks' included, for sweeps to read while the object lives. Device pointer;
/// null of a null vector. They are those of the moment of construction.
class DeviceRead {
 public:
  explicit DeviceRead(PetscVec v);
  ~DeviceRead();
  DeviceRead(const DeviceRead&) = delete;
  DeviceRead& operator=(const DeviceRead&) = delete;
  const double* data() const { return data_; }

 private:
  PetscVec vec_;
  PetscVec in_place_ = nullptr;  ///< the vector, or it with its copies, where Kokkos works on it
  const PetscScalar* host_ = nullptr;
  const double* data_ = nullptr;
  DeviceArray<double> copy_;
};

/// What a vector's numbers are before a sweep writes: still wanted, or about to be written all.
enum class OldValues { kept, overwritten };

/// The local numbers of a vector, room for copies of other ranks' included, for sweeps to write while the object lives; they are
/// in the vector when it is gone. Device pointer.
class DeviceWrite {
 public:
  DeviceWrite(PetscVec v, OldValues old);
  ~DeviceWrite();
  DeviceWrite(const DeviceWrite&) = delete;
  DeviceWrite& operator=(const DeviceWrite&) = delete;
  double* data() const { return data_; }

 private:
  PetscVec vec_;
  PetscVec in_place_ = nullptr;  ///< as of DeviceRead
  OldValues old_;
  PetscScalar* host_ = nullptr;
  double* data_ = nullptr;
  DeviceArray<double> copy_;
};

/// The numbers of the entries of a sequential AIJ block, row by row, to be written while the object lives, all of them or those
/// that change; they are in the block when it is gone. Device pointer; null of a null block.
class DeviceEntries {
 public:
  DeviceEntries(PetscMat block, PetscInt count, OldValues);
  ~DeviceEntries();
  DeviceEntries(const DeviceEntries&) = delete;
  DeviceEntries& operator=(const DeviceEntries&) = delete;
  double* data() const { return data_; }

 private:
  PetscMat block_;
  bool is_in_place_ = false;
  OldValues old_;
  PetscScalar* host_ = nullptr;
  double* data_ = nullptr;
  DeviceArray<double> copy_;
};

}  // namespace sinew
