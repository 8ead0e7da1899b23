/// \file
/// Elements over a number of nodes that is known at run time: what they see of their nodes, and where they put forces and entries
/// of matrices. No array here has their length, for which there is no bound: states are loaded, and seeded in a tangent, where
/// they are asked for, and what comes out goes to its place at once.
#pragma once

#include "kernels/directional.hpp"

#include <type_traits>

namespace sinew {

/// Where the states of an element's nodes lie.
struct OpenSource {
  const int* nodes = nullptr;  ///< of the element, local numbers, `stride` apart
  std::ptrdiff_t stride = 1;
  int count = 0;                                                           ///< of its nodes
  const int *config_of = nullptr, *dof_of = nullptr, *frame_of = nullptr;  ///< as in NodeTable
  const double* config = nullptr;
  const double* velocity = nullptr;          ///< null where everything rests
  const double* tangent_operator = nullptr;  ///< of all frames; null: T = I

  KOKKOS_INLINE_FUNCTION const double* config_at(int k) const { return config + config_of[nodes[k * stride]]; }
  /// Null where the node rests.
  KOKKOS_INLINE_FUNCTION const double* velocity_at(int k) const {
    const int dof = dof_of[nodes[k * stride]];
    return dof < 0 || velocity == nullptr ? nullptr : velocity + dof;
  }
  KOKKOS_INLINE_FUNCTION Mat3<double> tangent_operator_at(int k) const {
    const int frame = frame_of[nodes[k * stride]];
    if (tangent_operator == nullptr || frame < 0) return identity<double, 3>();
    Mat3<double> T;
    for (int i = 0; i < 9; ++i) T(i / 3, i % 3) = tangent_operator[9 * frame + i];
    return T;
  }

  KOKKOS_INLINE_FUNCTION void load(int k, NodeStates<double, NodeKind::point, 1>& state) const {
    const double *c = config_at(k), *z = velocity_at(k);
    for (int i = 0; i < 3; ++i) {
      state.x[0][i] = c[i];
      state.v[0][i] = z == nullptr ? 0.0 : z[i];
    }
  }
  /// A place of a force may be a point, which is a frame that does not turn.
  KOKKOS_INLINE_FUNCTION void load(int k, NodeStates<double, NodeKind::frame, 1>& state) const {
    const double *c = config_at(k), *z = velocity_at(k);
    if (frame_of[nodes[k * stride]] < 0) {
      VectorSpace<3>::put_frame(c, state.frame[0]);
      if (z != nullptr) VectorSpace<3>::put_twist(z, state.twist[0]);
      return;
    }
    Pose::put_frame(c, state.frame[0]);
    if (z != nullptr) Pose::put_twist(z, state.twist[0]);
  }
  KOKKOS_INLINE_FUNCTION void load(int k, NodeStates<double, NodeKind::scalar, 1>& state) const {
    const double* z = velocity_at(k);
    state.x[0] = config_at(k)[0];
    state.v[0] = z == nullptr ? 0.0 : z[0];
  }
};

/// The states of an element's nodes, one after the other as they are asked for: s.frame(0).twist[0], s.scalar(3).x[0]. Over dual
/// numbers with one of the element's degrees of freedom seeded, q along cq T e_j, v along cv e_j. `List`: OpenNodes.
template <class S, class List>
class OpenStates {
 public:
  OpenStates() = default;
  KOKKOS_INLINE_FUNCTION explicit OpenStates(const OpenSource& source) : source_(source) {}
  KOKKOS_INLINE_FUNCTION OpenStates(const OpenSource& source, int j, double cq, double cv)
      : source_(source), seeded_(j), cq_(cq), cv_(cv) {}

  /// Of the nodes.
  KOKKOS_INLINE_FUNCTION int count() const { return source_.count; }
  KOKKOS_INLINE_FUNCTION NodeStates<S, NodeKind::point, 1> point(int k) const { return state<NodeKind::point>(k); }
  KOKKOS_INLINE_FUNCTION NodeStates<S, NodeKind::frame, 1> frame(int k) const { return state<NodeKind::frame>(k); }
  KOKKOS_INLINE_FUNCTION NodeStates<S, NodeKind::scalar, 1> scalar(int k) const { return state<NodeKind::scalar>(k); }

 private:
  template <NodeKind kind>
  KOKKOS_INLINE_FUNCTION NodeStates<S, kind, 1> state(int k) const {
    NodeStates<S, kind, 1> found;
    if constexpr (std::is_same_v<S, double>) {
      source_.load(k, found);
    } else if constexpr (std::is_same_v<S, Dual1>) {
      NodeStates<double, kind, 1> plain;
      source_.load(k, plain);
      const Mat3<double> T = first_turn_of(kind) < 0 ? identity<double, 3>() : source_.tangent_operator_at(k);
      seed_states(plain, &T, seeded_ - List::first_dof(k), cq_, cv_, found);
    }
    return found;  // over numbers that are never computed with (Uncompared) it is empty
  }

  OpenSource source_;
  int seeded_ = -1;
  double cq_ = 0, cv_ = 0;
};

/// Adds an element's forces to its slots, `stride` apart; over dual numbers their derivatives, negative: a column of the tangent.
template <class S, class List>
class OpenForces {
 public:
  OpenForces() = default;
  KOKKOS_INLINE_FUNCTION explicit OpenForces(double* slots, std::ptrdiff_t stride = 1) : slots_(slots), stride_(stride) {}

  KOKKOS_INLINE_FUNCTION void scalar(int k, const S& force) { add(List::first_dof(k), force); }
  KOKKOS_INLINE_FUNCTION void point(int k, const Vec3<S>& force) { add(List::first_dof(k), force); }
  KOKKOS_INLINE_FUNCTION void frame(int k, const Wrench<S>& wrench) {
    add(List::first_dof(k), wrench.force);
    add(List::first_dof(k) + 3, wrench.moment);
  }

 private:
  KOKKOS_INLINE_FUNCTION void add(int dof, const Vec3<S>& value) {
    for (int i = 0; i < 3; ++i) add(dof + i, value[i]);
  }
  KOKKOS_INLINE_FUNCTION void add(int dof, const S& value) {
    if constexpr (std::is_same_v<S, double>)
      slots_[dof * stride_] += value;
    else if constexpr (std::is_same_v<S, Dual1>)
      slots_[dof * stride_] -= value.grad;
  }

  double* slots_ = nullptr;
  std::ptrdiff_t stride_ = 1;
};

/// A square matrix to add to, times a factor; by rows.
struct OpenMatrix {
  double* entries = nullptr;
  int width = 0;
  double factor = 1;
  KOKKOS_INLINE_FUNCTION void add(int row, int column, double value) const {
    entries[static_cast<std::ptrdiff_t>(row) * width + column] += factor * value;
  }
};

}  // namespace sinew
