#include "solve/joint_starts.hpp"

#include "model/joint_starts.hpp"
#include "partition/exchange.hpp"
#include "solve/consistent.hpp"
#include "solve/disconnection.hpp"
#include "solve/redundancy.hpp"
#include "system/archive.hpp"
#include "system/place_motion.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace sinew {
namespace {

/// Where a node is and how it moves.
struct NodeStart {
  double config[max_config_size], velocity[max_node_dofs];
};

/// Numbers by keys (item_key), spread over the ranks. Members are collective.
class KeyedNumbers {
 public:
  struct Entry {
    std::int64_t key;
    double value;
  };
  explicit KeyedNumbers(MPI_Comm comm) : comm_(comm) {}

  void publish(const std::vector<Entry>& entries) {
    std::vector<std::vector<Entry>> outgoing(static_cast<std::size_t>(comm_size(comm_)));
    for (const Entry& e : entries) outgoing[static_cast<std::size_t>(home(e.key))].push_back(e);
    for (const auto& part : all_to_all(comm_, outgoing))
      for (const Entry& e : part) known_[e.key] = e.value;
  }
  /// Of keys that were published.
  std::vector<double> look_up(const std::vector<std::int64_t>& keys) const {
    return ask(
        comm_, keys, [this](std::int64_t key) { return home(key); }, [this](std::int64_t key) { return known_.at(key); });
  }

 private:
  int home(std::int64_t key) const { return static_cast<int>(key % comm_size(comm_)); }

  MPI_Comm comm_;
  std::unordered_map<std::int64_t, double> known_;
};

/// Of all parameters of families whose elements remember turns, element by element.
std::vector<std::int64_t> keys_of_memories(const std::vector<LocalFamily>& families) {
  std::vector<std::int64_t> keys;
  for (const LocalFamily& family : families)
    for (std::size_t e = 0; family.entry().shape.has_history && e < family.origins.size(); ++e) {
      const Origin& origin = family.origins[e];
      const auto width = static_cast<std::int64_t>(family.data.params.size() / family.origins.size());
      for (std::int64_t j = 0; j < width; ++j)
        keys.push_back(item_key({static_cast<std::int64_t>(origin.kind), origin.item, origin.instance, j}));
    }
  return keys;
}

std::vector<std::int64_t> keys_of_angles(const LocalModel& local) {
  std::vector<std::int64_t> keys;
  for (const LocalRelative& relative : local.relatives)
    keys.push_back(item_key({relative.sensor, relative.instance, relative.number}));
  return keys;
}

/// What the systems that hold a model at its starts tell the one that goes on from there.
class Starts {
 public:
  Starts(MPI_Comm comm, std::int64_t num_nodes) : nodes_(comm, num_nodes), memories_(comm), angles_(comm) {}

  /// Of the nodes that this rank owns. Collective.
  void publish_nodes(const System& system, const Configuration& q, PetscVec z) {
    const LocalModel& local = system.local();
    const std::vector<double> config = system.host_values(q);
    const VecRead velocity(z);
    std::vector<Directory<NodeStart>::Entry> entries;
    for (std::size_t n = 0; n < static_cast<std::size_t>(local.num_owned_nodes); ++n) {
      const ManifoldSize size = manifold_size(local.kinds[n]);
      entries.push_back({local.node_id[n], {}});
      std::copy_n(config.data() + local.config_offset[n], size.config, entries.back().value.config);
      std::copy_n(velocity.data() + local.dof[n], size.dofs, entries.back().value.velocity);
    }
    nodes_.publish(entries);
  }

  /// What has been counted on the way to a state, which is the last one. Collective.
  void publish_turns(const System& system, const Configuration& q, PetscVec z) {
    system.accept({0.0, &q, z, nullptr});
    std::vector<LocalFamily> with_memories;
    for (std::size_t f = 0; f < system.families().size(); ++f) {
      if (!system.families()[f]->shape().has_history) continue;
      with_memories.push_back(system.local().families[f]);
      with_memories.back().data = system.families()[f]->data();
    }
    std::vector<KeyedNumbers::Entry> entries;
    std::size_t k = 0;
    const std::vector<std::int64_t> keys = keys_of_memories(with_memories);
    for (const LocalFamily& family : with_memories)
      for (const double value : family.data.params) entries.push_back({keys[k++], value});
    memories_.publish(entries);
    entries.clear();
    const std::vector<double> angles = system.values_of_relatives({0.0, &q, z, nullptr});
    const std::vector<std::int64_t> keys_here = keys_of_angles(system.local());
    for (std::size_t i = 0; i < angles.size(); ++i) entries.push_back({keys_here[i], angles[i]});
    angles_.publish(entries);
  }

