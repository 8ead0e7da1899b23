#include "model/expression_pieces.hpp"

#include "model/expression_switches.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinew {

namespace {

/// What depends on variables: not a number.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
bool is_unknown(const Dual1& a) { return a.value != a.value; }

/// What angles that are half a turn apart may be off for rounding: some thousand roundings of a half turn.
constexpr double half_turn_rounding = 1e-12;

/// What the number d that decides chooses (switch_argument: its sign; for `floor` its whole part).
double choice_at(ExpressionOp op, double d) {
  switch (op) {
    case ExpressionOp::floor: return std::floor(d);
    case ExpressionOp::atan2: return std::signbit(d) ? -1 : 1;
    case ExpressionOp::select: return d != 0 ? 1 : 0;
    case ExpressionOp::less_equal:
    case ExpressionOp::greater: return d > 0 ? 1 : -1;
    case ExpressionOp::sign:
    case ExpressionOp::equal:
    case ExpressionOp::not_equal: return d < 0 ? -1 : d > 0 ? 1 : 0;  // no piece begins with what holds for an instant
    default: return d < 0 ? -1 : 1;
  }
}

void note(ExpressionOp op, const Dual1* a, Pieces& pieces) {
  const Dual1 d = switch_argument(SwitchPiece(), op, a);
  const bool turns = op == ExpressionOp::atan2, is_stair = op == ExpressionOp::floor;
  const bool has_none = turns && a[0].value == 0 && a[1].value == 0;                // the origin, through which an angle jumps
  const double choice = is_unknown(d) ? 1 : has_none ? 0 : choice_at(op, d.value);  // one that stays, also of `floor`
  if (is_unknown(d)) pieces.is_known = false;
  pieces.choices.push_back(choice);
  const double nearest = is_stair ? std::round(d.value) : 0.0, level = is_stair ? choice + (d.grad > 0 ? 1 : 0) : 0.0;
  pieces.margins.push_back(d - nearest);
  pieces.tables.emplace_back();
  pieces.turns.push_back(turns ? 1 : 0);
  if (d.grad != 0 && !turns) pieces.changes.push_back(pieces.t + (level - d.value) / d.grad);
}

/// The number of the piece, counted from 1: choices without part are 0.
void note(const Knots& table, const Dual1& x, Pieces& pieces) {
  pieces.choices.push_back(1.0 + static_cast<double>(table.piece(x.value)));
  if (is_unknown(x)) pieces.is_known = false;
  pieces.margins.push_back(x);
  pieces.tables.push_back(table);
  pieces.turns.push_back(0);
}

/// Does the result change with time while all choices stay? `moves`: do the operands?
bool moves_within(ExpressionOp op, const Dual1* a, const bool* moves) {
  const auto is_nothing = [&](int k) { return a[k].value == 0 && !moves[k]; };
  switch (op) {
    case ExpressionOp::floor:
    case ExpressionOp::sign:
    case ExpressionOp::logical_not: return false;
    case ExpressionOp::select: return moves[a[0].value != 0 ? 1 : 2];
    case ExpressionOp::min: return moves[a[1].value < a[0].value ? 1 : 0];
    case ExpressionOp::max: return moves[a[1].value > a[0].value ? 1 : 0];
    case ExpressionOp::multiply: return (moves[0] || moves[1]) && !is_nothing(0) && !is_nothing(1);
    default: break;
  }
  if (op >= ExpressionOp::less && op <= ExpressionOp::logical_or) return false;
  return moves[0] || (operands_of(op) == 2 && moves[1]);
}

/// Which operand of an operation has no part in its result: what a condition drops, what is multiplied by nothing. -1: all have.
/// Nothing is what stays 0 with the choices that made it so: a zero of what moves is an instant, or what is too small for a
/// double (u^2 before u = 1e-162). Where a variable decides, either operand may have its part some time.
int idle_operand(ExpressionOp op, const Dual1* a, const bool* moves) {
  const auto is_nothing = [&](int k) { return a[k].value == 0 && !moves[k]; };
  const auto is_true = [&](int k) { return a[k].value != 0 && !is_unknown(a[k]); };
  switch (op) {
    case ExpressionOp::select: return is_unknown(a[0]) ? -1 : is_true(0) ? 2 : 1;
    case ExpressionOp::min: return is_unknown(a[0] - a[1]) ? -1 : a[1].value < a[0].value ? 0 : 1;
    case ExpressionOp::max: return is_unknown(a[0] - a[1]) ? -1 : a[1].value > a[0].value ? 0 : 1;
    case ExpressionOp::multiply:
    case ExpressionOp::logical_and: return is_nothing(0) ? 1 : is_nothing(1) ? 0 : -1;
    case ExpressionOp::logical_or: return is_true(0) ? 1 : is_true(1) ? 0 : -1;
    default: return -1;
  }
}

/// What instruction i makes of its operands: of one that is not known something that is not known, truth values too, unless it
/// has no part in the result.
Dual1 result_of(const Expression& expression, std::size_t i, Dual1* a, int idle) {
  if (idle >= 0 && is_unknown(a[idle])) a[idle] = Dual1(0.0);
  for (int k = 0; k < operands_of(expression.program()[i].op); ++k)
    if (is_unknown(a[k])) return {unknown, unknown};
  return expression.operate(i, a);
}

/// Evaluates an expression instruction by instruction, and notes what each chooses.
class PieceWalk {
 public:
  PieceWalk(const Expression& expression, const Indices& indices, double t, double rows_apart)
      : expression_(expression), indices_(indices), rows_apart_(rows_apart) {
    pieces_.t = t;
  }

