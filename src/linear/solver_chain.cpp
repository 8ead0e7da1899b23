#include "linear/solver_chain.hpp"

#include <fmt/format.h>

#include <chrono>

namespace sinew {

/// What slower solvers do counts as a detour.
template <class Work>
bool SolverChain::timed(const Work& work) {
  using Clock = std::chrono::steady_clock;
  const bool is_detour = current_ > 0;
  const Clock::time_point begin = Clock::now();
  const bool is_done = work();
  if (is_detour) detour_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
  return is_done;
}

bool SolverChain::factorise(PetscMat A) {
  if (!has_choice()) {
    candidates_ = choose_(A);
    set_tolerance(tolerance_);
    if (refines_) refine_solutions();
  }
  matrix_ = A;
  ++factorisations_;
  if (current_ > 0 && ++waited_ > patience_) {
    current_ = 0;
    waited_ = 0;
    patience_ *= 2;
  }
  return factorise_from_current();
}

bool SolverChain::factorise_from_current() {
  has_factors_ = false;
  while (!has_factors_ && current_ < candidates_.size()) {
    has_factors_ = timed([this] { return current().factorise(matrix_); });
    if (!has_factors_) ++current_;
  }
  if (!has_factors_) {
    current_ = has_choice() ? candidates_.size() - 1 : 0;  // another matrix may be regular
  } else if (current_ > 0) {
    ++slower_;
    slower_solver_ = current().describe();
  }
  return has_factors_;
}

bool SolverChain::solve(PetscVec b, PetscVec x) {
  if (!has_factors_) return false;
  if (solve_by_current(b, x)) return true;
  if (current_ + 1 >= candidates_.size()) return false;
  if (current_ > 0) --slower_;  // it was counted and has not served
  ++current_;
  return factorise_from_current() && solve_by_current(b, x);
}

bool SolverChain::solve_by_current(PetscVec b, PetscVec x) {
  if (second_.b == nullptr) return timed([&] { return current().solve(b, x); });
  if (!timed([&] { return current().solve_pair(b, x, second_.b, second_.x); })) return false;
  second_ = {nullptr, nullptr, true};
  return true;
}

void SolverChain::set_tolerance(double tolerance) {
  tolerance_ = tolerance;
  for (std::unique_ptr<KktSolver>& candidate : candidates_) candidate->set_tolerance(tolerance);
}

void SolverChain::refine_solutions() {
  refines_ = true;
  for (std::unique_ptr<KktSolver>& candidate : candidates_) candidate->refine_solutions();
}

std::string SolverChain::describe() const {
  return has_choice() ? current().describe() : "LU, the way chosen with the first matrix";
}

std::string SolverChain::detours() const {
  if (slower_ == 0) return {};
  return fmt::format("{} of {} factorisations by {}, as {} failed", slower_, factorisations_, slower_solver_,
                     candidates_.front()->describe());
}

}  // namespace sinew
