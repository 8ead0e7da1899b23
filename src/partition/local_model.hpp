/// \file
/// One rank's share of a model: its nodes (owned, then ghosts, then the ground), rows, families, controls, and their places in
/// the global numbering.
#pragma once

#include "partition/expand.hpp"
#include "partition/local_signals.hpp"

#include <mpi.h>
#include <petscsys.h>

namespace sinew {

/// A family's elements on this rank and where each comes from.
struct LocalFamily {
  int family = -1;  ///< index into all_families()
  FamilyData data;  ///< local node and row numbers; the system's families take it over
  std::vector<Origin> origins;
  const FamilyEntry* unregistered = nullptr;  ///< its description, where it is not among all_families()

  const FamilyEntry& entry() const {
    return unregistered != nullptr ? *unregistered : *all_families()[static_cast<std::size_t>(family)];
  }
};

/// Constraint rows that this rank owns, group by group, in local order.
struct OwnedRows {
  int first = 0;  ///< local row
  int position_rows = 0, velocity_rows = 0;
  Origin origin;
  std::int64_t natural = -1;
  Bounds places;  ///< of a joint, those on the ground too; empty of others
};

struct LocalModel {
  MPI_Comm comm = MPI_COMM_SELF;

  // ---- nodes: 0..owned-1 owned (by rising natural number), then ghosts, then one fixed frame, the ground
  int num_owned_nodes = 0;
  std::vector<std::int64_t> node_id;  ///< natural numbers; -1 the ground
  std::vector<NodeKind> kinds;
  std::vector<char> is_slope;  ///< points that are no places but derivatives of them (of cables): numbers without unit
  std::vector<int> config_offset;
  std::vector<int> dof;          ///< first local dof, -1 for the ground
  std::vector<double> config;    ///< initial configuration
  std::vector<double> velocity;  ///< initial velocity, local dofs; of states their initial values
  bool is_moved = false;         ///< nodes and turns are those of joints' starts: prescribed angles have been carried out
  int num_owned_dofs = 0, num_local_dofs = 0;
  std::vector<PetscInt> ghost_dofs;  ///< global dofs of the ghosts, in local order

  // ---- controls: owned, then ghosts. Dofs are in the order: owned nodes, owned states, ghost nodes, ghost states
  int num_owned_controls = 0;
  std::vector<LocalControl> controls;
  std::vector<LocalSignal> signals;    ///< actuators; rates of states, outputs and samples of owned controls
  std::vector<LocalSampler> samplers;  ///< owned ones, in the order of the model file

  /// Coordinates of relative sensors that this rank records (first) or that its signals read.
  std::vector<LocalRelative> relatives;
  int num_recorded_relatives = 0;

  // ---- rows: owned, then ghosts
  int num_owned_rows = 0, num_local_rows = 0;
  std::vector<PetscInt> ghost_rows;  ///< global rows of the ghosts, in local order
  std::vector<OwnedRows> rows;
  std::vector<char> row_is_velocity;  ///< local rows

  /// Diagonal of the box around bodies and the places of joints and forces at the start, m; the same on all ranks.
  double extent = 0;
  /// The same without places on the ground, but for those that rods (distances) hold bodies to.
  double own_extent = 0;

  std::vector<LocalFamily> families;  ///< every family that any rank has, the same list on all ranks

  int ground() const { return static_cast<int>(node_id.size()) - 1; }
  /// Numbers of a node.
  ManifoldSize size(int n) const { return manifold_size(kinds[static_cast<std::size_t>(n)]); }
  /// Whether it is a frame: the last three of its dofs are a rotation.
  bool turns(int n) const { return size(n).first_turn >= 0; }
  /// Whether its first three dofs are a vector: of a place, or of a slope.
  bool has_vector(int n) const { return size(n).has_vector; }
  bool is_place(int n) const { return has_vector(n) && !is_slope[static_cast<std::size_t>(n)]; }
  /// Local number of a node, -1 if it is not here.
  int local_node(std::int64_t natural) const;
  /// Gives back the room that lists have taken to grow.
  void trim();

 private:
  friend LocalModel distribute(MPI_Comm, const Model&, const SolidMeshes&, const Numbering&);
  std::vector<std::pair<std::int64_t, int>> index_;  ///< sorted
};

/// Expands the model share by share, partitions its graph with PT-Scotch, and sends everything to its owner. No array here grows
/// with the global size. Collective.
LocalModel distribute(MPI_Comm, const Model&, const SolidMeshes&, const Numbering&);

}  // namespace sinew
