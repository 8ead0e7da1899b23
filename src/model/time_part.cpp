#include "model/time_part.hpp"

#include "model/expression_pieces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;
constexpr ValueInterval anything{-infinite, infinite};
/// Powers that count as polynomials.
constexpr double highest_power = 5;

ValueInterval point(double a) { return {a, a}; }
bool is_zero(const ValueInterval& a) { return a.low == 0 && a.high == 0; }
bool contains(const ValueInterval& a, double x) { return a.low <= x && x <= a.high; }
ValueInterval operator-(const ValueInterval& a) { return {-a.high, -a.low}; }
ValueInterval operator+(const ValueInterval& a, const ValueInterval& b) { return {a.low + b.low, a.high + b.high}; }
ValueInterval operator-(const ValueInterval& a, const ValueInterval& b) { return {a.low - b.high, a.high - b.low}; }

/// Nothing times anything is nothing: factors are finite numbers, however little is known of them.
ValueInterval operator*(const ValueInterval& a, const ValueInterval& b) {
  const auto product = [](double x, double y) { return x == 0 || y == 0 ? 0.0 : x * y; };
  const std::array<double, 4> all{product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)};
  return {*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
}
ValueInterval operator*(double a, const ValueInterval& b) { return point(a) * b; }

ValueInterval square(const ValueInterval& a) {
  const double most = a.size(), least = contains(a, 0) ? 0.0 : std::min(std::abs(a.low), std::abs(a.high));
  return {least * least, most * most};
}

ValueInterval reciprocal(const ValueInterval& a) { return contains(a, 0) ? anything : ValueInterval{1 / a.high, 1 / a.low}; }

template <class F>
ValueInterval rising(const ValueInterval& a, F f) {
  return {f(a.low), f(a.high)};
}

/// a^n for a constant n; of roots of negative numbers what has a value.
ValueInterval power(const ValueInterval& a, double n) {
  if (n == 0) return point(1);
  if (n == 1) return a;
  if (n < 0) return reciprocal(power(a, -n));
  const auto f = [n](double x) { return std::pow(x, n); };
  const bool is_whole = n == std::floor(n), is_even = is_whole && std::fmod(n, 2) == 0;
  if (is_whole && !is_even) return rising(a, f);
  if (!is_whole) return a.high < 0 ? anything : rising({std::max(a.low, 0.0), a.high}, f);
  return rising({contains(a, 0) ? 0.0 : std::min(std::abs(a.low), std::abs(a.high)), a.size()}, f);
}

ValueInterval sine(const ValueInterval& a) {
  if (!(a.width() < 2 * pi)) return {-1, 1};
  const auto reaches = [&](double top) { return top + 2 * pi * std::ceil((a.low - top) / (2 * pi)) <= a.high; };
  const double low = std::sin(a.low), high = std::sin(a.high);
  return {reaches(-pi / 2) ? -1 : std::min(low, high), reaches(pi / 2) ? 1 : std::max(low, high)};
}

ValueInterval cosine(const ValueInterval& a) { return sine({a.low + pi / 2, a.high + pi / 2}); }

TimeRange still(const ValueInterval& value) { return {value, {}, {}}; }

TimeRange sum(const TimeRange& a, const TimeRange& b) {
  return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
}

TimeRange negative(const TimeRange& a) { return {-a.value, -a.rate, -a.acceleration}; }

TimeRange product(const TimeRange& a, const TimeRange& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * (a.rate * b.rate) + a.value * b.acceleration};
}

/// g(a), from where g, g' and g'' lie over a's values.
TimeRange chain(const TimeRange& a, const ValueInterval& g, const ValueInterval& first, const ValueInterval& second) {
  return {g, first * a.rate, second * square(a.rate) + first * a.acceleration};
}

TimeRange over(const TimeRange& a) {
  const ValueInterval r = reciprocal(a.value);
  return chain(a, r, -square(r), 2 * power(r, 3));
}

TimeRange exponential(const TimeRange& a) {
  const ValueInterval e = rising(a.value, [](double x) { return std::exp(x); });
  return chain(a, e, e, e);
}

