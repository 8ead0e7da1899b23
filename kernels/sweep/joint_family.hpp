/// \file
/// The sweeps over a family of joints.
#pragma once

#include "kernels/sweep/element_entry.hpp"
#include "kernels/sweep/joint_sweep.hpp"

namespace sinew {

/// B: elements of a block of slots.
template <class J, int B = slot_block>
class JointFamily final : public Family {
 public:
  using Sweep = JointSweep<J>;
  using Nodes = typename Sweep::Nodes;
  static constexpr int N = Sweep::N, D = Sweep::D, P = Sweep::P, V = Sweep::V, R = Sweep::R;
  using Params = typename J::Params;
  using States = typename Sweep::States;
  using Signals = typename Sweep::Signals;

  static constexpr bool follows_turns = requires(const Params& p, const States& s) { J::counted_rate(p, s); };
  static constexpr bool has_history = requires(Params & p, const Frame<double> (&f)[N]) { J::commit(p, f); };

  static FamilyShape make_shape() {
    FamilyShape shape;
    shape.nodes_per_element = N;
    shape.num_dofs = D;
    shape.node_kind = &Nodes::kind;
    shape.position_rows = P;
    shape.velocity_rows = V;
    shape.num_signals = J::num_signals;
    shape.has_branches = Sweep::has_check;
    shape.has_history = has_history;
    shape.follows_turns = follows_turns;
    shape.block = shape.tangent_block = B;
    if constexpr (requires { J::is_slope(0); }) shape.is_slope = &J::is_slope;
    if constexpr (requires { J::is_scalar(0); }) shape.is_scalar = &J::is_scalar;
    if constexpr (requires { J::prescribes_angle; }) shape.prescribes_angle = J::prescribes_angle;
    if constexpr (requires { J::shows_turns; }) shape.shows_turns = J::shows_turns;
    note_pattern<J>(shape);
    if constexpr (ClaimsAnalytic<J>) static_cast<void>(&Sweep::rows_uncompared);
    return shape;
  }

  /// More parameters than a GPU's thread has registers for (255 of 4 bytes) are read where they lie, those of a joint one after
  /// the other whatever the layout of tables: a copy would lie in each thread's stack.
  static constexpr bool in_place = sizeof(Params) > 255 * 4;

  JointFamily(const std::string& name, FamilyData data) : Family(name, make_shape(), std::move(data)) {
    if constexpr (in_place) {
      const std::vector<double>& params = this->data().params;
      params_ = to_device_table(name + ".params", params, static_cast<int>(params.size()));  // one row
    }
  }

  void forces(const SweepState& s, double* slots) const override {
    const Tables t = tables();
    const int count = size();
    Kokkos::parallel_for(
        "sinew::joint_forces", policy(), KOKKOS_LAMBDA(const int e) {
          Mat<double, R, D> G;
          Sweep::gradient(t.load_params(e), t.load_states(s, e), t.load_signals(e), G);
          double lambda[R];
          t.load_multipliers(s, e, lambda);
          const auto out = element_slots<B>(slots, count, D, e);
          for (int i = 0; i < D; ++i) {
            double sum = 0;
            for (int r = 0; r < R; ++r) sum += G(r, i) * lambda[r];
            out[i] = -sum;
          }
        });
  }

  void constraints(const SweepState& s, double* position, double* velocity) const override {
    const Tables t = tables();
    const int count = size();
    Kokkos::parallel_for(
        "sinew::constraints", policy(), KOKKOS_LAMBDA(const int e) {
          const Params& p = t.load_params(e);
          const States states = t.load_states(s, e);
          const Signals signals = t.load_signals(e);
          double rows[R];
          if (position != nullptr) {
            Sweep::position(p, states, signals, rows);
            const auto out = element_slots<B>(position, count, R, e);
            for (int r = 0; r < R; ++r) out[r] = rows[r];
          }
          if (velocity != nullptr) {
            Sweep::velocity(p, states, signals, rows);
            const auto out = element_slots<B>(velocity, count, R, e);
            for (int r = 0; r < R; ++r) out[r] = rows[r];
          }
        });
  }

  void constraint_drift(const SweepState& s, double* drift) const override {
    const Tables t = tables();
    const int count = size();
    Kokkos::parallel_for(
        "sinew::constraint_drift", policy(), KOKKOS_LAMBDA(const int e) {
          double rows[R];
          Sweep::drift(t.load_params(e), t.load_states(s, e), t.load_signals(e), rows);
          const auto out = element_slots<B>(drift, count, R, e);
          for (int r = 0; r < R; ++r) out[r] = rows[r];
        });
  }

