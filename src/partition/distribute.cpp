#include "base/petsc.hpp"
#include "partition/anchor_controls.hpp"
#include "partition/collective_error.hpp"
#include "partition/find_signals.hpp"
#include "partition/graph.hpp"
#include "partition/local_model.hpp"
#include "partition/local_relatives.hpp"
#include "partition/record_words.hpp"
#include "partition/uncrowd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace sinew {

namespace {

/// Where an owned thing starts in the global numbering.
struct GlobalStart {
  PetscInt first = -1;
};

/// A control and where its states start in the global numbering.
struct ControlStart {
  PetscInt first = -1;
  ControlRecord control;
};

/// Does it act on a few of its nodes at a time?
bool chooses_nodes(const ElementRecord& e) {
  const FamilyShape& shape = all_families()[static_cast<std::size_t>(e.family)]->shape;
  return !shape.is_open && static_cast<int>(e.nodes.size()) > shape.nodes_per_element;
}

/// The steps from records on any rank to the share of each owner.
class Distribution {
 public:
  Distribution(MPI_Comm comm, const Model& model, const Expansion& expansion, const Numbering& numbering, Records records)
      : comm_(comm),
        size_(comm_size(comm)),
        model_(model),
        expansion_(expansion),
        records_(std::move(records)),
        owner_(comm, numbering.num_nodes()),
        start_of_node_(comm, numbering.num_nodes()),
        nodes_(comm, numbering.num_nodes()),
        start_of_row_(comm, numbering.num_rows()),
        start_of_control_(comm, numbering.num_states()) {}

  LocalModel run();
  void build_families(LocalModel&);

 private:
  void choose_owners();
  void send_to_owners();
  void send_controls();
  void number_owned_nodes(LocalModel&);
  void number_owned_rows(LocalModel&);
  void add_ghost_nodes(LocalModel&);
  void add_ghost_controls(LocalModel&);
  void append_control(const ControlRecord&, LocalModel&);
  void add_ghost_rows(LocalModel&);
  void append_node(const NodeRecord&, LocalModel&);

