/// \file
/// The own strains of an enhanced hexahedron under a law whose energy is not quadratic in strain: the amplitudes of
/// kernels/elements/enhanced_modes.hpp at which the energy has no derivative r by them.
///
/// With the moduli dS/dE = lambda A A + 2 mu I_A of the mean strain in place of every point's own, the second derivatives fall
/// apart as Hooke's do, and have an inverse in closed form: with c = p.A p
///   D_k = 8 (lambda A p (A p)^T + mu (c A + A p (A p)^T)),
///   D_k^-1 = 1/(8 mu c) (A^-1 - (lambda + mu)/((lambda + 2 mu) c) p p^T),
///   D_m = 8 (lambda tr(A)^2 + 2 mu tr(A A)).
/// Broyden's updates make of that what the points' moduli are beside their mean; Newton's method has all of D, and what Broyden's
/// does not solve.
/// Source: C. T. Kelley (1995), Iterative Methods for Linear and Nonlinear Equations, SIAM, chapter 7 (Broyden's method with
/// steps alone).
#pragma once

#include "kernels/algebra/dual.hpp"
#include "kernels/algebra/lanes.hpp"
#include "kernels/elements/enhanced_modes.hpp"

namespace sinew {

/// The largest magnitude among what a number holds: its value, or its lanes.
template <class S>
KOKKOS_INLINE_FUNCTION double largest_magnitude(const S& x) {
  return math::fabs(value_of(x));
}
inline double largest_magnitude(const Lanes& x) {
  double values[lane_count], largest = 0;
  x.store(values);
  for (const double value : values)
    if (!(math::fabs(value) <= largest)) largest = math::fabs(value);  // keeps what is not a number
  return largest;
}

/// D = G diag(d) G^T with ones on the diagonal of G, which stand below the diagonal of `D`, and d on it.
template <class S, int n>
KOKKOS_INLINE_FUNCTION void factorise(Mat<S, n, n>& D) {
  for (int j = 0; j < n; ++j) {
    const S share = S(1.0) / D(j, j);
    for (int i = n - 1; i > j; --i) {  // upwards: the rows above still hold d G
      const S g = share * D(i, j);
      for (int k = j + 1; k <= i; ++k) D(i, k) = D(i, k) - g * D(k, j);
      D(i, j) = g;
    }
  }
}

/// D at the moduli of one strain, and its inverse.
template <class P, class S>
class EnhancedMeanModuli {
 public:
  KOKKOS_FORCEINLINE_FUNCTION EnhancedMeanModuli(const EnhancedModes<P>& modes, const StrainModuli<S>& m)
      : modes_(modes), m_(m), inverse_(inverse(m.A, determinant(m.A))) {
    const S trace_A = trace(m.A);
    S squares = 0.0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) squares = squares + m.A(i, j) * m.A(i, j);
    even_ = S(0.125) / (m.lambda * (trace_A * trace_A) + 2.0 * m.mu * squares);
    for (int k = 0; k < 3; ++k) {
      const S c = dot(modes.p[k], m.A * modes.p[k]);
      factor_[k] = S(0.125) / (m.mu * c);
      share_[k] = (m.lambda + m.mu) / ((m.lambda + 2.0 * m.mu) * c);
    }
  }

  /// Minus D^-1 b.
  KOKKOS_FORCEINLINE_FUNCTION EnhancedAmplitudes<S> relax(const EnhancedAmplitudes<S>& b) const {
    EnhancedAmplitudes<S> a;
    for (int k = 0; k < 3; ++k) {
      const Vec3<S> turned = inverse_ * b.y[k];
      const S along = share_[k] * dot(modes_.p[k], b.y[k]);
      for (int i = 0; i < 3; ++i) a.y[k][i] = factor_[k] * (along * modes_.p[k][i] - turned[i]);
      a.beta[k] = -(even_ * b.beta[k]);
    }
    return a;
  }

  /// dS/dE : E.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> stress(const Mat3<S>& E) const {
    const Mat3<S> AE = m_.A * E, AEA = AE * m_.A;
    const S even = m_.lambda * trace(AE), twice = 2.0 * m_.mu;
    Mat3<S> T;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) T(i, j) = even * m_.A(i, j) + twice * AEA(i, j);
    return T;
  }

 private:
  const EnhancedModes<P>& modes_;
  const StrainModuli<S>& m_;
  Mat3<S> inverse_;
  S even_, factor_[3], share_[3];
};

