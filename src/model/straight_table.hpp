/// \file
/// Measured values, straight from one row to the next.
#pragma once

#include "kernels/algebra/dual.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace sinew {

/// The function through two or more rows of an argument and its value, arguments rising, that is straight between them and
/// constant beyond. Rows at which its slope changes are its kinks, counted from 0; piece k lies before kink k and behind the one
/// before.
class StraightTable {
 public:
  explicit StraightTable(const std::vector<std::array<double, 2>>& rows);

  std::size_t num_kinks() const { return pieces_.size() - 1; }
  double kink(std::size_t k) const { return pieces_[k + 1].begin; }
  double slope(std::size_t piece) const { return pieces_[piece].slope; }
  /// The value before the first row.
  double first_value() const { return pieces_.front().value; }

  /// The piece that an argument lies on, of two that meet there the upper one. Takes as long as the logarithm of their number.
  std::size_t piece(double x) const;
  /// The value on a piece, which goes on straight beyond its ends; the derivatives of the argument come along.
  template <class S>
  S value_on(std::size_t piece, const S& x) const;
  template <class S>
  S value(const S& x) const {
    return value_on(piece(value_of(x)), x);
  }

 private:
  struct Piece {
    double begin, value, slope;  ///< where it begins, what it is there
  };
  std::vector<Piece> pieces_;
};

template <class S>
S StraightTable::value_on(std::size_t piece, const S& x) const {
  const Piece& there = pieces_[piece];
  return piece == 0 ? S(there.value) : there.value + there.slope * (x - there.begin);
}

}  // namespace sinew
