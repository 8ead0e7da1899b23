/// \file
/// How well the linear equations of Newton's method need be solved, where that is done by iterations.
#pragma once

#include <vector>

namespace sinew {

/// What linear equations that are solved by iterations may leave of a correction (a forcing term): no more than what may be left
/// in the end, as far as that is known beforehand. Eisenstat and Walker (SIAM J. Sci. Comput. 17, 1996) take it from residuals;
/// here corrections are what counts.
class ForcingTerms {
 public:
  /// A solution begins.
  void begin() { corrections_.clear(); }
  /// A correction has been made.
  void note(double correction) { corrections_.push_back(correction); }
  /// The next correction is expected to be of this size.
  void expect(double correction) { expected_ = correction; }
  /// The solution has ended; `continues`: it was the same step once more.
  void end(bool continues) { (continues ? last_continued_ : last_).swap(corrections_); }

  /// What is asked of the solution.
  struct Asked {
    double tolerance = 0, share = 0;  ///< NewtonSettings
    bool continues = false;           ///< likewise
    double limit = 0;                 ///< of corrections, once the first is known
  };
  /// For the next correction, behind so many iterations: relative to it.
  double next(int iterations, const Asked&) const;

 private:
  double expected_ = 0;
  std::vector<double> corrections_, last_, last_continued_;  ///< of this solve, the last one, the last that continued
};

}  // namespace sinew
