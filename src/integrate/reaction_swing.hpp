/// \file
/// Multipliers that swing from step to step without end, where a method has no numerical damping.
#pragma once

#include "integrate/integrator.hpp"

#include <string>
#include <vector>

namespace sinew {

/// Does a method damp the fastest swings by so little that those of a run would last?
bool keeps_swings(const AlphaCoefficients&);

/// In a method without numerical damping the error of the multipliers, once kicked (by the start, by a drive whose acceleration
/// jumps), changes its sign in every step for ever. With constraints at position level alone every change of the step is such a kick,
/// damped or not. With the second difference
///   x_n = (lambda_n - lambda_(n-1) - (h_n/h_(n-1)) (lambda_(n-1) - lambda_(n-2))) / (2 (1 + h_n/h_(n-1)))
/// such a swing has |x| as its amplitude, whatever smooth curve it sits on; that of the curve itself is O(h^2) and keeps its
/// sign. A row swings where x has changed its sign in every step of a window and was no smaller in its second half than in the
/// first.
class ReactionSwing {
 public:
  ReactionSwing(const DynamicSystem&, const AlphaCoefficients&, Method);

  /// An accepted step of size h from a state to the multipliers lambda1, before it is taken over. Collective.
  void observe(const State&, double h, PetscVec lambda1);
  /// What has been seen so far. Collective.
  void persist(Archive&);
  /// Whose reactions swing, and by how much; empty where none does or it is next to nothing. Collective.
  std::string verdict() const;

 private:
  struct Row {
    double last = 0;                         ///< x of the last step
    int count = 0;                           ///< changes of sign in a row
    double first_half = 0, second_half = 0;  ///< sums of |x|
    double amplitude = 0, time = 0;          ///< the largest swing found so far, and when it was seen first
  };
  void follow(Row&, double x, double t) const;

  const DynamicSystem& system_;
  bool lasts_, is_used_;
  VecHandle sizes_;        ///< of a unit of every multiplier, as a force
  std::vector<Row> rows_;  ///< of this rank
  double largest_ = 0;     ///< reaction on this rank, as a force
};

}  // namespace sinew
