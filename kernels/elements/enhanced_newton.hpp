/// \file
/// The own strains of an enhanced hexahedron under a law whose energy is not quadratic in strain, by Newton's method on the
/// amplitudes of kernels/elements/enhanced_modes.hpp.
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
    for (int i = j + 1; i < n; ++i) {
      const S g = D(i, j) / D(j, j);
      for (int k = j + 1; k <= i; ++k) D(i, k) = D(i, k) - g * D(k, j);
    }
    for (int i = j + 1; i < n; ++i) D(i, j) = D(i, j) / D(j, j);
  }
}

template <class Law, class P, class S>
class EnhancedNewton {
 public:
  static constexpr int n = EnhancedModes<P>::count;
  EnhancedAmplitudes<S> amplitudes;

  /// From what Hooke's law would choose (or from no own strain, where that leads nowhere) until steps change strains by rounding.
  /// A matrix is kept for further steps as long as they shrink to a hundredth.
  template <class State>
  KOKKOS_INLINE_FUNCTION void solve(const EnhancedModes<P>& modes, const LameConstantsOf<P>& law, const State& state) {
    EnhancedField<S> sums;
    for (int q = 0; q < State::Q; ++q)
      EnhancedModes<P>::add(hooke(law, state.raw_strain(q)), state.weight[q], state.phi[q], sums);
    amplitudes = modes.relax(law, modes.work(sums));
    if (iterate(modes, law, state)) return;
    amplitudes = EnhancedAmplitudes<S>{};
    if (!iterate(modes, law, state)) amplitudes.beta[0] = S(not_a_number);  // nothing is found: forces are none
  }

  /// What a point adds to the second derivatives of the energy by the amplitudes, y then beta (the lower triangle).
  /// dS/dE = lambda A A + 2 mu I_A.
  KOKKOS_INLINE_FUNCTION static void add_moduli(const EnhancedModes<P>& modes, const StrainModuli<S>& m, const P& weight,
                                                const P (&phi)[6], Mat<S, n, n>& D) {
    const Mat3<S> A2 = m.A * m.A;
    const S trace_A = trace(m.A), lambda_trace = m.lambda * trace_A;
    const S even = lambda_trace * trace_A + 2 * m.mu * trace(A2);
    Mat3<S> mixed;  // I : dS/dE
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) mixed(i, j) = lambda_trace * m.A(i, j) + 2 * m.mu * A2(i, j);
    Vec3<S> pi[3];
    for (int k = 0; k < 3; ++k) pi[k] = m.A * modes.axis(k);
    for (int k = 0; k < 3; ++k) {
      const P w = weight * phi[k];
      const Vec3<P> p = modes.axis(k);
      const Vec3<S> with_even = mixed * p;
      for (int l = 0; l <= k; ++l) {
        const P ww = w * phi[l];
        const S between = m.mu * dot(p, pi[l]);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const S entry = m.lambda * (pi[k][i] * pi[l][j]) + (between * m.A(i, j) + m.mu * (pi[l][i] * pi[k][j]));
            D(3 * k + i, 3 * l + j) = D(3 * k + i, 3 * l + j) + ww * entry;
          }
        D(9 + k, 9 + l) = D(9 + k, 9 + l) + (weight * phi[3 + k] * phi[3 + l]) * even;
      }
      for (int l = 0; l < 3; ++l)
        for (int i = 0; i < 3; ++i) D(9 + l, 3 * k + i) = D(9 + l, 3 * k + i) + (w * phi[3 + l]) * with_even[i];
    }
  }

 private:
  /// Whether the steps come to an end.
  template <class State>
  KOKKOS_INLINE_FUNCTION bool iterate(const EnhancedModes<P>& modes, const LameConstantsOf<P>& law, const State& state) {
    constexpr int most = 30;
    constexpr bool carries_derivatives = !std::is_same_v<S, double> && !std::is_same_v<S, Lanes>;
    const double scale = largest_magnitude(S(modes.offset));
    Mat<S, n, n> D;
    double before = 0;
    bool is_new = true, done = false;
    for (int iteration = 0; iteration < most; ++iteration) {
      S r[n];
      assemble(modes, law, state, is_new, r, D);
      const double size = step(D, r) * scale;
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
      const StrainModuli<S> m = Law::strain_moduli(law, strains.added_to(state.raw_strain(q), state.phi[q]));
      EnhancedModes<P>::add(m.S, state.weight[q], state.phi[q], sums);
      if (new_matrix) add_moduli(modes, m, state.weight[q], state.phi[q], D);
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
