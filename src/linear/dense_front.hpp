/// \file
/// One inner node of an elimination tree: a dense matrix of what its children have left.
#pragma once

#include "base/petsc.hpp"
#include "linear/two_sides.hpp"

#include <vector>

namespace sinew {

/// [F11 F12; F21 F22] of the unknowns that are eliminated here and of the rest. S = F22 - F21 F11^-1 F12 goes up. All dense,
/// by columns; LU with partial pivoting by LAPACK.
class DenseFront {
 public:
  DenseFront() = default;
  /// `eliminated`, `rest`: numbers of unknowns, rising; `left`, `right`: those that the children leave.
  DenseFront(const std::vector<int>& eliminated, const std::vector<int>& rest, const std::vector<int>& left,
             const std::vector<int>& right);

  /// The same front before it was factorised.
  DenseFront without_numbers() const;
  /// Sums up what the children have left (by columns) and eliminates. False: F11 is singular.
  bool factorise(const std::vector<double>& left, const std::vector<double>& right);
  const std::vector<double>& complement() const { return f22_; }

  /// Takes the children's right-hand sides and this node's own in b (by number of the unknown); what is left goes to `rest`.
  /// One right-hand side or two (two_sides.hpp).
  template <class Number>
  void forward(const std::vector<Number>& left, const std::vector<Number>& right, const std::vector<Number>& b,
               std::vector<Number>& rest);
  /// After `forward`: the eliminated unknowns of x, given the rest of it. By numbers.
  template <class Number>
  void backward(std::vector<Number>& x) const;

 private:
  std::vector<int> eliminated_, rest_;
  std::vector<int> places_[2];  ///< of the children's unknowns: among the eliminated, then the rest
  std::vector<double> f11_, f12_, f21_, f22_, right_hand_side_;
  std::vector<Two> two_right_hand_sides_;
  std::vector<PetscBLASInt> pivots_;
};

}  // namespace sinew
