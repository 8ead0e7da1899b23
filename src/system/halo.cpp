#include "system/halo.hpp"

#include "base/object_state.hpp"
#include "base/object_type.hpp"
#include "kernels/sweep/family.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// The graph from copies to the entries of their owners.
StarForest graph_of(MPI_Comm comm, PetscVec layout, const std::vector<PetscInt>& ghosts) {
  PetscLayout map = nullptr;
  petsc(VecGetLayout(layout, &map));
  return make_star_forest(comm, map, ghosts);
}

/// A number of every own entry at all its copies. Collective.
std::vector<PetscInt> at_copies(PetscSF sf, const std::vector<PetscInt>& own, std::size_t copies) {
  std::vector<PetscInt> numbers(copies);
  copy_to_leaves(sf, MPIU_INT, own.data(), numbers.data());
  return numbers;
}

/// Own entries that others have copies of. Collective.
std::vector<PetscInt> boundary_of(PetscSF sf, PetscInt owned) {
  const PetscInt* copies = nullptr;
  petsc(PetscSFComputeDegreeBegin(sf, &copies));
  petsc(PetscSFComputeDegreeEnd(sf, &copies));
  std::vector<PetscInt> boundary;
  for (PetscInt i = 0; i < owned; ++i)
    if (copies[i] > 0) boundary.push_back(i);
  return boundary;
}

std::vector<LeafRoot> sources_of(PetscSF sf, PetscInt owned, const std::vector<PetscInt>& boundary) {
  std::vector<PetscInt> place(static_cast<std::size_t>(owned), -1);
  for (std::size_t k = 0; k < boundary.size(); ++k) place[static_cast<std::size_t>(boundary[k])] = static_cast<PetscInt>(k);
  std::vector<LeafRoot> sources = roots_of_leaves(sf);
  const std::vector<PetscInt> places = at_copies(sf, place, sources.size());
  for (std::size_t g = 0; g < sources.size(); ++g) sources[g].index = places[g];
  return sources;
}

}  // namespace

Halo::Halo(PetscVec dofs, const std::vector<PetscInt>& ghost_dofs, PetscVec rows, const std::vector<PetscInt>& ghost_rows) {
  comm_ = comm_of(dofs);
  const auto fill = [this](Side& side, PetscVec layout, const std::vector<PetscInt>& ghosts) {
    StarForest graph = graph_of(comm_, layout, ghosts);
    petsc(VecGetLocalSize(layout, &side.owned));
    side.boundary = boundary_of(graph, side.owned);
    side.boundary_on_device = to_device_array("boundary", side.boundary);
    side.source = sources_of(graph, side.owned, side.boundary);
    return graph;
  };
  fill(dofs_, dofs, ghost_dofs);
  const StarForest row_graph = fill(rows_, rows, ghost_rows);
  const std::vector<PetscInt> mine(static_cast<std::size_t>(rows_.owned), static_cast<PetscInt>(dofs_.boundary.size()));
  dof_boundary_of_owner_ = at_copies(row_graph, mine, ghost_rows.size());
}

Halo::Vectors Halo::outdated(std::initializer_list<PetscVec> vectors) const {
  Vectors old;
  for (PetscVec v : vectors) {
    if (v == nullptr || std::find(old.begin(), old.end(), v) != old.end()) continue;
    Noted now;
    petsc(PetscObjectGetId(reinterpret_cast<PetscObject>(v), &now.vector));
    now.state = state_of(v);
    const auto is_now = [&now](const Noted& noted) { return noted.vector == now.vector && noted.state == now.state; };
    if (std::none_of(noted_.begin(), noted_.end(), is_now)) old.push_back(v);
  }
  return old;
}

/// One that is known is noted in its place, else the oldest gives way.
void Halo::note(PetscVec v) {
  Noted now;
  petsc(PetscObjectGetId(reinterpret_cast<PetscObject>(v), &now.vector));
  now.state = state_of(v);
  const auto known = std::find_if(noted_.begin(), noted_.end(), [&now](const Noted& n) { return n.vector == now.vector; });
  if (known != noted_.end()) {
    *known = now;
    return;
  }
  noted_[next_] = now;
  next_ = (next_ + 1) % noted_.size();
}

