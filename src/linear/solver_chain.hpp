/// \file
/// Solvers that stand in for each other.
#pragma once

#include "linear/kkt_solver.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// The solvers that may serve, the best first. Where one fails the next takes its place: what is singular in its parts alone is
/// no hindrance for that. The faster ones are tried again after one factorisation, then after two, four, ... more: a model may
/// pass a position that stops them and leave it again, and where they never serve that costs as many attempts as the number of
/// factorisations has binary digits. Where all fail the last is asked first with the next matrix.
class SolverChain {
 public:
  using Candidates = std::vector<std::unique_ptr<KktSolver>>;
  /// `choose` is asked with the first matrix. Collective, as all that follows.
  explicit SolverChain(std::function<Candidates(PetscMat)> choose) : choose_(std::move(choose)) {}

  /// False: none can.
  bool factorise(PetscMat A);
  /// False: none of those left can, or there are no factors (SNES asks all the same).
  bool solve(PetscVec b, PetscVec x);

  bool solves_pairs() const { return has_choice() && current().solves_pairs(); }
  /// Comes with the next solution; both vectors must outlive it.
  void add_right_hand_side(PetscVec b, PetscVec x) { second_ = {b, x, false}; }
  bool was_added_side_solved() const { return second_.is_solved; }

  bool iterates() const { return has_choice() && current().iterates(); }
  void set_tolerance(double);
  void refine_solutions();

  /// Which serves now, in words.
  std::string describe() const;
  /// How many factorisations were another's than the first solver's, and whose; empty: none.
  std::string detours() const;
  /// Seconds that these and the solutions with them took on this rank.
  double detour_seconds() const { return detour_seconds_; }

 private:
  bool has_choice() const { return !candidates_.empty(); }
  KktSolver& current() const { return *candidates_[current_]; }
  bool factorise_from_current();
  bool solve_by_current(PetscVec b, PetscVec x);
  template <class Work>
  bool timed(const Work&);

  std::function<Candidates(PetscMat)> choose_;
  Candidates candidates_;
  std::size_t current_ = 0;
  PetscMat matrix_ = nullptr;  ///< factorised last
  bool has_factors_ = false;
  long patience_ = 1, waited_ = 0;  ///< with slower ones: factorisations before the faster are tried, and those since they were
  long factorisations_ = 0, slower_ = 0;
  std::string slower_solver_;  ///< the last of these
  double detour_seconds_ = 0;
  double tolerance_ = default_linear_tolerance;
  bool refines_ = false;
  /// What is to come with the next solution, or has come with the last one.
  struct Second {
    PetscVec b = nullptr, x = nullptr;
    bool is_solved = false;
  };
  Second second_;
};

}  // namespace sinew
