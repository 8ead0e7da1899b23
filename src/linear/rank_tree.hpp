/// \file
/// The dense fronts above the parts of the ranks.
#pragma once

#include "linear/dense_front.hpp"
#include "linear/rank_part.hpp"

#include <functional>
#include <vector>

namespace sinew {

/// For those who want to know what fronts cost: is given every piece of work on one, which it may do more than once, with its
/// level from 0 upwards and the bytes that came for it.
using FrontWatch = std::function<void(std::size_t level, std::size_t bytes, const std::function<void()>& work)>;

/// What a rank knows of its factors, or all ranks of theirs.
struct FactorsVerdict {
  int is_regular = 1;
  int is_like_others = 1;  ///< none of their numbers is much larger than in factors that have solved well
};

/// A binary tree over the ranks: a node stands for some that follow each other, and its halves are its children. What all ranks
/// that touch an unknown have in common eliminates it. All ranks of a node factorise its front alike, from what partners in the
/// other half have left: one message a level for the factors, one for a solution, none on the way back. What ranks say of their
/// factors goes with them: whoever has the top front has heard from all, and no reduction is needed.
class RankTree {
 public:
  /// `kept`: of this rank's part; the communicator is one of PETSc's. Collective.
  RankTree(MPI_Comm, const std::vector<RankPart::Shared>& kept);

  /// `complement`: what the part of this rank has left, and what the rank says of it. Returns the verdict of all ranks, in which
  /// regular fronts are counted, too: the same on all of them, as those of a node do the same with the same numbers. Collective.
  FactorsVerdict factorise(const std::vector<double>& complement, FactorsVerdict own, const FrontWatch* watch = nullptr);
  /// `rest`: what is left of the right-hand side of this rank's boundary, with the own part of what it owns; in its place comes
  /// the solution there. One right-hand side or two (two_sides.hpp), which cross ranks in one message. Collective.
  template <class Number>
  void solve(std::vector<Number>& rest, const FrontWatch* watch = nullptr);
  /// Unknowns of the largest front.
  std::size_t largest_front() const { return largest_front_; }

 private:
  /// A node above this rank: whom it swaps with, and which half its own is.
  struct Level {
    std::vector<int> receivers;  ///< ranks that take this rank's
    int sender = -1;             ///< that this rank takes from
    bool is_left = true;
    std::size_t theirs = 0, rest = 0;  ///< unknowns that the other half, and the node, leave
    DenseFront front;
  };
  std::vector<RankPart::Shared> merge(const Level&, const std::vector<RankPart::Shared>& own) const;
  template <class Number>
  void swap(const Level&, const std::vector<Number>& own, std::vector<Number>& other, FactorsVerdict* verdict = nullptr) const;

  MPI_Comm comm_;
  PetscMPIInt tag_ = 0;
  std::vector<Level> levels_;     ///< from this rank upwards
  std::vector<int> numbers_;      ///< of this rank's boundary among the unknowns of its fronts
  std::size_t num_unknowns_ = 0;  ///< of the fronts above this rank
  std::size_t largest_front_ = 0;
  std::vector<double> received_;
};

}  // namespace sinew
