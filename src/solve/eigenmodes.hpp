/// \file
/// Small vibrations about a state of rest, by SLEPc.
///
/// Without damping K w = omega^2 M w on the motions that the constraints allow: the generalised problem of the KKT matrices [K
/// G^T; G 0] and [M 0; 0 0] by Krylov-Schur with shift and invert, whose infinite eigenvalues (those of the multipliers) the
/// inversion sends to zero. With damping, or where K is not symmetric, (lambda^2 M + lambda D + K) w = 0 as a first-order system
/// (see FirstOrderOperator).
#pragma once

#include "solve/linearised.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

/// w = Re(shape e^(lambda t)) with lambda = real + i imaginary, imaginary >= 0. A pair of conjugate eigenvalues is one mode.
struct Mode {
  double real = 0, imaginary = 0;  ///< rad/s
  VecHandle shape;                 ///< real part, dof layout, largest component 1; the leading one is positive (LeadingComponent)
  /// The part of the frequency that redundant rows leave open, roughly: what corrections of solutions for them no longer make
  /// smaller (see ExactRows). 0 where that is rounding.
  double inaccuracy = 0;
  /// The part of the frequency that rounding of stiff parts leaves open, where that is looked at: see sharpen_slow_modes.
  double rounding = 0;
  /// Of a mode that only rounding has set to 0: what it would be without damping, rad/s.
  double undamped = 0;

  /// |lambda|, rad/s: the frequency without damping.
  double omega() const;
  /// omega / (2 pi), Hz.
  double frequency() const;
  /// -Re lambda / |lambda|; 0 for motions without stiffness.
  double damping_ratio() const;
};

/// A part of a frequency that shows.
inline constexpr double noticeable_rounding = 1e-3;

/// The `count` lowest modes (fewer where the model has no more), by rising omega. PETSc options with the prefix sinew_modes_
/// apply. Throws SolveError, and Stopped where a signal asks for it (see `heed_signals`). Collective.
std::vector<Mode> find_modes(const System&, const LinearisedSystem&, int count);

/// A way out of a state of rest that is not stable.
struct Escape {
  double rate = 0;       ///< of growth, 1/s
  VecHandle shape;       ///< dof layout, largest component 1, the leading one positive
  bool is_sure = false;  ///< rounding of the stiffness has no part in it
};

/// The motion that grows fastest when the state is left alone; empty where it returns from every small push. It counts the
/// negative eigenvalues of K + sigma M on the motions that the constraints allow, sigma being what round-off leaves, and asks
/// SLEPc for the lowest one only where there are some. Where K is not symmetric that is done with its symmetric part, and what
/// it finds counts if the other part does not turn it into something else, as a pressure does not on a plate that a load in its
/// plane buckles. Empty where that is not sure (as of flutter), and where K is that of rolling or of first-order states.
/// Collective.
std::optional<Escape> find_escape(const System&, const LinearisedSystem&);

/// Does the state return from every small push? Collective.
bool is_stable(const System&, const LinearisedSystem&);

/// How many motions nothing resists and nothing drives, up to round-off of the assembled stiffness, which may hide that elements
/// resist them. Collective.
std::int64_t num_neutral(const System&, const LinearisedSystem&);
inline bool is_neutral(const System& system, const LinearisedSystem& s) { return num_neutral(system, s) > 0; }

}  // namespace sinew