  MPI_Comm comm_;
  int size_;
  const Model& model_;
  const Expansion& expansion_;
  Records records_;
  Directory<int> owner_;
  Directory<GlobalStart> start_of_node_;
  Directory<NodeRecord> nodes_;
  Directory<GlobalStart> start_of_row_;
  Directory<ControlStart> start_of_control_;  ///< by the number of every state
  std::vector<NodeRecord> owned_nodes_;
  std::vector<RowRecord> owned_rows_;
  std::vector<ElementRecord> elements_;
  std::vector<ControlRecord> owned_controls_;
  std::vector<std::pair<std::int64_t, int>> row_index_;  ///< natural first row -> local row, sorted
};

void Distribution::choose_owners() {
  std::vector<Directory<NodeRecord>::Entry> entries;
  for (const NodeRecord& n : records_.nodes) entries.push_back({n.id, n});
  nodes_.publish(entries);
  entries = {};
  records_.nodes = {};
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  for (const auto& [a, b] : records_.ties)
    if (a != b) edges.emplace_back(a, b);
  for (const ElementRecord& e : records_.elements) {
    if (chooses_nodes(e)) continue;  // it is tied to what it acts on at first
    for (std::size_t i = 0; i < e.nodes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (e.nodes[i] >= 0 && e.nodes[j] >= 0 && e.nodes[i] != e.nodes[j]) edges.emplace_back(e.nodes[i], e.nodes[j]);
  }
  GraphNodes nodes;
  std::vector<std::int64_t> place_of;  // a slope is where the node before it is
  for (const NodeRecord& n : nodes_.local()) {
    nodes.weight.push_back(n.size().dofs);
    nodes.is_slope.push_back(static_cast<char>(n.is_slope));
    place_of.push_back(n.is_slope ? n.id - 1 : n.id);
  }
  for (const NodeRecord& n : nodes_.look_up(place_of)) nodes.place.push_back({n.config[0], n.config[1], n.config[2]});
  owner_.local() = partition_graph(comm_, owner_.homes(), std::move(edges), nodes);
}

void Distribution::send_to_owners() {
  std::vector<std::vector<NodeRecord>> nodes(size_);
  for (std::size_t i = 0; i < nodes_.local().size(); ++i) nodes[owner_.local()[i]].push_back(nodes_.local()[i]);
  for (const auto& part : all_to_all(comm_, nodes)) owned_nodes_.insert(owned_nodes_.end(), part.begin(), part.end());

  std::vector<std::int64_t> anchors;
  for (const ElementRecord& e : records_.elements) anchors.push_back(e.anchor);
  const std::vector<int> element_owner = owner_.look_up(anchors);
  std::vector<Words> elements(size_);
  for (std::size_t i = 0; i < element_owner.size(); ++i) pack(records_.elements[i], elements[element_owner[i]]);
  records_.elements = {};
  for (const Words& part : all_to_all(comm_, elements))
    for (ElementRecord& e : unpack(part)) elements_.push_back(std::move(e));
  std::sort(elements_.begin(), elements_.end(), [](const ElementRecord& a, const ElementRecord& b) {
    if (a.family != b.family) return a.family < b.family;
    if (a.origin.kind != b.origin.kind) return a.origin.kind < b.origin.kind;
    if (a.origin.item != b.origin.item) return a.origin.item < b.origin.item;
    return a.key < b.key;
  });

  anchors.clear();
  for (const RowRecord& r : records_.rows) anchors.push_back(r.anchor);
  const std::vector<int> row_owner = owner_.look_up(anchors);
  std::vector<std::vector<RowRecord>> rows(size_);
  for (std::size_t i = 0; i < row_owner.size(); ++i) rows[row_owner[i]].push_back(records_.rows[i]);
  for (const auto& part : all_to_all(comm_, rows)) owned_rows_.insert(owned_rows_.end(), part.begin(), part.end());
  std::sort(owned_rows_.begin(), owned_rows_.end(), [](const RowRecord& a, const RowRecord& b) { return a.first < b.first; });
}

void Distribution::send_controls() {
  std::vector<std::int64_t> anchors;
  for (const ControlRecord& c : records_.controls) anchors.push_back(c.anchor);
  const std::vector<int> owner = owner_.look_up(anchors);
  std::vector<std::vector<ControlRecord>> controls(size_);
  for (std::size_t i = 0; i < owner.size(); ++i) controls[owner[i]].push_back(records_.controls[i]);
  for (const auto& part : all_to_all(comm_, controls)) owned_controls_.insert(owned_controls_.end(), part.begin(), part.end());
  std::sort(owned_controls_.begin(), owned_controls_.end(), [](const ControlRecord& a, const ControlRecord& b) {
    return a.control != b.control ? a.control < b.control : a.instance < b.instance;
  });
}

/// What a control remembers follows one another as dofs.
void Distribution::append_control(const ControlRecord& c, LocalModel& model) {
  const ControlItem& item = model_.controls[c.control];
  model.controls.push_back({c.control, c.instance, c.first_state, model.num_local_dofs, item.num_states()});
  for (const ControlState& state : item.states) model.velocity.push_back(state.initial.value(item.repeat.indices(c.instance)));
  model.velocity.resize(model.velocity.size() + static_cast<std::size_t>(item.num_states()) - item.states.size(), 0.0);
  model.num_local_dofs += item.num_states();
}

/// Controls of other ranks whose states are read here.
void Distribution::add_ghost_controls(LocalModel& model) {
  std::set<std::int64_t> here, wanted;
  for (const ControlRecord& c : owned_controls_)
    for (int k = 0; k < model_.controls[c.control].num_states(); ++k) here.insert(c.first_state + k);
  for (const LocalSignal& signal : model.signals)
    for (const LocalLeaf& leaf : signal.leaves)
      if (leaf.natural >= 0 && here.count(leaf.natural) == 0) wanted.insert(leaf.natural);
  for (const ControlStart& found : start_of_control_.look_up({wanted.begin(), wanted.end()})) {
    if (!here.insert(found.control.first_state).second) continue;
    const int first = model.num_local_dofs;
    append_control(found.control, model);
    for (int k = 0; k < model.num_local_dofs - first; ++k) model.ghost_dofs.push_back(found.first + k);
  }
}

void Distribution::append_node(const NodeRecord& n, LocalModel& model) {
  const ManifoldSize size = n.size();
  model.node_id.push_back(n.id);
  model.kinds.push_back(n.kind);
  model.is_slope.push_back(static_cast<char>(n.is_slope));
  model.config_offset.push_back(static_cast<int>(model.config.size()));
  model.dof.push_back(model.num_local_dofs);
  model.config.insert(model.config.end(), n.config, n.config + size.config);
  model.velocity.insert(model.velocity.end(), n.velocity, n.velocity + size.dofs);
  model.num_local_dofs += size.dofs;
}

void Distribution::number_owned_nodes(LocalModel& model) {
  for (const NodeRecord& n : owned_nodes_) append_node(n, model);
  model.num_owned_nodes = static_cast<int>(owned_nodes_.size());
  for (const ControlRecord& c : owned_controls_) append_control(c, model);
  model.num_owned_controls = static_cast<int>(owned_controls_.size());
  model.num_owned_dofs = model.num_local_dofs;
  PetscInt mine = model.num_owned_dofs, end = 0;
  MPI_Scan(&mine, &end, 1, MPIU_INT, MPI_SUM, comm_);
  std::vector<Directory<GlobalStart>::Entry> entries;
  for (int i = 0; i < model.num_owned_nodes; ++i) entries.push_back({model.node_id[i], {end - mine + model.dof[i]}});
  start_of_node_.publish(entries);
  std::vector<Directory<ControlStart>::Entry> states;
  for (int i = 0; i < model.num_owned_controls; ++i)
    for (int k = 0; k < model.controls[i].num_states; ++k)
      states.push_back({owned_controls_[i].first_state + k, {end - mine + model.controls[i].dof, owned_controls_[i]}});
  start_of_control_.publish(states);
}

void Distribution::add_ghost_nodes(LocalModel& model) {
  const auto is_elsewhere = [&](std::int64_t n) {
    return n >= 0 && !std::binary_search(model.node_id.begin(), model.node_id.begin() + model.num_owned_nodes, n);
  };
  std::set<std::int64_t> ghosts;
  for (const ElementRecord& e : elements_)
    for (std::int64_t n : e.nodes)
      if (is_elsewhere(n)) ghosts.insert(n);
  const auto add_places = [&](const PlaceProbe& probe) {
    for (int k = 0; k < probe.num_nodes; ++k)
      if (is_elsewhere(probe.natural[k])) ghosts.insert(probe.natural[k]);
  };
  for (const LocalSignal& signal : model.signals)
    for (const LocalLeaf& leaf : signal.leaves) add_places(leaf.probe);
  for (const LocalRelative& relative : model.relatives)
    for (const PlaceProbe& probe : relative.place) add_places(probe);
  const std::vector<std::int64_t> ids(ghosts.begin(), ghosts.end());
  const auto starts = start_of_node_.look_up(ids);
  const auto records = nodes_.look_up(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    append_node(records[i], model);
    for (int k = 0; k < records[i].size().dofs; ++k) model.ghost_dofs.push_back(starts[i].first + k);
  }
  add_ghost_controls(model);
  NodeRecord ground;
  ground.kind = NodeKind::frame;
  Pose::set_origin(ground.config);
  append_node(ground, model);
  model.num_local_dofs -= Pose::dofs;
  model.velocity.resize(model.velocity.size() - Pose::dofs);
  model.dof.back() = -1;
}

void Distribution::number_owned_rows(LocalModel& model) {
  for (const RowRecord& r : owned_rows_) {
    model.rows.push_back({model.num_owned_rows, r.position_rows, r.velocity_rows, r.origin, r.first, r.places});
    row_index_.emplace_back(r.first, model.num_owned_rows);
    model.row_is_velocity.insert(model.row_is_velocity.end(), r.position_rows, 0);
    model.row_is_velocity.insert(model.row_is_velocity.end(), r.velocity_rows, 1);
    model.num_owned_rows += r.num_rows();
  }
  PetscInt mine = model.num_owned_rows, end = 0;
  MPI_Scan(&mine, &end, 1, MPIU_INT, MPI_SUM, comm_);
  std::vector<Directory<GlobalStart>::Entry> entries;
  for (const OwnedRows& r : model.rows) entries.push_back({r.natural, {end - mine + r.first}});
  start_of_row_.publish(entries);
}

void Distribution::add_ghost_rows(LocalModel& model) {
  model.num_local_rows = model.num_owned_rows;
  const auto& entries = all_families();
  std::map<std::int64_t, int> ghosts;  // first natural row -> family, which knows the kinds
  for (const ElementRecord& e : elements_)
    if (e.first_row >= 0 && !std::binary_search(row_index_.begin(), row_index_.end(), std::make_pair(e.first_row, 0),
                                                [](const auto& a, const auto& b) { return a.first < b.first; }))
      ghosts.emplace(e.first_row, e.family);
  std::vector<std::int64_t> ids;
  for (const auto& g : ghosts) ids.push_back(g.first);
  const auto starts = start_of_row_.look_up(ids);
  std::size_t i = 0;
  for (const auto& [first, family] : ghosts) {
    const FamilyShape& shape = entries[family]->shape;
    row_index_.emplace_back(first, model.num_local_rows);
    for (int k = 0; k < shape.coupled_rows(); ++k) {
      model.ghost_rows.push_back(starts[i].first + k);
      model.row_is_velocity.push_back(k >= shape.coupled_rows() - shape.velocity_rows ? 1 : 0);
    }
    model.num_local_rows += shape.coupled_rows();
    ++i;
  }
  std::sort(row_index_.begin(), row_index_.end());
}

/// Elements of a type that have as many nodes and parameters: those of one family.
struct FamilyKey {
  int type = -1, nodes = 0, params = 0;
  auto operator<=>(const FamilyKey&) const = default;
};

/// Those that any rank has, in their order. Collective.
std::vector<FamilyKey> families_of_all(MPI_Comm comm, const std::vector<FamilyKey>& mine) {
  constexpr int width = sizeof(FamilyKey) / sizeof(int);
  const int count = width * static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(comm_size(comm))), starts(counts.size());
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  std::vector<FamilyKey> all(static_cast<std::size_t>((starts.back() + counts.back()) / width));
  MPI_Allgatherv(mine.data(), count, MPI_INT, all.data(), counts.data(), starts.data(), MPI_INT, comm);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void Distribution::build_families(LocalModel& model) {
  const auto& entries = all_families();
  const auto key_of = [](const ElementRecord& e) {
    return FamilyKey{e.family, static_cast<int>(e.nodes.size()), static_cast<int>(e.params.size())};
  };
  std::set<FamilyKey> mine;
  for (const ElementRecord& e : elements_) mine.insert(key_of(e));
  const std::vector<FamilyKey> keys = families_of_all(comm_, {mine.begin(), mine.end()});
  for (const FamilyKey& key : keys) {
    const FamilyEntry& entry = *entries[static_cast<std::size_t>(key.type)];
    if (key.params < entry.params_per_element)
      throw std::logic_error(fmt::format("elements of '{}' are given {} parameters, their struct has {}", entry.name, key.params,
                                         entry.params_per_element));
    model.families.emplace_back();
    model.families.back().family = key.type;
    model.families.back().data.nodes_per_element = key.nodes;
  }
  for (const ElementRecord& e : elements_) {
    const auto slot = std::lower_bound(keys.begin(), keys.end(), key_of(e)) - keys.begin();
    LocalFamily& family = model.families[static_cast<std::size_t>(slot)];
    ++family.data.size;
    for (std::int64_t n : e.nodes) family.data.nodes.push_back(n < 0 ? model.ground() : model.local_node(n));
    if (entries[e.family]->shape.coupled_rows() > 0)
      family.data.rows.push_back(std::lower_bound(row_index_.begin(), row_index_.end(), std::make_pair(e.first_row, -1))->second);
    family.data.params.insert(family.data.params.end(), e.params.begin(), e.params.end());
    family.origins.push_back(e.origin);
  }
}

LocalModel Distribution::run() {
  LocalModel model;
  model.comm = comm_;
  uncrowd(comm_, nodes_.homes().total(), records_);
  anchor_controls(comm_, model_, start_of_control_.homes().total(), records_);
  choose_owners();
  send_to_owners();
  send_controls();
  throw_together(comm_, [&] { find_signals(model_, expansion_, elements_, owned_controls_, model); });
  std::sort(owned_nodes_.begin(), owned_nodes_.end(), [](const NodeRecord& a, const NodeRecord& b) { return a.id < b.id; });
  number_owned_nodes(model);
  number_owned_rows(model);
  throw_together(comm_, [&] { find_relatives(model_, expansion_, model); });
  add_ghost_nodes(model);
  add_ghost_rows(model);
  return model;
}

/// That of the box around the shares of all ranks. Collective.
double whole_extent(MPI_Comm comm, Bounds bounds) {
  MPI_Allreduce(MPI_IN_PLACE, bounds.low, 3, MPI_DOUBLE, MPI_MIN, comm);
  MPI_Allreduce(MPI_IN_PLACE, bounds.high, 3, MPI_DOUBLE, MPI_MAX, comm);
  return bounds.extent();
}

}  // namespace

int LocalModel::local_node(std::int64_t natural) const {
  const auto it = std::lower_bound(index_.begin(), index_.end(), std::make_pair(natural, -1));
  return it != index_.end() && it->first == natural ? it->second : -1;
}

LocalModel distribute(MPI_Comm comm, const Model& model, const SolidMeshes& meshes, const Numbering& numbering) {
  const Expansion expansion(model, meshes, numbering);
  Records records;
  throw_together(comm, [&] { records = expansion.share({comm_rank(comm), comm_size(comm)}); });
  const double extent = whole_extent(comm, records.bounds), own_extent = whole_extent(comm, records.own_bounds);
  Distribution distribution(comm, model, expansion, numbering, std::move(records));
  LocalModel local = distribution.run();
  local.extent = extent;
  local.own_extent = own_extent;
  for (std::size_t i = 0; i + 1 < local.node_id.size(); ++i) local.index_.emplace_back(local.node_id[i], static_cast<int>(i));
  std::sort(local.index_.begin(), local.index_.end());
  distribution.build_families(local);
  place_signals(model, local);
  return local;
}

}  // namespace sinew
