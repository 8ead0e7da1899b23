#include "model/expression_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr int num_samples = 500;
constexpr std::size_t max_breaks = 10000;
/// Not a number: no comparison with it ever changes.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// Predicted times are looked at from this distance, relative to their size, on both sides.
constexpr double vicinity = 1e-12;

/// What holds at a time, choice by choice, and when each choice would change if its condition went on linearly.
struct Pieces {
  std::vector<double> choices;
  std::vector<double> changes;
};

bool chooses(ExpressionOp op) {
  switch (op) {
    case ExpressionOp::less:
    case ExpressionOp::less_equal:
    case ExpressionOp::greater:
    case ExpressionOp::greater_equal:
    case ExpressionOp::select:
    case ExpressionOp::abs:
    case ExpressionOp::min:
    case ExpressionOp::max:
    case ExpressionOp::floor:
    case ExpressionOp::sign: return true;
    default: return false;
  }
}

/// The number whose sign decides (for `floor`, that whose whole part does).
Dual1 decisive(ExpressionOp op, const Dual1* a) { return operands_of(op) == 2 ? a[0] - a[1] : a[0]; }

void note(ExpressionOp op, const Dual1* a, double t, Pieces& pieces) {
  const Dual1 d = decisive(op, a);
  double choice = d.value < 0 ? -1.0 : 1.0;
  if (op == ExpressionOp::floor) choice = std::floor(d.value);
  if (op == ExpressionOp::select) choice = d.value != 0 ? 1.0 : 0.0;
  if (op == ExpressionOp::less_equal || op == ExpressionOp::greater) choice = d.value > 0 ? 1.0 : -1.0;
  pieces.choices.push_back(choice);
  const double level = op == ExpressionOp::floor ? choice + (d.grad > 0 ? 1 : 0) : 0.0;
  if (d.grad != 0) pieces.changes.push_back(t + (level - d.value) / d.grad);
}

Pieces pieces_at(const Expression& expression, const Indices& indices, double t) {
  Pieces pieces;
  Dual1 stack[Expression::max_depth];
  int top = 0;
  for (const ExpressionInstruction& instruction : expression.program()) {
    switch (instruction.op) {
      case ExpressionOp::constant: stack[top++] = Dual1(instruction.constant); break;
      case ExpressionOp::time: stack[top++] = Dual1(t, 1.0); break;
      case ExpressionOp::index0: stack[top++] = Dual1(static_cast<double>(indices[0])); break;
      case ExpressionOp::index1: stack[top++] = Dual1(static_cast<double>(indices[1])); break;
      case ExpressionOp::variable: stack[top++] = Dual1(unknown); break;
      default:
        top -= operands_of(instruction.op);
        if (chooses(instruction.op)) note(instruction.op, stack + top, t, pieces);
        stack[top] = apply_operation(instruction.op, stack + top);
        ++top;
    }
  }
  return pieces;
}

class Search {
 public:
  Search(const Expression& expression, const Indices& indices) : expression_(expression), indices_(indices) {}

  std::vector<std::pair<double, double>> run(double from, double to) {
    Pieces left = at(from);
    for (int i = 1; i <= num_samples; ++i) {
      const double a = from + (to - from) * (i - 1) / num_samples,
                   b = i == num_samples ? to : from + (to - from) * i / num_samples;
      Pieces right = at(b);
      sweep(a, left, b, right);
      left = std::move(right);
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

std::vector<std::pair<double, double>> find_breaks(const Expression& expression, const Indices& indices, double from, double to) {
  const auto& program = expression.program();
  const bool has_choices = std::any_of(program.begin(), program.end(),
                                       [](const ExpressionInstruction& instruction) { return chooses(instruction.op); });
  if (!expression.uses_time() || !has_choices || !(to > from)) return {};
  return Search(expression, indices).run(from, to);
}

}  // namespace sinew
