#include "partition/uncrowd.hpp"

#include "partition/exchange.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinew {

namespace {

bool connects(const ElementRecord& e) { return e.origin.kind == OriginKind::joint || e.origin.kind == OriginKind::force; }

/// The nodes of a joint or force, without the ground.
void add_nodes(const ElementRecord& e, std::vector<std::int64_t>& nodes) {
  for (const std::int64_t node : e.nodes)
    if (node >= 0) nodes.push_back(node);
}

/// How many joints and forces hold each of these nodes, by all ranks. `nodes`: one entry for each hold of this rank. Collective.
std::vector<int> count_holds(MPI_Comm comm, std::int64_t num_nodes, const std::vector<std::int64_t>& nodes) {
  const Homes homes(comm, num_nodes);
  std::vector<std::vector<std::int64_t>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  for (const std::int64_t node : nodes) outgoing[static_cast<std::size_t>(homes.home(node))].push_back(node);
  Directory<int> holds(comm, num_nodes);
  for (const auto& part : all_to_all(comm, outgoing))
    for (const std::int64_t node : part) ++holds.local()[static_cast<std::size_t>(node - holds.first())];
  return holds.look_up(nodes);
}

}  // namespace

void uncrowd(MPI_Comm comm, std::int64_t num_nodes, Records& records) {
  std::vector<std::int64_t> nodes;
  for (const ElementRecord& e : records.elements)
    if (connects(e)) add_nodes(e, nodes);
  const std::vector<int> holds = count_holds(comm, num_nodes, nodes);
  std::unordered_map<std::int64_t, std::int64_t> moved;  // first row -> anchor
  std::size_t next = 0;
  for (ElementRecord& e : records.elements) {
    if (!connects(e)) continue;
    int fewest = 0;
    std::int64_t anchor = -1;
    for (const std::int64_t node : e.nodes) {
      if (node < 0) continue;
      const int here = holds[next++];
      if (anchor >= 0 && here >= fewest) continue;
      fewest = here;
      anchor = node;
    }
    if (anchor < 0 || anchor == e.anchor) continue;
    e.anchor = anchor;
    if (e.first_row >= 0) moved[e.first_row] = anchor;
  }
  for (RowRecord& r : records.rows)
    if (const auto found = moved.find(r.first); found != moved.end()) r.anchor = found->second;
}

}  // namespace sinew