TimeRange logarithm(const TimeRange& a) {
  const ValueInterval r = a.value.low > 0 ? reciprocal(a.value) : ValueInterval{0, infinite};
  return chain(
      a, a.value.high > 0 ? rising({std::max(a.value.low, 0.0), a.value.high}, [](double x) { return std::log(x); }) : anything,
      r, -square(r));
}

TimeRange power_of(const TimeRange& a, const TimeRange& b) {
  const double n = b.value.low;
  if (n != b.value.high || !is_zero(b.rate)) return exponential(product(b, logarithm(a)));
  return chain(a, power(a.value, n), n * power(a.value, n - 1), n * (n - 1) * power(a.value, n - 2));
}

TimeRange arc_sine(const TimeRange& a) {
  const ValueInterval x{std::clamp(a.value.low, -1.0, 1.0), std::clamp(a.value.high, -1.0, 1.0)}, rest = point(1) - square(x);
  const ValueInterval first = power(rest, -0.5);
  return chain(a, rising(x, [](double v) { return std::asin(v); }), first, x * power(first, 3));
}

TimeRange arc_tangent(const TimeRange& a) {
  const ValueInterval first = reciprocal(point(1) + square(a.value));
  return chain(a, rising(a.value, [](double v) { return std::atan(v); }), first, -2 * (a.value * square(first)));
}

TimeRange angle(const TimeRange& y, const TimeRange& x) {
  const ValueInterval r = reciprocal(square(x.value) + square(y.value));
  const ValueInterval turn = x.value * y.rate - y.value * x.rate;
  const ValueInterval second = x.value * y.acceleration - y.value * x.acceleration;
  return {{-pi, pi}, turn * r, second * r - 2 * (turn * square(r) * (x.value * x.rate + y.value * y.rate))};
}

TimeRange tangent(const TimeRange& a) {
  const auto branch = [](double x) { return std::floor(x / pi + 0.5); };
  const bool is_one = branch(a.value.low) == branch(a.value.high);
  const ValueInterval v = is_one ? rising(a.value, [](double x) { return std::tan(x); }) : anything, first = point(1) + square(v);
  return chain(a, v, first, 2 * (v * first));
}

TimeRange hyperbolic(ExpressionOp op, const TimeRange& a) {
  const ValueInterval s = rising(a.value, [](double x) { return std::sinh(x); });
  const ValueInterval c =
      rising({contains(a.value, 0) ? 0.0 : std::min(std::abs(a.value.low), std::abs(a.value.high)), a.value.size()},
             [](double x) { return std::cosh(x); });
  if (op == ExpressionOp::sinh) return chain(a, s, c, s);
  if (op == ExpressionOp::cosh) return chain(a, c, s, c);
  const ValueInterval t = rising(a.value, [](double x) { return std::tanh(x); }), first = square(reciprocal(c));
  return chain(a, t, first, -2 * (t * first));
}

TimeRange function(ExpressionOp op, const MovingValue* a) {
  const TimeRange& x = a[0].range;
  switch (op) {
    case ExpressionOp::sin: return chain(x, sine(x.value), cosine(x.value), -sine(x.value));
    case ExpressionOp::cos: return chain(x, cosine(x.value), -sine(x.value), -cosine(x.value));
    case ExpressionOp::tan: return tangent(x);
    case ExpressionOp::asin: return arc_sine(x);
    case ExpressionOp::acos: return sum(still(point(pi / 2)), negative(arc_sine(x)));
    case ExpressionOp::atan: return arc_tangent(x);
    case ExpressionOp::atan2: return angle(x, a[1].range);
    case ExpressionOp::exp: return exponential(x);
    case ExpressionOp::log: return logarithm(x);
    case ExpressionOp::sqrt: return power_of(x, still(point(0.5)));
    case ExpressionOp::abs: return a[0].middle < 0 ? negative(x) : x;
    case ExpressionOp::min: return a[a[1].middle < a[0].middle ? 1 : 0].range;
    case ExpressionOp::max: return a[a[1].middle > a[0].middle ? 1 : 0].range;
    default: return hyperbolic(op, x);
  }
}

