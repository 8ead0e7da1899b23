// What the tests of single joints share: gradients and stiffness by dual numbers, and reactions.
#pragma once

#include "kernels/sweep/joint_family.hpp"
#include "tests/kernels/joints/random_frames.hpp"

#include <algorithm>

namespace sinew::trial {

template <class J>
using FramesOf = Frame<double>[J::num_nodes];

/// G of the position rows by dual numbers.
template <class J>
Mat<double, J::num_position_rows, 6 * J::num_nodes> dual_gradient(const typename J::Params& p, const FramesOf<J>& f,
                                                                  const double* signals) {
  constexpr int rows = J::num_position_rows, dofs = 6 * J::num_nodes;
  Dual1 values[J::num_signals + 1];
  for (int k = 0; k < J::num_signals; ++k) values[k] = signals[k];
  Mat<double, rows, dofs> G;
  for (int j = 0; j < dofs; ++j) {
    Frame<Dual1> seeded[J::num_nodes];
    Dual1 g[rows];
    JointSweep<J>::seed_direction(f, j, seeded);
    J::position(p, seeded, values, g);
    for (int r = 0; r < rows; ++r) G(r, j) = g[r].grad;
  }
  return G;
}

/// D_j (G^T lambda)_i by nested dual numbers: first along j, then along i.
template <class J>
Mat<double, 6 * J::num_nodes> dual_stiffness(const typename J::Params& p, const FramesOf<J>& f, const double* signals,
                                             const double (&lambda)[J::num_position_rows]) {
  constexpr int rows = J::num_position_rows, dofs = 6 * J::num_nodes;
  Dual2 values[J::num_signals + 1];
  for (int k = 0; k < J::num_signals; ++k) values[k] = signals[k];
  Mat<double, dofs> K;
  for (int j = 0; j < dofs; ++j) {
    Frame<Dual1> outer[J::num_nodes];
    JointSweep<J>::seed_direction(f, j, outer);
    for (int i = 0; i < dofs; ++i) {
      Frame<Dual2> seeded[J::num_nodes];
      Dual2 g[rows];
      JointSweep<J>::seed_direction(outer, i, seeded);
      J::position(p, seeded, values, g);
      for (int r = 0; r < rows; ++r) K(i, j) += lambda[r] * g[r].grad.grad;
    }
  }
  return K;
}

template <int R, int C>
double largest_difference(const Mat<double, R, C>& A, const Mat<double, R, C>& B) {
  double largest = 0;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      const double d = std::abs(A(i, j) - B(i, j));
      largest = d <= largest ? largest : d;  // keeps NaN
    }
  return largest;
}

template <int N>
double largest(const double (&g)[N]) {
  double result = 0;
  for (const double value : g) result = std::max(result, std::abs(value));
  return result;
}

/// Violations of the position rows, without signals.
template <class J>
struct Rows {
  double g[J::num_position_rows];
};
template <class J>
Rows<J> rows_of(const typename J::Params& p, const FramesOf<J>& f, const double* signals = nullptr) {
  Rows<J> rows;
  J::position(p, f, signals, rows.g);
  return rows;
}

/// The wrench of the joint on node `k`: -G_k^T lambda, force global, moment about the node in the global frame.
template <class J>
Wrench<double> reaction(const typename J::Params& p, const FramesOf<J>& f, const double (&lambda)[J::num_position_rows], int k,
                        const double* signals = nullptr) {
  const auto G = dual_gradient<J>(p, f, signals);
  Wrench<double> w;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < J::num_position_rows; ++r) {
      w.force[c] -= G(r, 6 * k + c) * lambda[r];
      w.moment[c] -= G(r, 6 * k + 3 + c) * lambda[r];
    }
  w.moment = f[k].R * w.moment;
  return w;
}

}  // namespace sinew::trial
