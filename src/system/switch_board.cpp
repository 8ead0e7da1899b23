#include "system/switch_board.hpp"

#include <algorithm>

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
      const auto [place, is_new] = places.insert({{step.expression, step.indices, mark.number}, switches_.size()});
      if (is_new) switches_.push_back({step.expression, step.expression->program()[i].op, {}});
      of_step.push_back(place->second);
      mentions_.emplace_back(item_key({static_cast<std::int64_t>(signal.target), signal.item, signal.instance, signal.number,
                                       static_cast<std::int64_t>(plan.marks.size()), mark.number}),
                             place->second);
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
    if (fixed[k] == 0) switches_[k].piece = piece_at(switches_[k].op, g, switches_[k].piece.width);
  });
}

}  // namespace sinew
