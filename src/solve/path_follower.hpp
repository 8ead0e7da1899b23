/// \file
/// Arc length: one step along the curve of states of rest and their load factors, through limit points where the load has to
/// fall.
#pragma once

#include "solve/rest_equations.hpp"

namespace sinew {

/// With F(x, s) = 0 the equations of rest in x = (w, lambda) and p = -dF/ds, the tangent of the curve is dx = K^-1 p ds. A step
/// goes along it, forward as seen from the last one, and returns to the curve by Newton's method in the plane normal to it
/// (Riks): K dx = p ds - F with t . dw = 0, where t is the step along the tangent and the product counts lengths over the model's
/// length and rotations in radians.
class PathFollower {
 public:
  /// The equations must outlive it. Collective.
  PathFollower(RestEquations&, double tolerance, int max_newton);

  struct Step {
    bool converged = false;
    int newton = 0;
    double load_factor = 0;  ///< at its end
    double correction = 0;   ///< the last one, that of the load factor included
  };
  /// From the state of rest (q, lambda) at the load factor s, `length` far (largest entry of w, see RestEquations::size), but no
  /// further than a change of s by `largest_change` along the tangent. Collective.
  Step step(const Configuration& q, PetscVec lambda, double s, double length, double largest_change);
  /// (w, lambda) at the end of the last step.
  PetscVec solution() const { return x_; }
  /// The matrix [K T, G^T; G T, 0] of the last correction.
  PetscMat tangent() const { return K_; }
  /// Makes the last step the one that the next looks back to.
  void accept();

 private:
  bool solve_at(const Configuration& q, double s, PetscVec x);
  double product(PetscVec kkt, PetscVec other) const;
  bool correct(const Configuration& q, Step& step);

  RestEquations& equations_;
  double tolerance_;
  int max_newton_;
  MatHandle K_;
  KspHandle ksp_;
  VecHandle x_, F_, to_rest_, along_, direction_, last_, load_, no_rows_;
  bool has_last_ = false, moves_ = true;  ///< does the load displace anything?
};

}  // namespace sinew
