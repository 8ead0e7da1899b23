/// \file
/// Singular positions of mechanisms that steps end in: where rows of the constraints say nearly the same, as those of a linkage
/// while it is flat.
#pragma once

#include "integrate/integrator.hpp"

#include <optional>
#include <string>

namespace sinew {

/// A step may go past such a position without any harm; one that ends there, x from it, divides by x what Newton's method and
/// rounding have left of gaps, once in the places, again in the velocities, a third time in the accelerations, and multipliers
/// may grow like 1/x. It has no solution then, or one that leaves the branch; shorter ones end nearer. What a body does there, in
/// the direction that no row holds, its inertia says: such steps are made with constraints that give (`solve_giving_way`).
class SingularPlaces {
 public:
  /// Must outlive it.
  explicit SingularPlaces(const DynamicSystem& system) : system_(system) {}

  /// Do more rows say nearly the same where a step of this size begins, or where it ends, than a little beyond? To be asked about
  /// a step that has failed: three factorisations by MUMPS. Collective.
  bool is_near(const State&, double h) const;
  /// The size of a step that leads from one side of such a place to the other. Collective.
  double step_across(const State& s) const { return way_out(s) / 10; }
  /// A step has ended in one, in this state. Collective.
  void note(const State&);
  /// What there is to say so far. Collective.
  void persist(Archive&);
  /// For people: where steps have ended in one; empty where none did.
  std::string verdict() const;

 private:
  double way_out(const State&) const;
  std::optional<PetscInt> count(const State&, double h) const;

  const DynamicSystem& system_;
  long count_ = 0;
  double first_ = 0;  ///< time
  std::string names_;
};

}  // namespace sinew