  Pieces run() {
    for (std::size_t i = 0; i < expression_.program().size(); ++i) {
      const ExpressionInstruction& instruction = expression_.program()[i];
      switch (instruction.op) {
        case ExpressionOp::constant: push(Dual1(instruction.constant)); break;
        case ExpressionOp::time: push(Dual1(pieces_.t, 1.0), true); break;
        case ExpressionOp::index0: push(Dual1(static_cast<double>(indices_[0]))); break;
        case ExpressionOp::index1: push(Dual1(static_cast<double>(indices_[1]))); break;
        case ExpressionOp::variable: push(Dual1(unknown), true); break;
        case ExpressionOp::straight_table: straight_table(i); break;
        case ExpressionOp::table: smooth_table(i); break;
        default: operation(i);
      }
    }
    return std::move(pieces_);
  }

 private:
  void push(const Dual1& value, bool is_moving = false) {
    first_[top_] = pieces_.choices.size();
    moves_[top_] = is_moving;
    stack_[top_++] = value;
  }

  /// Choices within an operand, counted from the top, have no part in the value.
  void drop(int operand) {
    std::fill(pieces_.choices.begin() + static_cast<std::ptrdiff_t>(first_[top_ + operand]),
              pieces_.choices.begin() + static_cast<std::ptrdiff_t>(first_[top_ + operand + 1]), 0.0);
  }

  void straight_table(std::size_t i) {
    const StraightTable& table = expression_.straight_table(i);
    first_[top_--] = pieces_.choices.size();
    const bool is_level = !is_unknown(stack_[top_]) && table.slope(table.piece(stack_[top_].value)) == 0;
    if (is_level) drop(0);
    note(Knots(table), stack_[top_], pieces_);
    moves_[top_] = moves_[top_] && !is_level;
    stack_[top_] = expression_.operate(i, stack_ + top_);
    ++top_;
  }

  void smooth_table(std::size_t i) {
    first_[top_--] = pieces_.choices.size();
    if (std::isfinite(rows_apart_) && !is_unknown(stack_[top_])) {
      const Knots rows(expression_.smooth_table(i));
      const Dual1 x = stack_[top_];
      note(rows, x, pieces_);
      if (!(rows.length(rows.piece(x.value)) >= rows_apart_ * std::abs(x.grad))) pieces_.choices.back() = 0;
    }
    stack_[top_] = expression_.operate(i, stack_ + top_);
    ++top_;
  }

  void operation(std::size_t i) {
    const ExpressionOp op = expression_.program()[i].op;
    top_ -= operands_of(op);
    first_[top_ + operands_of(op)] = pieces_.choices.size();
    const int idle = idle_operand(op, stack_ + top_, moves_ + top_);
    if (idle >= 0) drop(idle);
    if (chooses(op)) note(op, stack_ + top_, pieces_);
    moves_[top_] = moves_within(op, stack_ + top_, moves_ + top_);
    stack_[top_] = result_of(expression_, i, stack_ + top_, idle);
    ++top_;
  }

  const Expression& expression_;
  const Indices& indices_;
  double rows_apart_;
  Pieces pieces_;
  Dual1 stack_[Expression::max_depth];
  bool moves_[Expression::max_depth] = {};             ///< what of it changes with time within a piece
  std::size_t first_[Expression::max_depth + 1] = {};  ///< choice of every operand on the stack
  int top_ = 0;
};

}  // namespace

bool chooses(ExpressionOp op) {
  return is_switch(op) || op == ExpressionOp::equal || op == ExpressionOp::not_equal || op == ExpressionOp::select;
}

bool agree(const Pieces& a, const Pieces& b) {
  for (std::size_t k = 0; k < a.choices.size(); ++k) {
    const bool are_equal = a.choices[k] == b.choices[k];
    if (a.turns[k] == 0 || a.choices[k] == 0 || b.choices[k] == 0) {
      if (!are_equal) return false;
      continue;
    }
    const double beyond = std::abs(a.margins[k].value - b.margins[k].value) - std::numbers::pi;
    if (are_equal ? beyond >= -half_turn_rounding : !(beyond > half_turn_rounding)) return false;
  }
  return true;
}

Pieces pieces_at(const Expression& expression, const Indices& indices, double t, double rows_apart) {
  return PieceWalk(expression, indices, t, rows_apart).run();
}

}  // namespace sinew