  void tangent(const SweepState& s, const Shift& shift, ElementRange range, double* values) const override {
    const Tables t = tables();
    const int first = range.first, count = range.size();
    Kokkos::parallel_for(
        "sinew::joint_tangent", policy(range), KOKKOS_LAMBDA(const int e) {
          const auto out = element_slots<B>(values, count, D * D + 2 * D * R, e - first);
          const Params& p = t.load_params(e);
          const States states = t.load_states(s, e);
          const Signals signals = t.load_signals(e);
          Mat3<double> T[N];
          const bool turned = s.tangent_operator != nullptr;
          for (int k = 0; k < N; ++k) T[k] = load_tangent_operator(s, t.nodes(e, k));
          SlotMatrix<D, D, (B > 1)> S(out);
          if (shift.q != 0) {
            double lambda[R];
            t.load_multipliers(s, e, lambda);
            for (int r = 0; r < R; ++r) lambda[r] *= shift.q;
            Sweep::stiffness(p, states, signals, lambda, S.matrix());
            if (turned) times_tangent_operator<Nodes, D>(S.matrix(), T);
          }
          S.finish();
          SlotMatrix<R, D, (B > 1)> G(out.from(D * D + D * R));
          Sweep::gradient(p, states, signals, G.matrix());
          write_transpose(G.matrix(), out.from(D * D));
          scale_rows(p, states, signals, shift, T, turned, G.matrix());
          G.finish();
        });
  }

  void projection(const SweepState& s, ElementRange range, double* values) const override {
    const Tables t = tables();
    const int first = range.first, count = range.size();
    Kokkos::parallel_for(
        "sinew::joint_projection", policy(range), KOKKOS_LAMBDA(const int e) {
          const auto out = element_slots<B>(values, count, 2 * D * R, e - first);
          Mat<double, R, D> G;
          Sweep::gradient(t.load_params(e), t.load_states(s, e), t.load_signals(e), G);
          write_transpose(G, out);
          const auto rows = out.from(D * R);
          for (int i = 0; i < R * D; ++i) rows[i] = (&G.data[0][0])[i];
        });
  }

  void constraint_curvature(const SweepState& s, ElementRange range, double* values) const override {
    const Tables t = tables();
    const int first = range.first, count = range.size();
    Kokkos::parallel_for(
        "sinew::constraint_curvature", policy(range), KOKKOS_LAMBDA(const int e) {
          SlotMatrix<R, D, (B > 1)> C(element_slots<B>(values, count, R * D, e - first));
          curvature(t.load_params(e), t.load_states(s, e), t.load_signals(e), C.matrix());
          Mat3<double> T[N];
          for (int k = 0; k < N; ++k) T[k] = load_tangent_operator(s, t.nodes(e, k));
          if (s.tangent_operator != nullptr) times_tangent_operator<Nodes, R>(C.matrix(), T);
          C.finish();
        });
  }

  Energy energy(const SweepState&) const override { return {}; }

  Finding check_branches(const SweepState& before, const SweepState& now) const override {
    Finding finding;
    if constexpr (Sweep::has_check) {
      const Tables t = tables();
      // The first one, encoded with its verdict so that one reduction finds both.
      long long first = static_cast<long long>(size()) * 16;
      Kokkos::parallel_reduce(
          "sinew::check_branches", policy(),
          KOKKOS_LAMBDA(const int e, long long& lowest) {
            Frame<double> was[N], is[N];
            for (int k = 0; k < N; ++k) {
              load_frame(before, t.nodes(e, k), was[k]);
              load_frame(now, t.nodes(e, k), is[k]);
            }
            const Signals signals = t.load_signals(e);
            const Verdict v = J::check(t.load_params(e), was, is, signals.value);
            const long long code = static_cast<long long>(e) * 16 + static_cast<int>(v);
            if (v != Verdict::ok && code < lowest) lowest = code;
          },
          Kokkos::Min<long long>(first));
      if (first < static_cast<long long>(size()) * 16)
        finding = Finding{static_cast<Verdict>(first % 16), static_cast<int>(first / 16)};
    }
    return finding;
  }

