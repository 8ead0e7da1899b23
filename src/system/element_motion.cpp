#include "system/element_motion.hpp"

#include "kernels/nodes/manifold.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Places on one line do not say how an element turns about it; this part of the others' weight is put on every turn.
constexpr double weight_of_rest = 1e-12;

void put(const Vec3<double>& value, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = value[i];
}

}  // namespace

ElementMotion::ElementMotion(const LocalModel& local, const double* config, const Family& family, int e)
    : num_dofs_(family.shape().dofs()) {
  const FamilyShape& shape = family.shape();
  int first_dof = 0;
  Vec3<double> base;
  bool has_place = false;
  for (int k = 0; k < shape.nodes_per_element; ++k) {
    const int n = family.data().nodes[static_cast<std::size_t>(e) * shape.nodes_per_element + k];
    if (local.dof[n] < 0 || local.kinds[n] != shape.node_kind(k) || !local.has_vector(n)) return;
    const double* c = config + local.config_offset[n];
    Node node{first_dof, local.is_place(n), local.turns(n), vec3_at(c), {}};
    if (node.turns) node.R = rotation_matrix(Pose::quaternion(c));
    if (node.is_place && !has_place) {
      has_place = true;
      base = node.arm;
      base_ = first_dof;
    }
    first_dof += dofs_of(local.kinds[n]);
    nodes_.push_back(node);
  }
  for (Node& node : nodes_)
    if (node.is_place) node.arm = node.arm - base;
  is_free_ = has_place && nodes_.size() > 1;
}

/// The mean turn of the nodes that turn, or w of least sum |u_a - w x r_a|^2: (sum |r|^2 I - r r^T) w = sum r x u.
Vec3<double> ElementMotion::fitted_turn(const std::vector<double>& x) const {
  Vec3<double> mean, moment;
  Mat3<double> A;
  int turning = 0;
  for (const Node& node : nodes_) {
    if (node.turns) {
      mean += node.R * vec3_at(&x[node.first_dof + 3]);
      ++turning;
    }
    const Vec3<double> u = vec3_at(&x[node.first_dof]) - (node.is_place ? vec3_at(&x[base_]) : Vec3<double>());
    moment += cross(node.arm, u);
    const double square = dot(node.arm, node.arm);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A(i, j) += (i == j ? square * (1 + weight_of_rest) : 0.0) - node.arm[i] * node.arm[j];
  }
  if (turning > 0) return (1.0 / turning) * mean;
  const double size = A(0, 0) + A(1, 1) + A(2, 2);
  return size > 0 ? inverse(A, determinant(A)) * moment : Vec3<double>();
}

std::vector<double> ElementMotion::whole(const std::vector<double>& x, Vec3<double>& turn) const {
  std::vector<double> r(x.size(), 0.0);
  turn = fitted_turn(x);
  for (const Node& node : nodes_) {
    const Vec3<double> turned = cross(turn, node.arm);
    put(node.is_place ? vec3_at(&x[base_]) + turned : turned, &r[node.first_dof]);
    if (node.turns) put(transpose_times(node.R, turn), &r[node.first_dof + 3]);
  }
  return r;
}

std::vector<double> ElementMotion::turned_forces(const Vec3<double>& turn, const std::vector<double>& f) const {
  std::vector<double> y(f.size(), 0.0);
  for (const Node& node : nodes_) put(cross(vec3_at(&f[node.first_dof]), turn), &y[node.first_dof]);
  return y;
}

double ElementMotion::span() const {
  double longest = 0;
  for (const Node& node : nodes_)
    if (node.is_place) longest = std::max(longest, norm(node.arm));
  return longest;
}

}  // namespace sinew
