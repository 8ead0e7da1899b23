/// \file
/// What local errors of velocities displace by until the end of a run.
#pragma once

#include "integrate/error_weights.hpp"
#include "integrate/stage_equations.hpp"

#include <array>
#include <optional>
#include <utility>

namespace sinew {

/// Of what stiff forces have left of an error of the velocities only what changes the motion itself lasts, the part along z: the
/// rest swings to and fro. For mechanical systems and errors per unit step. See docs/theory/error-control.md.
class LastingError {
 public:
  /// Both must outlive it; the weights are those of the step that is judged. Collective.
  LastingError(const StageEquations&, const ErrorWeights&);

  /// e := its part along z (of first-order states 0); returns what that displaces by until the end, over the weights of
  /// displacements. Collective.
  double along_motion(const State&, PetscVec e);
  /// The same where two steps before had a part of the same sign: second differences of what Newton's method and rounding leave
  /// in accelerations change theirs from step to step, and say nothing. Else 0, and e is as it was. Collective.
  double steady_along_motion(const State&, PetscVec e);
  /// Steps have to agree anew.
  void forget();
  /// The step that was judged last is accepted.
  void accept() { past_ = {past_[1], std::exchange(newest_, 0.0)}; }
  /// What steps before have shown, if they are judged so: a run goes on with other tolerances, too.
  static void persist(Archive&, std::optional<LastingError>&);

 private:
  double find_part(PetscVec z, PetscVec e);
  double displacement(const State&, double eps, PetscVec e);
  double mean_over_bodies(PetscVec) const;
  double time_of_decay(const State&, double end);

  const StageEquations& equations_;
  const DynamicSystem& system_;
  const ErrorWeights& weights_;
  VecHandle motion_;  ///< z without first-order states
  /// 1 over how many dofs the body has, z_b^T M z_b, and s_b of `find_part`.
  VecHandle part_, energy_, weight_;
  double largest_ = 0;            ///< max s_b
  double newest_ = 0;             ///< eps of this step
  std::array<double, 2> past_{};  ///< of the two before
};

}  // namespace sinew
