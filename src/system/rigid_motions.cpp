#include "system/rigid_motions.hpp"

#include "base/reduction.hpp"
#include "kernels/nodes/manifold.hpp"
#include "partition/exchange.hpp"

#include <map>

namespace sinew {

namespace {

/// Of a body: how many places a rank has of it, and their sum.
struct Places {
  std::int64_t body = -1;
  double count = 0, sum[3] = {};
};

/// What the home of a body says of it.
struct Whole {
  PetscInt motion = -1;  ///< the first of its numbers among the home's bodies; -1: it has one place, or none
  double middle[3] = {};
};

constexpr PetscInt motions_of_body = 6;

/// exp(theta~).
Mat3<double> turn_by(const Vec3<double>& theta) { return rotation_matrix(exp_quaternion(theta)); }

/// Numbers of y by their global places. Collective.
std::vector<double> fetch(PetscVec y, const std::vector<PetscInt>& places) {
  IsHandle from;
  petsc(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(places.size()), places.data(), PETSC_USE_POINTER, from.address()));
  VecHandle found;
  petsc(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(places.size()), found.address()));
  ScatterHandle scatter;
  petsc(VecScatterCreate(y, from, found, nullptr, scatter.address()));
  petsc(VecScatterBegin(scatter, y, found, INSERT_VALUES, SCATTER_FORWARD));
  petsc(VecScatterEnd(scatter, y, found, INSERT_VALUES, SCATTER_FORWARD));
  const VecRead numbers(found);
  return std::vector<double>(numbers.data(), numbers.data() + places.size());
}

/// What homes were asked, by rank, and what they have answered.
struct Answers {
  std::vector<std::vector<Places>> asked;
  std::vector<std::vector<Whole>> told;
  std::vector<std::int64_t> bodies;  ///< of several places, whose home this rank is, in the order of their motions
};

/// Each rank asks the home of every one of its bodies, a rank that follows from the number, where its places come together.
/// Collective.
Answers ask_homes(MPI_Comm comm, const std::map<std::int64_t, Places>& mine) {
  const auto ranks = static_cast<std::size_t>(comm_size(comm));
  Answers found;
  found.asked.resize(ranks);
  for (const auto& [body, places] : mine) found.asked[static_cast<std::size_t>(body) % ranks].push_back(places);
  const auto asking = all_to_all(comm, found.asked);
  std::map<std::int64_t, Places> sums;
  for (const auto& list : asking)
    for (const Places& part : list) {
      Places& all = sums[part.body];
      all.count += part.count;
      for (int i = 0; i < 3; ++i) all.sum[i] += part.sum[i];
    }
  std::map<std::int64_t, Whole> wholes;
  for (const auto& [body, places] : sums) {
    Whole& whole = wholes[body];
    if (places.count < 2) continue;
    whole.motion = motions_of_body * static_cast<PetscInt>(found.bodies.size());
    found.bodies.push_back(body);
    for (int i = 0; i < 3; ++i) whole.middle[i] = places.sum[i] / places.count;
  }
  std::vector<std::vector<Whole>> answers(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    for (const Places& part : asking[r]) answers[r].push_back(wholes[part.body]);
  found.told = all_to_all(comm, answers);
  return found;
}

/// What this rank has of the bodies that `body_of(node)` names, in a configuration.
template <class BodyOf>
std::map<std::int64_t, Places> places_of_bodies(const LocalModel& local, const double* config, const BodyOf& body_of) {
  std::map<std::int64_t, Places> mine;
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    const std::int64_t body = body_of(static_cast<std::size_t>(n));
    if (body < 0 || !local.is_place(n)) continue;
    Places& places = mine[body];
    places.body = body;
    ++places.count;
    for (int i = 0; i < 3; ++i) places.sum[i] += config[local.config_offset[static_cast<std::size_t>(n)] + i];
  }
  return mine;
}

}  // namespace

RigidMotions::RigidMotions(const LocalModel& local, const Layout& layout, const std::vector<std::int64_t>& body_of_node)
    : local_(local), layout_(layout) {
  const auto [asked, told, homed] =
      ask_homes(layout.comm, places_of_bodies(local, local.config.data(), [&](std::size_t n) { return body_of_node[n]; }));
  has_bodies_ = is_so_on_any(layout.comm, !homed.empty());

  std::map<std::int64_t, int> list;
  std::vector<std::pair<std::size_t, PetscInt>> homes;  // and the motion there
  for (std::size_t r = 0; r < told.size(); ++r)
    for (std::size_t k = 0; k < told[r].size(); ++k) {
      if (told[r][k].motion < 0) continue;
      list.emplace(asked[r][k].body, static_cast<int>(homes.size()));
      homes.emplace_back(r, told[r][k].motion);
      numbers_.push_back(asked[r][k].body);
    }
  PetscInt own = 0;
  nodes_.resize(static_cast<std::size_t>(local.num_owned_nodes));
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    Node& node = nodes_[static_cast<std::size_t>(n)];
    const auto found = list.find(body_of_node[static_cast<std::size_t>(n)]);
    if (found != list.end() && local.has_vector(n)) {
      node.body = found->second;
    } else {
      node.column = own;
      if (local.is_place(n)) moves_.push_back(own);
      if (local.turns(n)) turns_.push_back({own + local.size(n).first_turn, local.node_id[static_cast<std::size_t>(n)]});
      own += local.size(n).dofs;
    }
  }
  num_motions_ = own;
  for (const std::int64_t body : homed) {
    bodies_.push_back(num_motions_);
    moves_.push_back(num_motions_);
    turns_.push_back({num_motions_ + 3, body});
    num_motions_ += motions_of_body;
  }
  // columns of a rank are its motions, then its rows; those of bodies begin behind its own nodes
  const PetscInt size = num_motions_ + layout.num_rows;
  PetscInt end = 0;
  MPI_Scan(&size, &end, 1, MPIU_INT, MPI_SUM, layout.comm);
  const PetscInt first = end - size;
  std::vector<PetscInt> first_body(told.size());
  const PetscInt mine_first = first + own;
  MPI_Allgather(&mine_first, 1, MPIU_INT, first_body.data(), 1, MPIU_INT, layout.comm);
  for (const auto& [rank, motion] : homes) columns_.push_back(first_body[rank] + motion);
  for (Node& node : nodes_) node.column = node.body >= 0 ? columns_[static_cast<std::size_t>(node.body)] : first + node.column;
}

