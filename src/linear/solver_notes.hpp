/// \file
/// Which linear solvers served in this process, and why these: for run.json and for people.
#pragma once

#include "base/petsc.hpp"

#include <functional>
#include <map>
#include <string>

namespace sinew {

struct SolverNote {
  std::string solver;   ///< in words, as -ksp_view says it
  std::string reason;   ///< why this one
  std::string detours;  ///< what of its work another had to do, and why; empty: nothing
  double detour_seconds = 0;
};

/// By the prefix of their options, those of the last KSP that had it; what noted no solver never factorised. Local; the first
/// rank's are written.
std::map<std::string, SolverNote> solver_notes();

/// Says why a KSP has the solver that it has.
void note_reason(KSP, std::string reason);
/// Says which it is, as `describe` has it when that is asked for (but for the reason): until the same prefix is noted anew.
void note_solver(const std::string& prefix, std::function<SolverNote()> describe);
/// The same of a KSP with a solver of PETSc's; those of use_kkt_solver note themselves.
void note_solver(KSP);

/// For people: a line for each in whose place another worked for a second or more; empty where none did. Local, as above.
std::string detours_of_solvers();

}  // namespace sinew
