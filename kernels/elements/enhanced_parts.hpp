/// \file
/// The tangent of an enhanced hexahedron under any law, with damping or without: what has a closed form by columns, what has none
/// by points and nodes.
#pragma once

#include "kernels/elements/enhanced_closed_tangent.hpp"
#include "kernels/elements/enhanced_tangent.hpp"

namespace sinew {

/// Filled by `set`, then read block by block, as SolidTangent. On a device a team does without it (enhanced_team.hpp).
template <class Law, class P, bool damped>
class EnhancedParts {
 public:
  using ShapeType = Hex8;
  using Stiffness = SolidStiffness<P, typename Law::template ParamsOf<P>>;
  static constexpr int N = Hex8::num_nodes, Q = Hex8::num_stiffness_points;
  static constexpr int num_columns = EnhancedVectors::count;  ///< and of nodes with blocks
  static constexpr bool iterates = Law::energy_form == EnergyForm::other;
  static constexpr bool is_symmetric = !iterates && !damped;  ///< in closed form: handed out by put_upper

  KOKKOS_FORCEINLINE_FUNCTION void set(const Stiffness& k, const P (&x)[3][N], const EnhancedGeometry<P>& geometry,
                                       const P (&u)[3][N], const P (&v)[3][N]) {
    set_motion(k, x, geometry, u, v);
    for (int q = 0; iterates && q < Q; ++q) set_point(q, k, geometry);
    set_shared(k);
    for (int n = 0; n < num_columns; ++n) set_column(n, k);
    for (int n = 0; n < num_columns; ++n) set_row(n);
  }
  /// All of a tangent that is symmetric, block by block: see EnhancedBlocks.
  template <class Put>
  KOKKOS_FORCEINLINE_FUNCTION void put_upper(const Put& put) const {
    closed_.put_upper(weights_, put);
  }

  /// From places in the undeformed body, displacements and velocities.
  KOKKOS_FORCEINLINE_FUNCTION void set_motion(const Stiffness& k, const P (&x)[3][N], const EnhancedGeometry<P>& geometry,
                                              const P (&u)[3][N], const P (&v)[3][N]) {
    Vec3<P> axis[3];
    EnhancedGeometry<P>::axes(x, axis);
    geometry.weights(weights_);
    if constexpr (has_closed_form) {
      closed_state_.set(geometry, axis, k.law, damped ? &k.damping : nullptr, u, v);
      closed_.prepare(k, geometry.volume, closed_state_);
    }
    if constexpr (iterates) state_.set(geometry, inverse_of(axis), k.law, u);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_point(int q, const Stiffness& k, const EnhancedGeometry<P>& geometry) {
    if constexpr (iterates) other_.set_point(q, k, (1.0 / Q) * geometry.volume, state_, weights_);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_shared(const Stiffness& k) {
    if constexpr (iterates) other_.prepare_nodes(k, state_);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_column(int n, const Stiffness& k) {
    if constexpr (has_closed_form) closed_.set_column(n, closed_state_);
    if constexpr (iterates) other_.set_node(n, k, state_);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_row(int n) {
    if constexpr (has_closed_form && !is_symmetric) closed_.set_row(n, weights_);
  }

  /// K_ab and K_ba.
  KOKKOS_FORCEINLINE_FUNCTION void blocks(const Stiffness& k, int a, int b, Mat3<P>& K_ab, Mat3<P>& K_ba) const {
    if constexpr (iterates) other_.blocks(k, a, b, K_ab, K_ba);
    if constexpr (!iterates) closed_.blocks(weights_, a, b, K_ab, K_ba);
    if constexpr (iterates && has_closed_form) {
      Mat3<P> C_ab, C_ba;
      closed_.blocks(weights_, a, b, C_ab, C_ba);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          K_ab(i, j) = K_ab(i, j) + C_ab(i, j);
          K_ba(i, j) = K_ba(i, j) + C_ba(i, j);
        }
    }
  }

  /// J_0^-1 of its columns.
  KOKKOS_FORCEINLINE_FUNCTION static Mat3<P> inverse_of(const Vec3<P> (&axis)[3]) {
    Mat3<P> J;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) J(i, k) = axis[k][i];
    return inverse(J, determinant(J));
  }

 private:
  static constexpr bool has_closed_form = !iterates || damped;
  struct Nothing {};
  template <bool present, class T>
  using Where = std::conditional_t<present, T, Nothing>;

  P weights_[num_columns][N];
  Where<has_closed_form, EnhancedClosed<Law, P, P>> closed_state_;
  Where<has_closed_form, EnhancedClosedTangent<Law, P, damped>> closed_;
  Where<iterates, EnhancedState<Law, P, P>> state_;
  Where<iterates, EnhancedTangent<Law, P>> other_;
};

}  // namespace sinew
