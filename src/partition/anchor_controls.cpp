#include "partition/anchor_controls.hpp"

#include "partition/exchange.hpp"

#include <algorithm>

namespace sinew {

void anchor_controls(MPI_Comm comm, const Model& model, std::int64_t num_states, Records& records) {
  using Table = Directory<std::int64_t>;
  Table anchors(comm, num_states), readers(comm, num_states);
  std::fill(readers.local().begin(), readers.local().end(), -1);
  std::vector<Table::Entry> entries;
  for (const StateTie& tie : records.state_ties)
    if (tie.node >= 0) entries.push_back({tie.state, tie.node});
  readers.publish(entries);
  std::vector<std::int64_t> states;
  for (const ControlRecord& c : records.controls)
    for (int k = 0; k < model.controls[c.control].num_states(); ++k) states.push_back(c.first_state + k);
  const std::vector<std::int64_t> read_at = readers.look_up(states);
  entries = {};
  std::size_t next = 0;
  for (ControlRecord& c : records.controls) {
    const int own = model.controls[c.control].num_states();
    for (int k = 0; k < own; ++k, ++next)
      if (c.anchor < 0) c.anchor = read_at[next];
    if (c.anchor < 0) c.anchor = 0;
    for (int k = 0; k < own; ++k) entries.push_back({c.first_state + k, c.anchor});
  }
  anchors.publish(entries);
  states = {};
  for (const StateTie& tie : records.state_ties) {
    states.push_back(tie.state);
    states.push_back(tie.reader >= 0 ? tie.reader : tie.state);
  }
  const std::vector<std::int64_t> found = anchors.look_up(states);
  for (std::size_t i = 0; i < records.state_ties.size(); ++i) {
    const StateTie& tie = records.state_ties[i];
    const std::int64_t node = tie.reader >= 0 ? found[2 * i + 1] : tie.node;
    if (node >= 0) records.ties.emplace_back(node, found[2 * i]);
  }
  records.state_ties = {};
}

}  // namespace sinew
