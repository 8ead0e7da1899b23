#include "partition/numbering.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <petscsys.h>

#include <algorithm>
#include <limits>

namespace sinew {

const std::vector<const FamilyEntry*>& all_families() {
  static const auto families = [] {
    std::vector<const FamilyEntry*> all;
    for (const auto* list : {&registered_elements(), &registered_joints(), &registered_forces(), &registered_surface_loads()})
      for (const FamilyEntry& entry : *list) all.push_back(&entry);
    return all;
  }();
  return families;
}

namespace {

int family_in(const std::vector<FamilyEntry>& list, std::size_t offset, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(offset + i);
  throw InputError(fmt::format("this build has no family called '{}'", name));
}

}  // namespace

int element_family(const std::string& name) { return family_in(registered_elements(), 0, name); }
int joint_family(const std::string& name) { return family_in(registered_joints(), registered_elements().size(), name); }
int force_family(const std::string& name) {
  return family_in(registered_forces(), registered_elements().size() + registered_joints().size(), name);
}
int surface_load_family(const std::string& type, const std::string& shape) {
  const auto before = registered_elements().size() + registered_joints().size() + registered_forces().size();
  return static_cast<int>(before) + find_surface_load(type, shape);
}

int clamp_rows(const Model& model, const SolidMeshes& meshes, const JointItem& joint, std::int64_t instance) {
  const int rows = find_entry(registered_joints(), joint.type)->shape.rows();  // of one node, or one of its directions
  const int per_node = joint.components.empty() ? rows : rows * static_cast<int>(joint.components.size());
  const PlaceRef held = model.places(joint, instance).at(held_place(joint));
  if (held.is_ground) return 0;
  if (held.anchor == Anchor::group) {
    const SolidMesh& mesh = meshes.known.at(held.body.item);
    const int group = mesh.group(held.group);
    return group < 0 ? per_node : per_node * mesh.groups[static_cast<std::size_t>(group)].num_nodes;
  }
  const bool has_slope = model.body_at(held.body.item).form_of(held) == PlaceForm::line;
  return joint.components.empty() && has_slope ? 2 * per_node : per_node;
}

namespace {

/// One instance of a body: what it says itself, or a mesh's points and cells and the frames that are attached to it.
BodySize size_of(const Model& model, const SolidMeshes& meshes, int body) {
  const Body& one = model.body_at(body);
  if (!one.meshed()) return one.size();
  const SolidMesh& mesh = meshes.known.at(body);
  const int attached = mesh.num_attachments(), nodes = mesh.num_points + attached;
  return {nodes, one.meshed()->node_kind() == NodeKind::frame ? nodes : attached, mesh.num_cells, 0, attached};
}

/// Refuses a model whose unknowns cannot be numbered. In floating point: the counts of a repeat by the elements of a body may
/// exceed any integer.
class UnknownCount {
 public:
  explicit UnknownCount(const SourceNames& source) : source_(source) {}
  void add(double per_instance, std::int64_t instances, const SourceMark& mark) {
    total_ += per_instance * static_cast<double>(instances);
    constexpr auto most = static_cast<double>(std::numeric_limits<PetscInt>::max());
    if (total_ <= most) return;
    throw InputError(fmt::format(
        "{}: error: with this the model has {:.3g} unknowns; PETSc numbers {:.3g} here: use fewer elements or repeats",
        source_.locate(mark), total_, most));
  }

 private:
  const SourceNames& source_;
  double total_ = 0;
};

}  // namespace

Numbering::Numbering(const Model& model, const SolidMeshes& meshes) {
  UnknownCount unknowns(model.source);
  node_start_.push_back(0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    const BodySize size = size_of(model, meshes, body);
    unknowns.add(static_cast<double>(size.dofs()), model.num_instances(body), model.bodies[b].mark);
    sizes_.push_back(size);
    node_start_.push_back(node_start_.back() + size.nodes * model.num_instances(body));
  }
  for (const JointItem& joint : model.joints) {
    const FamilyEntry* entry = find_entry(registered_joints(), joint.type);
    const int rows = joint.holds_all_nodes ? clamp_rows(model, meshes, joint, 0) : entry->shape.rows();
    unknowns.add(rows, joint.repeat.count(), joint.mark);
    joint_start_.push_back(num_rows_);
    rows_per_joint_.push_back(rows);
    num_rows_ += rows * joint.repeat.count();
    if (joint.holds_all_nodes) number_clamps(model, meshes, static_cast<int>(joint_start_.size()) - 1);
  }
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    const int body = static_cast<int>(b);
    unknowns.add(6.0 * sizes_[b].attachments, model.num_instances(body), model.bodies[b].mark);
    attachment_start_.push_back(num_rows_);
    num_rows_ += 6 * static_cast<std::int64_t>(sizes_[b].attachments) * model.num_instances(body);
  }
  state_start_.push_back(0);
  for (const ControlItem& control : model.controls) {
    unknowns.add(control.num_states(), control.repeat.count(), control.mark);
    states_per_instance_.push_back(control.num_states());
    state_start_.push_back(state_start_.back() + control.num_states() * control.repeat.count());
  }
}

/// The instances of a clamp may hold surfaces of different meshes.
void Numbering::number_clamps(const Model& model, const SolidMeshes& meshes, int joint) {
  const JointItem& item = model.joints[static_cast<std::size_t>(joint)];
  const auto rows_of = [&](std::int64_t instance) { return clamp_rows(model, meshes, item, instance); };
  std::int64_t first = 0;  // of another number of rows: as a rule there is none, and nothing is kept
  while (first < item.repeat.count() && rows_of(first) == rows_per_joint_.back()) ++first;
  if (first == item.repeat.count()) return;
  std::vector<std::int64_t> before{0};
  for (std::int64_t instance = 0; instance < item.repeat.count(); ++instance) before.push_back(before.back() + rows_of(instance));
  num_rows_ = joint_start_.back() + before.back();
  rows_before_[joint] = std::move(before);
}

NodeHome Numbering::locate(std::int64_t node) const {
  const auto next = std::upper_bound(node_start_.begin(), node_start_.end(), node);
  const int body = static_cast<int>(next - node_start_.begin()) - 1;
  const std::int64_t inside = node - node_start_[body];
  return {body, inside / sizes_[body].nodes, static_cast<int>(inside % sizes_[body].nodes)};
}

std::int64_t Numbering::attachment_row(int body, std::int64_t instance, int attachment) const {
  const auto b = static_cast<std::size_t>(body);
  return attachment_start_[b] + 6 * (instance * sizes_[b].attachments + attachment);
}

}  // namespace sinew
