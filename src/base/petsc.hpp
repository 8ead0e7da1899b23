/// \file
/// Owning handles for PETSc objects and the one way in which its error codes become exceptions.
#pragma once

#include "base/error.hpp"

#include <petscksp.h>
#include <petscsnes.h>

#include <exception>
#include <source_location>
#include <string>
#include <utility>

namespace sinew {

/// PETSc's handles; the plain names belong to the small fixed-size vectors and matrices of the kernels.
using PetscVec = ::Vec;
using PetscMat = ::Mat;

/// Keeps what a callback of ours has thrown, see `guarded`; the code that PETSc is told in its place.
PetscErrorCode keep_exception(std::exception_ptr) noexcept;
/// Throws on what is kept, if there is anything.
void throw_kept();

/// Runs a callback of ours inside PETSc's C code, through which no exception may pass: what it throws waits until the call that
/// led there comes back with an error, and goes on from there (`petsc`, `quietly`).
template <class Call>
PetscErrorCode guarded(Call call) {
  try {
    return call();
  } catch (...) {
    return keep_exception(std::current_exception());
  }
}

/// Throws on what a callback of ours has thrown, or else with the place of the call and with what PETSc said: EnvironmentError
/// where memory has run out, SolveError otherwise.
[[noreturn]] void throw_petsc_error(PetscErrorCode code, const std::source_location& where);

/// Throws when PETSc reports an error.
inline void petsc(PetscErrorCode code, std::source_location where = std::source_location::current()) {
  if (code != 0) throw_petsc_error(code, where);
}

/// From now on PETSc does not print its errors: they are kept for what is thrown. Not where the user has chosen a way with
/// PETSc's options.
void keep_petsc_errors();
/// What PETSc said of an error since the last call, where it is kept.
std::string petsc_error_text();

/// The options that begin with -`prefix`, as given, with their values: PETSc says what it does not accept, not of which.
std::string options_given(const std::string& prefix);

/// For the calls in which objects read their options (of that prefix): what PETSc does not accept there is the user's. Throws
/// InputError.
template <class Call>
void read_options(const std::string& prefix, Call call) {
  if (call() != 0)
    throw InputError("PETSc does not accept an option of those that begin with -" + prefix + " (" + options_given(prefix) +
                     "): " + petsc_error_text());
}

/// The option of that name, one of the words of an enumeration in PETSc's form (the words, its own name, a prefix, null);
/// the first word where it is not given. Throws InputError for other words.
template <class Enum>
Enum enum_option(const char* name, const char* const* words) {
  PetscEnum chosen = PetscEnum(0);
  read_options("sinew_", [&] { return PetscOptionsGetEnum(nullptr, nullptr, name, words, &chosen, nullptr); });
  return static_cast<Enum>(static_cast<int>(chosen));
}

/// Does the user say something with options that begin with -`prefix`?
bool has_options(const std::string& prefix);

/// Owns one PETSc object of handle type T; Destroy is its destructor.
template <class T, PetscErrorCode (*Destroy)(T*)>
class PetscHandle {
 public:
  PetscHandle() = default;
  explicit PetscHandle(T object) : object_(object) {}
  PetscHandle(PetscHandle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  PetscHandle& operator=(PetscHandle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  PetscHandle(const PetscHandle&) = delete;
  PetscHandle& operator=(const PetscHandle&) = delete;
  ~PetscHandle() {
    if (object_) Destroy(&object_);
  }

  operator T() const { return object_; }  // NOLINT: handles are passed to PETSc everywhere
  T get() const { return object_; }
  /// For the creating functions of PETSc, which take an address; what was held before is destroyed.
  T* address() {
    if (object_) Destroy(&object_);
    return &object_;
  }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T object_ = nullptr;
};

/// The ranks that share an object of PETSc.
template <class T>
MPI_Comm comm_of(T object) {
  return PetscObjectComm(reinterpret_cast<PetscObject>(object));
}

using VecHandle = PetscHandle<PetscVec, VecDestroy>;
using MatHandle = PetscHandle<PetscMat, MatDestroy>;
using KspHandle = PetscHandle<KSP, KSPDestroy>;
using SnesHandle = PetscHandle<SNES, SNESDestroy>;
using IsHandle = PetscHandle<IS, ISDestroy>;
using ScatterHandle = PetscHandle<VecScatter, VecScatterDestroy>;

/// A vector of the same layout, uninitialised. Collective.
inline VecHandle duplicate(PetscVec v) {
  VecHandle copy;
  petsc(VecDuplicate(v, copy.address()));
  return copy;
}

/// The largest absolute value of an entry; 0 of an empty vector, no number where one is none. Collective.
double max_norm(PetscVec v);

/// Runs a PETSc call whose error is an answer, without PETSc's own message. What a callback of ours has thrown is none.
template <class Call>
PetscErrorCode quietly(Call call) {
  petsc(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  const PetscErrorCode code = call();
  petsc(PetscPopErrorHandler());
  if (code != 0) throw_kept();
  return code;
}

/// Read access to a vector's local values for the lifetime of the object.
class VecRead {
 public:
  explicit VecRead(PetscVec v) : vec_(v) { petsc(VecGetArrayRead(v, &data_)); }
  ~VecRead() { VecRestoreArrayRead(vec_, &data_); }
  VecRead(const VecRead&) = delete;
  VecRead& operator=(const VecRead&) = delete;
  const double* data() const { return data_; }
  double operator[](PetscInt i) const { return data_[i]; }

 private:
  PetscVec vec_;
  const PetscScalar* data_ = nullptr;
};

/// Read and write access to a vector's local values for the lifetime of the object.
class VecWrite {
 public:
  explicit VecWrite(PetscVec v) : vec_(v) { petsc(VecGetArray(v, &data_)); }
  ~VecWrite() { VecRestoreArray(vec_, &data_); }
  VecWrite(const VecWrite&) = delete;
  VecWrite& operator=(const VecWrite&) = delete;
  double* data() { return data_; }
  double& operator[](PetscInt i) { return data_[i]; }

 private:
  PetscVec vec_;
  PetscScalar* data_ = nullptr;
};

}  // namespace sinew
