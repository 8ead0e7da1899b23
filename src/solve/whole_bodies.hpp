/// \file
/// Bodies moved onto the constraints as wholes.
#pragma once

#include "system/rigid_motions.hpp"

#include <memory>

namespace sinew {

/// A body of many nodes that misses a joint is to be moved and turned, not bent: least change weighted by mass alone would move
/// the few nodes at the joint, and leave the body strained by a gap over the size of an element. With P the motions of whole
/// bodies (RigidMotions), y the least of them, weighted by mass, that close the gaps g, as far as they can:
///   [P^T M P, P^T G^T; G P, -d] (y, nu) = (0, -g)
/// d is so small, relative to the diagonal of G P (P^T M P)^-1 P^T G^T, that it counts only where gaps cannot be closed so (a
/// body between two joints that are further apart than it is long): they are shared then in the sense of least squares.
///
/// Linear equations ask a short body that is far from its joint to turn by many radians, which leads anywhere. Bodies that turn
/// too far are therefore made heavier to turn, by as much as they do, until they are moved instead (the damping of Levenberg and
/// Marquardt, of turns alone: a move is exact however far it goes). What joints make a body turn it turns all the same.
class WholeBodies {
 public:
  explicit WholeBodies(const DynamicSystem&);
  /// Are there bodies of several nodes? The same on all ranks.
  bool exist() const { return motions_ && motions_->has_bodies(); }
  /// Does the system know of places that move?
  bool can_move_places() const { return motions_ != nullptr; }
  /// The increments of the configuration by which gaps `rows` shrink. False: there are none. Collective.
  bool increments(const Stage&, PetscVec rows, PetscVec w);
  /// The same where places move and nothing turns; rigid bodies and points are moved too. Collective.
  bool moves(const Stage&, PetscVec rows, PetscVec w);
  /// By how much the last increments turn what they turn most, rad.
  double largest_turn() const { return largest_turn_; }
  /// Small turns w, by `angle` and each about an axis of its own, of what the rows that are not 0 in `open` act on. Collective.
  void nudge(const Stage&, PetscVec open, double angle, PetscVec w);
  /// The changes of the velocities by which rates `rows` of the constraints shrink, likewise. Collective.
  bool rates(const Stage&, PetscVec rows, PetscVec dz);

 private:
  MatHandle reduced(const Stage&, PetscMat P);
  void hold_all_but_places(PetscMat A) const;
  bool solve(MatHandle A, PetscVec rows, PetscVec y) const;
  void weigh_turns(PetscMat A) const;
  double largest_turn_of(PetscVec y) const;
  void weigh_far_turns(PetscVec y, PetscMat A) const;
  VecHandle scale(PetscMat A) const;
  void soften_rows(PetscMat A) const;

  const DynamicSystem& system_;
  std::shared_ptr<const RigidMotions> motions_;
  MatHandle matrix_;
  double largest_turn_ = 0;
};

}  // namespace sinew