std::vector<Vec3<double>> RigidMotions::middles(const Configuration& q) const {
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  const auto body_of = [this](std::size_t n) {
    return nodes_[n].body >= 0 ? numbers_[static_cast<std::size_t>(nodes_[n].body)] : -1;
  };
  const Answers answers = ask_homes(layout_.comm, places_of_bodies(local_, host.data(), body_of));
  std::vector<Vec3<double>> found;
  for (const auto& of_rank : answers.told)
    for (const Whole& whole : of_rank) found.push_back(vec3_at(whole.middle));
  return found;
}

Vec3<double> RigidMotions::arm(int n, const double* c, const std::vector<Vec3<double>>& middles) const {
  return local_.is_place(n) ? vec3_at(c) - middles[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(n)].body)]
                            : vec3_at(c);
}

MatHandle RigidMotions::basis(const Configuration& q, const std::vector<Vec3<double>>& middles) const {
  constexpr PetscInt most = 6;
  const PetscInt rows = layout_.num_dofs + layout_.num_rows, columns = num_motions_ + layout_.num_rows;
  MatHandle P;
  petsc(MatCreateAIJ(layout_.comm, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE, most, nullptr, most, nullptr, P.address()));
  PetscInt first_row = 0, first_column = 0;
  petsc(MatGetOwnershipRange(P, &first_row, nullptr));
  petsc(MatGetOwnershipRangeColumn(P, &first_column, nullptr));
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  const auto put = [&](PetscInt row, PetscInt column, double value) {
    if (value != 0) petsc(MatSetValue(P, first_row + row, column, value, INSERT_VALUES));
  };
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    const int dof = local_.dof[static_cast<std::size_t>(n)];
    if (node.body < 0) {
      for (int i = 0; i < local_.size(n).dofs; ++i) put(dof + i, node.column + i, 1.0);
      continue;
    }
    const double* c = host.data() + local_.config_offset[static_cast<std::size_t>(n)];
    if (local_.is_place(n))
      for (int i = 0; i < 3; ++i) put(dof + i, node.column + i, 1.0);
    const Mat3<double> turned = skew(arm(n, c, middles));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) put(dof + i, node.column + 3 + j, -turned(i, j));
    if (!local_.turns(n)) continue;
    const Mat3<double> R = rotation_matrix(Pose::quaternion(c));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) put(dof + 3 + i, node.column + 3 + j, R(j, i));
  }
  for (PetscInt r = 0; r < layout_.num_rows; ++r) put(layout_.num_dofs + r, first_column + num_motions_ + r, 1.0);
  petsc(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  return P;
}

void RigidMotions::increments(const Configuration& q, const std::vector<Vec3<double>>& middles, PetscVec y, PetscVec w) const {
  std::vector<PetscInt> places;
  for (const PetscInt column : columns_)
    for (PetscInt i = 0; i < motions_of_body; ++i) places.push_back(column + i);
  const std::vector<double> of_bodies = fetch(y, places);
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  PetscInt first = 0;
  petsc(VecGetOwnershipRange(y, &first, nullptr));
  petsc(VecSet(w, 0.0));
  const VecRead own(y);
  VecWrite out(w);
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    const int dof = local_.dof[static_cast<std::size_t>(n)];
    if (node.body < 0) {
      for (int i = 0; i < local_.size(n).dofs; ++i) out[dof + i] = own[node.column - first + i];
      continue;
    }
    const double* motion = of_bodies.data() + motions_of_body * node.body;
    const Vec3<double> v = vec3_at(motion), theta = vec3_at(motion + 3);
    const double* c = host.data() + local_.config_offset[static_cast<std::size_t>(n)];
    const Vec3<double> way = arm(n, c, middles);
    Vec3<double> moved = turn_by(theta) * way - way;
    if (local_.is_place(n)) moved += v;
    for (int i = 0; i < 3; ++i) out[dof + i] = moved[i];
    if (!local_.turns(n)) continue;
    const Vec3<double> turn = transpose_times(rotation_matrix(Pose::quaternion(c)), theta);
    for (int i = 0; i < 3; ++i) out[dof + 3 + i] = turn[i];
  }
}

}  // namespace sinew
