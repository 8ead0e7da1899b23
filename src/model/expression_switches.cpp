#include "model/expression_switches.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

bool compares(ExpressionOp op) {
  return op == ExpressionOp::less || op == ExpressionOp::less_equal || op == ExpressionOp::greater ||
         op == ExpressionOp::greater_equal;
}

/// What is known of a number on the stack before it has a value.
struct Operand {
  bool varies = false;       ///< it depends on variables
  bool is_truth = false;     ///< 1 or 0, or a variable that may be so
  bool is_positive = false;  ///< it is a number above 0
};

bool is_logical(ExpressionOp op) {
  return op == ExpressionOp::logical_and || op == ExpressionOp::logical_or || op == ExpressionOp::logical_not;
}

}  // namespace

bool is_switch(ExpressionOp op) {
  switch (op) {
    case ExpressionOp::abs:
    case ExpressionOp::min:
    case ExpressionOp::max:
    case ExpressionOp::floor:
    case ExpressionOp::sign:
    case ExpressionOp::atan2:
    case ExpressionOp::straight_table: return true;
    default: return compares(op);
  }
}

int switches_of(ExpressionOp op) { return op == ExpressionOp::straight_table ? 2 : 1; }

bool jumps(ExpressionOp op) { return compares(op) || op == ExpressionOp::sign || op == ExpressionOp::atan2; }

bool has_kink_alone(ExpressionOp op) {
  return op == ExpressionOp::abs || op == ExpressionOp::min || op == ExpressionOp::max || op == ExpressionOp::straight_table;
}

SwitchPiece piece_at(ExpressionOp op, double g, double width) {
  if (op == ExpressionOp::atan2) g = std::remainder(g, 2 * std::numbers::pi);
  if (std::abs(g) < width / 2) return {.slides = true, .center = 0.5, .steepness = 1 / width, .width = width};
  SwitchPiece piece;
  piece.width = width;
  const bool upper_at_zero = op == ExpressionOp::less || op == ExpressionOp::greater_equal || op == ExpressionOp::abs ||
                             op == ExpressionOp::max || op == ExpressionOp::sign;
  piece.upper = g > 0 || (g == 0 && upper_at_zero) ? 1 : 0;
  if (op == ExpressionOp::floor) piece.base = std::floor(g);
  if (op == ExpressionOp::atan2) {
    piece.upper = std::signbit(g) ? 0 : 1;
    piece.base = g;
  }
  return piece;
}

double margin_of(ExpressionOp op, const SwitchPiece& piece, double g) {
  if (op == ExpressionOp::floor) return std::min(g - piece.base, piece.base + 1 - g);
  if (piece.slides && piece.width > 0) return 0.5 - std::abs(g) / piece.width;  // however steep it is within a step
  if (piece.slides) return std::min(piece.part(g), 1 - piece.part(g));
  return (piece.upper != 0 ? g : -g) - piece.width / 2;
}

SwitchPiece piece_beyond(ExpressionOp op, const SwitchPiece& piece, double g) {
  if (piece.width > 0 && !piece.slides) return piece_at(op, 0, piece.width);
  SwitchPiece next;
  next.width = piece.width;
  if (op == ExpressionOp::atan2) next.base = g;
  if (op == ExpressionOp::floor) {
    next.base = piece.base + (g - piece.base > 0.5 ? 1 : -1);
  } else if (piece.slides) {
    next.upper = (piece.width > 0 ? g > 0 : piece.part(g) > 0.5) ? 1 : 0;
  } else {
    next.upper = 1 - piece.upper;
  }
  return next;
}

std::vector<SwitchMark> mark_switches(const Expression& expression) {
  std::vector<SwitchMark> marks;
  std::vector<Operand> stack;
  int count = 0;
  for (const ExpressionInstruction& instruction : expression.program()) {
    const ExpressionOp op = instruction.op;
    const int operands = operands_of(op);
    const auto first = stack.end() - operands;
    Operand result;
    result.varies = op == ExpressionOp::variable || std::any_of(first, stack.end(), [](const Operand& o) { return o.varies; });
    const bool of_truths = operands > 0 && std::all_of(first, stack.end(), [](const Operand& o) { return o.is_truth; });
    SwitchMark mark;
    const bool has_no_cut = op == ExpressionOp::atan2 && stack.back().is_positive;
    if (is_switch(op) && result.varies && !has_no_cut) {
      mark.number = count;
      count += switches_of(op);
    }
    mark.blends = (is_logical(op) && of_truths) || (op == ExpressionOp::select && first->is_truth);
    result.is_positive = op == ExpressionOp::constant && instruction.constant > 0;
    result.is_truth = op == ExpressionOp::variable || compares(op) || (is_logical(op) && of_truths);
    stack.erase(first, stack.end());
    stack.push_back(result);
    marks.push_back(mark);
  }
  return marks;
}

}  // namespace sinew
