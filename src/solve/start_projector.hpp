/// \file
/// What moves a model onto its constraints: increments of places, changes of velocities.
#pragma once

#include "base/petsc.hpp"
#include "solve/whole_bodies.hpp"
#include "system/dynamic_system.hpp"

#include <optional>

namespace sinew {

/// What moves by itself: every node, or bodies of many nodes as wholes; or all of them by their places, without turning.
enum class Movers { nodes, bodies, places };

/// The largest increment relative to the size of its dof. Collective.
double largest_move(const DynamicSystem&, PetscVec w);

/// Solves the projection saddle system for a right-hand side in the constraint rows: M x + G^T nu = 0, G x = r. Matrix and
/// factors come with the first that is asked for: most states are where they should be, and need none. Members are collective and
/// throw InputError where gradients of the constraints depend on each other.
class StartProjector {
 public:
  explicit StartProjector(const DynamicSystem& system) : system_(system) {}

  /// By increments bodies of many nodes move as wholes, or every node by itself. The first only where there are such.
  void move(Movers movers) { movers_ = movers; }
  Movers movers() const { return movers_; }
  bool has_bodies();
  /// Are there places that move? Before places are to.
  bool can_move_places();
  /// The increments w by which gaps `rows` of the places shrink.
  void increments(const Stage&, PetscVec rows, PetscVec w);
  /// How far increments w, the last that were found, turn and move the most: turns of whole bodies (rad), parts of dofs' sizes.
  double largest_move_of(PetscVec w) const;
  /// Turns w of the bodies on which rows that are not 0 in `open` act.
  void nudge(const Stage& stage, PetscVec open, double angle, PetscVec w) { bodies_->nudge(stage, open, angle, w); }
  /// By how much velocities change that miss the constraints by `rows`, where bodies move as wholes and where nodes do. False:
  /// bodies cannot.
  bool rates(const Stage&, PetscVec rows, PetscVec of_bodies, PetscVec of_nodes);
  /// x for every node by itself.
  void solve(const Stage&, PetscVec rows, PetscVec x);

 private:
  void make();
  [[noreturn]] void give_up(const Stage&) const;

  const DynamicSystem& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle rhs_, solution_, zero_, multipliers_;
  Movers movers_ = Movers::nodes;
  std::optional<WholeBodies> bodies_;
};

}  // namespace sinew
