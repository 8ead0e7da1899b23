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
/// What depends on variables: not a number.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
bool is_unknown(const Dual1& a) { return a.value != a.value; }
/// No shorter interval, relative to its time, is divided.
constexpr double finest = 1e-9;
/// Times at which the extremum of what decides is looked for.
constexpr int most_trials = 30;
/// Predicted times are looked at from this distance, relative to their size, on both sides.
constexpr double vicinity = 1e-12;

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
  std::vector<Dual1> margins;   ///< of either sign, with their rates; arguments of tables
  std::vector<Knots> tables;    ///< between whose pieces a choice is; none of other choices
  std::vector<double> changes;  ///< of choices without table
  bool is_known = true;         ///< no choice depends on a variable
};

/// The number whose sign decides (for `floor`, that whose whole part does).
Dual1 decisive(ExpressionOp op, const Dual1* a) { return operands_of(op) == 2 ? a[0] - a[1] : a[0]; }

void note(ExpressionOp op, const Dual1* a, Pieces& pieces) {
  const Dual1 d = decisive(op, a);
  double choice = d.value < 0 ? -1.0 : 1.0;
  if (op == ExpressionOp::floor) choice = std::floor(d.value);
  if (op == ExpressionOp::select) choice = d.value != 0 ? 1.0 : 0.0;
  const bool has_instant = op == ExpressionOp::sign || op == ExpressionOp::equal || op == ExpressionOp::not_equal;
  if (has_instant && d.value == 0) choice = 0;  // no piece begins with what holds there
  if (op == ExpressionOp::less_equal || op == ExpressionOp::greater) choice = d.value > 0 ? 1.0 : -1.0;
  if (is_unknown(d)) {
    choice = 1;  // one that stays, also of `floor`
    pieces.is_known = false;
  }
  pieces.choices.push_back(choice);
  const bool is_floor = op == ExpressionOp::floor;
  const double nearest = is_floor ? std::round(d.value) : 0.0, level = is_floor ? choice + (d.grad > 0 ? 1 : 0) : 0.0;
  pieces.margins.push_back(d - nearest);
  pieces.tables.emplace_back();
  if (d.grad != 0) pieces.changes.push_back(pieces.t + (level - d.value) / d.grad);
}

/// The number of the piece, counted from 1: choices without part are 0.
void note(const Knots& table, const Dual1& x, Pieces& pieces) {
  pieces.choices.push_back(1.0 + static_cast<double>(table.piece(x.value)));
  if (is_unknown(x)) pieces.is_known = false;
  pieces.margins.push_back(x);
  pieces.tables.push_back(table);
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

/// Choices that have no part in the value stay 0, so that none of their changes is one of the expression.
Pieces pieces_at(const Expression& expression, const Indices& indices, double t,
                 double rows_apart = std::numeric_limits<double>::infinity()) {
  Pieces pieces;
  pieces.t = t;
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
    const auto drop = [&](int operand) {
      std::fill(pieces.choices.begin() + static_cast<std::ptrdiff_t>(first[top + operand]),
                pieces.choices.begin() + static_cast<std::ptrdiff_t>(first[top + operand + 1]), 0.0);
    };
    switch (instruction.op) {
      case ExpressionOp::constant: push(Dual1(instruction.constant)); break;
      case ExpressionOp::time: push(Dual1(t, 1.0), true); break;
      case ExpressionOp::index0: push(Dual1(static_cast<double>(indices[0]))); break;
      case ExpressionOp::index1: push(Dual1(static_cast<double>(indices[1]))); break;
      case ExpressionOp::variable: push(Dual1(unknown), true); break;
      case ExpressionOp::straight_table: {
        const StraightTable& table = expression.straight_table(i);
        first[top--] = pieces.choices.size();
        const bool is_level = !is_unknown(stack[top]) && table.slope(table.piece(stack[top].value)) == 0;
        if (is_level) drop(0);
        note(Knots(table), stack[top], pieces);
        moves[top] = moves[top] && !is_level;
        stack[top] = expression.operate(i, stack + top);
        ++top;
        break;
      }
      case ExpressionOp::table: {
        first[top--] = pieces.choices.size();
        if (std::isfinite(rows_apart) && !is_unknown(stack[top])) {
          const Knots rows(expression.smooth_table(i));
          const Dual1 x = stack[top];
          note(rows, x, pieces);
          if (!(rows.length(rows.piece(x.value)) >= rows_apart * std::abs(x.grad))) pieces.choices.back() = 0;
        }
        stack[top] = expression.operate(i, stack + top);
        ++top;
        break;
      }
      default:
        top -= operands_of(instruction.op);
        first[top + operands_of(instruction.op)] = pieces.choices.size();
        const int idle = idle_operand(instruction.op, stack + top, moves + top);
        if (idle >= 0) drop(idle);
        if (chooses(instruction.op)) note(instruction.op, stack + top, pieces);
        moves[top] = moves_within(instruction.op, stack + top, moves + top);
        stack[top] = result_of(expression, i, stack + top, idle);
        ++top;
    }
  }
  return pieces;
}

