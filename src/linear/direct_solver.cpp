#include "linear/direct_solver.hpp"

#include "base/timing.hpp"
#include "linear/kkt_solver.hpp"
#include "linear/mumps_factors.hpp"
#include "linear/solid_price.hpp"
#include "linear/solver_notes.hpp"
#include "system/regularisation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sinew {

namespace {

/// Has the user asked for something with an option of this KSP?
bool is_given(KSP ksp, const std::string& name) {
  const char* prefix = nullptr;
  petsc(KSPGetOptionsPrefix(ksp, &prefix));
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsHasName(nullptr, prefix, ("-" + name).c_str(), &is_set));
  return is_set == PETSC_TRUE;
}

bool must_repeat_bits() {
  PetscBool is_set = PETSC_FALSE, value = PETSC_FALSE;
  petsc(PetscOptionsGetBool(nullptr, nullptr, "-sinew_deterministic", &value, &is_set));
  return value == PETSC_TRUE;
}

/// Every rank gets the whole matrix and factorises it by itself.
void gather_matrix(KSP ksp) {
  PC pc = nullptr, own = nullptr;
  KSP inner = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  petsc(PCSetType(pc, PCREDUNDANT));
  petsc(PCRedundantGetKSP(pc, &inner));
  petsc(KSPGetPC(inner, &own));
  petsc(PCSetType(own, PCLU));
  petsc(PCFactorSetMatSolverType(own, MATSOLVERMUMPS));
}

/// By how much R lies above the stiffness of what counts as redundant, at least: a removal leaves so much of it, or less.
constexpr double left_by_one = 1e-4;
/// What may be left, of a right-hand side or of multipliers beside the largest ones: a run may have 1e5 solutions.
constexpr double negligible = 1e-10;

/// What is given back of a solution from which `removals` times the undetermined was taken. Of a combination with stiffness sigma
/// these leave q^(removals + 1), q = sigma / (sigma + R) = 1 - p. Where p is not small, as in long stacks and linkages, whose
/// sigma falls like the fourth power of their length, that is missing. With T = p,
///   x += sum C(k + removals, k) T^k x,   T (x, lambda) = -A^-1 (0, R lambda),
/// the series of 1 / q^(removals + 1), gives it back; there is nothing undetermined left that it could raise. A term that is no
/// smaller than the one before is rounding, or of rows that are out of line, and so is that. Collective.
template <class Solve>
PetscErrorCode give_back_determined(PetscVec r, PetscVec x, int removals, const Solve& solve) {
  constexpr int most_terms = 12;  // p = 0.18 with two removals takes 11 terms to 1e-6
  VecHandle rows = duplicate(x), last = duplicate(x), term = duplicate(x);
  petsc(VecCopy(x, last));
  petsc(VecPointwiseMult(rows, r, x));
  const double enough = negligible / left_by_one * max_norm(rows);
  double last_size = max_norm(rows);
  for (int k = 1; k <= most_terms; ++k) {
    petsc(VecPointwiseMult(rows, r, last));
    petsc(VecScale(rows, -static_cast<double>(k + removals) / k));
    const PetscErrorCode code = solve(rows, term);
    if (code != 0) return code;
    petsc(VecPointwiseMult(rows, r, term));
    const double size = max_norm(rows);
    if (!(size < last_size)) return 0;
    if (k > 1) petsc(VecAXPY(x, 1.0, last));
    if (size <= enough) break;
    last_size = size;
    std::swap(last, term);
  }
  petsc(VecAXPY(x, 1.0, term));
  return 0;
}

/// Where constraints are redundant, only the regularisation R of the rows of the multipliers determines some of their
/// combinations v (G^T v = 0): what the right-hand side has along v, rounding or a loop that does not close exactly, divided by
/// R. This says nothing and may be huge. The rows show it, as -R lambda: with b + R lambda in place of b they have nothing along
/// v. Constraints that are out of line by a little have combinations with a small stiffness of their own, G^T v = d: what is left
/// along v works on the motion, and adds up over all solutions of a run, the gap being there for ever. So this is repeated until
/// nothing of it is left beside the multipliers. Other combinations lose a part R over their own stiffness each time: where that
/// can be seen it is given back. `solve` maps its first argument to its second. Collective.
template <class Solve>
PetscErrorCode without_undetermined(PetscMat A, PetscVec b, PetscVec x, const Solve& solve) {
  constexpr int most_removals = 8;  // each halves what is left, or is the last; all but rows out of line need one or two
  PetscVec r = noted_regularisation(A);
  if (r == nullptr) return 0;
  VecHandle rows = duplicate(x), last_rows = duplicate(x), rest = duplicate(b);
  petsc(VecCopy(b, rest));
  double last_change = std::numeric_limits<double>::infinity();
  for (int removals = 0; removals < most_removals; ++removals) {
    petsc(VecPointwiseMult(rows, r, x));
    if (removals > 0) {
      petsc(VecAYPX(last_rows, -1.0, rows));
      const double change = max_norm(last_rows);
      if (left_by_one * change <= negligible * max_norm(rows)) break;
      if (!(change < 0.5 * last_change)) return give_back_determined(r, x, removals, solve);
      last_change = change;
    }
    petsc(VecCopy(rows, last_rows));
    petsc(VecAXPY(rest, 1.0, rows));
    const PetscErrorCode code = solve(rest, x);
    if (code != 0) return code;
  }
  return 0;
}

