#include "model/expression_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr int num_samples = samples_of_breaks;
constexpr std::size_t max_breaks = 10000;
/// An interval with more breaks than one in so many samples is divided into so many parts, which are searched one by one.
constexpr int samples_per_break = 5, parts_of_interval = 8;
/// Not a number: no comparison with it ever changes.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// No shorter interval, relative to its time, is divided.
constexpr double finest = 1e-9;
/// Predicted times are looked at from this distance, relative to their size, on both sides.
constexpr double vicinity = 1e-12;

/// What holds at a time, choice by choice, how far the number that decides each of them is from its change, and when each choice
/// would change if that number went on linearly.
struct Pieces {
  std::vector<double> choices;
  std::vector<Dual1> margins;  ///< of either sign, with their rates
  std::vector<double> changes;
  bool is_known = true;  ///< no choice depends on a variable
};

/// The number whose sign decides (for `floor`, that whose whole part does).
Dual1 decisive(ExpressionOp op, const Dual1* a) { return operands_of(op) == 2 ? a[0] - a[1] : a[0]; }

void note(ExpressionOp op, const Dual1* a, double t, Pieces& pieces) {
  const Dual1 d = decisive(op, a);
  double choice = d.value < 0 ? -1.0 : 1.0;
  if (op == ExpressionOp::floor) choice = std::floor(d.value);
  if (op == ExpressionOp::select) choice = d.value != 0 ? 1.0 : 0.0;
  const bool has_instant = op == ExpressionOp::sign || op == ExpressionOp::equal || op == ExpressionOp::not_equal;
  if (has_instant && d.value == 0) choice = 0;  // no piece begins with what holds there
  if (op == ExpressionOp::less_equal || op == ExpressionOp::greater) choice = d.value > 0 ? 1.0 : -1.0;
  pieces.choices.push_back(choice);
  if (d.value != d.value) pieces.is_known = false;
  const bool is_floor = op == ExpressionOp::floor;
  const double nearest = is_floor ? std::round(d.value) : 0.0, level = is_floor ? choice + (d.grad > 0 ? 1 : 0) : 0.0;
  pieces.margins.push_back(d - nearest);
  if (d.grad != 0) pieces.changes.push_back(t + (level - d.value) / d.grad);
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
/// double (u^2 before u = 1e-162).
int idle_operand(ExpressionOp op, const Dual1* a, const bool* moves) {
  const auto is_nothing = [&](int k) { return a[k].value == 0 && !moves[k]; };
  switch (op) {
    case ExpressionOp::select: return a[0].value != 0 ? 2 : 1;
    case ExpressionOp::min: return a[1].value < a[0].value ? 0 : 1;
    case ExpressionOp::max: return a[1].value > a[0].value ? 0 : 1;
    case ExpressionOp::multiply:
    case ExpressionOp::logical_and: return is_nothing(0) ? 1 : is_nothing(1) ? 0 : -1;
    case ExpressionOp::logical_or: return a[0].value != 0 ? 1 : a[1].value != 0 ? 0 : -1;
    default: return -1;
  }
}

/// Choices that have no part in the value stay 0, so that none of their changes is one of the expression.
Pieces pieces_at(const Expression& expression, const Indices& indices, double t) {
  Pieces pieces;
  Dual1 stack[Expression::max_depth];
  bool moves[Expression::max_depth] = {};             // what of it changes with time within a piece
  std::size_t first[Expression::max_depth + 1] = {};  // choice of every operand on the stack
  int top = 0;
  const auto push = [&](const Dual1& value, bool is_moving = false) {
    first[top] = pieces.choices.size();
    moves[top] = is_moving;
    stack[top++] = value;
  };
  for (std::size_t i = 0; i < expression.program().size(); ++i) {
    const ExpressionInstruction& instruction = expression.program()[i];
    switch (instruction.op) {
      case ExpressionOp::constant: push(Dual1(instruction.constant)); break;
      case ExpressionOp::time: push(Dual1(t, 1.0), true); break;
      case ExpressionOp::index0: push(Dual1(static_cast<double>(indices[0]))); break;
      case ExpressionOp::index1: push(Dual1(static_cast<double>(indices[1]))); break;
      case ExpressionOp::variable: push(Dual1(unknown), true); break;
      default:
        top -= operands_of(instruction.op);
        first[top + operands_of(instruction.op)] = pieces.choices.size();
        if (const int idle = idle_operand(instruction.op, stack + top, moves + top); idle >= 0)
          std::fill(pieces.choices.begin() + static_cast<std::ptrdiff_t>(first[top + idle]),
                    pieces.choices.begin() + static_cast<std::ptrdiff_t>(first[top + idle + 1]), 0.0);
        if (chooses(instruction.op)) note(instruction.op, stack + top, t, pieces);
        moves[top] = moves_within(instruction.op, stack + top, moves + top);
        stack[top] = expression.operate(i, stack + top);
        ++top;
    }
  }
  return pieces;
}

class Search {
 public:
  Search(const Expression& expression, const Indices& indices) : expression_(expression), indices_(indices) {}

  std::vector<std::pair<double, double>> run(double from, double to, const std::vector<double>& also) {
    std::vector<double> samples = also;
    for (int i = 1; i < num_samples; ++i) samples.push_back(from + (to - from) * i / num_samples);
    samples.push_back(to);
    std::sort(samples.begin(), samples.end());
    Pieces left = at(from);
    double a = from;
    for (const double b : samples) {
      if (!(b > a && b <= to)) continue;
      Pieces right = at(b);
      sweep(a, left, b, right);
      left = std::move(right);
      a = b;
    }
    return std::move(breaks_);
  }

 private:
  Pieces at(double t) const { return pieces_at(expression_, indices_, t); }

  /// Between two samples: the times that either of them predicts are looked at as well.
  void sweep(double a, const Pieces& left, double b, const Pieces& right) {
    std::vector<double> times;
    for (const Pieces* p : {&left, &right})
      for (const double t : p->changes)
        for (const double side : {t - vicinity * std::abs(t), t + vicinity * std::abs(t)})
          if (side > a && side < b) times.push_back(side);
    for (std::size_t k = 0; k < left.choices.size(); ++k)
      if (left.choices[k] == right.choices[k]) look_between(k, a, left, b, right, times);
    std::sort(times.begin(), times.end());
    times.push_back(b);
    double before = a;
    std::vector<double> choices = left.choices;
    for (const double t : times) {
      std::vector<double> now = t == b ? right.choices : at(t).choices;
      if (now != choices) bisect(before, choices, t, now);
      before = t;
      choices = std::move(now);
    }
  }

  /// A choice that is the same at both ends: where the number that decides it comes nearest to its change in between, as the
  /// signs of its rate show, is a time to look at.
  void look_between(std::size_t k, double a, const Pieces& left, double b, const Pieces& right,
                    std::vector<double>& times) const {
    constexpr int most_trials = 30;
    Dual1 low = left.margins[k], high = right.margins[k];
    if (!(low.grad * low.value < 0 && high.grad * high.value > 0 && low.grad * high.grad < 0)) return;
    for (int trial = 0; trial < most_trials && b - a > vicinity * std::abs(b); ++trial) {
      const double linear = low.grad / (low.grad - high.grad), t = a + (b - a) * (trial % 2 == 0 ? linear : 0.5);
      const Pieces middle = at(t);
      const Dual1 margin = middle.margins[k];
      if (middle.choices[k] != left.choices[k]) {
        times.push_back(t);
        return;
      }
      if (std::abs(margin.value) > std::abs(margin.grad) * (b - a)) return;  // at this rate it does not get there
      (margin.grad * low.grad > 0 ? a : b) = t;
      (margin.grad * low.grad > 0 ? low : high) = margin;
    }
  }

  /// All changes between two times whose choices differ.
  void bisect(double a, std::vector<double> left, double b, const std::vector<double>& right) {
    while (left != right && breaks_.size() < max_breaks) {
      double low = a, high = b;
      std::vector<double> beyond = right;
      for (double middle = low + (high - low) / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
        std::vector<double> choices = at(middle).choices;
        if (choices == left) {
          low = middle;
        } else {
          high = middle;
          beyond = std::move(choices);
        }
      }
      if (!breaks_.empty() && breaks_.back().second == low)
        breaks_.back().second = high;  // what lasts for an instant is no piece
      else
        breaks_.emplace_back(low, high);
      a = high;
      left = std::move(beyond);
    }
  }

  const Expression& expression_;
  const Indices& indices_;
  std::vector<std::pair<double, double>> breaks_;
};

}  // namespace