template <class Law, class P, class S>
class EnhancedNewton {
 public:
  static constexpr int n = EnhancedModes<P>::count;
  EnhancedAmplitudes<S> amplitudes;

  /// From what the moduli of the mean strain would choose (or from no own strain, where that leads nowhere) until steps change
  /// strains by rounding.
  template <class State>
  KOKKOS_INLINE_FUNCTION void solve(const EnhancedModes<P>& modes, const LameConstantsOf<P>& law, const State& state) {
    Mat3<S> mean;
    for (int q = 0; q < State::Q; ++q) mean = mean + state.strain(q);
    const StrainModuli<S> m = Law::strain_moduli(law, S(1.0 / State::Q) * mean);
    const EnhancedMeanModuli<P, S> moduli(modes, m);
    EnhancedField<S> sums;
    for (int q = 0; q < State::Q; ++q) EnhancedModes<P>::add(q, moduli.stress(state.strain(q)), sums);
    const EnhancedAmplitudes<S> start = moduli.relax(modes.work(sums));
    amplitudes = start;
    if constexpr (!carries_derivatives) {
      if (by_broyden(modes, law, state, moduli)) return;
      amplitudes = start;
    }
    if (by_newton(modes, law, state)) return;
    amplitudes = EnhancedAmplitudes<S>{};
    if (!by_newton(modes, law, state)) amplitudes.beta[0] = S(not_a_number);  // nothing is found: forces are none
  }

