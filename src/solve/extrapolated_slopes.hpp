/// \file
/// Derivatives of many functions at once by central differences, each with the step that serves it.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

/// Derivatives of y_k from values at both sides of a place, at steps of which each is `ratio` times smaller than the last. What a
/// function bends within is not known beforehand (a body's strains, which may be a millionth of the step that serves its
/// places), and rounding forbids small steps for all. So every y_k has a tableau of its differences and of what they tend to with
/// the step's square; of its entries the one counts that differs least from those that it was made of. Ridders (1982), Accurate
/// computation of F'(x) and F'(x)F''(x), Adv. Eng. Software 4, 75-76. Steps that are much too long look alike, and wrong (the
/// mean of both sides of a kink that lies within them): what a later difference contradicts by more than rounding does not count.
class ExtrapolatedSlopes {
 public:
  /// `rounding`: by how much each y_k may be off.
  ExtrapolatedSlopes(std::vector<double> rounding, double ratio);

  /// y at plus and minus the next step. What is settled stays as it is.
  void add(double step, const std::vector<double>& above, const std::vector<double>& below);
  /// From now on settled: what is known within so much, and what rounding would hide from smaller steps.
  void settle(const std::vector<double>& margins);
  bool are_settled() const;
  const std::vector<double>& slopes() const { return slopes_; }

 private:
  void extend(std::size_t k, double difference);

  std::vector<double> rounding_;
  double ratio_, step_ = 0;
  std::vector<double> slopes_, errors_;
  std::vector<char> settled_;
  std::vector<std::vector<double>> rows_;  ///< the last of every tableau: the difference, then extrapolated once, twice, ...
};

}  // namespace sinew
