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
/// for good when iterations show that it does not do. -<prefix>pc_type and what belongs to it choose another.
class SolidPreconditioner {
 public:
  explicit SolidPreconditioner(std::string prefix) : prefix_(std::move(prefix)) {}

  /// For new values of J, whose pattern is that of the first. `place`: of every three unknowns. False: there is none. Collective.
  bool set_up(PetscMat J, const std::vector<std::array<double, 3>>& place);
  /// z = P^-1 r. Collective.
  void apply(PetscVec r, PetscVec z) const { petsc(PCApply(pc_, r, z)); }
  /// An answer to iterations that took long: from now on a better approximation, once it is set up again. False: there is none,
  /// or the user has chosen. The same on all ranks.
  bool improve();
  /// Is `iterations`, for so many decimal digits, more than what another approximation would take?
  bool is_slow(int iterations, double digits) const;
  /// What is kept of earlier matrices, the places of interpolation, is made anew next time: it does not serve as it did.
  void renew() { keeps_interpolation_ = false; }
  bool is_multigrid() const { return kind_ == Kind::multigrid; }
  std::string describe() const;

 private:
  enum class Kind { incomplete, multigrid, chosen };
  void create(PetscMat J);
  void note_motions(PetscMat J, const std::vector<std::array<double, 3>>& place) const;

  std::string prefix_;
  Kind kind_ = Kind::incomplete;
  PcHandle pc_;
  bool is_outdated_ = false;  ///< pc_ is of another kind, and serves until it is set up again
  bool keeps_interpolation_ = false;
};

}  // namespace sinew
