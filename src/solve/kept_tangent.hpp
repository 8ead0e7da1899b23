/// \file
/// How long a tangent is kept: within a step, and from step to step.
#pragma once

#include <limits>

namespace sinew {

/// Smallest rate of convergence that an old tangent is trusted with after one observation.
inline constexpr double lucky_rate = 0.05;
/// Within a step an old tangent is given up when it would need more iterations than this: what converges slowly may not converge
/// at all.
inline constexpr double tangent_patience = 2;
/// A correction within the limit leaves less than that of it, by any tangent worth keeping; so must a residual, which is not
/// corrected any more.
inline constexpr double remaining_part = 0.3;

/// Decides when a new tangent pays. Within a solution by how corrections shrink; from one to the next by what was learnt of
/// whether kept tangents carry a step, and of what their age has cost. A tangent that is kept grows old step by step: it is
/// renewed when the iterations that its age has cost, beyond those of the best step that it carried, come to the price of a new
/// one, since then no other moment would have been much better.
class KeptTangent {
 public:
  /// What a new tangent costs, in iterations with the one at hand: decides how old tangents may grow.
  void set_price(double iterations) { price_ = iterations; }
  /// A solution begins, with a tangent of an earlier one or without; `continues`: the same step once more.
  void begin(bool is_kept, bool continues) {
    started_with_kept_ = is_kept;
    is_trial_ = continues || pause_ == 0;
  }

  /// Where a solution stands.
  struct Iteration {
    int number = 0;  ///< from 1
    double correction = 0;
    double left = 0;        ///< size of the correction that the residual asks for next
    double limit = 0;       ///< of corrections
    double rate = 0;        ///< last ratio of corrections
    bool is_fresh = false;  ///< the tangent is this iteration's
  };
  /// Does assembling anew pay, more iterations being left than it costs?
  bool wants_refresh(const Iteration&) const;

  /// A solution has ended.
  struct Outcome {
    bool converged = false;
    int iterations = 0, factorizations = 0;
  };
  /// A step that was to do with a kept tangent and could not: the next ones do not try.
  void learn(const Outcome&);

 private:
  void watch_age(const Outcome&);

  bool started_with_kept_ = false;
  bool is_trial_ = false;  ///< this step tries to do without a new tangent
  int pause_ = 0;          ///< steps that take a new one in their second iteration before the next trial
  int last_pause_ = 0;
  int least_iterations_ = std::numeric_limits<int>::max();  ///< of the steps that the tangent at hand has carried
  double price_ = 2;                                        ///< of a new tangent
  bool is_old_ = false;                                     ///< a new tangent pays
  int cost_of_age_ = 0;                                     ///< iterations beyond these
};

}  // namespace sinew
