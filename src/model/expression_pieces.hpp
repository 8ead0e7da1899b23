/// \file
/// On which of its pieces an expression is at a time: what its conditions, limits, tables and angles choose.
#pragma once

#include "model/expression.hpp"

#include <limits>
#include <vector>

namespace sinew {

/// Does an operation choose between pieces?
bool chooses(ExpressionOp);

/// Where the pieces of a table meet, from the first on: kinks of a straight one, rows of a smooth one.
class Knots {
 public:
  Knots() = default;
  explicit Knots(const StraightTable& table) : straight_(&table), count_(table.num_kinks()) {}
  explicit Knots(const SmoothTable& table) : smooth_(&table), count_(table.num_rows()) {}

  bool exist() const { return straight_ != nullptr || smooth_ != nullptr; }
  std::size_t count() const { return count_; }
  double at(std::size_t k) const { return smooth_ != nullptr ? smooth_->argument(k) : straight_->kink(k); }
  /// The piece that an argument lies on, by how many knots are behind it; of two that meet there the upper one.
  std::size_t piece(double x) const {
    std::size_t first = 0, last = count_;
    while (first < last) {
      const std::size_t middle = (first + last) / 2;
      if (at(middle) <= x)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }
  /// How long a piece is; those beyond the ends have none.
  double length(std::size_t piece) const {
    return piece == 0 || piece == count_ ? std::numeric_limits<double>::infinity() : at(piece) - at(piece - 1);
  }

 private:
  const StraightTable* straight_ = nullptr;
  const SmoothTable* smooth_ = nullptr;
  std::size_t count_ = 0;
};

/// What holds at a time, choice by choice, how far the number that decides each of them is from its change, and when each choice
/// would change if that number went on linearly. Of a table, which has many changes, that number itself.
struct Pieces {
  double t = 0;
  std::vector<double> choices;
  std::vector<Dual1> margins;   ///< of either sign, with their rates; arguments of tables; angles from the cut of `atan2`
  std::vector<Knots> tables;    ///< between whose pieces a choice is; none of other choices
  std::vector<char> turns;      ///< which choices are between the sides of a cut, and change at all whole turns of their margins
  std::vector<double> changes;  ///< of choices without table that do not turn
  bool is_known = true;         ///< no choice depends on a variable
};

/// Does the same hold at two times, with no change between them that shows? Sides of a cut may differ where the angle from it has
/// gone the other way, by more than half a turn; one that has come to the opposite side, up to rounding, may have jumped there,
/// as where (x, y) goes through the origin.
bool agree(const Pieces&, const Pieces&);

/// What an expression chooses at time t. Choices that have no part in the value stay 0, so that none of their changes is one of
/// the expression. Rows of smooth tables are choices where they are `rows_apart` in time or more.
Pieces pieces_at(const Expression&, const Indices&, double t, double rows_apart = std::numeric_limits<double>::infinity());

}  // namespace sinew
