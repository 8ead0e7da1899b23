#include "system/row_owners.hpp"

#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace sinew {

namespace {

/// A rank tells of no more owners than these, so that what it receives does not grow with the model.
constexpr std::size_t max_owners = 50;
/// A message names no more than these.
constexpr std::size_t max_names = 8;

using OwnerKey = std::tuple<int, int, std::int64_t>;

OwnerKey key_of(const Origin& o) { return {static_cast<int>(o.kind), o.item, o.instance}; }

/// One entry for each owner: amounts summed, the first row kept.
std::vector<RowOwner> merged(const std::vector<RowOwner>& parts) {
  std::map<OwnerKey, RowOwner> owners;
  for (const RowOwner& part : parts) {
    RowOwner& owner = owners.emplace(key_of(part.origin), RowOwner{part.origin, part.first, 0.0}).first->second;
    owner.first = std::min(owner.first, part.first);
    owner.amount += part.amount;
  }
  std::vector<RowOwner> list;
  for (const auto& entry : owners) list.push_back(entry.second);
  return list;
}

void keep_largest(std::vector<RowOwner>& owners) {
  std::sort(owners.begin(), owners.end(),
            [](const RowOwner& a, const RowOwner& b) { return a.amount != b.amount ? a.amount > b.amount : a.first < b.first; });
  if (owners.size() > max_owners) owners.resize(max_owners);
}

std::string name_of(const Model& model, const Origin& origin) {
  if (origin.kind == OriginKind::joint) return fmt::format("'{}'", model.joint_name(origin.item, origin.instance));
  return fmt::format("a surface of '{}'", model.body_name(origin.item, origin.instance));
}

}  // namespace

std::vector<RowOwner> owners_of_rows(const System& system, const std::vector<double>& amount, double threshold) {
  std::vector<RowOwner> mine;
  for (const OwnedRows& rows : system.local().rows) {
    RowOwner owner{rows.origin, rows.natural, 0.0};
    for (int i = 0; i < rows.position_rows + rows.velocity_rows; ++i)
      owner.amount += amount[static_cast<std::size_t>(rows.first + i)];
    if (owner.amount > 0) mine.push_back(owner);
  }
  mine = merged(mine);
  keep_largest(mine);
  std::vector<RowOwner> all = merged(gather_from_all(system.layout().comm, mine));
  all.erase(std::remove_if(all.begin(), all.end(), [&](const RowOwner& o) { return !(o.amount > threshold); }), all.end());
  keep_largest(all);
  std::sort(all.begin(), all.end(), [](const RowOwner& a, const RowOwner& b) { return a.first < b.first; });
  return all;
}

std::string names_of(const Model& model, const std::vector<RowOwner>& owners) {
  std::string text;
  for (std::size_t i = 0; i < owners.size() && i < max_names; ++i)
    text.append(i > 0 ? ", " : "").append(name_of(model, owners[i].origin));
  if (owners.size() > max_names) text += " and others";
  return text;
}

std::string place_of_first(const Model& model, const std::vector<RowOwner>& owners) {
  if (owners.empty()) return model.source.file;
  const Origin& origin = owners.front().origin;
  const auto item = static_cast<std::size_t>(origin.item);
  return model.source.locate(origin.kind == OriginKind::joint ? model.joints[item].mark : model.bodies[item].mark);
}

namespace {

/// The joints that have the largest numbers of a row vector. Collective.
std::vector<RowOwner> owners_of_largest(const System& system, PetscVec rows) {
  std::vector<double> amount(static_cast<std::size_t>(system.local().num_owned_rows));
  const double largest = max_norm(rows);
  const VecRead values(rows);
  for (std::size_t r = 0; r < amount.size(); ++r) amount[r] = std::abs(values[static_cast<PetscInt>(r)]);
  return owners_of_rows(system, amount, 0.1 * largest);
}

}  // namespace

std::string System::names_of_largest(PetscVec rows) const { return names_of(model_, owners_of_largest(*this, rows)); }

std::string System::place_of_largest(PetscVec rows) const { return place_of_first(model_, owners_of_largest(*this, rows)); }

std::string System::body_of_largest(PetscVec dofs) const {
  std::int64_t mine[3] = {-1, 0, 0};  // body and instance, or control and instance where the third is 1
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t node = none;  // its natural number
  const double largest = max_norm(dofs);
  {
    const VecRead values(dofs);
    const auto has_it = [&](int first, int count) {
      for (int i = 0; i < count; ++i)
        if (std::abs(values[first + i]) >= largest) return true;
      return false;
    };
    for (int n = 0; n < local_.num_owned_nodes && node == none; ++n)
      if (has_it(local_.dof[n], local_.size(n).dofs)) node = local_.node_id[n];
    for (int c = 0; c < local_.num_owned_controls && node == none && mine[0] < 0; ++c)
      if (has_it(local_.controls[c].dof, local_.controls[c].num_states)) {
        mine[0] = local_.controls[c].control;
        mine[1] = local_.controls[c].instance;
        mine[2] = 1;
      }
  }
  // the elements of its body may all lie on another rank
  MPI_Allreduce(MPI_IN_PLACE, &node, 1, MPI_INT64_T, MPI_MIN, local_.comm);
  const int here = node == none ? -1 : local_.local_node(node);
  for (std::size_t f = 0; here >= 0 && f < families_.size(); ++f) {
    const std::vector<Origin>& origins = local_.families[f].origins;
    const std::ptrdiff_t nodes = families_[f]->shape().nodes_per_element;
    for (std::size_t e = 0; e < origins.size() && mine[0] < 0; ++e) {
      const auto first = families_[f]->data().nodes.begin() + static_cast<std::ptrdiff_t>(e) * nodes;
      if (origins[e].kind != OriginKind::body || std::find(first, first + nodes, here) == first + nodes) continue;
      mine[0] = origins[e].item;
      mine[1] = origins[e].instance;
    }
  }
  std::vector<std::int64_t> all(3 * static_cast<std::size_t>(comm_size(local_.comm)));
  MPI_Allgather(mine, 3, MPI_INT64_T, all.data(), 3, MPI_INT64_T, local_.comm);
  for (std::size_t r = 0; r < all.size(); r += 3) {
    const auto item = static_cast<int>(all[r]);
    if (item >= 0)
      return fmt::format("'{}'", all[r + 2] == 1 ? model_.control_name(item, all[r + 1]) : model_.body_name(item, all[r + 1]));
  }
  return {};
}

}  // namespace sinew
