#include "system/switch_board.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace sinew {

SwitchBoard::SwitchBoard(const LocalModel& local) : local_(local) {
  Places places;
  for (const LocalSignal& signal : local_.signals)  // samples go over to other pieces without anybody looking
    plans_.push_back(signal.target == LocalSignal::Target::sample ? Plan{} : make_plan(signal, places));
}

void SwitchBoard::release() {
  is_held_ = is_sliding_ = false;
  for (Switch& each : switches_) {
    each.piece = {};
    each.follows = false;
  }
}

SwitchBoard::Plan SwitchBoard::make_plan(const LocalSignal& signal, Places& places) {
  Plan plan;
  const bool ends_run = signal.target == LocalSignal::Target::output && signal.number < 0;
  for (const SignalStep& step : signal.flow.steps) {
    plan.marks.push_back(mark_switches(*step.expression));
    std::vector<std::size_t> of_step;
    for (std::size_t i = 0; i < plan.marks.back().size(); ++i) {
      const SwitchMark& mark = plan.marks.back()[i];
      if (mark.number < 0) continue;
      const ExpressionOp op = step.expression->program()[i].op;
      const StraightTable* table = op == ExpressionOp::straight_table ? &step.expression->straight_table(i) : nullptr;
      for (int number = mark.number; number < mark.number + switches_of(op); ++number) {
        const auto [place, is_new] = places.insert({{step.expression, step.indices, number}, switches_.size()});
        if (is_new) switches_.push_back({step.expression, op, table, number > mark.number, {}});
        of_step.push_back(place->second);
        if (ends_run) continue;
        mentions_.emplace_back(item_key({static_cast<std::int64_t>(signal.target), signal.item, signal.instance, signal.number,
                                         static_cast<std::int64_t>(plan.marks.size()), number}),
                               place->second);
      }
    }
    plan.has_switches = plan.has_switches || !of_step.empty();
    plan.places.push_back(std::move(of_step));
  }
  return plan;
}

bool SwitchBoard::slides(const Plan& plan) const {
  for (const std::vector<std::size_t>& places : plan.places)
    if (std::any_of(places.begin(), places.end(), [this](std::size_t k) { return switches_[k].piece.slides; })) return true;
  return false;
}

namespace {

/// In the place of a number, where it matters only whether a marked switch has a part in it.
struct Trace {
  bool is_of_marked = false;

  Trace() = default;
  explicit Trace(double /*constant*/) {}
};

}  // namespace

std::vector<char> SwitchBoard::around(const std::vector<char>& marked) const {
  std::vector<char> result(switches_.size(), 0);
  for (std::size_t signal = 0; signal < plans_.size(); ++signal) {
    const Plan& plan = plans_[signal];
    if (!plan.has_switches) continue;
    std::vector<Trace> of_steps, variables;
    for (const SignalStep& step : local_.signals[signal].flow.steps) {
      const std::size_t n = of_steps.size();
      variables.clear();
      for (const int v : step.variables) variables.push_back(v >= 0 ? Trace() : of_steps[static_cast<std::size_t>(-1 - v)]);
      const auto operate = [&](std::size_t i, const Trace* operands) {
        const ExpressionOp op = step.expression->program()[i].op;
        Trace part;
        for (int k = 0; k < operands_of(op); ++k) part.is_of_marked = part.is_of_marked || operands[k].is_of_marked;
        const int number = plan.marks[n][i].number;
        if (number < 0) return part;
        const std::size_t* const first = &plan.places[n][static_cast<std::size_t>(number)];
        const std::size_t last = first[switches_of(op) - 1];  // of a table: its ends hold one piece
        const bool is_table = last != *first, is_first = marked[*first] != 0, is_last = marked[last] != 0;
        result[*first] = part.is_of_marked || (is_table && is_last) ? 1 : 0;
        if (is_table) result[last] = part.is_of_marked || is_first ? 1 : 0;
        part.is_of_marked = part.is_of_marked || is_first || is_last;
        return part;
      };
      of_steps.push_back(step.expression->evaluate_by(Trace(), step.indices, variables.data(), operate));
    }
  }
  return result;
}

void SwitchBoard::set_following(std::size_t k, bool follows) {
  Switch& s = switches_[k];
  s.follows = follows;
  if (s.table != nullptr) switches_[s.is_upper ? k - 1 : k + 1].follows = follows;
}

bool SwitchBoard::meets_smoothly(std::size_t k, const Passage& passage) {
  const Switch& s = switches_[k];
  if ((!has_kink_alone(s.op) && s.op != ExpressionOp::atan2) || s.table != nullptr) return false;
  for (std::size_t signal = 0; signal < plans_.size(); ++signal) {
    const auto has_switch = [k](const std::vector<std::size_t>& of_step) {
      return std::find(of_step.begin(), of_step.end(), k) != of_step.end();
    };
    const auto& places = plans_[signal].places;
    if (std::any_of(places.begin(), places.end(), has_switch) && !meets_smoothly(k, signal, passage)) return false;
  }
  return true;
}