  double fastest_turn(const SweepState& s) const override {
    double fastest = 0;
    if constexpr (follows_turns) {
      const Tables t = tables();
      Kokkos::parallel_reduce(
          "sinew::fastest_joint_turn", policy(),
          KOKKOS_LAMBDA(const int e, double& largest) {
            const double rate = math::fabs(J::counted_rate(t.load_params(e), t.load_states(s, e)));
            if (rate > largest) largest = rate;
          },
          Kokkos::Max<double>(fastest));
    }
    return fastest > 0 ? fastest : 0.0;  // of no joints it is none
  }

  const char* branch_fault() const override {
    if constexpr (Sweep::has_check) return J::fault;
    return "";
  }

  void commit(const SweepState& s) override {
    if constexpr (has_history) {
      const Tables t = tables();
      int changed = 0;
      Kokkos::parallel_reduce(
          "sinew::commit", policy(),
          KOKKOS_LAMBDA(const int e, int& count) {
            Frame<double> frames[N];
            for (int k = 0; k < N; ++k) load_frame(s, t.nodes(e, k), frames[k]);
            if constexpr (in_place) {
              if (!J::commit(t.params_at(e), frames)) return;
            } else {
              Params p = t.load_params(e);
              if (!J::commit(p, frames)) return;
              store_params(p, t.params, e);
            }
            ++count;
          },
          changed);
      if (changed > 0) fetch_params();
    }
  }

  /// The tables a kernel captures, and how it reads them.
  struct Tables {
    LentTable<int> nodes;
    LentArray<int> rows;
    LentTable<double> params, signals;

    KOKKOS_INLINE_FUNCTION std::conditional_t<in_place, const Params&, Params> load_params(int e) const {
      if constexpr (in_place)
        return params_at(e);
      else
        return sinew::load_params<Params>(params, e);
    }
    /// Where they are read in place.
    KOKKOS_INLINE_FUNCTION Params& params_at(int e) const { return reinterpret_cast<Params*>(params.data())[e]; }
    KOKKOS_INLINE_FUNCTION States load_states(const SweepState& s, int e) const { return sinew::load_states<Nodes>(s, nodes, e); }
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

  KOKKOS_INLINE_FUNCTION static void write_transpose(const Mat<double, R, D>& G, const ElementSlots<(B > 1)>& out) {
    for (int i = 0; i < D; ++i)
      for (int r = 0; r < R; ++r) out[i * R + r] = G(r, i);
  }

  KOKKOS_INLINE_FUNCTION static void curvature(const Params& p, const States& s, const Signals& t, Mat<double, R, D>& C) {
    for (int j = 0; j < Sweep::columns(p); ++j) {
      double column[R];
      Sweep::curvature_column(p, s, t, j, column);
      for (int r = 0; r < R; ++r) C(r, j) = column[r];
    }
  }

  /// Turns G into the rows of the tangent: position rows g_position G T, velocity rows g_velocity k_z + g_velocity_q k_q T.
  KOKKOS_INLINE_FUNCTION static void scale_rows(const Params& p, const States& s, const Signals& t, const Shift& shift,
                                                const Mat3<double> (&T)[N], bool turned, Mat<double, R, D>& G) {
    if constexpr (P > 0) {
      for (int r = 0; r < P; ++r)
        for (int j = 0; j < D; ++j) G(r, j) = shift.g_position * G(r, j);
      if (turned) times_tangent_operator<Nodes, P>(G, T);
    }
    if constexpr (V > 0) {
      Mat<double, R, D> C;
      if (shift.g_velocity_q != 0) {
        curvature(p, s, t, C);
        if (turned) times_tangent_operator<Nodes, R>(C, T);
      }
      for (int r = P; r < R; ++r)
        for (int j = 0; j < D; ++j) G(r, j) = shift.g_velocity * G(r, j) + shift.g_velocity_q * C(r, j);
    }
  }

 private:
  Tables tables() const { return {nodes_, rows_, params_, signals_}; }
  Kokkos::RangePolicy<ExecutionSpace> policy() const { return policy(all()); }
  static Kokkos::RangePolicy<ExecutionSpace> policy(ElementRange range) {
    return Kokkos::RangePolicy<ExecutionSpace>(range.first, range.last);
  }
};

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
  if constexpr (requires(const Setup& setup) { J::ground_place(setup); })
    entry.ground_place = [](const Setup& setup) { return J::ground_place(setup); };
  entry.build = [](FamilyData data) -> std::unique_ptr<Family> {
    return std::make_unique<JointFamily<J>>(J::name, std::move(data));
  };
  describe_coordinates<J>(entry);
  return entry;
}

}  // namespace sinew
