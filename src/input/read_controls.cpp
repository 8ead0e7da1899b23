#include "input/repeats.hpp"

#include <algorithm>
#include <cctype>

namespace sinew {
namespace {

/// Reads one entry of `controls`.
class ControlReader {
 public:
  ControlReader(const DocumentEntry& entry, const Repeat& repeat, ReadContext& context)
      : entry_(entry), context_(context), what_("control '" + entry.key + "'"), map_(entry.value, what_, context.faults) {
    item_.repeat = repeat;
    map_.known("repeat");
  }

  ControlItem read() {
    item_.mark = entry_.mark;
    item_.name = read_item_name(entry_, item_.repeat, context_.values(), "control");
    if (!map_.is_map()) return std::move(item_);
    read_sampling();
    read_states(map_.find("state"));
    read_laws();
    read_sizes(map_.find("size"));
    read_outputs(map_.find("output"));
    if (item_.states.empty() && item_.outputs.empty())
      context_.faults.error(entry_.mark, what_ + " has neither states nor outputs",
                            "write state: {x: 0}, " + law_key() + ": {x: \"...\"}");
    return std::move(item_);
  }

 private:
  ValueReader values() const { return context_.values(&item_.repeat); }
  ValueReader signals() const { return values().with_signals(&states_); }
  /// The key of what states follow.
  std::string law_key() const { return item_.sampling ? "next" : "derivative"; }

  void read_sampling() {
    const DocumentNode *const period = map_.find("period"), *const offset = map_.find("offset");
    if (!period) {
      if (offset)
        context_.faults.error(offset->mark, what_ + " has an 'offset', but no 'period'", "give the time between its samples");
      return;
    }
    item_.sampling = {values().number(*period, "period of " + what_),
                      offset ? values().number(*offset, "offset of " + what_) : parse_expression("0", {nullptr, nullptr})};
  }

  void read_states(const DocumentNode* node) {
    if (!node) return;
    MapReader map(*node, "state of " + what_, context_.faults);
    for (const DocumentEntry& entry : node->entries) {
      map.known(entry.key);
      check_name(entry, "state");
      item_.states.push_back({entry.key, values().number(entry.value, "state '" + entry.key + "' of " + what_), {}, {}});
      states_.push_back(entry.key);
    }
  }

  void read_laws() {
    const std::string key = law_key();
    const DocumentNode* const node = map_.find(key);
    if (const DocumentNode* other = map_.find_foreign(item_.sampling ? "derivative" : "next"))
      context_.faults.error(
          other->mark,
          item_.sampling ? what_ + " is sampled (it has a 'period'): its states have no derivative"
                         : what_ + " has states that come 'next', but no 'period'",
          item_.sampling ? "write next: {...}, the states behind a sample" : "give the time between its samples");
    else if (!node && !states_.empty())
      map_.missing(key, entry_.mark, what_ + " has no '" + key + "'", "add " + key + ": {" + states_.front() + ": \"...\"}");
    if (!node) return;
    MapReader map(*node, key + " of " + what_, context_.faults);
    for (ControlState& state : item_.states)
      if (const DocumentNode* given = map.require(state.name, state.name + ": an expression of states, sensors and t"))
        state.law = signals().signal(*given, key + " '" + state.name + "' of " + what_);
  }

  void read_sizes(const DocumentNode* node) {
    if (!node) return;
    if (item_.sampling)
      context_.faults.error(node->mark,
                            what_ + " is sampled (it has a 'period'): its states have no errors to be measured by a size",
                            "leave 'size' out");
    MapReader map(*node, "size of " + what_, context_.faults);
    for (ControlState& state : item_.states)
      if (const DocumentNode* given = map.find(state.name))
        state.size = values().number(*given, "size of the state '" + state.name + "' of " + what_);
  }

  void read_outputs(const DocumentNode* node) {
    if (!node) return;
    MapReader map(*node, "output of " + what_, context_.faults);
    for (const DocumentEntry& entry : node->entries) {
      map.known(entry.key);
      check_name(entry, "output");
      if (item_.state(entry.key) >= 0)
        context_.faults.error(entry.mark, "the output '" + entry.key + "' of " + what_ + " has the name of a state",
                              "rename one of them");
      item_.outputs.push_back({entry.key, signals().signal(entry.value, "output '" + entry.key + "' of " + what_)});
    }
  }

  /// The name must be a word of expressions that means nothing else there.
  void check_name(const DocumentEntry& entry, const std::string& kind) const {
    const std::string& name = entry.key;
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto& reserved = reserved_words();
    const auto is_index = [&](const IndexRange& range) { return range.name == name; };
    const auto& ranges = item_.repeat.ranges();
    if (!std::all_of(name.begin(), name.end(), is_word) || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
      context_.faults.error(entry.mark, "'" + name + "' cannot name a " + kind, "use letters, digits and _");
    else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
      context_.faults.error(entry.mark, "the " + kind + " '" + name + "' has a name that means something else in expressions",
                            "rename it");
    else if (context_.model.constants.count(name) != 0 || std::any_of(ranges.begin(), ranges.end(), is_index))
      context_.faults.error(entry.mark, "the " + kind + " '" + name + "' has the name of a constant or index",
                            "rename one of them");
  }

  const DocumentEntry& entry_;
  ReadContext& context_;
  std::string what_;
  MapReader map_;
  ControlItem item_;
  std::vector<std::string> states_;
};

AddItem read_control(const DocumentEntry& entry, const Repeat& repeat, ReadContext& context) {
  return [&context, control = ControlReader(entry, repeat, context).read()]() mutable {
    context.model.control_names.add(control.name, control.repeat);
    context.model.controls.push_back(std::move(control));
  };
}

}  // namespace

void read_controls(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "controls must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) read_repeated(entry, "control", context, read_control);
}

void read_stop(const DocumentNode& node, ReadContext& context) {
  const ValueReader values = context.values();
  ControlItem control;
  control.mark = node.mark;
  control.name = values.pattern(stop_condition, node.mark, false);
  const std::size_t before = context.faults.num_errors();
  control.outputs.push_back({"holds", values.with_signals(nullptr).signal(node, stop_condition)});
  if (context.faults.num_errors() == before && control.outputs[0].value.sources.empty())
    context.faults.error(node.mark, "analysis.stop depends on no sensor and no control", "a time alone is what end_time is for");
  context.model.control_names.add(control.name, control.repeat);
  context.model.controls.push_back(std::move(control));
}

}  // namespace sinew
