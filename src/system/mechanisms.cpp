#include "system/mechanisms.hpp"

#include "base/joined_sets.hpp"
#include "partition/exchange.hpp"

#include <algorithm>
#include <unordered_map>

namespace sinew {

namespace {

/// What ranks know of things with numbers, each kept at a home that follows from the number.
template <class T>
class AtHomes {
 public:
  explicit AtHomes(MPI_Comm comm) : comm_(comm) {}
  struct Entry {
    std::int64_t id;
    T value;
  };
  /// merge(value at home, value) for all entries of all ranks. Collective.
  template <class Merge>
  void tell(const std::vector<Entry>& entries, Merge merge) {
    std::vector<std::vector<Entry>> outgoing(static_cast<std::size_t>(comm_size(comm_)));
    for (const Entry& e : entries) outgoing[static_cast<std::size_t>(home(e.id))].push_back(e);
    for (const auto& part : all_to_all(comm_, outgoing))
      for (const Entry& e : part) {
        const auto [at, is_new] = known_.emplace(e.id, e.value);
        if (!is_new) merge(at->second, e.value);
      }
  }
  /// What is known of these, in their order; somebody must have told of each. Collective.
  std::vector<T> ask_for(const std::vector<std::int64_t>& ids) const {
    return ask(
        comm_, ids, [this](std::int64_t id) { return home(id); }, [this](std::int64_t id) { return known_.at(id); });
  }

 private:
  int home(std::int64_t id) const {
    const auto ranks = static_cast<std::int64_t>(comm_size(comm_));
    return static_cast<int>((id % ranks + ranks) % ranks);
  }