/// Entry b of field f of `fields` stands at fields b + f, rows behind dofs.
Halo::Plan& Halo::plan(std::size_t dofs, std::size_t rows) {
  Plan& plan = plans_[{dofs, rows}];
  if (plan.graph) return plan;
  std::vector<LeafRoot> roots;
  const auto k = static_cast<PetscInt>(dofs), r = static_cast<PetscInt>(rows);
  for (const LeafRoot& source : dofs_.source)
    for (PetscInt f = 0; f < k; ++f) roots.push_back({source.rank, k * source.index + f});
  for (std::size_t g = 0; g < rows_.source.size(); ++g)
    for (PetscInt f = 0; f < r; ++f)
      roots.push_back({rows_.source[g].rank, k * dof_boundary_of_owner_[g] + r * rows_.source[g].index + f});
  plan.sent.resize(dofs * dofs_.boundary.size() + rows * rows_.boundary.size());
  plan.received.resize(roots.size());
  plan.graph = make_star_forest(comm_, static_cast<PetscInt>(plan.sent.size()), roots);
  return plan;
}

void Halo::exchange_on_host(const Vectors& dofs, const Vectors& rows, Plan& messages) {
  const auto pack = [](const Vectors& vectors, const Side& side, PetscScalar* to) {
    for (std::size_t f = 0; f < vectors.size(); ++f) {
      const VecRead x(vectors[f]);
      for (std::size_t b = 0; b < side.boundary.size(); ++b) to[vectors.size() * b + f] = x[side.boundary[b]];
    }
    return to + vectors.size() * side.boundary.size();
  };
  pack(rows, rows_, pack(dofs, dofs_, messages.sent.data()));
  copy_to_leaves(messages.graph, MPIU_SCALAR, messages.sent.data(), messages.received.data());
  const auto unpack = [](const Vectors& vectors, const Side& side, const PetscScalar* from) {
    for (std::size_t f = 0; f < vectors.size(); ++f) {
      PetscVec local = nullptr;
      petsc(VecGhostGetLocalForm(vectors[f], &local));
      {
        VecWrite x(local);
        for (std::size_t g = 0; g < side.source.size(); ++g)
          x[side.owned + static_cast<PetscInt>(g)] = from[vectors.size() * g + f];
      }
      petsc(VecGhostRestoreLocalForm(vectors[f], &local));
    }
    return from + vectors.size() * side.source.size();
  };
  unpack(rows, rows_, unpack(dofs, dofs_, messages.received.data()));
}

void Halo::exchange_on_device(const Vectors& dofs, const Vectors& rows, Plan& messages) {
  using Message = Kokkos::View<PetscScalar*, HostSpace, Kokkos::MemoryUnmanaged>;
  const auto make_room = [](DeviceArray<double>& array, std::size_t size) {
    if (array.extent(0) != size) array = DeviceArray<double>("messages", size);
  };
  make_room(messages.sent_on_device, messages.sent.size());
  make_room(messages.received_on_device, messages.received.size());
  const auto pack = [](const Vectors& vectors, const Side& side, double* to) {
    for (std::size_t f = 0; f < vectors.size(); ++f)
      pick_numbers(DeviceRead(vectors[f]).data(), side.boundary_on_device, vectors.size(), to + f);
    return to + vectors.size() * side.boundary.size();
  };
  pack(rows, rows_, pack(dofs, dofs_, messages.sent_on_device.data()));
  Kokkos::deep_copy(Message(messages.sent.data(), messages.sent.size()), messages.sent_on_device);
  copy_to_leaves(messages.graph, MPIU_SCALAR, messages.sent.data(), messages.received.data());
  Kokkos::deep_copy(messages.received_on_device, Message(messages.received.data(), messages.received.size()));
  const auto unpack = [](const Vectors& vectors, const Side& side, const double* from) {
    for (std::size_t f = 0; f < vectors.size(); ++f)
      put_numbers(from + f, vectors.size(), static_cast<std::ptrdiff_t>(side.source.size()),
                  DeviceWrite(vectors[f], OldValues::kept).data() + side.owned);
    return from + vectors.size() * side.source.size();
  };
  unpack(rows, rows_, unpack(dofs, dofs_, messages.received_on_device.data()));
}

void Halo::update(std::initializer_list<PetscVec> dofs, std::initializer_list<PetscVec> rows) {
  const Vectors of_dofs = outdated(dofs), of_rows = outdated(rows);
  if (of_dofs.empty() && of_rows.empty()) return;
  Plan& messages = plan(of_dofs.size(), of_rows.size());
  if (is_of_kokkos((of_dofs.empty() ? of_rows : of_dofs).front()))
    exchange_on_device(of_dofs, of_rows, messages);
  else
    exchange_on_host(of_dofs, of_rows, messages);
  // behind the last call that counts as a change of a vector
  for (const Vectors* vectors : {&of_dofs, &of_rows})
    for (PetscVec v : *vectors) note(v);
}

}  // namespace sinew
