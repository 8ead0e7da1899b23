#include "system/switch_board.hpp"

#include <algorithm>
#include <limits>

namespace sinew {

SwitchBoard::SwitchBoard(const LocalModel& local) : local_(local) {
  Places places;
  for (const LocalSignal& signal : local_.signals) plans_.push_back(make_plan(signal, places));
}

void SwitchBoard::release() {
  is_held_ = is_sliding_ = false;
  for (Switch& each : switches_) each.piece = {};
}

SwitchBoard::Plan SwitchBoard::make_plan(const LocalSignal& signal, Places& places) {
  Plan plan;
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

void SwitchBoard::choose(std::size_t signal, double t, const double* leaves, const std::vector<char>& fixed) {
  if (!plans_[signal].has_switches) return;
  follow(signal, t, leaves, Beyond::held, [&](std::size_t k, double g) {
    Switch& s = switches_[k];
    if (s.is_upper) return;  // of a table: both ends are those of one piece
    const std::size_t last = s.table != nullptr ? k + 1 : k;
    const bool has_left = margin(k, g) < 0 || margin(last, g) < 0, meets = !jumps(s.op) && s.op != ExpressionOp::floor;
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

SwitchPiece SwitchBoard::piece_beyond(std::size_t k, double g) const {
  const Switch& s = switches_[k];
  if (s.table == nullptr) return sinew::piece_beyond(s.op, s.piece, g);
  return {.base = s.piece.base + (s.is_upper ? 1 : -1)};
}

}  // namespace sinew
