/// \file
/// Measured values as a smooth function of one number.
#pragma once

#include "kernels/algebra/dual.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace sinew {

/// The natural cubic spline through two or more rows of an argument and its value, arguments rising: second derivatives are
/// continuous and vanish at both ends (C. de Boor, A Practical Guide to Splines, chapter IV), beyond which it goes on straight.
/// So it has no kink anywhere, and a motion by it no jump of velocities or accelerations.
class SmoothTable {
 public:
  explicit SmoothTable(const std::vector<std::array<double, 2>>& rows);

  std::size_t num_rows() const { return rows_.size(); }
  double argument(std::size_t k) const { return rows_[k].argument; }

  /// The value; the derivatives of the argument come along.
  template <class S>
  S value(const S& x) const;

  /// Where values, first and second derivatives lie between two arguments, with room to spare.
  struct Bounds {
    std::array<double, 2> value, first, second;
  };
  Bounds bounds(double from, double to) const;

 private:
  struct Row {
    double argument, value, second;  ///< the second derivative there
  };
  /// The piece that an argument lies on, by its first row; of those beyond the ends the nearest one.
  std::size_t piece(double x) const;
  double slope_at(std::size_t k, double x) const;

  std::vector<Row> rows_;
  double first_slope_ = 0, last_slope_ = 0;
};

template <class S>
S SmoothTable::value(const S& x) const {
  const double there = value_of(x);
  const Row &front = rows_.front(), &back = rows_.back();
  if (there < front.argument) return front.value + first_slope_ * (x - front.argument);
  if (there > back.argument) return back.value + last_slope_ * (x - back.argument);
  const Row *a = &rows_[piece(there)], *b = a + 1;
  const double h = b->argument - a->argument;
  const S u = x - a->argument;
  // by powers of u: the second derivative runs straight from that of one row to that of the next
  const double slope = (b->value - a->value) / h - h * (2 * a->second + b->second) / 6;
  return a->value + u * (slope + u * (a->second / 2 + u * ((b->second - a->second) / (6 * h))));
}

}  // namespace sinew
