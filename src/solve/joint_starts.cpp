#include "solve/joint_starts.hpp"

#include "model/joint_starts.hpp"
#include "partition/exchange.hpp"
#include "solve/consistent.hpp"
#include "solve/redundancy.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// Where a node is and how it moves.
struct NodeStart {
  double config[max_config_size], velocity[max_node_dofs];
};
using NodeStarts = Directory<NodeStart>;

/// Of the nodes that this rank owns, for all ranks to look up. Collective.
void publish(const System& system, const Configuration& q, PetscVec z, NodeStarts& starts) {
  const LocalModel& local = system.local();
  const std::vector<double> config = system.host_values(q);
  const VecRead velocity(z);
  std::vector<NodeStarts::Entry> entries;
  for (std::size_t n = 0; n < static_cast<std::size_t>(local.num_owned_nodes); ++n) {
    const ManifoldSize size = manifold_size(local.kinds[n]);
    entries.push_back({local.node_id[n], {}});
    std::copy_n(config.data() + local.config_offset[n], size.config, entries.back().value.config);
    std::copy_n(velocity.data() + local.dof[n], size.dofs, entries.back().value.velocity);
  }
  starts.publish(entries);
}

/// Collective.
void take(const NodeStarts& starts, StartLevel level, LocalModel& local) {
  const auto num_nodes = static_cast<std::size_t>(local.ground());
  const std::vector<NodeStart> found = starts.look_up({local.node_id.begin(), local.node_id.begin() + local.ground()});
  for (std::size_t n = 0; n < num_nodes; ++n) {
    const ManifoldSize size = manifold_size(local.kinds[n]);
    if (level == StartLevel::position)
      std::copy_n(found[n].config, size.config, local.config.data() + local.config_offset[n]);
    else
      std::copy_n(found[n].velocity, size.dofs, local.velocity.data() + local.dof[n]);
  }
}

void draw(const System& system, StartLevel level, Configuration& q, PetscVec z) {
  if (level == StartLevel::velocity) {
    VecHandle unused = duplicate(z);
    project_onto_constraints(system, 0.0, q, unused, Turns::counted);
    change_rates_of_wholes(system, 0.0, q, z);  // flexible bodies go along, and are not left behind where they are held
  }
  project_onto_constraints(system, 0.0, q, z, Turns::counted);
}

}  // namespace

LocalModel distribute_at_start(MPI_Comm comm, const Model& model, const SolidMeshes& meshes, const Numbering& numbering) {
  LocalModel local = distribute(comm, model, meshes, numbering);
  NodeStarts starts(comm, numbering.num_nodes());
  bool is_moved = false;
  for (const StartLevel level : {StartLevel::position, StartLevel::velocity}) {
    const std::optional<Model> held = held_at_starts(model, level);
    if (!held) continue;
    LocalModel of_held = distribute(comm, *held, meshes, Numbering(*held, meshes));
    if (is_moved) take(starts, StartLevel::position, of_held);
    System system(*held, std::move(of_held));
    settle_redundancy(system, 0.0, true);
    Configuration q = system.make_configuration();
    VecHandle z = system.make_dof_vector();
    system.initial_state(q, z);
    draw(system, level, q, z);
    publish(system, q, z, starts);
    take(starts, level, local);
    is_moved = true;
  }
  return local;
}

}  // namespace sinew