/// `middle`: the result there, which is all of it where choices are all that it is made of.
TimeRange operate(ExpressionOp op, const MovingValue* a, double middle) {
  switch (op) {
    case ExpressionOp::negate: return negative(a[0].range);
    case ExpressionOp::add: return sum(a[0].range, a[1].range);
    case ExpressionOp::subtract: return sum(a[0].range, negative(a[1].range));
    case ExpressionOp::multiply: return product(a[0].range, a[1].range);
    case ExpressionOp::divide: return product(a[0].range, over(a[1].range));
    case ExpressionOp::power: return power_of(a[0].range, a[1].range);
    case ExpressionOp::select: return a[a[0].middle != 0 ? 1 : 2].range;
    case ExpressionOp::floor:
    case ExpressionOp::sign: return still(point(middle));
    default: return op >= ExpressionOp::sin ? function(op, a) : still(point(middle));
  }
}

TimeRange look_up(const SmoothTable& table, const TimeRange& x) {
  const SmoothTable::Bounds b = table.bounds(x.value.low, x.value.high);
  return chain(x, {b.value[0], b.value[1]}, {b.first[0], b.first[1]}, {b.second[0], b.second[1]});
}

/// On the piece that the middle lies on.
TimeRange look_up(const StraightTable& table, const MovingValue& x) {
  const std::size_t piece = table.piece(x.middle);
  const double slope = table.slope(piece), begin = piece > 0 ? table.kink(piece - 1) : x.middle;
  const TimeRange there = still(point(table.value_on(piece, begin)));
  return slope == 0 ? there : sum(there, product(still(point(slope)), sum(x.range, still(point(-begin)))));
}

/// Not a number is what comes of infinities: anything.
ValueInterval known(const ValueInterval& a) { return {a.low != a.low ? -infinite : a.low, a.high != a.high ? infinite : a.high}; }

bool is_constant_between_breaks(ExpressionOp op) {
  const bool is_truth = op >= ExpressionOp::less && op <= ExpressionOp::logical_not;
  return is_truth || op == ExpressionOp::floor || op == ExpressionOp::sign;
}

/// What an operation makes of operands that are polynomials of time between breaks: another one?
bool stays_polynomial(ExpressionOp op, bool second_is_constant, double constant) {
  if (op == ExpressionOp::divide) return second_is_constant;
  if (op == ExpressionOp::power)
    return second_is_constant && constant == std::floor(constant) && constant >= 0 && constant <= highest_power;
  const bool is_choice =
      op == ExpressionOp::abs || op == ExpressionOp::min || op == ExpressionOp::max || op == ExpressionOp::straight_table;
  return op < ExpressionOp::sin || is_choice;
}

/// The part of a program that makes an operand.
struct Stretch {
  std::size_t begin = 0, end = 0;
  bool is_known = true, has_time = false, is_polynomial = true;
  double constant = 0;  ///< not a number where it is none
  bool is_curved() const { return is_known && has_time && !is_polynomial; }
};

/// Goes through a program; `see` gets every operation, its operands, how many, and whether all of them are known. The whole.
template <class See>
Stretch walk(const Expression& expression, See see) {
  std::array<Stretch, Expression::max_depth> stack;
  int top = 0;
  const auto& program = expression.program();
  for (std::size_t i = 0; i < program.size(); ++i) {
    const ExpressionInstruction& instruction = program[i];
    const int count = operands_of(instruction.op);
    Stretch whole{i,
                  i + 1,
                  instruction.op != ExpressionOp::variable,
                  instruction.op == ExpressionOp::time,
                  true,
                  instruction.op == ExpressionOp::constant ? instruction.constant : unknown};
    top -= count;
    for (int k = top; k < top + count; ++k) {
      whole.begin = std::min(whole.begin, stack[k].begin);
      whole.is_known = whole.is_known && stack[k].is_known;
      whole.has_time = whole.has_time || stack[k].has_time;
      whole.is_polynomial = whole.is_polynomial && stack[k].is_polynomial;
    }
    if (count > 0) {
      const Stretch& second = stack[top + count - 1];
      if (is_constant_between_breaks(instruction.op))
        whole.is_polynomial = true;
      else if (whole.is_polynomial)
        whole.is_polynomial = stays_polynomial(instruction.op, !second.has_time && second.is_known, second.constant);
      see(instruction.op, stack.data() + top, count, whole.is_known);
    }
    stack[top++] = whole;
  }
  return stack[0];
}

