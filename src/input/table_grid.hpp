/// \file
/// Tables of two values: maps of engines, of profiles, of tyres.
#pragma once

#include "model/expression.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// Values over a lattice of two arguments, each of which rises.
struct TableGrid {
  std::vector<double> x, y;
  std::vector<std::vector<double>> values;  ///< [x][y]
};

/// A function of two values as a sum of products of tables of one: sum over k of of_x[k](x) of_y[k](y), which an expression
/// writes out; of_y may be null, 1. Between the places of a lattice such a sum of straight tables is bilinear and constant beyond
/// them, one of smooth tables the bicubic spline that is natural in both directions (C. de Boor, A Practical Guide to Splines,
/// XVII).
struct TableOfTwo {
  struct Term {
    std::shared_ptr<const ValueTable> of_x, of_y;
  };
  std::vector<Term> terms;
};

/// The function through the values of a lattice of two or more places in either direction.
TableOfTwo table_of(const TableGrid& grid, bool is_smooth);

}  // namespace sinew
