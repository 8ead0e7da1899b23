#include "linear/leaf_set.hpp"

#include "base/index.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <algorithm>
#include <array>
#include <utility>

namespace sinew {

namespace {

/// One for all trees of a single leaf, whose factorisations and solutions come one after the other.
std::shared_ptr<std::vector<double>> common_room() {
  static thread_local std::weak_ptr<std::vector<double>> known;
  std::shared_ptr<std::vector<double>> room = known.lock();
  if (!room) known = room = std::make_shared<std::vector<double>>();
  return room;
}

}  // namespace

LeafSet::LeafSet(const SparseRows& A, PetscInt num_dofs, std::vector<LeafFactors::Part> leaves, bool in_lanes)
    : place_of_(leaves.size()) {
  if (in_lanes) group_alike(A, num_dofs, leaves);
  for (std::size_t p = 0; p < leaves.size(); ++p) {
    if (place_of_[p].group) continue;
    place_of_[p].which = alone_.size();
    alone_.push_back({LeafFactors(num_dofs, std::move(leaves[p])), p});
  }
}

/// Where fewer than half of the lanes would be used leaves stay alone.
void LeafSet::group_alike(const SparseRows& A, PetscInt num_dofs, std::vector<LeafFactors::Part>& leaves) {
  std::vector<int> room(at(A.n), -1);
  std::vector<std::pair<LeafShape, std::vector<std::size_t>>> kinds;
  for (std::size_t p = 0; p < leaves.size(); ++p) {
    LeafShape shape(A, num_dofs, leaves[p], room);
    if (!shape.fits_lanes) continue;
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == shape; });
    if (known != kinds.end())
      known->second.push_back(p);
    else
      kinds.emplace_back(std::move(shape), std::vector<std::size_t>{p});
  }
  for (const auto& [shape, members] : kinds)
    for (std::size_t first = 0; first < members.size(); first += lane_count) {
      const std::size_t count = std::min<std::size_t>(lane_count, members.size() - first);
      if (count < 2 || 2 * count < lane_count) break;
      std::vector<LeafFactors::Part> parts;
      std::vector<std::size_t> some;
      for (std::size_t i = 0; i < count; ++i) {
        some.push_back(members[first + i]);
        parts.push_back(std::move(leaves[some[i]]));
        place_of_[some[i]] = {groups_.size(), i};
      }
      groups_.push_back({LaneFactors(num_dofs, std::move(parts)), std::move(some)});
    }
}

void LeafSet::order(const SparseRows& A) {
  std::vector<int> room(at(A.n), -1);
  for (Alone& one : alone_) one.factors.order(A, room);
  for (Group& group : groups_) group.factors.order(A, room);
}

LeafSet LeafSet::without_numbers() const {
  LeafSet copy;
  copy.has_pivots_ = has_pivots_;
  copy.place_of_ = place_of_;
  for (const Alone& one : alone_) copy.alone_.push_back({one.factors.without_numbers(), one.leaf});
  for (const Group& group : groups_) copy.groups_.push_back({group.factors.without_numbers(), group.leaves});
  return copy;
}

/// The only one stays placed.
bool LeafSet::factorise_alone(std::size_t which, const SparseRows& A) {
  if (placed_ && *placed_ != which) alone_[*placed_].factors.leave(position_of_);
  LeafFactors& leaf = alone_[which].factors;
  if (placed_ != which && has_pivots_) leaf.take_places(position_of_);
  placed_ = which;
  if (has_pivots_ && leaf.refactorise(A, position_of_)) return true;
  leaf.leave(position_of_);
  return leaf.factorise(A, position_of_);
}

bool LeafSet::factorise(const SparseRows& A) {
  position_of_.resize(at(A.n), -1);
  if (count() == 1 && !alone_.empty()) alone_.front().factors.share_room(common_room());
  bool is_regular = true;
  for (std::size_t i = 0; is_regular && i < alone_.size(); ++i) is_regular = factorise_alone(i, A);
  if (is_regular && has_lanes() && placed_) {
    alone_[*placed_].factors.leave(position_of_);
    placed_.reset();
  }
  for (std::size_t g = 0; is_regular && g < groups_.size(); ++g) {
    LaneFactors& group = groups_[g].factors;
    is_regular = (has_pivots_ && group.refactorise(A)) || group.factorise(A, position_of_);
  }
  return has_pivots_ = is_regular;
}

double LeafSet::operations() const {
  double sum = 0;
  for (const Alone& one : alone_) sum += one.factors.operations();
  for (const Group& group : groups_) sum += group.factors.operations();
  return sum;
}

double LeafSet::operations_one_by_one() const {
  double sum = 0;
  for (const Alone& one : alone_) sum += one.factors.operations();
  for (const Group& group : groups_) sum += group.factors.operations() * static_cast<double>(group.leaves.size());
  return sum;
}

std::size_t LeafSet::entries() const {
  std::size_t sum = 0;
  for (const Alone& one : alone_) sum += one.factors.entries();
  for (const Group& group : groups_) sum += group.factors.entries();
  return sum;
}

double LeafSet::growth() const {
  double largest = 0;
  for (const Alone& one : alone_) largest = std::max(largest, one.factors.growth());
  for (const Group& group : groups_) largest = std::max(largest, group.factors.growth());
  return largest;
}

const std::vector<double>& LeafSet::complement(std::size_t leaf) const {
  const auto& [group, which] = place_of_[leaf];
  return group ? groups_[*group].factors.complement(which) : alone_[which].factors.complement();
}

template <class Number, class Sides>
void LeafSet::forward(const Sides& b, std::vector<Number>* rest) {
  for (Alone& one : alone_) {
    rest[one.leaf].resize(at(one.factors.boundary_size()));
    one.factors.forward(b, rest[one.leaf].data());
  }
  for (Group& group : groups_) {
    std::array<Number*, lane_count> rests{};
    for (std::size_t i = 0; i < group.leaves.size(); ++i) {
      rest[group.leaves[i]].resize(at(group.factors.boundary_size()));
      rests[i] = rest[group.leaves[i]].data();
    }
    group.factors.forward(b, rests.data());
  }
}

template <class Number, class Sides>
void LeafSet::backward(const std::vector<Number>* boundary, const Sides& x) {
  for (Alone& one : alone_) one.factors.backward(boundary[one.leaf].data(), x);
  for (Group& group : groups_) {
    std::array<const Number*, lane_count> boundaries{};
    for (std::size_t i = 0; i < group.leaves.size(); ++i) boundaries[i] = boundary[group.leaves[i]].data();
    group.factors.backward(boundaries.data(), x);
  }
}

template void LeafSet::forward(const OneSide<const PetscScalar>&, std::vector<double>*);
template void LeafSet::forward(const TwoSides<const PetscScalar>&, std::vector<Two>*);
template void LeafSet::backward(const std::vector<double>*, const OneSide<PetscScalar>&);
template void LeafSet::backward(const std::vector<Two>*, const TwoSides<PetscScalar>&);

}  // namespace sinew

#endif