/// The largest known parts of an expression, those that `is` takes.
template <class Is>
std::vector<TimePart> largest_parts(const Expression& expression, const Indices& indices, Is is) {
  std::vector<TimePart> parts;
  if (!expression.uses_time()) return parts;
  const auto take = [&](const Stretch& s) {
    if (is(s)) parts.emplace_back(expression, indices, s.begin, s.end);
  };
  // What an operation mixes with what is not known ends there.
  const Stretch all = walk(expression, [&](ExpressionOp, const Stretch* operands, int count, bool is_known) {
    if (!is_known) std::for_each(operands, operands + count, take);
  });
  take(all);
  return parts;
}

}  // namespace

MovingValue operate_on(const Expression& expression, std::size_t i, const MovingValue* operands) {
  const ExpressionOp op = expression.program()[i].op;
  std::array<double, 3> numbers{};
  for (int k = 0; k < operands_of(op); ++k) numbers[static_cast<std::size_t>(k)] = operands[k].middle;
  const double there = expression.operate(i, numbers.data());
  const TimeRange r = op == ExpressionOp::table            ? look_up(expression.smooth_table(i), operands[0].range)
                      : op == ExpressionOp::straight_table ? look_up(expression.straight_table(i), operands[0])
                                                           : operate(op, operands, there);
  return {{known(r.value), known(r.rate), known(r.acceleration)}, there};
}

MovingValue square_root(const MovingValue& a) {
  TimeRange range = a.range;
  range.value = {std::max(0.0, range.value.low), std::max(0.0, range.value.high)};
  return {power_of(range, still(point(0.5))), std::sqrt(std::max(0.0, a.middle))};
}

MovingValue moving_time(double from, double to) { return {{{from, to}, point(1), point(0)}, from + (to - from) / 2}; }

double ValueInterval::size() const { return std::max(std::abs(low), std::abs(high)); }

TimeRange TimePart::range(double from, double to) const {
  std::array<MovingValue, Expression::max_depth> stack;
  int top = 0;
  for (std::size_t i = begin_; i < end_; ++i) {
    const ExpressionInstruction& instruction = expression_->program()[i];
    switch (instruction.op) {
      case ExpressionOp::constant: stack[top++] = instruction.constant; break;
      case ExpressionOp::index0: stack[top++] = static_cast<double>(indices_[0]); break;
      case ExpressionOp::index1: stack[top++] = static_cast<double>(indices_[1]); break;
      case ExpressionOp::time: stack[top++] = moving_time(from, to); break;
      default:
        top -= operands_of(instruction.op);
        stack[top] = operate_on(*expression_, i, stack.data() + top);
        ++top;
    }
  }
  return stack[0].range;
}

bool bends_variables(const Expression& expression) {
  bool bends = false;
  walk(expression, [&](ExpressionOp op, const Stretch* operands, int count, bool is_known) {
    const Stretch& last = operands[count - 1];
    const bool is_number = last.is_known && !last.has_time;
    if (!is_known && !is_constant_between_breaks(op) && !stays_polynomial(op, is_number, last.constant)) bends = true;
  });
  return bends;
}

std::vector<TimePart> time_parts(const Expression& expression, const Indices& indices) {
  return largest_parts(expression, indices, [](const Stretch& s) { return s.is_known && s.has_time; });
}

std::vector<TimePart> curved_time_parts(const Expression& expression, const Indices& indices) {
  return largest_parts(expression, indices, [](const Stretch& s) { return s.is_curved(); });
}

std::vector<TimePart> deciding_time_parts(const Expression& expression, const Indices& indices) {
  std::vector<TimePart> parts;
  if (!expression.uses_time()) return parts;
  walk(expression, [&](ExpressionOp op, const Stretch* operands, int count, bool) {
    for (int k = 0; chooses(op) && k < (op == ExpressionOp::select ? 1 : count); ++k)
      if (operands[k].is_curved()) parts.emplace_back(expression, indices, operands[k].begin, operands[k].end);
  });
  return parts;
}

}  // namespace sinew