/// After every solution by factors alone.
PetscErrorCode after_direct_solution(KSP ksp, PetscVec b, PetscVec x, void* /*context*/) {
  return guarded([=] {
    if (!has_solved_by_factors(ksp)) return PetscErrorCode(0);
    PC pc = nullptr;
    PetscMat A = nullptr;
    petsc(KSPGetPC(ksp, &pc));
    petsc(KSPGetOperators(ksp, &A, nullptr));
    return without_undetermined(A, b, x, [pc](PetscVec from, PetscVec to) { return PCApply(pc, from, to); });
  });
}

/// The same after iterations, which start anew each time.
PetscErrorCode after_iterations(KSP ksp, PetscVec b, PetscVec x) {
  PetscMat A = nullptr;
  PetscBool by_factors = PETSC_FALSE;
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPPREONLY, &by_factors));
  if (by_factors == PETSC_TRUE) return 0;
  petsc(KSPGetOperators(ksp, &A, nullptr));
  return without_undetermined(A, b, x, [ksp](PetscVec from, PetscVec to) { return KSPSolve(ksp, from, to); });
}

}  // namespace

bool has_solved_by_factors(KSP ksp) {
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscBool by_factors = PETSC_FALSE;
  petsc(KSPGetConvergedReason(ksp, &reason));
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPPREONLY, &by_factors));
  return reason >= 0 && by_factors == PETSC_TRUE;
}

void configure_direct_solver(KSP ksp, bool is_compact, std::shared_ptr<const KktUnknowns> unknowns) {
  petsc(KSPSetPostSolve(ksp, after_direct_solution, nullptr));
  int size = 1;
  const MPI_Comm comm = comm_of(ksp);
  MPI_Comm_size(comm, &size);
  PC pc = nullptr;
  petsc(KSPSetType(ksp, KSPPREONLY));
  petsc(KSPGetPC(ksp, &pc));
  const bool is_free = !is_given(ksp, "pc_factor_mat_solver_type");
  const bool repeats_bits = must_repeat_bits();  // asked for even where one rank, or no solids, repeat them anyway
  note_reason(ksp, !is_free     ? "an option says so"
                   : is_compact ? "solids, by factors"
                                : "no solids: bodies and joints make a sparse graph");
  if (is_free && (!is_compact || wants_cudss())) return use_kkt_solver(pc, std::move(unknowns));
  if (is_free && size > 1 && repeats_bits) return gather_matrix(ksp);
  petsc(PCSetType(pc, PCLU));
  petsc(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
}

void configure_linear_solver(KSP ksp, PetscMat A, SolidsAs solids) {
  const auto unknowns = noted_unknowns(A);
  const bool has_solids = unknowns && unknowns->has_solids;
  const bool is_given_factors = has_solids && is_given(ksp, "pc_factor_mat_solver_type");
  configure_direct_solver(ksp, has_solids && (is_given_factors || !iterations_pay(A, solids)));
  if (has_solids && !is_given_factors) note_reason(ksp, price_text(A, solids));
}

namespace {

/// Has MUMPS the workspace that we say? Not where an option says how much, or another solver serves.
bool has_our_workspace(KSP ksp) {
#ifdef PETSC_HAVE_MUMPS
  PC pc = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  MatSolverType type = nullptr;
  PetscBool is_lu = PETSC_FALSE;
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCLU, &is_lu));
  if (is_lu) petsc(PCFactorGetMatSolverType(pc, &type));
  return type != nullptr && std::string(type) == MATSOLVERMUMPS && !is_given(ksp, "mat_mumps_icntl_14");
#else
  (void)ksp;
  return false;
#endif
}

