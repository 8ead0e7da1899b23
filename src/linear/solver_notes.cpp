#include "linear/solver_notes.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

struct Entry {
  std::function<SolverNote()> describe;
  std::string reason;
};

std::map<std::string, Entry>& entries() {
  static std::map<std::string, Entry> all;
  return all;
}

std::string prefix_of(KSP ksp) {
  const char* prefix = nullptr;
  petsc(KSPGetOptionsPrefix(ksp, &prefix));
  return prefix ? prefix : "";
}

}  // namespace

std::map<std::string, SolverNote> solver_notes() {
  std::map<std::string, SolverNote> notes;
  for (const auto& [prefix, entry] : entries()) {
    if (!entry.describe) continue;
    SolverNote& note = notes[prefix] = entry.describe();
    note.reason = entry.reason;
  }
  return notes;
}

void note_reason(KSP ksp, std::string reason) { entries()[prefix_of(ksp)].reason = std::move(reason); }

void note_solver(const std::string& prefix, std::function<SolverNote()> describe) {
  entries()[prefix].describe = std::move(describe);
}

void note_solver(KSP ksp) {
  PC pc = nullptr;
  KSPType method = nullptr;
  PCType type = nullptr;
  MatSolverType package = nullptr;
  PetscBool by_factors = PETSC_FALSE, alone = PETSC_FALSE;
  petsc(KSPGetPC(ksp, &pc));
  petsc(KSPGetType(ksp, &method));
  petsc(PCGetType(pc, &type));
  petsc(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(pc), &by_factors, PCLU, PCCHOLESKY, ""));
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPPREONLY, &alone));
  if (by_factors == PETSC_TRUE) petsc(PCFactorGetMatSolverType(pc, &package));
  std::string text = package ? fmt::format("{} by {}", type, package) : std::string(type ? type : "none");
  if (alone == PETSC_FALSE && method) text = fmt::format("{} with {}", method, text);
  note_solver(prefix_of(ksp), [text] { return SolverNote{text, {}, {}, 0}; });
}

std::string detours_of_solvers() {
  constexpr double noticed = 1;  // s: those of small models cost nothing, and run.json has them
  std::string lines;
  for (const auto& [prefix, note] : solver_notes())
    if (note.detour_seconds >= noticed) lines += fmt::format("linear solver {}: {}\n", prefix, note.detours);
  return lines;
}

}  // namespace sinew
