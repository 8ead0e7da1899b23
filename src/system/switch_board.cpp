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

void SwitchBoard::choose(std::size_t signal, double t, const double* leaves, const std::vector<char>& fixed) {
  if (!plans_[signal].has_switches) return;
  follow(signal, t, leaves, Beyond::held, [&](std::size_t k, double g) {
    Switch& s = switches_[k];
    if (fixed[k] != 0) return;
    const std::size_t other = s.table == nullptr ? k : s.is_upper ? k - 1 : k + 1;  // both ends are those of one piece
    s.piece = fixed[other] != 0 ? switches_[other].piece : piece_of(s, g);
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
