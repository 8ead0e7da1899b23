/// \file
/// The part of a step in which something changes, as trials narrow it.
#pragma once

#include <vector>

namespace sinew {

/// Parts of the step between which the first change lies, with the margins there, narrowed by regula falsi with Illinois' rule:
/// of an end that stays where it is while the other one moves twice, the margins count half.
class Bracket {
 public:
  /// The whole step, with the margins at its beginning.
  void begin(std::vector<double> margins);
  void put_before(double h, std::vector<double> margins);
  void put_behind(double h, std::vector<double> margins);
  /// The same as the start of another search: neither end has stayed yet.
  Bracket afresh() const;
  const std::vector<double>& low() const { return low_; }
  const std::vector<double>& high() const { return high_; }
  double h_low() const { return h_low_; }
  double h_high() const { return h_high_; }  ///< 0: no part is known that goes too far
  double width() const { return h_high_ - h_low_; }

 private:
  std::vector<double> low_, high_;
  double h_low_ = 0, h_high_ = 0;
  int side_ = 0;  ///< of the last part: -1 before the change, 1 behind it
};

}  // namespace sinew