/// The signal as held less that with the switch on the other piece is c g^n near g = 0, g the argument, and n the ratio of its
/// change along the way from g = 0 to its value: 1 at a kink, 2 where slopes meet. Leaves on which g does not depend stand
/// anywhere else meanwhile, as what vanishes by chance with g (x and y where two bodies come to rest together) makes no slopes
/// meet.
bool SwitchBoard::meets_smoothly(std::size_t k, std::size_t signal, const Passage& passage) {
  constexpr double two_less_rounding = 1.9;
  const std::vector<double>&from = passage.from[signal], &to = passage.to[signal];
  std::vector<Dual1> leaves(to.begin(), to.end());
  const auto argument = [&](double t) {
    std::vector<Dual1> g(switches_.size());
    arguments(signal, Dual1(t), leaves.data(), g);
    return g[k];
  };
  const double g1 = argument(passage.t1).value;
  std::vector<char> moves_it(to.size(), 0);
  for (std::size_t i = 0; i < to.size(); ++i) {
    leaves[i].grad = 1;
    moves_it[i] = argument(passage.t1).grad != 0 ? 1 : 0;
    leaves[i].grad = 0;
  }
  for (std::size_t i = 0; i < to.size(); ++i) leaves[i] = Dual1(from[i]);
  const double g0 = argument(passage.t0).value, share = g1 / (g1 - g0);
  if (!(share > 0 && share <= 1)) return false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const double other = to[i] + (1 + std::abs(to[i])) * (0.3 + std::fmod((std::numbers::phi - 1) * static_cast<double>(i), 1.0));
    leaves[i] = moves_it[i] != 0 ? Dual1(to[i], share * (to[i] - from[i])) : Dual1(other);
  }
  const Dual1 time(passage.t1, share * (passage.t1 - passage.t0));
  Switch& s = switches_[k];
  if (s.op == ExpressionOp::atan2) return is_of_period(k, signal, time, leaves);
  const Dual1 held = evaluate(signal, time, leaves.data());
  s.follows = true;
  const Dual1 beyond = evaluate(signal, time, leaves.data());
  s.follows = false;
  const double gap = std::abs(held.value - beyond.value), change = std::abs(held.grad - beyond.grad);
  return change > 0 && two_less_rounding * gap <= change && std::isfinite(change);
}

/// Is a signal the same on both pieces of an angle, and another one between them? What depends on the angle has a whole turn as
/// its period then.
bool SwitchBoard::is_of_period(std::size_t k, std::size_t signal, const Dual1& t, const std::vector<Dual1>& leaves) {
  // a turn is rounded, and by so much of its value a function of some turns with it
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  constexpr double other_part = 0.3819660112501051;  // the golden section: no whole turns come of few of it
  SwitchPiece& piece = switches_[k].piece;
  const double upper = piece.upper;
  const auto on_part = [&](double part) {
    piece.upper = part;
    return evaluate(signal, t, leaves.data());
  };
  const Dual1 held = on_part(upper), beyond = on_part(1 - upper), between = on_part(other_part);
  piece.upper = upper;
  const auto are_same = [&](double a, double b, double c) {
    return std::abs(a - b) <= rounding * std::max({std::abs(a), std::abs(b), std::abs(c)});
  };
  const bool is_there = !are_same(held.value, between.value, beyond.value) || !are_same(held.grad, between.grad, beyond.grad);
  return is_there && are_same(held.value, beyond.value, between.value) && are_same(held.grad, beyond.grad, between.grad);
}

void SwitchBoard::choose(std::size_t signal, double t, const double* leaves, const std::vector<char>& fixed) {
  if (!plans_[signal].has_switches) return;
  follow(signal, t, leaves, Beyond::held, [&](std::size_t k, double g) {
    Switch& s = switches_[k];
    if (s.is_upper) return;  // of a table: both ends are those of one piece
    const std::size_t last = s.table != nullptr ? k + 1 : k;
    const bool has_left = margin(k, g) < 0 || margin(last, g) < 0, meets = has_kink_alone(s.op);
    const bool is_fixed = fixed[k] != 0 || fixed[last] != 0;
    const SwitchPiece piece = fixed[last] != 0 ? switches_[last].piece : s.piece;
    s.piece = switches_[last].piece = is_fixed || (meets && !has_left) ? piece : piece_of(s, g);
  });
}

/// How far the argument of a table may still go towards one end of the piece.
double SwitchBoard::margin_of_end(const Switch& s, double g) {
  const auto piece = static_cast<std::size_t>(s.piece.base);
  if (s.is_upper ? piece == s.table->num_kinks() : piece == 0) return std::numeric_limits<double>::infinity();
  return s.is_upper ? s.table->kink(piece) - g : g - s.table->kink(piece - 1);
}

SwitchPiece SwitchBoard::piece_of(const Switch& s, double g) {
  if (s.table == nullptr) return piece_at(s.op, g, s.piece.width);
  return {.base = static_cast<double>(s.table->piece(g))};
}

SwitchPiece SwitchBoard::piece_beyond(std::size_t k, double g, double reach) const {
  const Switch& s = switches_[k];
  if (s.table == nullptr) return sinew::piece_beyond(s.op, s.piece, g);
  const auto reached = static_cast<double>(s.table->piece(s.is_upper ? g + reach : g - reach));
  return {.base = s.is_upper ? std::max(s.piece.base + 1, reached) : std::min(s.piece.base - 1, reached)};
}

bool SwitchBoard::leaves_table(const std::vector<char>& left) const {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (left[k] != 0 && switches_[k].table != nullptr) return true;
  return false;
}

double SwitchBoard::shorter_piece(std::size_t k) const {
  const Switch& s = switches_[k];
  double shorter = std::numeric_limits<double>::infinity();
  if (s.table == nullptr) return shorter;
  const auto piece = static_cast<std::size_t>(s.piece.base), last = s.table->num_kinks();
  const std::size_t neighbour = s.is_upper ? piece + 1 : piece - 1;  // beyond `last` where there is none
  for (const std::size_t either : {piece, neighbour})
    if (either >= 1 && either < last) shorter = std::min(shorter, s.table->kink(either) - s.table->kink(either - 1));
  return shorter;
}

}  // namespace sinew