  /// What point q adds to the second derivatives of the points' energies by the amplitudes, y then beta (the lower
  /// triangle). dS/dE = lambda A A + 2 mu I_A.
  KOKKOS_INLINE_FUNCTION static void add_moduli(const EnhancedModes<P>& modes, const StrainModuli<S>& m, int q, Mat<S, n, n>& D) {
    const Mat3<S> A2 = m.A * m.A;
    const S trace_A = trace(m.A), lambda_trace = m.lambda * trace_A;
    const S even = lambda_trace * trace_A + 2 * m.mu * trace(A2);
    Mat3<S> mixed;  // I : dS/dE
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) mixed(i, j) = lambda_trace * m.A(i, j) + 2 * m.mu * A2(i, j);
    Vec3<S> pi[3];
    for (int k = 0; k < 3; ++k) pi[k] = m.A * modes.p[k];
    const auto add = [q](int k, int l, const S& x, S& sum) {
      EnhancedModes<P>::add_signed(EnhancedModes<P>::sign(q, k) * EnhancedModes<P>::sign(q, l), x, sum);
    };
    for (int k = 0; k < 3; ++k) {
      const Vec3<S> with_even = mixed * modes.p[k];
      for (int l = 0; l <= k; ++l) {
        const S between = m.mu * dot(modes.p[k], pi[l]);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < (l == k ? i + 1 : 3); ++j)
            add(k, l, (m.lambda * pi[k][i]) * pi[l][j] + (between * m.A(i, j) + (m.mu * pi[l][i]) * pi[k][j]),
                D(3 * k + i, 3 * l + j));
        add(3 + k, 3 + l, even, D(9 + k, 9 + l));
      }
      for (int l = 0; l < 3; ++l)
        for (int i = 0; i < 3; ++i) add(k, 3 + l, with_even[i], D(9 + l, 3 * k + i));
    }
  }

 private:
  static constexpr bool carries_derivatives = !std::is_same_v<S, double> && !std::is_same_v<S, Lanes>;

  /// The derivatives of the energy by the amplitudes.
  template <class State>
  [[gnu::flatten]] KOKKOS_INLINE_FUNCTION EnhancedAmplitudes<S> work(const EnhancedModes<P>& modes, const LameConstantsOf<P>& law,
                                                                     const State& state) const {
    const EnhancedField<S> strains = modes.strains(amplitudes);
    EnhancedField<S> sums;
    unrolled<State::Q>([&](auto q) __attribute__((always_inline)) {
      EnhancedModes<P>::add(q, Law::strain_moduli(law, strains.added_to(state.strain(q), q)).S, sums);
    });
    return modes.work(sums);
  }

  /// Whether the steps come to an end.
  template <class State>
  KOKKOS_INLINE_FUNCTION bool by_broyden(const EnhancedModes<P>& modes, const LameConstantsOf<P>& law, const State& state,
                                         const EnhancedMeanModuli<P, S>& moduli) {
    constexpr int most = 12;
    S step[most][n], share[most];  // share: 1/(step.step)
    double before = 0;
    for (int i = 0; i < most; ++i) {
      const EnhancedAmplitudes<S> relaxed = moduli.relax(work(modes, law, state));
      S z[n];
      for (int m = 0; m < n; ++m) z[m] = m < 9 ? relaxed.y[m / 3][m % 3] : relaxed.beta[m - 9];
      for (int j = 0; j + 1 < i; ++j) {
        const S along = share[j] * product(step[j], z);
        for (int m = 0; m < n; ++m) z[m] = z[m] + along * step[j + 1][m];
      }
      // Where a lane has come to its end rounding alone is left: it may not be made larger.
      const S factor = i == 0 ? S(1.0) : 1.0 / (1.0 - smaller(share[i - 1] * product(step[i - 1], z), S(0.5)));
      double size = 0;
      for (int m = 0; m < n; ++m) {
        step[i][m] = factor * z[m];
        S& x = m < 9 ? amplitudes.y[m / 3][m % 3] : amplitudes.beta[m - 9];
        x = x + step[i][m];
        const double entry = largest_magnitude(step[i][m]);
        if (!(entry <= size)) size = entry;
      }
      if (size <= 1e-15 || (i > 0 && size * size <= 1e-16 * before)) return true;
      if (!(i == 0 || size < before)) return false;
      share[i] = 1.0 / (product(step[i], step[i]) + 1e-100);
      before = size;
    }
    return false;
  }
  KOKKOS_FORCEINLINE_FUNCTION static S product(const S (&x)[n], const S (&y)[n]) {
    S sum = x[0] * y[0];
    for (int m = 1; m < n; ++m) sum = sum + x[m] * y[m];
    return sum;
  }

  /// Whether the steps come to an end. A matrix is kept for further steps as long as they shrink to a hundredth.
  template <class State>
  KOKKOS_INLINE_FUNCTION bool by_newton(const EnhancedModes<P>& modes, const LameConstantsOf<P>& law, const State& state) {
    constexpr int most = 30;
    Mat<S, n, n> D;
    double before = 0;
    bool is_new = true, done = false;
    for (int iteration = 0; iteration < most; ++iteration) {
      S r[n];
      assemble(modes, law, state, is_new, r, D);
      const double size = step(D, r);
      if (done) return true;
      if (size != size) return false;
      // With a new matrix the error is of the size of the step squared, with an old one it shrinks as steps do.
      done = size <= (is_new ? 1e-9 : 1e-15) || (!is_new && size * size <= 1e-17 * before);
      if (done && !carries_derivatives) return true;  // derivatives take one more
      is_new = carries_derivatives || (iteration > 0 && size > 0.01 * before);
      before = size;
    }
    return false;
  }

  /// r: the derivatives of the energy by the amplitudes; D, factorised, where it is to be `new_matrix`.
  template <class State>
  KOKKOS_INLINE_FUNCTION void assemble(const EnhancedModes<P>& modes, const LameConstantsOf<P>& law, const State& state,
                                       bool new_matrix, S (&r)[n], Mat<S, n, n>& D) const {
    const EnhancedField<S> strains = modes.strains(amplitudes);
    EnhancedField<S> sums;
    if (new_matrix) D = Mat<S, n, n>{};
    for (int q = 0; q < State::Q; ++q) {
      const StrainModuli<S> m = Law::strain_moduli(law, strains.added_to(state.strain(q), q));
      EnhancedModes<P>::add(q, m.S, sums);
      if (new_matrix) add_moduli(modes, m, q, D);
    }
    if (new_matrix) factorise(D);
    const EnhancedAmplitudes<S> work = modes.work(sums);
    for (int k = 0; k < 9; ++k) r[k] = work.y[k / 3][k % 3];
    for (int k = 0; k < 3; ++k) r[9 + k] = work.beta[k];
  }

  /// Adds -D^-1 r to the amplitudes; gives its largest entry.
  KOKKOS_INLINE_FUNCTION double step(const Mat<S, n, n>& D, S (&r)[n]) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) r[i] = r[i] - D(i, j) * r[j];
    for (int i = n - 1; i >= 0; --i) {
      r[i] = r[i] / D(i, i);
      for (int j = i + 1; j < n; ++j) r[i] = r[i] - D(j, i) * r[j];
    }
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      S& x = i < 9 ? amplitudes.y[i / 3][i % 3] : amplitudes.beta[i - 9];
      x = x - r[i];
      const double size = largest_magnitude(r[i]);
      if (!(size <= largest)) largest = size;
    }
    return largest;
  }
};

}  // namespace sinew
