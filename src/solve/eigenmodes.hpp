/// \file
/// Small vibrations about a state of rest, by SLEPc.
///
/// Without damping K w = omega^2 M w on the motions that the constraints allow: the generalised problem of the KKT matrices [K G^T; G 0] and
/// [M 0; 0 0] by Krylov-Schur with shift and invert, whose infinite eigenvalues (those of the multipliers) the inversion sends to zero. With
/// damping, or where K is not symmetric, (lambda^2 M + lambda D + K) w = 0 as a first-order system (see FirstOrderOperator).
#pragma once

#include "solve/linearised.hpp"

#include <vector>

namespace sinew {

/// w = Re(shape e^(lambda t)) with lambda = real + i imaginary, imaginary >= 0. A pair of conjugate eigenvalues is one mode.
struct Mode {
  double real = 0, imaginary = 0;  ///< rad/s
  VecHandle shape;                 ///< real part, dof layout, largest component 1; its phase makes that component real

  /// |lambda|, rad/s: the frequency without damping.
  double omega() const;
  /// omega / (2 pi), Hz.
  double frequency() const;
  /// -Re lambda / |lambda|; 0 for motions without stiffness.
  double damping_ratio() const;
};

/// The `count` lowest modes (fewer where the model has no more), by rising omega. PETSc options with the prefix sinew_modes_ apply. Throws
/// SolveError. Collective.
std::vector<Mode> find_modes(const System&, const LinearisedSystem&, int count);

/// Does the state return from every small push? By the sign of the lowest omega^2; true where K is not symmetric, which this does not judge.
/// Collective.
bool is_stable(const System&, const LinearisedSystem&);

}  // namespace sinew
