/// \file
/// Coefficients of generalized-alpha for a spectral radius at infinity (Chung and Hulbert 1993; Jay and Negrut 2009).
#pragma once

#include <cmath>

namespace sinew {

struct AlphaCoefficients {
  double am, af, al;  ///< alpha_m, alpha_f, alpha = alpha_m - alpha_f
  double beta, gamma;

  double m() const { return 1 - am; }   ///< weight of M a at the new stage
  double th() const { return 1 - af; }  ///< weight of f at the new stage
  /// Cq and Cz of the local errors Cq h^3 a' of positions and Cz h^3 a'' of velocities, see docs/theory/error-control.md.
  double position_error() const { return 1.0 / 6 - beta - al / 2; }
  double velocity_error() const {
    const double bias = 0.5 * (th() - al * al - m() * (1 + 2 * al));  // a_n = a(t_n + al h) + bias h^2 a''
    return al * al / 2 - 1.0 / 12 - bias;
  }
  /// The longest step, in lengths of the one before it, over which the update aA = a + w (a - a_old), w = al (h/hp - 1),
  /// extrapolates by no more than it has: |w| <= 1. That is 2/(1 - rho_inf). What an update has wrong comes back as -w times as
  /// much in the next one, where M a has a history of its own, and vibrations far beyond the step grow under steps that
  /// alternate as 1 : r once (r - 1)^2/r > (1 + rho_inf)/(1 - rho_inf), which is never below this.
  double largest_growth() const { return al < 0 ? 1 - 1 / al : HUGE_VAL; }
  /// Where constraints hold at position level alone, what closes a gap of one step (d, an acceleration) swings on: with q = beta
  /// h^2 d along the constraint the updates of q and z give
  ///   beta a_(n+1) + (1/2 + gamma - 2 beta) a_n + (1/2 - gamma + beta) a_(n-1) = beta (d_(n+1) - 2 d_n + d_(n-1)),
  /// which has -rho_inf as its double root. Gaps with alternating signs come to so many times d, the most that gaps of that size
  /// can: 2 beta/(2 beta - gamma) = 4/(1 - rho_inf)^2, and no more than 2 n^2 in n steps, which is that of rho_inf = 1.
  double swing_gain(double steps) const {
    const double most = 2 * steps * steps, damping = 2 * beta - gamma;
    return damping * most > 2 * beta ? 2 * beta / damping : most;
  }
};

/// rho_inf in [0, 1].
constexpr AlphaCoefficients alpha_coefficients(double rho) {
  const double am = (2 * rho - 1) / (1 + rho);
  const double af = rho / (1 + rho);
  const double al = am - af;
  return {am, af, al, (1 - al) * (1 - al) / 4, 0.5 - al};
}

/// Newmark's method: am = af = 0, so that accelerations belong to t_n. beta and gamma above 0; (1/4, 1/2) is the trapezoidal
/// rule.
constexpr AlphaCoefficients newmark_coefficients(double beta, double gamma) { return {0, 0, 0, beta, gamma}; }

}  // namespace sinew
