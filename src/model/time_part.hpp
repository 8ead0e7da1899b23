/// \file
/// Parts of expressions that depend on time alone: their values, and where they and their derivatives lie over an interval of
/// time.
#pragma once

#include "model/expression.hpp"

#include <vector>

namespace sinew {

/// All numbers between two; infinite where nothing is known.
struct ValueInterval {
  double low = 0, high = 0;
  double width() const { return high - low; }
  /// The largest absolute value.
  double size() const;
};

/// Where a function of time and its first two derivatives lie.
struct TimeRange {
  ValueInterval value, rate, acceleration;
};

/// A function of time over an interval: where it lies, and its value in the middle, by which choices go.
struct MovingValue {
  MovingValue() = default;
  MovingValue(double constant) : range{{constant, constant}, {}, {}}, middle(constant) {}  // NOLINT: a number does not move
  MovingValue(const TimeRange& r, double m) : range(r), middle(m) {}
  TimeRange range;
  double middle = 0;
};
/// What instruction i of an expression, no operand, makes of them.
MovingValue operate_on(const Expression&, std::size_t i, const MovingValue* operands);
/// The root of one that is never negative but for rounding.
MovingValue square_root(const MovingValue&);
/// Over [from, to].
MovingValue moving_time(double from, double to);

/// The instructions from `begin` until `end` of an expression for one instance of its item. The expression must outlive it.
class TimePart {
 public:
  TimePart(const Expression& expression, const Indices& indices, std::size_t begin, std::size_t end)
      : expression_(&expression), indices_(indices), begin_(begin), end_(end) {}

  double value(double t) const { return evaluate(t); }
  /// Over any scalar: with the derivatives that come along.
  template <class S>
  S evaluate(const S& t) const {
    const auto operate = [this](std::size_t i, const S* a) { return expression_->operate(i, a); };
    return expression_->evaluate_part<S>(begin_, end_, t, indices_, nullptr, operate);
  }
  /// Everything that it is between two times, up to rounding and with room to spare, if all choices (conditions, `abs`, `min`,
  /// `floor` ...) are those of the middle: between two neighbouring breaks. By interval arithmetic over the rules of
  /// differentiation (R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, SIAM 2009, 5 and 9).
  TimeRange range(double from, double to) const;

 private:
  const Expression* expression_;
  Indices indices_;
  std::size_t begin_, end_;
};

/// The largest parts of an expression that know nothing but time, and indices.
std::vector<TimePart> time_parts(const Expression&, const Indices&);
/// Those of them that are more than polynomials of time between breaks (up to the fifth power, whose steps see what they do).
std::vector<TimePart> curved_time_parts(const Expression&, const Indices&);
/// Does it do more with its variables than polynomials do (up to the fifth power)?
bool bends_variables(const Expression&);
/// Of the same kind, those by which an expression goes over to another piece: what is compared, arguments of `abs`, `min` ...
std::vector<TimePart> deciding_time_parts(const Expression&, const Indices&);

}  // namespace sinew
