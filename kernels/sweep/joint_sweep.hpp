/// \file
/// One joint's rows, gradients and stiffness, derived from `position` and `velocity` by dual numbers, or from hand-written
/// gradients.
#pragma once

#include "kernels/algebra/uncompared.hpp"
#include "kernels/sweep/element_states.hpp"

namespace sinew {

/// One joint's sweeps at one configuration. J: the joint's struct.
template <class J>
struct JointSweep {
  using Nodes = UniformNodes<NodeKind::frame, J::num_nodes>;
  static constexpr int N = Nodes::count;
  static constexpr int D = Nodes::dofs;
  static constexpr int P = J::num_position_rows;
  static constexpr int V = J::num_velocity_rows;
  static constexpr int R = P + V;
  static constexpr int K = J::num_signals;
  using Params = typename J::Params;
  using States = typename Nodes::template States<double>;
  /// Value, rate and acceleration of every signal.
  struct Signals {
    double value[K + 1] = {}, rate[K + 1] = {}, acceleration[K + 1] = {};
  };

  // The requirement is stated in full so that a hand-written function with another signature is not silently ignored: see the
  // static assertions of the joints' tests.
  static constexpr bool has_gradient =
      requires(const Params& p, const Frame<double> (&f)[N], Mat<double, (P > 0 ? P : 1), D>& G) {
    J::gradient(p, f, static_cast<const double*>(nullptr), G);
  };
  static constexpr bool has_stiffness =
      requires(const Params& p, const Frame<double> (&f)[N], const double (&l)[P > 0 ? P : 1], Mat<double, D, D>& S) {
    J::geometric_stiffness(p, f, static_cast<const double*>(nullptr), l, S);
  };
  static constexpr bool has_check = requires(const Params& p, const Frame<double> (&f)[N]) {
    J::check(p, f, f, static_cast<const double*>(nullptr));
  };

  /// How many of the degrees of freedom the rows depend on, the first ones: of a joint that does not always use all of its nodes.
  KOKKOS_INLINE_FUNCTION static int columns(const Params& p) {
    if constexpr (requires { J::used_nodes(p); }) return 6 * J::used_nodes(p);
    return D;
  }

  /// Compiled, but never called, for joints that claim to be analytic: see Uncompared.
  static void rows_uncompared(const Params& p, const Frame<Uncompared> (&f)[N], const Twist<Uncompared> (&z)[N]) {
    const Uncompared signals[K + 1] = {};
    if constexpr (P > 0) {
      Uncompared g[P];
      J::position(p, f, signals, g);
    }
    if constexpr (V > 0) {
      Uncompared k[V];
      J::velocity(p, f, z, signals, k);
    }
  }

  /// Frames moved along degree of freedom j.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void seed_direction(const Frame<T> (&f)[N], int j, Frame<Dual<T>> (&out)[N]) {
    for (int k = 0; k < N; ++k) {
      Vec3<T> dx, dtheta;
      for (int c = 0; c < 3; ++c) {
        dx[c] = T(j == 6 * k + c ? 1.0 : 0.0);
        dtheta[c] = T(j == 6 * k + 3 + c ? 1.0 : 0.0);
      }
      out[k] = perturbed(f[k], dx, dtheta);
    }
  }

