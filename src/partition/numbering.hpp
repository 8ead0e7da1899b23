/// \file
/// Natural numbers of nodes, elements and constraint rows: computed from the model without expanding it.
///
/// Nodes: body templates in the order of the file, instances of a template one after the other. A body has as many as its type
/// says (Body::size); one with a mesh has its points, then one frame for each surface group that is used.
///
/// States belong to no node: controls in the order of the file, instances one after the other, the states of an instance in turn.
#pragma once

#include "kernels/sweep/surface_loads.hpp"
#include "partition/solid_meshes.hpp"

namespace sinew {

/// Elements, joints, forces, loads on surfaces in the order of registration: the numbering of families on every rank.
const std::vector<const FamilyEntry*>& all_families();
/// Index of a family by name among all_families(), searched among elements, joints or forces.
int element_family(const std::string& name);
int joint_family(const std::string& name);
int force_family(const std::string& name);
/// Of a load of the model file on faces of a shape, which must be registered.
int surface_load_family(const std::string& type, const std::string& shape);

/// Which instance of which template a natural number falls into.
struct NodeHome {
  int body = -1;
  std::int64_t instance = 0;
  int local = 0;  ///< node within the instance
};

class Numbering {
 public:
  Numbering(const Model&, const SolidMeshes&);

  std::int64_t num_nodes() const { return node_start_.back(); }
  std::int64_t num_rows() const { return num_rows_; }
  /// Natural number of node `local` of a body instance.
  std::int64_t node(int body, std::int64_t instance, int local) const {
    return node_start_[body] + instance * sizes_[body].nodes + local;
  }
  NodeHome locate(std::int64_t node) const;

  /// Nodes and elements of one instance of a body template. With a mesh: its points and cells, and a frame for each group in use.
  const BodySize& size(int body) const { return sizes_[body]; }
  /// First row of a joint instance; of an attachment of a body's instance.
  std::int64_t joint_row(int joint, std::int64_t instance) const {
    const auto uneven = rows_before_.find(joint);
    return joint_start_[joint] + (uneven == rows_before_.end() ? instance * rows_per_joint_[joint]
                                                               : uneven->second[static_cast<std::size_t>(instance)]);
  }
  std::int64_t attachment_row(int body, std::int64_t instance, int attachment) const;

  std::int64_t num_states() const { return state_start_.back(); }
  /// First state of a control instance.
  std::int64_t state(int control, std::int64_t instance) const {
    return state_start_[control] + instance * states_per_instance_[control];
  }

 private:
  void number_clamps(const Model&, const SolidMeshes&, int joint);

  std::vector<std::int64_t> node_start_;
  std::vector<BodySize> sizes_;
  std::vector<std::int64_t> joint_start_;
  std::vector<int> rows_per_joint_;
  std::map<int, std::vector<std::int64_t>>
      rows_before_;                             ///< every instance of joints whose instances have rows of their own number
  std::vector<std::int64_t> attachment_start_;  ///< of every body
  std::int64_t num_rows_ = 0;
  std::vector<std::int64_t> state_start_;
  std::vector<int> states_per_instance_;
};

/// Rows of one instance of a clamp: it depends on what is clamped.
int clamp_rows(const Model&, const SolidMeshes&, const JointItem&, std::int64_t instance);

}  // namespace sinew
