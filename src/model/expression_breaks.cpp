#include "model/expression_breaks.hpp"

#include "model/expression_pieces.hpp"
#include "model/piecewise_linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace sinew {

namespace {

constexpr int num_samples = samples_of_breaks;
constexpr std::size_t max_breaks = 10000;
/// An interval with more breaks than one in so many samples is divided into so many parts, which are searched one by one.
constexpr int samples_per_break = 5, parts_of_interval = 8;
/// Of an angle that turns more than once between two samples, so many of its whole turns are looked at: enough for the interval
/// to be divided.
constexpr double most_turns = 2;
/// No shorter interval, relative to its time, is divided.
constexpr double finest = 1e-9;
/// Times at which the extremum of what decides is looked for.
constexpr int most_trials = 30;
/// Predicted times are looked at from this distance, relative to their size, on both sides.
constexpr double vicinity = 1e-12;
/// Predictions for every break that is looked for: one is enough, and rounding may ask for a few more.
constexpr std::size_t predictions_per_break = 8;

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

  /// Where all that decides goes in straight pieces: from one change to the next, each predicted by what holds after the one
  /// before. Empty where rounding keeps it from getting ahead.
  std::optional<std::vector<std::pair<double, double>>> march(double from, double to) {
    Pieces left = at(from);
    double next = from;
    for (std::size_t k = 0; left.t < to && breaks_.size() < max_breaks; ++k) {
      if (k > predictions_per_break * max_breaks) return std::nullopt;
      for (const double side : {next - vicinity * std::abs(next), next + vicinity * std::abs(next)}) {
        const double b = std::min(side, to);
        if (!(b > left.t)) continue;
        Pieces right = at(b);
        if (pass_first(left, right)) break;  // what was predicted before it holds no more
      }
      next = next_change(left);
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
      for (std::size_t k = 0; k < p->tables.size(); ++k) {
        if (p->tables[k].exist()) predict(p->tables[k], p->margins[k], p->t, a, b, look_at);
        if (p->turns[k] != 0) predict_turns(p->margins[k], p->t, a, b, look_at);
      }
    }
    for (std::size_t k = 0; k < left.choices.size(); ++k)
      if (left.tables[k].exist())
        look_between_kinks(k, a, left, b, right, times);
      else if (left.choices[k] == right.choices[k])
        look_between(k, a, left, b, right, times);
    if (times.empty()) return bisect(left, right);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());  // tables of one argument predict the same
    times.push_back(b);
    Pieces before = left;
    for (const double t : times) {
      Pieces now = t == b ? right : at(t);
      bisect(before, now);
      before = std::move(now);
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

  /// The same of an angle, which changes sides at whole turns: when it would come to the first of them on its way from a to b.
  template <class LookAt>
  static void predict_turns(const Dual1& angle, double t, double a, double b, LookAt look_at) {
    constexpr double turn = 2 * std::numbers::pi;
    if (!(std::abs(angle.grad) > 0)) return;
    const double begin = (angle.value + angle.grad * (a - t)) / turn, end = (angle.value + angle.grad * (b - t)) / turn;
    const double way = begin < end ? 1 : -1, first = begin < end ? std::floor(begin) : std::ceil(begin);
    for (double k = 0; k <= most_turns && way * (end - (first + way * k)) >= 0; ++k)
      look_at(t + ((first + way * k) * turn - angle.value) / angle.grad);
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

  /// The next time at which a choice would change if all that decides went on linearly; infinite: none.
  static double next_change(const Pieces& now) {
    double next = std::numeric_limits<double>::infinity();
    const auto look_at = [&](double t) {
      if (t > now.t && t < next) next = t;
    };
    std::for_each(now.changes.begin(), now.changes.end(), look_at);
    for (std::size_t k = 0; k < now.tables.size(); ++k) {
      const Knots& table = now.tables[k];
      const Dual1& x = now.margins[k];
      if (!table.exist() || x.grad == 0) continue;
      const std::size_t piece = table.piece(x.value);  // two knots on either side: an argument may lie on one
      for (std::size_t knot = piece < 2 ? 0 : piece - 2; knot < std::min(piece + 2, table.count()); ++knot)
        look_at(now.t + (table.at(knot) - x.value) / x.grad);
    }
    return next;
  }

  /// All changes between two times, where the choices do not agree.
  void bisect(const Pieces& from, const Pieces& right) {
    if (agree(from, right)) return;
    Pieces left = from;
    while (breaks_.size() < max_breaks && pass_first(left, right) && left.t < right.t) continue;
  }

  /// Goes to the other time, or no farther than beyond the first change found on the way. Was there one?
  bool pass_first(Pieces& left, const Pieces& right) {
    const bool differ = !agree(left, right);
    Pieces beyond = right;
    if (differ) {
      for (double middle = halfway(left, beyond); middle > left.t && middle < beyond.t; middle = halfway(left, beyond)) {
        Pieces pieces = at(middle);
        (agree(left, pieces) ? left : beyond) = std::move(pieces);
        if (agree(left, beyond)) break;  // a cut has been gone round
      }
      if (!agree(left, beyond)) add_break(left.t, beyond.t);
    }
    left = std::move(beyond);
    return differ;
  }

  /// A time between two others: of numbers that differ by more than a factor by their exponents, as from 0 there are a thousand
  /// halves to the next one.
  static double halfway(const Pieces& left, const Pieces& right) {
    const double a = left.t, b = right.t;
    if (a < 0 && b > 0) return 0;
    const double near = std::max(std::min(std::abs(a), std::abs(b)), std::numeric_limits<double>::min());
    const double far = std::max(std::abs(a), std::abs(b));
    return far > 4 * near ? std::copysign(std::sqrt(near) * std::sqrt(far), a + b) : a + (b - a) / 2;
  }

  void add_break(double before, double after) {
    if (!breaks_.empty() && breaks_.back().second == before)
      breaks_.back().second = after;  // what lasts for an instant is no piece
    else
      breaks_.emplace_back(before, after);
  }

  const Expression& expression_;
  const Indices& indices_;
  double rows_apart_;
  std::vector<std::pair<double, double>> breaks_;
};

/// By samples; what has many breaks is searched in parts.
std::vector<std::pair<double, double>> sampled_breaks(const Expression& expression, const Indices& indices, double from,
                                                      double to, const std::vector<double>& also, double rows_apart) {
  auto breaks = Search(expression, indices, rows_apart).run(from, to, also);
  if (breaks.size() * samples_per_break <= num_samples || !((to - from) > finest * std::abs(to))) return breaks;
  breaks.clear();
  for (int part = 0; part < parts_of_interval && breaks.size() < max_breaks; ++part) {
    const double begin = from + (to - from) * part / parts_of_interval;
    const double end = part + 1 < parts_of_interval ? from + (to - from) * (part + 1) / parts_of_interval : to;
    for (const auto& [before, after] : sampled_breaks(expression, indices, begin, end, also, rows_apart)) {
      if (breaks.size() >= max_breaks) break;
      if (!breaks.empty() && breaks.back().second == before)
        breaks.back().second = after;
      else
        breaks.emplace_back(before, after);
    }
  }
  return breaks;
}

}  // namespace

bool may_break(const Expression& expression, bool by_rows) {
  const auto& program = expression.program();
  return expression.uses_time() && std::any_of(program.begin(), program.end(), [by_rows](const ExpressionInstruction& i) {
           return chooses(i.op) || (by_rows && i.op == ExpressionOp::table);
         });
}

std::vector<std::pair<double, double>> find_breaks(const Expression& expression, const Indices& indices, double from, double to,
                                                   const std::vector<double>& also, double rows_apart) {
  const bool by_rows = std::isfinite(rows_apart);
  if (!may_break(expression, by_rows) || !(to > from)) return {};
  if (decides_linearly(expression, by_rows))
    if (auto found = Search(expression, indices, rows_apart).march(from, to)) return std::move(*found);
  return sampled_breaks(expression, indices, from, to, also, rows_apart);
}

bool breaks_by_time_alone(const Expression& expression, const Indices& indices, double t) {
  return expression.variables().empty() || pieces_at(expression, indices, t).is_known;
}

}  // namespace sinew