bool chooses(ExpressionOp op) {
  switch (op) {
    case ExpressionOp::less:
    case ExpressionOp::less_equal:
    case ExpressionOp::greater:
    case ExpressionOp::greater_equal:
    case ExpressionOp::equal:
    case ExpressionOp::not_equal:
    case ExpressionOp::select:
    case ExpressionOp::abs:
    case ExpressionOp::min:
    case ExpressionOp::max:
    case ExpressionOp::floor:
    case ExpressionOp::sign: return true;
    default: return false;
  }
}

bool may_break(const Expression& expression) {
  const auto& program = expression.program();
  return expression.uses_time() &&
         std::any_of(program.begin(), program.end(), [](const ExpressionInstruction& i) { return chooses(i.op); });
}

std::vector<std::pair<double, double>> find_breaks(const Expression& expression, const Indices& indices, double from, double to,
                                                   const std::vector<double>& also) {
  if (!may_break(expression) || !(to > from)) return {};
  auto breaks = Search(expression, indices).run(from, to, also);
  if (breaks.size() * samples_per_break <= num_samples || !((to - from) > finest * std::abs(to))) return breaks;
  breaks.clear();
  for (int part = 0; part < parts_of_interval && breaks.size() < max_breaks; ++part) {
    const double begin = from + (to - from) * part / parts_of_interval;
    const double end = part + 1 < parts_of_interval ? from + (to - from) * (part + 1) / parts_of_interval : to;
    for (const auto& [before, after] : find_breaks(expression, indices, begin, end, also)) {
      if (breaks.size() >= max_breaks) break;
      if (!breaks.empty() && breaks.back().second == before)
        breaks.back().second = after;
      else
        breaks.emplace_back(before, after);
    }
  }
  return breaks;
}

bool breaks_by_time_alone(const Expression& expression, const Indices& indices, double t) {
  return expression.variables().empty() || pieces_at(expression, indices, t).is_known;
}

}  // namespace sinew
