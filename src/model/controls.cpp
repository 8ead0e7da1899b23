#include "model/controls.hpp"

namespace sinew {

namespace {

template <class Items>
int find_named(const Items& items, const std::string& name) {
  for (std::size_t k = 0; k < items.size(); ++k)
    if (items[k].name == name) return static_cast<int>(k);
  return -1;
}

}  // namespace

int ControlItem::state(const std::string& wanted) const { return find_named(states, wanted); }
int ControlItem::output(const std::string& wanted) const { return find_named(outputs, wanted); }

int ControlItem::num_states() const { return static_cast<int>(states.size() + (sampling ? outputs.size() + 1 : 0)); }

double ControlItem::state_size(int remembered, std::int64_t instance) const {
  const auto k = static_cast<std::size_t>(remembered);
  return k < states.size() && states[k].size ? states[k].size->value(repeat.indices(instance)) : 0.0;
}

int ControlItem::remembered(const std::string& wanted) const {
  const int own = state(wanted);
  return own >= 0 || !sampling || output(wanted) < 0 ? own : static_cast<int>(states.size()) + output(wanted);
}

std::vector<std::string> ControlItem::signal_names() const {
  std::vector<std::string> names;
  for (const ControlState& s : states) names.push_back(s.name);
  for (const ControlOutput& u : outputs) names.push_back(u.name);
  return names;
}

}  // namespace sinew
