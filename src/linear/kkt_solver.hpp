/// \file
/// Solvers of KKT systems, and the choice among them.
#pragma once

#include "base/petsc.hpp"

#include <memory>
#include <string>

namespace sinew {

struct KktUnknowns;

/// What a solution by iterations leaves of the forces, where nobody asks for more or less: as little as the factors of large
/// models do.
constexpr double default_linear_tolerance = 1e-10;

/// Solves with matrices of one pattern whose numbers change: the analysis of the first is kept.
class KktSolver {
 public:
  virtual ~KktSolver() = default;
  /// False: the matrix, or a part of it that this solver needs, is singular, or it is no matrix of the solver's kind. Collective.
  virtual bool factorise(PetscMat A) = 0;
  /// x = A^-1 b of the last matrix that was factorised. False: x is no solution. Collective.
  virtual bool solve(PetscVec b, PetscVec x) = 0;
  /// Can it solve for two right-hand sides at little more than the price of one?
  virtual bool solves_pairs() const { return false; }
  /// The same of two right-hand sides. Whether the second is a solution is not looked at. Collective.
  virtual bool solve_pair(PetscVec b, PetscVec x, PetscVec second_b, PetscVec second_x) {
    return solve(b, x) && solve(second_b, second_x);
  }
  /// Are there iterations, whose number depends on the tolerance? Then it is what they may leave of the forces at work.
  virtual bool iterates() const { return false; }
  virtual void set_tolerance(double) {}
  /// From now on solutions shall have all the digits that the matrix gives, where that is not so anyway.
  virtual void refine_solutions() {}
  /// For people. Collective.
  virtual std::string describe() const = 0;
};

// The makers of solvers return null where Sinew was built without the library that they need.

/// KLU of SuiteSparse: the pivot order of the first factorisation is kept, so that matrices that follow take less than a third of
/// the time, and given up where a pivot has become small. On several ranks each gathers the whole matrix: for small ones.
std::unique_ptr<KktSolver> make_klu_solver(int ranks);

/// How a rank factorises its part: sparse leaves, as few as pay, on the host; or dense fronts alone, all of one level of the
/// tree at a time, where element loops run; or, there too, by cuDSS, which finds its own substructures.
enum class Substructures { sparse, batched, cudss };

/// By substructures, for matrices that have noted what their unknowns are (note_unknowns), on any number of ranks (cudss: one).
std::unique_ptr<KktSolver> make_substructure_solver(Substructures = Substructures::sparse);

/// MUMPS, on any number of ranks. `has_dense_rows`: many rows have entries nearly everywhere.
std::unique_ptr<KktSolver> make_mumps_solver(bool has_dense_rows = false);

/// By iterations, for matrices whose unknowns are noted, those of large solids: what is no solid's is eliminated exactly. Options
/// begin with <prefix>border_ (FGMRES) and <prefix>solid_ (its preconditioner for the solids).
std::unique_ptr<KktSolver> make_border_solver(const std::string& prefix);

/// Makes `pc` a solver for AIJ matrices of one pattern: by substructures where the matrix says what its unknowns are, or with the
/// border eliminated where they are those of solids, else by KLU, and by MUMPS where that fails or on several ranks had to gather
/// much. -ksp_view shows which it is; -sinew_substructures sparse (the default) or batched says how it goes by substructures, and
/// with cudss what cuDSS factorises is tried before all else, matrices of solids too. Throws InputError where cuDSS is asked for
/// and is not there, or there are several ranks. `unknowns`: of matrices that will not have noted theirs.
void use_kkt_solver(PC pc, std::shared_ptr<const KktUnknowns> unknowns = nullptr);

/// Is cuDSS asked for?
bool wants_cudss();

/// Has a KSP one of use_kkt_solver?
bool has_kkt_solver(KSP);
/// Does that iterate? Known with its first matrix.
bool has_iterations(KSP);
/// See KktSolver; nothing happens where there is none.
void set_linear_tolerance(KSP, double);
/// Every solution is corrected once by its own residual, which makes it one of equations that differ from these by rounding,
/// entry by entry (Skeel, Math. Comp. 35, 1980): LU by substructures, whose pivots are not chosen among all rows, leaves up to
/// 1e-12 of what meets in a row where units are mixed. For solutions that are answers; Newton's method corrects its own.
void refine_solutions(KSP);
/// Does it solve for two right-hand sides at little more than the price of one? Known with its first matrix.
bool solves_pairs(KSP);
/// The next solution of such a KSP shall come with that of a second right-hand side, whose vectors must outlive it.
void add_right_hand_side(KSP, PetscVec b, PetscVec x);
/// Has it come since that was said?
bool was_added_side_solved(KSP);

}  // namespace sinew
