/// \file
/// What a sweep reads: the rank's nodes, their configuration and velocity, the multipliers.
#pragma once

#include "kernels/directional.hpp"

#include <vector>

namespace sinew {

/// Where the local nodes keep their numbers, as many as their manifolds say (kernels/nodes/node_kind.hpp).
struct NodeArrays {
  DeviceArray<int> config;  ///< offset into the configuration array
  DeviceArray<int> dof;     ///< first local degree of freedom, -1 for a fixed node
  DeviceArray<int> frame;   ///< index among the local frames; of other kinds -1 - kind
};

/// The same as sweeps take it in. The arrays must outlive it.
struct NodeTable {
  LentArray<int> config, dof, frame;

  NodeTable() = default;
  NodeTable(const NodeArrays& arrays) : config(arrays.config), dof(arrays.dof), frame(arrays.frame) {}
  NodeTable(NodeArrays&&) = delete;

  KOKKOS_INLINE_FUNCTION NodeKind kind(int node) const {
    const int number = frame(node);
    return number >= 0 ? NodeKind::frame : static_cast<NodeKind>(-1 - number);
  }
};

/// What stands in `NodeArrays::frame`.
inline std::vector<int> number_frames(const std::vector<NodeKind>& kinds) {
  std::vector<int> numbers;
  int frames = 0;
  for (const NodeKind kind : kinds) numbers.push_back(kind == NodeKind::frame ? frames++ : -1 - static_cast<int>(kind));
  return numbers;
}

/// One local configuration with everything the families may ask for. Device pointers; what a sweep does not need may be null.
struct SweepState {
  NodeTable nodes;
  const double* config = nullptr;
  const double* velocity = nullptr;    ///< local degrees of freedom
  const double* multiplier = nullptr;  ///< local constraint rows
  /// Tangent operator T(w), 9 numbers by rows for every local frame; null means T = I.
  const double* tangent_operator = nullptr;
  Environment environment;
};

/// The matrix a tangent sweep adds up: J = ca M - (cq f_q T + cv f_v) in the rows of momentum, and
/// g_position G T, respectively g_velocity k_z + g_velocity_q k_q T, in the rows of the constraints.
struct Shift {
  double q = 0, v = 0, a = 0;
  double g_position = 1;
  double g_velocity = 1;
  double g_velocity_q = 0;
};

/// Whether a number of NodeTable::frame is that of a scalar.
KOKKOS_INLINE_FUNCTION constexpr bool is_scalar(int number) { return number == -1 - static_cast<int>(NodeKind::scalar); }

/// Position of a node to a new frame: a point does not turn, a scalar moves along the first axis. Written out, and to where it is
/// wanted, since a core waits for copies of numbers that have only just been written.
KOKKOS_FORCEINLINE_FUNCTION void load_frame(const SweepState& s, int node, Frame<double>& f) {
  const double* c = s.config + s.nodes.config(node);
  const int number = s.nodes.frame(node);
  f.x[0] = c[0];
  if (is_scalar(number)) [[unlikely]]
    return;
  f.x[1] = c[1];
  f.x[2] = c[2];
  if (number < 0) return;
  const Quaternion q = Pose::quaternion(c);
  put_rotation_matrix(q.w, q.x, q.y, q.z, f.R);
}

/// Velocity of a node to a new twist, zero for a fixed node.
KOKKOS_FORCEINLINE_FUNCTION void load_twist(const SweepState& s, int node, Twist<double>& t) {
  const int dof = s.nodes.dof(node);
  if (dof < 0) return;
  const double* z = s.velocity + dof;
  const int number = s.nodes.frame(node);
  t.v[0] = z[0];
  if (is_scalar(number)) [[unlikely]]
    return;
  t.v[1] = z[1];
  t.v[2] = z[2];
  if (number < 0) return;
  for (int i = 0; i < 3; ++i) t.omega[i] = z[3 + i];
}

/// T of a node, or the unit matrix.
KOKKOS_INLINE_FUNCTION Mat3<double> load_tangent_operator(const SweepState& s, int node) {
  const int frame = s.nodes.frame(node);
  if (s.tangent_operator == nullptr || frame < 0) return identity<double, 3>();
  Mat3<double> T;
  for (int i = 0; i < 9; ++i) T(i / 3, i % 3) = s.tangent_operator[9 * frame + i];
  return T;
}

}  // namespace sinew