  /// Places of nodes, which keep the velocities that they have, vectors in space. Collective.
  void move(LocalModel& local) const {
    each_node(local, [&](const NodeStart& start, std::size_t n, const ManifoldSize& size) {
      double* const config = local.config.data() + local.config_offset[n];
      double* const velocity = local.velocity.data() + local.dof[n];
      if (size.first_turn >= 0) {
        double* const omega = velocity + size.first_turn;
        const Vec3<double> in_space = frame_at(config).R * vec3_at(omega);
        const Vec3<double> in_body = transpose_times(frame_at(start.config).R, in_space);
        for (int i = 0; i < 3; ++i) omega[i] = in_body[i];
      }
      std::copy_n(start.config, size.config, config);
    });
    local.is_moved = true;
  }

  /// Their velocities. Collective.
  void set_moving(LocalModel& local) const {
    each_node(local, [&](const NodeStart& start, std::size_t n, const ManifoldSize& size) {
      std::copy_n(start.velocity, size.dofs, local.velocity.data() + local.dof[n]);
    });
  }

  /// Collective.
  void take_turns(LocalModel& local) const {
    const std::vector<double> memories = memories_.look_up(keys_of_memories(local.families)),
                              angles = angles_.look_up(keys_of_angles(local));
    std::size_t k = 0;
    for (LocalFamily& family : local.families)
      if (family.entry().shape.has_history)
        for (double& value : family.data.params) value = memories[k++];
    for (std::size_t i = 0; i < angles.size(); ++i) local.relatives[i].start = angles[i];
  }

 private:
  template <class Act>
  void each_node(LocalModel& local, const Act& act) const {
    const std::vector<NodeStart> found = nodes_.look_up({local.node_id.begin(), local.node_id.begin() + local.ground()});
    for (std::size_t n = 0; n < found.size(); ++n) act(found[n], n, manifold_size(local.kinds[n]));
  }

  Directory<NodeStart> nodes_;
  KeyedNumbers memories_, angles_;
};

/// Onto the constraints of a model that is held. What had to be strained for it is said. Where coordinates are held, so are their
/// rates, at rest: what drives elsewhere do does not fit, and does not matter before the velocities' turn comes.
std::string draw(const System& system, StartLevel level, Configuration& q, PetscVec z) {
  if (level == StartLevel::velocity) {
    VecHandle unused = duplicate(z);
    project_places(system, 0.0, q, unused, Turns::counted);
    change_rates_of_wholes(system, 0.0, q, z);  // flexible bodies go along, and are not left behind where they are held
  }
  const auto project = level == StartLevel::velocity ? project_onto_constraints : project_places;
  const ConsistencyReport report = project(system, 0.0, q, z, Turns::counted);
  if (report.lost_turns.exist()) throw InputError(report.lost_turns.as("error"));  // the model asks for these turns
  return report.strain;
}

}  // namespace

LocalModel distribute_at_start(MPI_Comm comm, const Model& model, const SolidMeshes& meshes, const Numbering& numbering,
                               std::vector<std::string>* warnings) {
  LocalModel local = distribute(comm, model, meshes, numbering);
  std::optional<Starts> places;
  for (const StartLevel level : {StartLevel::position, StartLevel::velocity}) {
    const std::optional<Model> held = held_at_starts(model, level);
    if (!held) continue;
    LocalModel of_held = distribute(comm, *held, meshes, Numbering(*held, meshes));
    if (places) {
      places->move(of_held);
      places->take_turns(of_held);
    }
    System system(*held, std::move(of_held));
    settle_redundancy(system, 0.0, true);
    Configuration q = system.make_configuration();
    VecHandle z = system.make_dof_vector();
    system.initial_state(q, z);
    // behind this the joints fit: how the bodies were drawn is to be told now
    const std::string misfit = level == StartLevel::position ? disconnection_warning(system, 0.0, true) : std::string();
    const std::string strain = draw(system, level, q, z);
    for (const std::string& text : {misfit, strain})
      if (warnings != nullptr && !text.empty()) warnings->push_back(text);
    Starts starts(comm, numbering.num_nodes());
    starts.publish_nodes(system, q, z);
    if (level == StartLevel::velocity) {
      starts.set_moving(local);
    } else {
      starts.publish_turns(system, q, z);
      starts.move(local);
      starts.take_turns(local);
      places = std::move(starts);
    }
  }
  return local;
}

}  // namespace sinew