  MPI_Comm comm_;
  std::unordered_map<std::int64_t, T> known_;
};

/// This rank's part of every mechanism that has something here: as far as the joints of this rank hold it together.
struct LocalParts {
  std::vector<int> of_node;          ///< local nodes without the ground
  std::vector<std::int64_t> bodies;  ///< of all parts
  std::vector<int> of_body;
  std::vector<std::int64_t> label;  ///< of every part: the smallest body of the mechanism as far as it is known
  std::vector<Bounds> bounds;
};

/// A node of no body is one of its own.
std::vector<std::int64_t> distinct_bodies(const LocalModel& local, const std::vector<std::int64_t>& body_of_node) {
  std::vector<std::int64_t> body = body_of_node;
  for (std::size_t n = 0; n < body.size(); ++n)
    if (body[n] < 0) body[n] = -2 - local.node_id[n];
  return body;
}

/// f(nodes, first row) of all joints of this rank; the ground is none of the nodes.
template <class F>
void for_joints(const LocalModel& local, const std::vector<std::unique_ptr<Family>>& families, F f) {
  for (std::size_t k = 0; k < families.size(); ++k) {
    const FamilyData& data = families[k]->data();
    const auto width = static_cast<std::size_t>(families[k]->shape().nodes_per_element);
    for (std::size_t e = 0; e < static_cast<std::size_t>(data.size) && !data.rows.empty(); ++e) {
      if (local.families[k].origins[e].kind != OriginKind::joint) continue;
      std::vector<int> nodes;
      std::copy_if(data.nodes.begin() + static_cast<std::ptrdiff_t>(e * width),
                   data.nodes.begin() + static_cast<std::ptrdiff_t>((e + 1) * width), std::back_inserter(nodes),
                   [&](int n) { return n != local.ground(); });
      f(nodes, data.rows[e]);
    }
  }
}

LocalParts local_parts(const LocalModel& local, const std::vector<std::unique_ptr<Family>>& families,
                       const std::vector<std::int64_t>& body_of_node) {
  LocalParts parts;
  const std::vector<std::int64_t> body = distinct_bodies(local, body_of_node);
  parts.bodies = body;
  std::sort(parts.bodies.begin(), parts.bodies.end());
  parts.bodies.erase(std::unique(parts.bodies.begin(), parts.bodies.end()), parts.bodies.end());
  const auto place = [&](int node) {
    const auto at = std::lower_bound(parts.bodies.begin(), parts.bodies.end(), body[static_cast<std::size_t>(node)]);
    return static_cast<std::size_t>(at - parts.bodies.begin());
  };
  JoinedSets sets(parts.bodies.size());
  for_joints(local, families, [&](const std::vector<int>& nodes, int) {
    for (const int n : nodes) sets.join(place(nodes[0]), place(n));
  });
  std::vector<int> part_of_set(parts.bodies.size(), -1);
  for (std::size_t b = 0; b < parts.bodies.size(); ++b) {
    int& part = part_of_set[sets.of(b)];
    if (part < 0) {
      part = static_cast<int>(parts.label.size());
      parts.label.push_back(parts.bodies[b]);  // in ascending order: the first is the smallest
    }
    parts.of_body.push_back(part);
  }
  for (std::size_t n = 0; n < body.size(); ++n) parts.of_node.push_back(parts.of_body[place(static_cast<int>(n))]);
  parts.bounds.resize(parts.label.size());
  return parts;
}

/// Boxes around what this rank owns of the nodes and the places of joints.
void measure(const LocalModel& local, const std::vector<std::unique_ptr<Family>>& families, const std::vector<double>& radius,
             LocalParts& parts) {
  for (std::size_t n = 0; n < radius.size(); ++n) {
    if (!local.is_place(static_cast<int>(n))) continue;
    const double* x = local.config.data() + local.config_offset[n];
    parts.bounds[static_cast<std::size_t>(parts.of_node[n])].include({{x[0], x[1], x[2]}}, radius[n]);
  }
  std::vector<int> part_of_row(static_cast<std::size_t>(local.num_local_rows), -1);
  for_joints(local, families, [&](const std::vector<int>& nodes, int row) {
    part_of_row[static_cast<std::size_t>(row)] = parts.of_node[static_cast<std::size_t>(nodes[0])];
  });
  for (const OwnedRows& rows : local.rows) {
    const int part = part_of_row[static_cast<std::size_t>(rows.first)];
    if (part >= 0) parts.bounds[static_cast<std::size_t>(part)].include(rows.places);
  }
}

/// Parts of one mechanism on several ranks get one label. Every rank tells its bodies' homes the smallest label that it knows,
/// and asks what others have told; the label before is told of it as well, so that all parts with that one follow at once (Zhang,
/// Azad and Hu, FastSV, SIAM PP 2020): the number of rounds grows like the logarithm of that of the ranks that a mechanism is on,
/// not like the longest way through it.
void join_labels(MPI_Comm comm, LocalParts& parts) {
  const auto lower = [](std::int64_t& known, std::int64_t told) { known = std::min(known, told); };
  AtHomes<std::int64_t> labels(comm);
  std::vector<std::int64_t> before = parts.label;
  for (int changed = 1; changed != 0;) {
    std::vector<AtHomes<std::int64_t>::Entry> told;
    for (std::size_t b = 0; b < parts.bodies.size(); ++b)
      told.push_back({parts.bodies[b], parts.label[static_cast<std::size_t>(parts.of_body[b])]});
    for (std::size_t p = 0; p < before.size(); ++p) told.push_back({before[p], parts.label[p]});
    labels.tell(told, lower);
    before = parts.label;
    const std::vector<std::int64_t> of_bodies = labels.ask_for(parts.bodies), of_labels = labels.ask_for(before);
    for (std::size_t b = 0; b < of_bodies.size(); ++b)
      lower(parts.label[static_cast<std::size_t>(parts.of_body[b])], of_bodies[b]);
    for (std::size_t p = 0; p < before.size(); ++p) lower(parts.label[p], of_labels[p]);
    changed = before != parts.label ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, comm);
  }
}

/// Boxes around what all ranks have.
void join_bounds(MPI_Comm comm, LocalParts& parts) {
  AtHomes<Bounds> bounds(comm);
  std::vector<AtHomes<Bounds>::Entry> told;
  for (std::size_t p = 0; p < parts.label.size(); ++p) told.push_back({parts.label[p], parts.bounds[p]});
  bounds.tell(told, [](Bounds& known, const Bounds& more) { known.include(more); });
  parts.bounds = bounds.ask_for(parts.label);
}

}  // namespace

std::vector<double> mechanism_extents(const LocalModel& local, const std::vector<std::unique_ptr<Family>>& families,
                                      const NodeMatter& matter) {
  LocalParts parts = local_parts(local, families, matter.body);
  measure(local, families, matter.radius, parts);
  if (comm_size(local.comm) > 1) {
    join_labels(local.comm, parts);
    join_bounds(local.comm, parts);
  }
  const double whole = local.extent > 0 ? local.extent : 1.0;
  std::vector<double> extents;
  for (const int part : parts.of_node) {
    const double extent = parts.bounds[static_cast<std::size_t>(part)].extent();
    extents.push_back(extent > 0 ? extent : whole);
  }
  extents.resize(local.node_id.size(), whole);
  return extents;
}

}  // namespace sinew