  /// Frames moved along their velocity.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void seed_velocity(const Frame<T> (&f)[N], const States& s, Frame<Dual<T>> (&out)[N]) {
    for (int k = 0; k < N; ++k) {
      Vec3<T> dx, dtheta;
      for (int c = 0; c < 3; ++c) {
        dx[c] = T(s.twist[k].v[c]);
        dtheta[c] = T(s.twist[k].omega[c]);
      }
      out[k] = perturbed(f[k], dx, dtheta);
    }
  }

  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const States& s, const Signals& t, double (&g)[R]) {
    for (int r = 0; r < R; ++r) g[r] = 0;
    if constexpr (P > 0) {
      double rows[P];
      J::position(p, s.frame, t.value, rows);
      for (int r = 0; r < P; ++r) g[r] = rows[r];
    }
  }

  /// g_t + G z and k.
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const States& s, const Signals& t, double (&out)[R]) {
    if constexpr (P > 0) {
      if constexpr (has_gradient && K == 0) {
        Mat<double, P, D> G;
        J::gradient(p, s.frame, t.value, G);
        for (int r = 0; r < P; ++r) {
          double sum = 0;
          for (int k = 0; k < N; ++k)
            for (int c = 0; c < 3; ++c) sum += G(r, 6 * k + c) * s.twist[k].v[c] + G(r, 6 * k + 3 + c) * s.twist[k].omega[c];
          out[r] = sum;
        }
      } else {
        Frame<Dual1> f[N];
        Dual1 signals[K + 1], g[P];
        seed_velocity(s.frame, s, f);
        for (int k = 0; k < K; ++k) signals[k] = Dual1(t.value[k], t.rate[k]);
        J::position(p, f, signals, g);
        for (int r = 0; r < P; ++r) out[r] = g[r].grad;
      }
    }
    if constexpr (V > 0) {
      double k[V];
      J::velocity(p, s.frame, s.twist, t.value, k);
      for (int r = 0; r < V; ++r) out[P + r] = k[r];
    }
  }

  /// Gradients of all rows: G of the position rows, k_z of the velocity rows.
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const States& s, const Signals& t, Mat<double, R, D>& G) {
    if constexpr (P > 0) {
      if constexpr (has_gradient && V == 0) {
        J::gradient(p, s.frame, t.value, G);
      } else if constexpr (has_gradient) {
        Mat<double, P, D> top;
        J::gradient(p, s.frame, t.value, top);
        for (int r = 0; r < P; ++r)
          for (int j = 0; j < D; ++j) G(r, j) = top(r, j);
      } else {
        Dual1 signals[K + 1];
        for (int k = 0; k < K; ++k) signals[k] = Dual1(t.value[k]);
        for (int j = 0; j < columns(p); ++j) {
          Frame<Dual1> f[N];
          Dual1 g[P];
          seed_direction(s.frame, j, f);
          J::position(p, f, signals, g);
          for (int r = 0; r < P; ++r) G(r, j) = g[r].grad;
        }
      }
    }
    if constexpr (V > 0) {
      for (int j = 0; j < columns(p); ++j) {
        double k[V];
        velocity_gradient_column<double>(p, s.frame, s.twist, t, j, k);
        for (int r = 0; r < V; ++r) G(P + r, j) = k[r];
      }
    }
  }

  /// Column j of k_z, over any scalar: k is affine in the twists.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void velocity_gradient_column(const Params& p, const Frame<T> (&f)[N],
                                                              const Twist<double> (&z)[N], const Signals& t, int j,
                                                              T (&k)[V > 0 ? V : 1]) {
    Frame<Dual<T>> frames[N];
    Twist<Dual<T>> twists[N];
    Dual<T> signals[K + 1], rows[V > 0 ? V : 1];
    for (int n = 0; n < N; ++n)
      for (int c = 0; c < 3; ++c) {
        frames[n].x[c] = Dual<T>(f[n].x[c], T(0.0));
        for (int d = 0; d < 3; ++d) frames[n].R(c, d) = Dual<T>(f[n].R(c, d), T(0.0));
        twists[n].v[c] = Dual<T>(T(z[n].v[c]), T(j == 6 * n + c ? 1.0 : 0.0));
        twists[n].omega[c] = Dual<T>(T(z[n].omega[c]), T(j == 6 * n + 3 + c ? 1.0 : 0.0));
      }
    for (int i = 0; i < K; ++i) signals[i] = Dual<T>(T(t.value[i]), T(0.0));
    if constexpr (V > 0) {
      J::velocity(p, frames, twists, signals, rows);
      for (int r = 0; r < V; ++r) k[r] = rows[r].grad;
    }
  }

  /// S += D_j (G^T lambda)_i, the stiffness of the reactions of all rows.
  KOKKOS_INLINE_FUNCTION static void stiffness(const Params& p, const States& s, const Signals& t, const double (&lambda)[R],
                                               Mat<double, D, D>& S) {
    if constexpr (P > 0) {
      if constexpr (has_stiffness) {
        double top[P];
        for (int r = 0; r < P; ++r) top[r] = lambda[r];
        J::geometric_stiffness(p, s.frame, t.value, top, S);
      } else {
        position_stiffness(p, s, t, lambda, S);
      }
    }
    if constexpr (V > 0) velocity_stiffness(p, s, t, lambda, S);
  }

  /// Nested duals: first along j, then along i.
  KOKKOS_INLINE_FUNCTION static void position_stiffness(const Params& p, const States& s, const Signals& t,
                                                        const double (&lambda)[R], Mat<double, D, D>& S) {
    Dual2 signals[K + 1];
    for (int k = 0; k < K; ++k) signals[k] = Dual2(t.value[k]);
    for (int j = 0; j < columns(p); ++j) {
      Frame<Dual1> outer[N];
      seed_direction(s.frame, j, outer);
      for (int i = 0; i < columns(p); ++i) {
        Frame<Dual2> f[N];
        Dual2 g[P];
        seed_direction(outer, i, f);
        J::position(p, f, signals, g);
        for (int r = 0; r < P; ++r) S(i, j) += lambda[r] * g[r].grad.grad;
      }
    }
  }

  KOKKOS_INLINE_FUNCTION static void velocity_stiffness(const Params& p, const States& s, const Signals& t,
                                                        const double (&lambda)[R], Mat<double, D, D>& S) {
    for (int j = 0; j < columns(p); ++j) {
      Frame<Dual1> f[N];
      seed_direction(s.frame, j, f);
      for (int i = 0; i < columns(p); ++i) {
        Dual1 k[V > 0 ? V : 1];
        velocity_gradient_column<Dual1>(p, f, s.twist, t, i, k);
        for (int r = 0; r < V; ++r) S(i, j) += lambda[P + r] * k[r].grad;
      }
    }
  }

  /// d/dq of (g_t + G z) and of k along degree of freedom j, at frozen velocity.
  KOKKOS_INLINE_FUNCTION static void curvature_column(const Params& p, const States& s, const Signals& t, int j,
                                                      double (&out)[R]) {
    if constexpr (P > 0) {
      Frame<Dual1> outer[N];
      Frame<Dual2> f[N];
      Dual2 signals[K + 1], g[P];
      seed_direction(s.frame, j, outer);
      seed_velocity(outer, s, f);
      for (int k = 0; k < K; ++k) signals[k] = Dual2(Dual1(t.value[k]), Dual1(t.rate[k]));
      J::position(p, f, signals, g);
      for (int r = 0; r < P; ++r) out[r] = g[r].grad.grad;
    }
    if constexpr (V > 0) {
      Frame<Dual1> f[N];
      seed_direction(s.frame, j, f);
      velocity_rows_gradient(p, s, f, t, false, out);
    }
  }

  /// D[g_t + G z](1, z) and D[k](1, z).
  KOKKOS_INLINE_FUNCTION static void drift(const Params& p, const States& s, const Signals& t, double (&out)[R]) {
    if constexpr (P > 0) {
      Frame<Dual1> outer[N];
      Frame<Dual2> f[N];
      Dual2 signals[K + 1], g[P];
      seed_velocity(s.frame, s, outer);
      seed_velocity(outer, s, f);
      for (int k = 0; k < K; ++k) signals[k] = Dual2(Dual1(t.value[k], t.rate[k]), Dual1(t.rate[k], t.acceleration[k]));
      J::position(p, f, signals, g);
      for (int r = 0; r < P; ++r) out[r] = g[r].grad.grad;
    }
    if constexpr (V > 0) {
      Frame<Dual1> f[N];
      seed_velocity(s.frame, s, f);
      velocity_rows_gradient(p, s, f, t, true, out);
    }
  }

  /// Derivative of k along seeded frames (and along time when asked) at frozen twists.
  KOKKOS_INLINE_FUNCTION static void velocity_rows_gradient(const Params& p, const States& s, const Frame<Dual1> (&f)[N],
                                                            const Signals& t, bool with_time, double (&out)[R]) {
    Twist<Dual1> twists[N];
    Dual1 signals[K + 1], k[V > 0 ? V : 1];
    for (int n = 0; n < N; ++n)
      for (int c = 0; c < 3; ++c) {
        twists[n].v[c] = Dual1(s.twist[n].v[c]);
        twists[n].omega[c] = Dual1(s.twist[n].omega[c]);
      }
    for (int i = 0; i < K; ++i) signals[i] = Dual1(t.value[i], with_time ? t.rate[i] : 0.0);
    if constexpr (V > 0) {
      J::velocity(p, f, twists, signals, k);
      for (int r = 0; r < V; ++r) out[P + r] = k[r].grad;
    }
  }
};

}  // namespace sinew
