/// \file
/// The sweeps over a family of joints, derived from `position` and `velocity` by dual numbers, or from hand-written gradients.
#pragma once

#include "kernels/sweep/element_family.hpp"

namespace sinew {

/// One joint's sweeps at one configuration. J: the joint's struct.
template <class J>
struct JointSweep {
  static constexpr int N = J::num_nodes;
  static constexpr int D = 6 * N;
  static constexpr int P = J::num_position_rows;
  static constexpr int V = J::num_velocity_rows;
  static constexpr int R = P + V;
  static constexpr int K = J::num_signals;
  using Params = typename J::Params;
  using States = NodeStates<double, NodeKind::frame, N>;
  /// Value, rate and acceleration of every signal.
  struct Signals {
    double value[K + 1] = {}, rate[K + 1] = {}, acceleration[K + 1] = {};
  };

  // The requirement is stated in full so that a hand-written function with another signature is not silently ignored: see the
  // static assertions of the joints' tests.
  static constexpr bool has_gradient = requires(const Params& p, const Frame<double>(&f)[N], Mat<double, (P > 0 ? P : 1), D>& G) {
    J::gradient(p, f, static_cast<const double*>(nullptr), G);
  };
  static constexpr bool has_stiffness =
      requires(const Params& p, const Frame<double>(&f)[N], const double (&l)[P > 0 ? P : 1], Mat<double, D, D>& S) {
        J::geometric_stiffness(p, f, static_cast<const double*>(nullptr), l, S);
      };

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
        for (int j = 0; j < D; ++j) {
          Frame<Dual1> f[N];
          Dual1 g[P];
          seed_direction(s.frame, j, f);
          J::position(p, f, signals, g);
          for (int r = 0; r < P; ++r) G(r, j) = g[r].grad;
        }
      }
    }
    if constexpr (V > 0) {
      for (int j = 0; j < D; ++j) {
        double k[V];
        velocity_gradient_column<double>(p, s.frame, s.twist, t, j, k);
        for (int r = 0; r < V; ++r) G(P + r, j) = k[r];
      }
    }
  }

  /// Column j of k_z, over any scalar: k is affine in the twists.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void velocity_gradient_column(const Params& p, const Frame<T> (&f)[N], const Twist<double> (&z)[N],
                                                              const Signals& t, int j, T (&k)[V > 0 ? V : 1]) {
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
  KOKKOS_INLINE_FUNCTION static void position_stiffness(const Params& p, const States& s, const Signals& t, const double (&lambda)[R],
                                                        Mat<double, D, D>& S) {
    Dual2 signals[K + 1];
    for (int k = 0; k < K; ++k) signals[k] = Dual2(t.value[k]);
    for (int j = 0; j < D; ++j) {
      Frame<Dual1> outer[N];
      seed_direction(s.frame, j, outer);
      for (int i = 0; i < D; ++i) {
        Frame<Dual2> f[N];
        Dual2 g[P];
        seed_direction(outer, i, f);
        J::position(p, f, signals, g);
        for (int r = 0; r < P; ++r) S(i, j) += lambda[r] * g[r].grad.grad;
      }
    }
  }

  KOKKOS_INLINE_FUNCTION static void velocity_stiffness(const Params& p, const States& s, const Signals& t, const double (&lambda)[R],
                                                        Mat<double, D, D>& S) {
    for (int j = 0; j < D; ++j) {
      Frame<Dual1> f[N];
      seed_direction(s.frame, j, f);
      for (int i = 0; i < D; ++i) {
        Dual1 k[V > 0 ? V : 1];
        velocity_gradient_column<Dual1>(p, f, s.twist, t, i, k);
        for (int r = 0; r < V; ++r) S(i, j) += lambda[P + r] * k[r].grad;
      }
    }
  }

  /// d/dq of (g_t + G z) and of k along degree of freedom j, at frozen velocity.
  KOKKOS_INLINE_FUNCTION static void curvature_column(const Params& p, const States& s, const Signals& t, int j, double (&out)[R]) {
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
      for (int k = 0; k < K; ++k)
        signals[k] = Dual2(Dual1(t.value[k], t.rate[k]), Dual1(t.rate[k], t.acceleration[k]));
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

template <class J>
class JointFamily final : public Family {
 public:
  using Sweep = JointSweep<J>;
  static constexpr int N = Sweep::N, D = Sweep::D, P = Sweep::P, V = Sweep::V, R = Sweep::R;
  using Params = typename J::Params;
  using States = typename Sweep::States;
  using Signals = typename Sweep::Signals;

  static FamilyShape make_shape() {
    FamilyShape shape;
    shape.nodes_per_element = N;
    shape.dofs_per_node = 6;
    shape.position_rows = P;
    shape.velocity_rows = V;
    shape.num_signals = J::num_signals;
    return shape;
  }

  JointFamily(const std::string& name, FamilyData data) : Family(name, make_shape(), std::move(data)) {}

  void forces(const SweepState& s, double* slots) const override {
    const Tables t = tables();
    Kokkos::parallel_for("sinew::joint_forces", policy(), KOKKOS_LAMBDA(const int e) {
      Mat<double, R, D> G;
      Sweep::gradient(t.load_params(e), t.load_states(s, e), t.load_signals(e), G);
      double lambda[R];
      t.load_multipliers(s, e, lambda);
      for (int i = 0; i < D; ++i) {
        double sum = 0;
        for (int r = 0; r < R; ++r) sum += G(r, i) * lambda[r];
        slots[static_cast<std::ptrdiff_t>(e) * D + i] = -sum;
      }
    });
  }

  void constraints(const SweepState& s, double* position, double* velocity) const override {
    const Tables t = tables();
    Kokkos::parallel_for("sinew::constraints", policy(), KOKKOS_LAMBDA(const int e) {
      const Params p = t.load_params(e);
      const States states = t.load_states(s, e);
      const Signals signals = t.load_signals(e);
      double g[R], gv[R];
      Sweep::position(p, states, signals, g);
      Sweep::velocity(p, states, signals, gv);
      for (int r = 0; r < R; ++r) {
        position[static_cast<std::ptrdiff_t>(e) * R + r] = g[r];
        velocity[static_cast<std::ptrdiff_t>(e) * R + r] = gv[r];
      }
    });
  }

  void constraint_drift(const SweepState& s, double* drift) const override {
    const Tables t = tables();
    Kokkos::parallel_for("sinew::constraint_drift", policy(), KOKKOS_LAMBDA(const int e) {
      double out[R];
      Sweep::drift(t.load_params(e), t.load_states(s, e), t.load_signals(e), out);
      for (int r = 0; r < R; ++r) drift[static_cast<std::ptrdiff_t>(e) * R + r] = out[r];
    });
  }

  void tangent(const SweepState& s, const Shift& shift, double* values) const override {
    const Tables t = tables();
    Kokkos::parallel_for("sinew::joint_tangent", policy(), KOKKOS_LAMBDA(const int e) {
      double* out = values + static_cast<std::ptrdiff_t>(e) * (D * D + 2 * D * R);
      const Params p = t.load_params(e);
      const States states = t.load_states(s, e);
      const Signals signals = t.load_signals(e);
      Mat3<double> T[N];
      const bool turned = s.tangent_operator != nullptr;
      for (int k = 0; k < N; ++k) T[k] = load_tangent_operator(s, t.nodes(e, k));
      Mat<double, D, D> S;
      if (shift.q != 0) {
        double lambda[R];
        t.load_multipliers(s, e, lambda);
        for (int r = 0; r < R; ++r) lambda[r] *= shift.q;
        Sweep::stiffness(p, states, signals, lambda, S);
        if (turned) times_tangent_operator<D, N>(S, T);
      }
      for (int i = 0; i < D * D; ++i) out[i] = (&S.data[0][0])[i];
      Mat<double, R, D> G;
      Sweep::gradient(p, states, signals, G);
      write_transpose(G, out + D * D);
      scale_rows(p, states, signals, shift, T, turned, G);
      for (int i = 0; i < R * D; ++i) out[D * D + D * R + i] = (&G.data[0][0])[i];
    });
  }

  void projection(const SweepState& s, double* values) const override {
    const Tables t = tables();
    Kokkos::parallel_for("sinew::joint_projection", policy(), KOKKOS_LAMBDA(const int e) {
      double* out = values + static_cast<std::ptrdiff_t>(e) * (2 * D * R);
      Mat<double, R, D> G;
      Sweep::gradient(t.load_params(e), t.load_states(s, e), t.load_signals(e), G);
      write_transpose(G, out);
      for (int i = 0; i < R * D; ++i) out[D * R + i] = (&G.data[0][0])[i];
    });
  }

  void constraint_curvature(const SweepState& s, double* values) const override {
    const Tables t = tables();
    Kokkos::parallel_for("sinew::constraint_curvature", policy(), KOKKOS_LAMBDA(const int e) {
      Mat<double, R, D> C;
      curvature(t.load_params(e), t.load_states(s, e), t.load_signals(e), C);
      Mat3<double> T[N];
      for (int k = 0; k < N; ++k) T[k] = load_tangent_operator(s, t.nodes(e, k));
      if (s.tangent_operator != nullptr) times_tangent_operator<R, N>(C, T);
      for (int i = 0; i < R * D; ++i) values[static_cast<std::ptrdiff_t>(e) * R * D + i] = (&C.data[0][0])[i];
    });
  }

  Energy energy(const SweepState&) const override { return {}; }

  /// The tables a kernel captures, and how it reads them.
  struct Tables {
    DeviceTable<int> nodes;
    DeviceArray<int> rows;
    DeviceTable<double> params, signals;

    KOKKOS_INLINE_FUNCTION Params load_params(int e) const { return sinew::load_params<Params>(params, e); }
    KOKKOS_INLINE_FUNCTION States load_states(const SweepState& s, int e) const {
      return sinew::load_states<NodeKind::frame, N>(s, nodes, e);
    }
    KOKKOS_INLINE_FUNCTION Signals load_signals(int e) const {
      Signals t;
      for (int k = 0; k < J::num_signals; ++k) {
        t.value[k] = signals(e, 3 * k);
        t.rate[k] = signals(e, 3 * k + 1);
        t.acceleration[k] = signals(e, 3 * k + 2);
      }
      return t;
    }
    KOKKOS_INLINE_FUNCTION void load_multipliers(const SweepState& s, int e, double (&lambda)[R]) const {
      for (int r = 0; r < R; ++r) lambda[r] = s.multiplier[rows(e) + r];
    }
  };

  KOKKOS_INLINE_FUNCTION static void write_transpose(const Mat<double, R, D>& G, double* out) {
    for (int i = 0; i < D; ++i)
      for (int r = 0; r < R; ++r) out[i * R + r] = G(r, i);
  }

  KOKKOS_INLINE_FUNCTION static void curvature(const Params& p, const States& s, const Signals& t, Mat<double, R, D>& C) {
    for (int j = 0; j < D; ++j) {
      double column[R];
      Sweep::curvature_column(p, s, t, j, column);
      for (int r = 0; r < R; ++r) C(r, j) = column[r];
    }
  }

  /// Turns G into the rows of the tangent: position rows g_position G T, velocity rows g_velocity k_z + g_velocity_q k_q T.
  KOKKOS_INLINE_FUNCTION static void scale_rows(const Params& p, const States& s, const Signals& t, const Shift& shift,
                                                const Mat3<double> (&T)[N], bool turned, Mat<double, R, D>& G) {
    if constexpr (P > 0) {
      Mat<double, P, D> top;
      for (int r = 0; r < P; ++r)
        for (int j = 0; j < D; ++j) top(r, j) = shift.g_position * G(r, j);
      if (turned) times_tangent_operator<P, N>(top, T);
      for (int r = 0; r < P; ++r)
        for (int j = 0; j < D; ++j) G(r, j) = top(r, j);
    }
    if constexpr (V > 0) {
      Mat<double, R, D> C;
      if (shift.g_velocity_q != 0) {
        curvature(p, s, t, C);
        if (turned) times_tangent_operator<R, N>(C, T);
      }
      for (int r = P; r < R; ++r)
        for (int j = 0; j < D; ++j) G(r, j) = shift.g_velocity * G(r, j) + shift.g_velocity_q * C(r, j);
    }
  }

 private:
  Tables tables() const { return {nodes_, rows_, params_, signals_}; }
  Kokkos::RangePolicy<ExecutionSpace> policy() const { return Kokkos::RangePolicy<ExecutionSpace>(0, size()); }
};

/// What the joint says of its relative coordinates.
template <class J>
void describe_coordinates(JointEntry& entry) {
  if constexpr (requires(const Setup& setup) { J::coordinates(setup); }) {
    for (const char* name : J::coordinate_names()) entry.coordinate_names.emplace_back(name);
    entry.coordinates = [](const Setup& setup) {
      const auto found = J::coordinates(setup);
      static_assert(found.size() == J::coordinate_names().size(), "every coordinate has a name");
      return std::vector<RelativeCoordinate>(found.begin(), found.end());
    };
  }
}

template <class J>
JointEntry make_joint_entry() {
  JointEntry entry;
  entry.name = J::name;
  entry.help = J::help;
  const auto fields = J::fields();
  entry.fields.assign(fields.begin(), fields.end());
  entry.shape = JointFamily<J>::make_shape();
  entry.params_per_element = static_cast<int>(sizeof(typename J::Params) / sizeof(double));
  entry.make_params = [](const Setup& setup) { return packed(J::make(setup)); };
  entry.build = [](FamilyData data) -> std::unique_ptr<Family> { return std::make_unique<JointFamily<J>>(J::name, std::move(data)); };
  describe_coordinates<J>(entry);
  return entry;
}

}  // namespace sinew
