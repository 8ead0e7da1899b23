#include "integrate/bracket.hpp"

#include <utility>

namespace sinew {

void Bracket::begin(std::vector<double> margins) {
  low_ = std::move(margins);
  high_.clear();
  h_low_ = h_high_ = 0;
  side_ = 0;
}

void Bracket::put_before(double h, std::vector<double> margins) {
  if (side_ < 0)
    for (double& margin : high_) margin /= 2;
  side_ = -1;
  low_ = std::move(margins);
  h_low_ = h;
}

void Bracket::put_behind(double h, std::vector<double> margins) {
  if (side_ > 0)
    for (double& margin : low_) margin /= 2;
  side_ = 1;
  high_ = std::move(margins);
  h_high_ = h;
}

Bracket Bracket::afresh() const {
  Bracket other = *this;
  other.side_ = 0;
  return other;
}

}  // namespace sinew
