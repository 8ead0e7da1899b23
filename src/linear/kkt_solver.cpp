#include "linear/kkt_solver.hpp"

#include "base/error.hpp"
#include "base/reduction.hpp"
#include "linear/cudss_factors.hpp"
#include "linear/solver_chain.hpp"
#include "linear/solver_notes.hpp"
#include "system/kkt_unknowns.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace sinew {

namespace {

/// Unknowns of a chain that every rank may hold: KLU factorises it in some 0.1 s, MUMPS in ten times that.
constexpr PetscInt largest_gathered = 200000;

Substructures chosen_by_option() {
  const char* const names[] = {"sparse", "batched", "cudss", "Substructures", "", nullptr};
  return enum_option<Substructures>("-sinew_substructures", names);
}

/// Throws InputError where cuDSS is asked for and cannot serve.
void check_cudss(PC pc) {
  int size = 1;
  const MPI_Comm comm = comm_of(pc);
  MPI_Comm_size(comm, &size);
  if (cudss_version().empty())
    throw InputError(
        "-sinew_substructures cudss: this Sinew was built without cuDSS, which needs a Kokkos with CUDA (docs/gpu.md)");
  if (size > 1)
    throw InputError("-sinew_substructures cudss: cuDSS factorises the matrix of one rank; run on one, or say batched");
}

/// What a PC of use_kkt_solver has.
class PcContext {
 public:
  PcContext(std::string prefix, Substructures substructures, std::shared_ptr<const KktUnknowns> unknowns)
      : prefix_(std::move(prefix)),
        substructures_(substructures),
        unknowns_(std::move(unknowns)),
        solvers_([this](PetscMat A) { return choose(A); }) {}
  /// How it fared remains for those who ask when this is gone.
  ~PcContext() {
    if (is_noted_) note_solver(prefix_, [note = note()] { return note; });
  }
  PcContext(const PcContext&) = delete;
  PcContext& operator=(const PcContext&) = delete;

  bool factorise(PetscMat A) {
    if (unknowns_ && !noted_unknowns(A)) note_unknowns(A, unknowns_);
    const bool is_regular = solvers_.factorise(A);
    if (is_regular && !std::exchange(is_noted_, true)) note_solver(prefix_, [this] { return note(); });
    return is_regular;
  }
  SolverChain& solvers() { return solvers_; }

 private:
  SolverNote note() const { return {solvers_.describe(), {}, solvers_.detours(), solvers_.detour_seconds()}; }
  SolverChain::Candidates choose(PetscMat A) const;

