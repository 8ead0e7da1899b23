/// \file
/// What of a rate that fluctuates persists.
#pragma once

namespace sinew {

/// The mean m of a rate r over the time in which it swings several times, less twice the standard error that its changes from
/// step to step give that mean, and what the rest f, which swings with w = |f'|/|f|, adds up to before it turns: |f|/w.
class PersistentRate {
 public:
  /// What r, of a step of size h, and those before it amount to in a time T, divided by T: at most |r|.
  double measure(double r, double h, double T);
  /// r of the last call joins the series.
  void accept();

 private:
  struct Means {
    double rate = 0, last = 0;  ///< mean, and the value itself
    double scatter = 0;         ///< of half the squared changes: of noise its variance
    double size = 0;            ///< of squared deviations from the mean
  };
  Means accepted_, with_this_;
};

}  // namespace sinew
