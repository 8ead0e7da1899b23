/// \file
/// Approximate inverses of the matrices of solid bodies.
#pragma once

#include "base/petsc.hpp"

#include <array>
#include <string>
#include <vector>

namespace sinew {

using PcHandle = PetscHandle<PC, PCDestroy>;

/// Approximates the inverse of J = c_a M + c_v D + c_q K of solids. Where the time step is short beside the time that waves take
/// from one end of a body to the other, the mass dominates and an incomplete Cholesky factorisation of every rank's block without
/// fill serves; else smoothed aggregation (PETSc's GAMG) with the rigid motions of the bodies. The first is tried first, and left
/// for good when iterations show that it does not do. -<prefix>pc_type and what belongs to it choose another. What was set up
/// serves for matrices that follow until the iterations that its age has cost come to the price of a new one: then no other
/// moment would have been much better.
class SolidPreconditioner {
 public:
  explicit SolidPreconditioner(std::string prefix) : prefix_(std::move(prefix)) {}

  /// For the values of J, whose pattern is that of the first. `place`: of every three unknowns. False: there is none. Collective.
  bool set_up(PetscMat J, const std::vector<std::array<double, 3>>& place);
  /// z = P^-1 r. Collective.
  void apply(PetscVec r, PetscVec z) const { petsc(PCApply(pc_, r, z)); }
  /// For another matrix: is it to be set up anew?
  bool wants_set_up() const { return !pc_ || wants_new_; }
  /// Has it served for a matrix that it was not set up for? To be said before each.
  bool is_old() const { return is_old_; }
  void grow_old() { is_old_ = true; }
  void renew() { wants_new_ = true; }
  /// What else is to be done when it is set up, in applications.
  void add_price(int applications) { more_ = applications; }
  /// A solution took so many iterations for so many decimal digits. The same on all ranks.
  void note(int iterations, double digits);
  /// After so many iterations for so many decimal digits another approximation is better.
  double most_iterations(double digits) const;
  /// Iterations failed: from now on a better approximation. False: there is none, or the user has chosen.
  bool improve();
  std::string describe() const;

 private:
  enum class Kind { incomplete, multigrid, chosen };
  void create(PetscMat J);
  void note_motions(PetscMat J, const std::vector<std::array<double, 3>>& place) const;

  std::string prefix_;
  Kind kind_ = Kind::incomplete;
  PcHandle pc_;
  bool is_of_kind_ = false;  ///< pc_
  bool wants_new_ = true, is_old_ = false;
  // Since it was set up:
  double iterations_ = 0, digits_ = 0;
  double best_rate_ = 0;  ///< iterations a digit while it was new
  double cost_of_age_ = 0;
  int more_ = 0;
};

}  // namespace sinew
