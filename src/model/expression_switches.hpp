/// \file
/// Expressions whose switches are held: comparisons, `abs`, `min`, `max`, `floor`, `sign`, `atan2` and tables of variables stay
/// on the piece that somebody has chosen, whatever their arguments come to, so that what they are part of is smooth.
#pragma once

#include "model/expression.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace sinew {

/// What a switch is held at. Its argument g is what decides: the difference of what is compared, the argument of `abs`, `sign`,
/// `floor`, of `atan2` the angle from its cut (`angle_from_cut`). While a switch slides its value lies between those of its two
/// pieces, by the part that the upper one has of it: center + steepness g. One with a width goes over from one piece to the other
/// within it, 1/2 + g/width, wherever its argument comes from.
struct SwitchPiece {
  double upper = 0;  ///< 1: the piece of g > 0; 0: that of g < 0
  double base = 0;   ///< of `floor`: its value; of a table: the number of the piece; of `atan2`: g where the step begins
  bool slides = false;
  double center = 0, steepness = 0;
  double width = 0;  ///< 0: it jumps

  double part(double g) const { return slides ? center + steepness * g : upper; }
};

/// The piece that holds where the argument is g.
SwitchPiece piece_at(ExpressionOp op, double g, double width = 0);
/// How far the argument may still go before the piece is left; negative where it has been left. Of the kind of g, of a switch
/// that slides without unit.
double margin_of(ExpressionOp op, const SwitchPiece& piece, double g);
/// Where the argument has left this piece: what it goes over to.
SwitchPiece piece_beyond(ExpressionOp op, const SwitchPiece& piece, double g);
/// Is it held where its argument depends on variables: has it pieces that a state is on? (Equality holds for an instant.)
bool is_switch(ExpressionOp op);
/// Do its two pieces differ in value where they meet? Then it may slide.
bool jumps(ExpressionOp op);
/// Do they have one value where they meet, and another slope at the most? (`floor` does neither.)
bool has_kink_alone(ExpressionOp op);
/// How many switches an operation has: a table one for each end of a piece, so that each has a margin that is as smooth as the
/// argument.
int switches_of(ExpressionOp op);

/// What an instruction is to the evaluation with held switches.
struct SwitchMark {
  int number = -1;      ///< of the (first) switch in its expression; -1: none
  bool blends = false;  ///< works on truth values, which lie between 0 and 1 while a switch slides
};

/// One mark for each instruction. What depends on the indices and the time alone is no switch: its changes are known beforehand.
std::vector<SwitchMark> mark_switches(const Expression&);

/// Of atan2(y, x), which goes over from pi to -pi where y = 0, x < 0: the angle of (x, y) from that cut towards y > 0,
///
///   g = atan2(y, -x) + 2 pi n        atan2(y, x) = pi - g for g from 0 to 2 pi, -pi - g for g from -2 pi to 0
///
/// n such that g is within half a turn of the piece's `base`: what turns from there through y = 0, x > 0 goes on steadily, and g
/// changes its sign at the cut alone.
template <class S>
S angle_from_cut(const SwitchPiece& piece, const S* a) {
  using math::atan2;
  const S g = atan2(a[0], -a[1]);
  const double off = value_of(g) - piece.base;
  if (std::abs(off) > std::numbers::pi) return g - std::copysign(2 * std::numbers::pi, off);
  return g;
}

/// The argument of a switch.
template <class S>
S switch_argument(const SwitchPiece& piece, ExpressionOp op, const S* a) {
  if (op == ExpressionOp::atan2) return angle_from_cut(piece, a);
  return operands_of(op) == 2 ? a[0] - a[1] : a[0];
}

/// The value of atan2(y, x) on a piece, steady beyond the cut: beyond pi on the upper one, below -pi on the lower one.
template <class S>
S angle_on(const SwitchPiece& piece, const S* a, const S& part) {
  using math::atan2;
  const double values[] = {value_of(a[0]), value_of(a[1])};
  const double is_upper = std::signbit(angle_from_cut(piece, values)) ? 0.0 : 1.0;
  return atan2(a[0], a[1]) + 2 * std::numbers::pi * (part - is_upper);
}

/// The value of a switch on a piece.
template <class S>
S value_on(const SwitchPiece& piece, ExpressionOp op, const S* a) {
  const S part = piece.slides ? piece.center + piece.steepness * switch_argument(piece, op, a) : S(piece.upper);
  switch (op) {
    case ExpressionOp::less:
    case ExpressionOp::less_equal: return 1.0 - part;
    case ExpressionOp::greater:
    case ExpressionOp::greater_equal: return part;
    case ExpressionOp::abs: return piece.upper != 0 ? a[0] : -a[0];
    case ExpressionOp::min: return piece.upper != 0 ? a[1] : a[0];
    case ExpressionOp::max: return piece.upper != 0 ? a[0] : a[1];
    case ExpressionOp::floor: return S(piece.base);
    case ExpressionOp::atan2: return angle_on(piece, a, part);
    default: return 2.0 * part - 1.0;  // sign
  }
}

/// `&&`, `||`, `!` and the choice between two values, for truth values between 0 and 1 as well.
template <class S>
S blended(ExpressionOp op, const S* a) {
  const double x = value_of(a[0]);
  if (op == ExpressionOp::logical_not) return 1.0 - a[0];
  if (op == ExpressionOp::logical_and) return a[0] * a[1];
  if (op == ExpressionOp::logical_or) return a[0] + a[1] - a[0] * a[1];
  if (x == 0 || x == 1) return x != 0 ? a[1] : a[2];  // what is not chosen may be undefined
  return a[0] * a[1] + (1.0 - a[0]) * a[2];
}

/// The value over any scalar. `value(number, op, a)` gives that of a switch; `slides`: some switch of what this is part of does.
template <class S, class Value>
S evaluate_switched(const Expression& expression, const std::vector<SwitchMark>& marks, bool slides, const S& t,
                    const Indices& indices, const S* variables, Value value) {
  return expression.evaluate_by(t, indices, variables, [&](std::size_t i, const S* a) {
    const ExpressionOp op = expression.program()[i].op;
    if (marks[i].number >= 0) return value(marks[i].number, op, a);
    return slides && marks[i].blends ? blended(op, a) : expression.operate(i, a);
  });
}

}  // namespace sinew
