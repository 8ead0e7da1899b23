#include "base/petsc.hpp"

#include "base/reduction.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace sinew {

namespace {

/// What PETSc said first of an error that is on its way through its functions.
std::string& kept_text() {
  static std::string text;
  return text;
}

/// What a callback has thrown last.
std::exception_ptr& kept_exception() {
  static std::exception_ptr exception;
  return exception;
}

PetscErrorCode keep(MPI_Comm, int line, const char* function, const char* file, PetscErrorCode code, PetscErrorType type,
                    const char* message, void*) {
  if (type == PETSC_ERROR_INITIAL) kept_text() = fmt::format("{} ({}, {}:{})", message ? message : "", function, file, line);
  return code;
}

}  // namespace

void keep_petsc_errors() { (void)PetscPushErrorHandler(keep, nullptr); }

std::string petsc_error_text() { return std::exchange(kept_text(), {}); }

PetscErrorCode keep_exception(std::exception_ptr exception) noexcept {
  kept_exception() = std::move(exception);
  return PETSC_ERR_USER;
}

void throw_kept() {
  if (const std::exception_ptr exception = std::exchange(kept_exception(), nullptr)) std::rethrow_exception(exception);
}

void throw_petsc_error(PetscErrorCode code, const std::source_location& where) {
  throw_kept();
  const std::string said = petsc_error_text();
  const bool is_from_malloc = said.find("(PetscMalloc") != std::string::npos;  // 3.18 gives a line as its code
  if (code == PETSC_ERR_MEM || is_from_malloc) throw EnvironmentError("out of memory" + (said.empty() ? said : ": " + said));
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw SolveError(fmt::format("PETSc error {}{}{} in {}, {}:{}", static_cast<int>(code), text ? fmt::format(" ({})", text) : "",
                               said.empty() ? said : ": " + said, where.function_name(), where.file_name(), where.line()));
}

/// PETSc's own passes over what is no number, in the reduction at least, on some ranks or on all.
double max_norm(PetscVec v) {
  const PetscScalar* x = nullptr;
  PetscMemType where = PETSC_MEMTYPE_HOST;
  PetscInt count = 0;
  double largest = 0;
  petsc(VecGetLocalSize(v, &count));
  petsc(VecGetArrayReadAndMemType(v, &x, &where));
  const bool is_here = PetscMemTypeHost(where);
  bool are_numbers = true;
  for (PetscInt i = 0; i < count && is_here; ++i) {
    const double entry = std::abs(x[i]);
    largest = entry > largest ? entry : largest;
    are_numbers = are_numbers && !std::isnan(entry);
  }
  petsc(VecRestoreArrayReadAndMemType(v, &x));
  if (!is_here) petsc(VecNorm(v, NORM_INFINITY, &largest));
  return largest_of_all(comm_of(v), are_numbers ? largest : std::numeric_limits<double>::quiet_NaN());
}

namespace {

/// An option's name, no number below zero.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

}  // namespace

bool has_options(const std::string& prefix) { return !options_given(prefix).empty(); }

std::string options_given(const std::string& prefix) {
  char* all = nullptr;
  petsc(PetscOptionsGetAll(nullptr, &all));
  std::istringstream words(all);
  petsc(PetscFree(all));
  const std::string start = fmt::format("-{}", prefix);
  std::string word, given;
  bool is_asked_for = false;
  while (words >> word) {
    if (is_option(word)) is_asked_for = word.starts_with(start);
    if (is_asked_for) given += fmt::format("{}{}", given.empty() ? "" : " ", word);
  }
  return given;
}

}  // namespace sinew
