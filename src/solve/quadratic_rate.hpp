/// \file
/// What Newton's method leaves of a correction by a new tangent, known from the solutions before.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

namespace sinew {

/// Of a correction of size c by a new tangent Newton's method leaves omega c^2, with a Lipschitz constant omega of the tangent
/// that two corrections, c and the one after it, tell of (Deuflhard, Newton Methods for Nonlinear Problems, 2004, section 2.1).
/// Integrators take one step after the other of nearly the same equations: omega is known before the second of the two.
///
/// It differs from step to step, in cables by up to a factor of 13, so that the largest of the last `memory` counts, and where
/// nothing was measured for as many solutions nothing is believed. Looked up in traces of 40 runs (nets, chains, cables, solids,
/// mechanisms, tops; 24,000 steps) that went on for one more iteration: what was left by steps that end by it was at most .51 of
/// what was allowed, 4 times it with a memory of one. Cables of 300 and more elements take .79 to .84 times the iterations.
class QuadraticRate {
 public:
  static constexpr int memory = 10;  ///< measured, see above

  /// A correction by a new tangent, and the one after it.
  void measure(double correction, double next) {
    if (!(correction > 0)) return;
    constants_[static_cast<std::size_t>(count_++ % memory)] = next / correction / correction;
    age_ = 0;
  }
  /// A solution begins.
  void grow_older() { age_ = std::min(age_ + 1, memory + 1); }
  void forget() { count_ = 0; }

  /// The part of such a correction that it leaves; infinite where that is not known.
  double left_of(double correction) const {
    if (count_ < memory || age_ > memory) return std::numeric_limits<double>::infinity();
    return correction * *std::max_element(constants_.begin(), constants_.end());
  }

 private:
  std::array<double, memory> constants_{};
  int count_ = 0;  ///< measured so far
  int age_ = 0;    ///< solutions since then
};

}  // namespace sinew