  std::string prefix_;  ///< of options
  Substructures substructures_;
  std::shared_ptr<const KktUnknowns> unknowns_;  ///< of matrices that have not noted theirs; may be null
  SolverChain solvers_;
  bool is_noted_ = false;
};

SolverChain::Candidates PcContext::choose(PetscMat A) const {
  int size = 1;
  const MPI_Comm comm = comm_of(A);
  MPI_Comm_size(comm, &size);
  const auto unknowns = noted_unknowns(A);
  const bool is_noted = is_so_on_all(comm, unknowns != nullptr);
  const bool has_solids = is_noted && unknowns->has_solids;
  PetscInt count = 0;
  petsc(MatGetSize(A, &count, nullptr));
  const bool may_gather = size == 1 || count <= largest_gathered;
  const bool is_net = is_noted && !has_solids, by_cudss = is_noted && substructures_ == Substructures::cudss;
  const Substructures otherwise = by_cudss ? Substructures::sparse : substructures_;
  std::unique_ptr<KktSolver> solvers[] = {by_cudss ? make_substructure_solver(Substructures::cudss) : nullptr,
                                          has_solids ? make_border_solver(prefix_) : nullptr,
                                          is_net ? make_substructure_solver(otherwise) : nullptr,
                                          !is_noted && may_gather ? make_klu_solver(size) : nullptr, make_mumps_solver()};
  SolverChain::Candidates candidates;
  for (std::unique_ptr<KktSolver>& solver : solvers)
    if (solver) candidates.push_back(std::move(solver));
  return candidates;
}

PcContext& context_of(PC pc) {
  void* context = nullptr;
  petsc(PCShellGetContext(pc, &context));
  return *static_cast<PcContext*>(context);
}

/// An error of a solver is a failure of it; what else is thrown goes on.
template <class Attempt>
bool succeeds(Attempt attempt) try {
  return attempt();
} catch (const SolveError&) {
  return false;
}

PetscErrorCode set_up(PC pc) {
  return guarded([pc] {
    PetscMat A = nullptr, P = nullptr;
    petsc(PCGetOperators(pc, &A, &P));
    const bool is_regular = succeeds([&] { return context_of(pc).factorise(P); });
    return PCSetFailedReason(pc, is_regular ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT);
  });
}

PetscErrorCode apply(PC pc, PetscVec b, PetscVec x) {
  return guarded([=] {
    const bool is_solved = succeeds([&] { return context_of(pc).solvers().solve(b, x); });
    return is_solved ? PetscErrorCode(0) : PetscErrorCode(PETSC_ERR_CONV_FAILED);
  });
}

PetscErrorCode view(PC pc, PetscViewer viewer) {
  return guarded([=] { return PetscViewerASCIIPrintf(viewer, "  %s\n", context_of(pc).solvers().describe().c_str()); });
}

PetscErrorCode destroy(PC pc) {
  return guarded([pc] {
    delete &context_of(pc);
    return PetscErrorCode(0);
  });
}

}  // namespace

void use_kkt_solver(PC pc, std::shared_ptr<const KktUnknowns> unknowns) {
  const char* prefix = nullptr;
  const Substructures substructures = chosen_by_option();
  if (substructures == Substructures::cudss) check_cudss(pc);
  petsc(PCGetOptionsPrefix(pc, &prefix));
  petsc(PCSetType(pc, PCSHELL));
  petsc(PCShellSetContext(pc, std::make_unique<PcContext>(prefix ? prefix : "", substructures, std::move(unknowns)).release()));
  petsc(PCShellSetSetUp(pc, set_up));
  petsc(PCShellSetApply(pc, apply));
  petsc(PCShellSetView(pc, view));
  petsc(PCShellSetDestroy(pc, destroy));
}

namespace {

/// Ours, or null: options may have put another in its place.
SolverChain* solvers_of(KSP ksp) {
  PC pc = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  void* context = nullptr;
  petsc(PCShellGetContext(pc, &context));  // null where it is of another type
  return context ? &static_cast<PcContext*>(context)->solvers() : nullptr;
}

}  // namespace

void set_linear_tolerance(KSP ksp, double tolerance) {
  if (SolverChain* solvers = solvers_of(ksp)) solvers->set_tolerance(tolerance);
}

void refine_solutions(KSP ksp) {
  if (SolverChain* solvers = solvers_of(ksp)) solvers->refine_solutions();
}

bool solves_pairs(KSP ksp) {
  const SolverChain* solvers = solvers_of(ksp);
  return solvers != nullptr && solvers->solves_pairs();
}

void add_right_hand_side(KSP ksp, PetscVec b, PetscVec x) {
  if (SolverChain* solvers = solvers_of(ksp)) solvers->add_right_hand_side(b, x);
}

bool was_added_side_solved(KSP ksp) {
  const SolverChain* solvers = solvers_of(ksp);
  return solvers != nullptr && solvers->was_added_side_solved();
}

bool wants_cudss() { return chosen_by_option() == Substructures::cudss; }

bool has_kkt_solver(KSP ksp) { return solvers_of(ksp) != nullptr; }

bool has_iterations(KSP ksp) {
  const SolverChain* solvers = solvers_of(ksp);
  return solvers != nullptr && solvers->iterates();
}

}  // namespace sinew