class Search {
 public:
  Search(const Expression& expression, const Indices& indices, double rows_apart)
      : expression_(expression), indices_(indices), rows_apart_(rows_apart) {}

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
  Pieces at(double t) const { return pieces_at(expression_, indices_, t, rows_apart_); }

  /// Between two samples: the times that either of them predicts are looked at as well.
  void sweep(double a, const Pieces& left, double b, const Pieces& right) {
    std::vector<double> times;
    const auto look_at = [&](double t) {
      for (const double side : {t - vicinity * std::abs(t), t + vicinity * std::abs(t)})
        if (side > a && side < b) times.push_back(side);
    };
    for (const Pieces* p : {&left, &right}) {
      std::for_each(p->changes.begin(), p->changes.end(), look_at);
      for (std::size_t k = 0; k < p->tables.size(); ++k)
        if (p->tables[k].exist()) predict(p->tables[k], p->margins[k], p->t, a, b, look_at);
    }
    for (std::size_t k = 0; k < left.choices.size(); ++k)
      if (left.tables[k].exist())
        look_between_kinks(k, a, left, b, right, times);
      else if (left.choices[k] == right.choices[k])
        look_between(k, a, left, b, right, times);
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

  /// When a table's argument would come to its kinks if it went on linearly, from t: all that may be between a and b.
  template <class LookAt>
  static void predict(const Knots& table, const Dual1& x, double t, double a, double b, LookAt look_at) {
    constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
    if (!(x.grad != 0)) return;
    const double room = 4 * vicinity * std::max(std::abs(a), std::abs(b));
    double from = x.value + x.grad * (a - room - t), to = x.value + x.grad * (b + room - t);
    if (from > to) std::swap(from, to);
    const double last = to + rounding * (std::abs(to) + std::abs(x.value));
    for (std::size_t k = table.piece(from - rounding * (std::abs(from) + std::abs(x.value))); k < table.count(); ++k) {
      if (!(table.at(k) <= last)) return;
      look_at(t + (0.0 - (x.value - table.at(k))) / x.grad);
    }
  }

  /// `look_between` for all kinks of a table that lie behind the arguments at both ends, which come nearer and go back: the
  /// trials are the same for all of them, and a kink is met no later than those behind it.
  void look_between_kinks(std::size_t k, double a, const Pieces& left, double b, const Pieces& right,
                          std::vector<double>& times) const {
    const Knots& table = left.tables[k];
    Dual1 low = left.margins[k], high = right.margins[k];
    const bool is_idle = left.choices[k] == 0, rises = low.grad > 0;
    if (!(low.grad * high.grad < 0) || is_idle != (right.choices[k] == 0)) return;
    const double farther = rises ? std::max(low.value, high.value) : std::min(low.value, high.value);
    auto next = static_cast<std::ptrdiff_t>(table.piece(farther)) - (rises ? 0 : 1);
    const auto exists = [&] { return next >= 0 && next < static_cast<std::ptrdiff_t>(table.count()); };
    const auto kink = [&] { return table.at(static_cast<std::size_t>(next)); };
    if (!rises && exists() && kink() == farther) --next;
    for (int trial = 0; trial < most_trials && b - a > vicinity * std::abs(b) && exists(); ++trial) {
      const double linear = low.grad / (low.grad - high.grad), t = a + (b - a) * (trial % 2 == 0 ? linear : 0.5);
      const Pieces middle = at(t);
      const Dual1 x = middle.margins[k];
      const bool has_changed = is_idle != (middle.choices[k] == 0);
      const auto first = next;
      while (!is_idle && exists() && (rises ? x.value >= kink() : x.value < kink())) next += rises ? 1 : -1;
      if (has_changed || next != first) times.push_back(t);
      if (has_changed || !exists()) return;
      if (std::abs(x.value - kink()) > std::abs(x.grad) * (b - a)) return;  // at this rate it does not get there
      (x.grad * low.grad > 0 ? a : b) = t;
      (x.grad * low.grad > 0 ? low : high) = x;
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
  double rows_apart_;
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
    case ExpressionOp::sign:
    case ExpressionOp::straight_table: return true;
    default: return false;
  }
}

bool may_break(const Expression& expression, bool by_rows) {
  const auto& program = expression.program();
  return expression.uses_time() && std::any_of(program.begin(), program.end(), [by_rows](const ExpressionInstruction& i) {
           return chooses(i.op) || (by_rows && i.op == ExpressionOp::table);
         });
}

std::vector<std::pair<double, double>> find_breaks(const Expression& expression, const Indices& indices, double from, double to,
                                                   const std::vector<double>& also, double rows_apart) {
  if (!may_break(expression, std::isfinite(rows_apart)) || !(to > from)) return {};
  auto breaks = Search(expression, indices, rows_apart).run(from, to, also);
  if (breaks.size() * samples_per_break <= num_samples || !((to - from) > finest * std::abs(to))) return breaks;
  breaks.clear();
  for (int part = 0; part < parts_of_interval && breaks.size() < max_breaks; ++part) {
    const double begin = from + (to - from) * part / parts_of_interval;
    const double end = part + 1 < parts_of_interval ? from + (to - from) * (part + 1) / parts_of_interval : to;
    for (const auto& [before, after] : find_breaks(expression, indices, begin, end, also, rows_apart)) {
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
