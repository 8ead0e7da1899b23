#include "system/rigid_motions.hpp"
#include "system/system.hpp"

#include <cmath>

namespace sinew {

namespace {

/// Bodies are told apart by their place in the model file and which of its repetitions they are; both together in a number that a
/// double holds.
double number_of(const Origin& origin) {
  constexpr double repetitions = 4294967296.0;
  return origin.item * repetitions + static_cast<double>(origin.instance);
}

/// Where the block of a node lies; at the origin where it has no place.
std::array<double, 3> place_of_block(const LocalModel& local, int node, const double* config) {
  if (!local.has_vector(node)) return {};
  const double* x = config + local.config_offset[static_cast<std::size_t>(node)];
  return {x[0], x[1], x[2]};
}

}  // namespace

/// The body of every owned node, -1 of others. An element is on one rank, and its nodes may be on others: they hear of it.
std::vector<std::int64_t> System::bodies_of_nodes(NodesOf which) const {
  const auto counts = [&](const Origin& origin) {
    return origin.kind == OriginKind::body || (which == NodesOf::bodies_with_frames && origin.kind == OriginKind::attachment);
  };
  VecHandle numbers = make_dof_vector();  // 0: none
  PetscVec local = nullptr;
  petsc(VecGhostGetLocalForm(numbers, &local));
  {
    VecWrite number(local != nullptr ? local : numbers.get());
    for (std::size_t f = 0; f < families_.size(); ++f) {
      if (which == NodesOf::solids && !families_[f]->shape().is_solid) continue;
      const FamilyData& data = families_[f]->data();
      const std::size_t width = data.nodes.size() / static_cast<std::size_t>(std::max(1, data.size));
      for (std::size_t k = 0; k < data.nodes.size(); ++k) {
        if (!counts(local_.families[f].origins[k / width])) continue;
        const int dof = local_.dof[static_cast<std::size_t>(data.nodes[k])];
        if (dof >= 0) number[dof] = 1 + number_of(local_.families[f].origins[k / width]);
      }
    }
  }
  petsc(VecGhostRestoreLocalForm(numbers, &local));
  if (is_parallel_) {
    petsc(VecGhostUpdateBegin(numbers, MAX_VALUES, SCATTER_REVERSE));
    petsc(VecGhostUpdateEnd(numbers, MAX_VALUES, SCATTER_REVERSE));
  }
  std::vector<std::int64_t> body;
  const VecRead number(numbers);
  for (int n = 0; n < local_.num_owned_nodes; ++n)
    body.push_back(static_cast<std::int64_t>(number[local_.dof[static_cast<std::size_t>(n)]]) - 1);
  return body;
}

/// With those of frames that surfaces and inner points carry, of owned nodes and then of the ghosts.
std::vector<std::int64_t> System::bodies_of_local_nodes() const {
  std::vector<std::int64_t> body = bodies_of_nodes(NodesOf::bodies_with_frames);
  if (!is_parallel_) return body;
  VecHandle numbers = make_dof_vector();
  {
    VecWrite number(numbers);
    for (std::size_t n = 0; n < body.size(); ++n) number[local_.dof[n]] = static_cast<double>(body[n]);
  }
  share({numbers}, {});
  PetscVec local = nullptr;
  petsc(VecGhostGetLocalForm(numbers, &local));
  {
    const VecRead number(local);
    for (int n = local_.num_owned_nodes; n < local_.ground(); ++n)
      body.push_back(static_cast<std::int64_t>(number[local_.dof[static_cast<std::size_t>(n)]]));
  }
  petsc(VecGhostRestoreLocalForm(numbers, &local));
  return body;
}

/// First-order states are of no body, and all together count as one.
void System::sum_over_bodies(std::initializer_list<PetscVec> vectors) const {
  if (!body_sums_) {
    const std::vector<std::int64_t> body = bodies_of_nodes(NodesOf::bodies);
    std::vector<std::int64_t> body_of_dof;
    body_of_dof.reserve(static_cast<std::size_t>(layout_.num_dofs));
    for (int n = 0; n < local_.num_owned_nodes; ++n)
      body_of_dof.insert(body_of_dof.end(), static_cast<std::size_t>(local_.size(n).dofs), body[static_cast<std::size_t>(n)]);
    body_of_dof.resize(static_cast<std::size_t>(layout_.num_dofs), -1);
    body_sums_ = std::make_unique<BodySums>(local_.comm, body_of_dof);
  }
  body_sums_->sum(vectors);
}

std::shared_ptr<const RigidMotions> System::rigid_motions() const {
  return std::make_shared<RigidMotions>(local_, layout_, bodies_of_nodes(NodesOf::bodies_with_frames));
}

/// A node is a block, with the slopes that follow it (they are no places); so is a first-order state, which has no place and is
/// put with the first node.
std::shared_ptr<const KktUnknowns> System::describe_unknowns() const {
  auto unknowns = std::make_shared<KktUnknowns>();
  unknowns->block_of_dof.reserve(static_cast<std::size_t>(layout_.num_dofs));
  unknowns->initial_position.reserve(static_cast<std::size_t>(local_.num_owned_nodes) + layout_.states.size());
  const std::vector<std::int64_t> solid = is_compact_ ? bodies_of_nodes(NodesOf::solids) : std::vector<std::int64_t>();
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    if (!local_.is_slope[static_cast<std::size_t>(n)] || n == 0) {
      unknowns->initial_position.push_back(place_of_block(local_, n, local_.config.data()));
      if (is_compact_) unknowns->solid.push_back(solid[static_cast<std::size_t>(n)]);
    }
    const int size = local_.size(n).dofs;
    unknowns->block_of_dof.insert(unknowns->block_of_dof.end(), static_cast<std::size_t>(size),
                                  static_cast<PetscInt>(unknowns->initial_position.size()) - 1);
  }
  while (static_cast<PetscInt>(unknowns->block_of_dof.size()) < layout_.num_dofs) {
    unknowns->block_of_dof.push_back(static_cast<PetscInt>(unknowns->initial_position.size()));
    unknowns->initial_position.push_back(unknowns->initial_position.empty() ? std::array<double, 3>{}
                                                                            : unknowns->initial_position.front());
    if (is_compact_) unknowns->solid.push_back(-1);
  }
  unknowns->has_solids = is_compact_;
  if (is_compact_) unknowns->current_position = unknowns->initial_position;
  return unknowns;
}

void System::forget_analyses() const {
  for (const auto& unknowns : unknowns_) unknowns->analysis.reset();
}

/// Where the blocks are now, for solvers that work with the rigid motions of solids.
void System::note_places(const Configuration& q) const {
  if (!is_compact_) return;
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  std::vector<std::array<double, 3>>& place = unknowns_[static_cast<int>(MatrixKind::tangent)]->current_position;
  std::size_t block = 0;
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    if (local_.is_slope[static_cast<std::size_t>(n)] && n != 0) continue;
    place[block++] = place_of_block(local_, n, host.data());
  }
}

}  // namespace sinew