/// The factors that are to be, or are.
PetscMat factors_of(KSP ksp) {
  PC pc = nullptr;
  PetscMat factors = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  petsc(PCFactorSetUpMatSolverType(pc));
  petsc(PCFactorGetMatrix(pc, &factors));
  return factors;
}

/// True: MUMPS ran out of workspace. Collective.
bool runs_out(KSP ksp, PetscErrorCode& code) {
  code = quietly([ksp] { return KSPSetUp(ksp); });
  PC pc = nullptr;
  PCFailedReason reason = PC_NOERROR;
  petsc(KSPGetPC(ksp, &pc));
  petsc(PCGetFailedReason(pc, &reason));
  if (code != 0 || reason != PC_FACTOR_OUTMEMORY) return false;
  require_memory(factors_of(ksp));
  return true;
}

/// KSPSetUp, with more workspace where it is too little. Collective.
PetscErrorCode set_up_with_workspace(KSP ksp) {
  if (!has_our_workspace(ksp)) return quietly([ksp] { return KSPSetUp(ksp); });
  PetscErrorCode code = 0;
#ifdef PETSC_HAVE_MUMPS
  PetscInt percent = 0;
  petsc(MatMumpsGetIcntl(factors_of(ksp), mumps_workspace, &percent));  // what served last
  percent = std::max(percent, first_workspace);
  const PetscInt before = percent;
  with_workspace(percent, [&](PetscInt more) {
    if (more > before) {  // with factors that have failed PETSc does not go on
      PC pc = nullptr;
      PetscMat A = nullptr, P = nullptr;
      petsc(KSPGetPC(ksp, &pc));
      petsc(KSPGetOperators(ksp, &A, &P));
      for (PetscMat M : {A, P}) petsc(PetscObjectReference(reinterpret_cast<PetscObject>(M)));
      const MatHandle kept_A(A), kept_P(P);
      petsc(PCReset(pc));
      petsc(KSPSetOperators(ksp, A, P));
    }
    petsc(MatMumpsSetIcntl(factors_of(ksp), mumps_workspace, more));
    return runs_out(ksp, code);
  });
#endif
  return code;
}

}  // namespace

void give_workspace(KSP ksp) {
#ifdef PETSC_HAVE_MUMPS
  if (has_our_workspace(ksp)) petsc(MatMumpsSetIcntl(factors_of(ksp), mumps_workspace, first_workspace));
#else
  (void)ksp;
#endif
}

namespace {

KspHandle make_solver(const std::string& prefix, PetscMat A) {
  const MPI_Comm comm = comm_of(A);
  KspHandle ksp;
  petsc(KSPCreate(comm, ksp.address()));
  petsc(KSPSetOptionsPrefix(ksp, prefix.c_str()));
  petsc(KSPSetOperators(ksp, A, A));
  return ksp;
}

}  // namespace

KspHandle make_direct_solver(const std::string& prefix, PetscMat A, bool is_compact) {
  KspHandle ksp = make_solver(prefix, A);
  configure_direct_solver(ksp, is_compact);
  read_options(prefix, [&] { return KSPSetFromOptions(ksp); });
  return ksp;
}

KspHandle make_linear_solver(const std::string& prefix, PetscMat A, SolidsAs solids) {
  KspHandle ksp = make_solver(prefix, A);
  configure_linear_solver(ksp, A, solids);
  read_options(prefix, [&] { return KSPSetFromOptions(ksp); });
  return ksp;
}

bool factorise(KSP ksp) {
  const TimedPhase timed(Phase::factorization);
  PC pc = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  PetscMat A = nullptr, P = nullptr;
  petsc(KSPGetOperators(ksp, &A, &P));
  petsc(KSPSetOperators(ksp, A, P));  // else KSPSetUp takes the values for those of the last time
  if (set_up_with_workspace(ksp) != 0) return false;
  if (!has_kkt_solver(ksp)) note_solver(ksp);
  PCFailedReason reason = PC_NOERROR;
  petsc(PCGetFailedReason(pc, &reason));
  return reason == PC_NOERROR;
}

bool solve_iteratively(KSP ksp, PetscVec b, PetscVec x) {
  const TimedPhase timed(Phase::solve);
  if (quietly([&] { return KSPSolve(ksp, b, x); }) != 0 || quietly([&] { return after_iterations(ksp, b, x); }) != 0)
    return false;
  KSPConvergedReason reason = KSP_DIVERGED_PC_FAILED;
  petsc(KSPGetConvergedReason(ksp, &reason));
  return reason > 0;
}

bool solve_linear(KSP ksp, PetscVec b, PetscVec x) { return factorise(ksp) && solve_iteratively(ksp, b, x); }

}  // namespace sinew
