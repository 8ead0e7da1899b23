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

std::vector<char> SwitchBoard::around(const std::vector<char>& marked) const {
  std::vector<char> result(switches_.size(), 0);
  for (std::size_t signal = 0; signal < plans_.size(); ++signal) {
    const Plan& plan = plans_[signal];
    const SignalFlow& flow = local_.signals[signal].flow;
    std::vector<char> of_steps;  // whether a marked one has a part in it
    for (std::size_t n = 0; plan.has_switches && n < flow.steps.size(); ++n) {
      const std::vector<ExpressionInstruction>& program = flow.steps[n].expression->program();
      std::vector<char> stack;
      for (std::size_t i = 0; i < program.size(); ++i) {
        const auto first = stack.end() - operands_of(program[i].op);
        char has_part = std::find(first, stack.end(), 1) != stack.end() ? 1 : 0;
        if (program[i].op == ExpressionOp::variable)
          if (const int v = flow.steps[n].variables[program[i].variable]; v < 0)
            has_part = of_steps[static_cast<std::size_t>(-1 - v)];
        const SwitchMark& mark = plan.marks[n][i];
        if (mark.number >= 0) {
          const auto* const k = &plan.places[n][static_cast<std::size_t>(mark.number)];
          const bool is_table = switches_of(program[i].op) == 2;  // its ends hold one piece
          const char is_first = marked[k[0]], is_last = is_table ? marked[k[1]] : char(0);
          result[k[0]] = has_part != 0 || is_last != 0 ? 1 : 0;
          if (is_table) result[k[1]] = has_part != 0 || is_first != 0 ? 1 : 0;
          has_part = has_part != 0 || is_first != 0 || is_last != 0 ? 1 : 0;
        }
        stack.erase(first, stack.end());
        stack.push_back(has_part);
      }
      of_steps.push_back(stack.empty() ? 0 : stack.back());
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
