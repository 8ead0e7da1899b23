/// \file
/// The tangent of beams (kernels/elements/beam.hpp), by hand.
#pragma once

#include "kernels/elements/beam.hpp"

namespace sinew {

/// What works on a section's turn, on its slope, and on the line's tangent; or the change of these.
template <class P>
struct BeamSectionForces {
  Vec3<P> on_turn, on_slope, in_r;
};

/// The derivatives of the forces of stress. `material` multiplies what comes from changes of strain, `geometric` what comes from
/// the stress that is there. Those by turns of nodes are found column by column; those by places are their mirror images, as
/// far as they are not simple.
template <class B, class P>
struct BeamStiffening {
  static constexpr int N = B::num_nodes, num_points = B::num_points, num_dofs = B::num_dofs, pivot = B::pivot, left = B::left,
                       right = B::right;
  using Line = typename B::Line;
  using Params = typename B::template ParamsOf<P>;
  using States = NodeStates<P, NodeKind::frame, N>;
  using Turns = typename B::template Turns<P>;
  using Section = typename B::template Section<P>;

  const Params& p;
  double geometric;
  BeamMaterial<B::viscosity_kind, P, N> material;
  Turns turns;
  Section sections[num_points];
  P inverse_metric[num_points];
  Vec3<P> n[num_points], m[num_points];  ///< stress resultants
  Vec3<P> in_r[num_points];              ///< n in the axes of r
  Vec3<P> moment[num_points];            ///< n x Gamma + m x K
  Vec3<P> on_x[N], on_psi[N], on_r;      ///< gradients of the energy by places, in the axes of r, by psi and by r

  KOKKOS_INLINE_FUNCTION BeamStiffening(const Params& params, const States& z, double cq, double cv)
      : p(params), geometric(cq), material(params, cq, cv), turns(z.frame) {
    constexpr typename Line::PointShapes at;
    for (int a = 0; a < N; ++a)
      if (a != pivot) turns.psi[a].raise();
    for (int q = 0; q < num_points; ++q) {
      const double w = Line::point_weight(q);
      const P weight = w * p.metric[q];
      Section& s = sections[q];
      s = Section(turns, z.frame, at[q], p.metric[q]);
      s.turn.raise();
      inverse_metric[q] = 1.0 / p.metric[q];
      const Vec<P, 6> sigma = B::stress(p, turns, s, z.twist, q);
      n[q] = {{sigma[0], sigma[1], sigma[2]}};
      m[q] = {{sigma[3], sigma[4], sigma[5]}};
      in_r[q] = s.turn.turn(n[q]);
      moment[q] = cross(n[q], s.gamma) + cross(m[q], s.kappa);
      const Vec3<P> on_turn = s.turn.tangent_transposed(moment[q]) + s.turn.tangent_rate_transposed(s.turn_slope, m[q]);
      const Vec3<P> on_slope = s.turn.tangent_transposed(m[q]);
      on_r += weight * cross(in_r[q], s.tangent);
      for (int a = 0; a < N; ++a) {
        const P l = weight * at[q].value[a];
        const double d = w * at[q].slope[a];
        on_x[a] += d * in_r[q];
        on_psi[a] += l * on_turn + d * on_slope;
      }
    }
    for (int a = 0; a < N; ++a)
      if (a != pivot) on_r -= turns.psi[a].inverse_tangent(on_psi[a]);
  }

  KOKKOS_INLINE_FUNCTION void add_to(Mat<P, num_dofs>& J) const {
    add_places(J);
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) add_turn(a, i, J);
  }

  /// Blocks of two places: sum w l_a' l_b' R C_nn R^T, R the section's axes.
  KOKKOS_INLINE_FUNCTION void add_places(Mat<P, num_dofs>& J) const {
    constexpr typename Line::PointShapes at;
    for (int q = 0; q < num_points; ++q) {
      const Mat3<P> R = turns.R * sections[q].turn.matrix();
      const Mat3<P> RC = R * material.between_places(q, Line::point_weight(q), inverse_metric[q]);
      const Mat3<P> K = RC * transpose(R);
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b) {
          const double d = at[q].slope[a] * at[q].slope[b];
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) J(6 * a + i, 6 * b + j) += d * K(i, j);
        }
    }
  }

  /// How the forces at Gauss point q change with Theta, Theta' and R_r^T x'.
  KOKKOS_INLINE_FUNCTION BeamSectionForces<P> change_at(int q, const Vec3<P>& theta, const Vec3<P>& slope,
                                                        const Vec3<P>& tangent) const {
    const Section& s = sections[q];
    const RotationVector<P>& turn = s.turn;
    const Vec3<P> turning = turn.tangent(theta);
    const Vec3<P> gamma = turn.turn_back(tangent) + cross(s.gamma, turning);
    const Vec3<P> kappa = turn.tangent(slope) + turn.tangent_rate(s.turn_slope, theta) + cross(s.kappa, turning);
    const Vec<P, 6> sigma = material.times(q, gamma, kappa);
    const Vec3<P> dn{{sigma[0], sigma[1], sigma[2]}}, dm{{sigma[3], sigma[4], sigma[5]}};
    const Vec3<P> moment_change = cross(dn, s.gamma) + cross(dm, s.kappa) + geometric * (cross(n[q], gamma) + cross(m[q], kappa));
    BeamSectionForces<P> change;
    change.on_turn = turn.tangent_transposed(moment_change) + turn.tangent_rate_transposed(s.turn_slope, dm) +
                     geometric * (turn.tangent_rate_transposed(theta, moment[q]) + turn.tangent_rate_transposed(slope, m[q]) +
                                  turn.tangent_rate_transposed_change(s.turn_slope, theta, m[q]));
    change.on_slope = turn.tangent_transposed(dm) + geometric * turn.tangent_rate_transposed(theta, m[q]);
    change.in_r = turn.turn(dn + geometric * cross(turning, n[q]));
    return change;
  }

  /// Adds the changes of all forces, negative, where a node turns about its axis i; with places mirrored into rows.
  KOKKOS_INLINE_FUNCTION void add_turn(int node, int i, Mat<P, num_dofs>& J) const {
    constexpr typename Line::PointShapes at;
    const int column = 6 * node + 3 + i;
    Vec3<P> u[N], of_r, of_psi[N], d_x[N], d_psi[N], d_r;
    u[node][i] = P(1.0);
    turns.change(u, of_r, of_psi);
    for (int q = 0; q < num_points; ++q) {
      const double w = Line::point_weight(q);
      const P weight = w * p.metric[q];
      Vec3<P> theta, slope;
      for (int a = 0; a < N; ++a) {
        theta += at[q].value[a] * of_psi[a];
        slope += at[q].slope[a] * of_psi[a];
      }
      const Vec3<P> tangent = cross(sections[q].tangent, of_r);
      const BeamSectionForces<P> change = change_at(q, theta, inverse_metric[q] * slope, tangent);
      for (int a = 0; a < N; ++a) {
        const P l = weight * at[q].value[a];
        const double d = w * at[q].slope[a];
        d_x[a] += d * change.in_r;
        d_psi[a] += l * change.on_turn + d * change.on_slope;
      }
      d_r += weight * (cross(change.in_r, sections[q].tangent) + geometric * cross(in_r[q], tangent));
    }
    for (int a = 0; a < N; ++a) {
      const Vec3<P> force = turns.R * (d_x[a] + geometric * cross(of_r, on_x[a]));
      for (int k = 0; k < 3; ++k) {
        J(6 * a + k, column) += force[k];
        J(column, 6 * a + k) += force[k];
      }
      if (a == pivot) continue;
      const RotationVector<P>& psi = turns.psi[a];
      const Vec3<P> on_node =
          psi.inverse_tangent_transposed(d_psi[a]) + geometric * psi.inverse_tangent_transposed_change(of_psi[a], on_psi[a]);
      for (int k = 0; k < 3; ++k) J(6 * a + 3 + k, column) += on_node[k];
      d_r -= psi.inverse_tangent(d_psi[a]) + geometric * psi.inverse_tangent_change(of_psi[a], on_psi[a]);
    }
    if constexpr (pivot >= 0) {
      for (int k = 0; k < 3; ++k) J(6 * pivot + 3 + k, column) += d_r[k];
    } else {
      const Vec3<P> half = turns.half_change(u[left], u[right]);
      const Vec3<P> on_left = turns.share(1.0, d_r) + geometric * turns.share_change(1.0, half, on_r);
      const Vec3<P> on_right = turns.share(-1.0, d_r) + geometric * turns.share_change(-1.0, half, on_r);
      for (int k = 0; k < 3; ++k) {
        J(6 * left + 3 + k, column) += on_left[k];
        J(6 * right + 3 + k, column) += on_right[k];
      }
    }
  }
};

/// What the tangent has besides where stress follows the rates of strain, which depend on the configuration too:
/// cq sum w B^T D dE/dq, E the rates at the nodes' velocities as they are. Not symmetric: column by column.
template <class B, class P>
struct BeamLag {
  static constexpr int N = B::num_nodes, num_points = B::num_points, pivot = B::pivot, left = B::left, right = B::right;
  using Line = typename B::Line;

  const BeamStiffening<B, P>& base;
  Vec3<P> omega[N];                    ///< of the nodes
  Vec3<P> of_r, of_psi[N];             ///< rates of r and psi
  Vec3<P> of_turn[num_points];         ///< of Theta
  Vec3<P> of_slope[num_points];        ///< of Theta'
  Vec3<P> velocity_slope[num_points];  ///< R_r^T v'
  Vec3<P> stretching[num_points];      ///< exp(-Theta) (R_r^T v' + R_r^T x' x of_r)
  Vec3<P> turning[num_points];         ///< T of_turn

  KOKKOS_INLINE_FUNCTION BeamLag(const BeamStiffening<B, P>& stiffening, const Twist<P> (&twist)[N]) : base(stiffening) {
    constexpr typename Line::PointShapes at;
    for (int a = 0; a < N; ++a) omega[a] = twist[a].omega;
    base.turns.change(omega, of_r, of_psi);
    for (int q = 0; q < num_points; ++q) {
      const P inverse = 1.0 / base.p.metric[q];
      Vec3<P> slope, velocity;
      for (int a = 0; a < N; ++a) {
        of_turn[q] += at[q].value[a] * of_psi[a];
        slope += at[q].slope[a] * of_psi[a];
        velocity += at[q].slope[a] * twist[a].v;
      }
      of_slope[q] = inverse * slope;
      velocity_slope[q] = inverse * transpose_times(base.turns.R, velocity);
      const auto& s = base.sections[q];
      stretching[q] = s.turn.turn_back(velocity_slope[q] + cross(s.tangent, of_r));
      turning[q] = s.turn.tangent(of_turn[q]);
    }
  }

  KOKKOS_INLINE_FUNCTION void add_to(const P& factor, Mat<P, B::num_dofs>& J) const {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 6; ++i) add_column(factor, a, i, J);
  }

  /// Along a dof: how r, psi and the line's tangent change, and how their rates do.
  struct Along {
    Vec3<P> r, psi[N], x;  ///< x: of the node's place, in the axes of r
    Vec3<P> rate_of_r, rate_of_psi[N];
    int node;
  };

  KOKKOS_INLINE_FUNCTION Along along(int node, int i) const {
    Along d;
    d.node = node;
    if (i < 3) {
      d.x = {{base.turns.R(i, 0), base.turns.R(i, 1), base.turns.R(i, 2)}};
      return d;
    }
    Vec3<P> u[N];
    u[node][i - 3] = P(1.0);
    base.turns.change(u, d.r, d.psi);
    if constexpr (pivot < 0) {
      const Vec3<P> half = base.turns.half_change(u[left], u[right]);
      d.rate_of_r = base.turns.share_change(-1.0, half, omega[left]) + base.turns.share_change(1.0, half, omega[right]);
    }
    for (int a = 0; a < N; ++a) {
      if (a == pivot) continue;
      const RotationVector<P>& psi = base.turns.psi[a];
      d.rate_of_psi[a] = psi.inverse_tangent_change(d.psi[a], omega[a]) - psi.inverse_tangent_transposed_change(d.psi[a], of_r) -
                         psi.inverse_tangent_transposed(d.rate_of_r);
    }
    return d;
  }

  /// How the rates of strain at Gauss point q change: the derivative of Beam::strain_rate.
  KOKKOS_INLINE_FUNCTION Vec<P, 6> rate_change(int q, const Along& d, const typename Line::Shapes& shapes) const {
    const auto& s = base.sections[q];
    const RotationVector<P>& turn = s.turn;
    const P inverse = 1.0 / base.p.metric[q];
    Vec3<P> theta, slope, rate, rate_slope;
    for (int a = 0; a < N; ++a) {
      theta += shapes.value[a] * d.psi[a];
      slope += shapes.slope[a] * d.psi[a];
      rate += shapes.value[a] * d.rate_of_psi[a];
      rate_slope += shapes.slope[a] * d.rate_of_psi[a];
    }
    slope = inverse * slope;
    rate_slope = inverse * rate_slope;
    const Vec3<P> tangent = (shapes.slope[d.node] * inverse) * d.x + cross(s.tangent, d.r);
    const Vec3<P> moved = turn.tangent(theta);
    const Vec3<P> gamma = turn.turn_back(tangent) + cross(s.gamma, moved);
    const Vec3<P> kappa = turn.tangent(slope) + turn.tangent_rate(s.turn_slope, theta) + cross(s.kappa, moved);
    const Vec3<P> turning_change = turn.tangent_rate(theta, of_turn[q]) + turn.tangent(rate);
    const Vec3<P> g = turn.turn_back(cross(velocity_slope[q], d.r) + cross(tangent, of_r) + cross(s.tangent, d.rate_of_r)) +
                      cross(stretching[q], moved) + cross(gamma, turning[q]) + cross(s.gamma, turning_change);
    const Vec3<P> k = turn.tangent_rate(theta, of_slope[q]) + turn.tangent(rate_slope) +
                      turn.tangent_rate_change(s.turn_slope, theta, of_turn[q]) + turn.tangent_rate(slope, of_turn[q]) +
                      turn.tangent_rate(s.turn_slope, rate) + cross(kappa, turning[q]) + cross(s.kappa, turning_change);
    return {{g[0], g[1], g[2], k[0], k[1], k[2]}};
  }

  KOKKOS_INLINE_FUNCTION void add_column(const P& factor, int node, int i, Mat<P, B::num_dofs>& J) const {
    constexpr typename Line::PointShapes at;
    const int column = 6 * node + i;
    const Along d = along(node, i);
    Vec3<P> on_r, on_psi[N];
    NodeForces<P, NodeKind::frame, N> f;
    for (int q = 0; q < num_points; ++q) {
      const double w = Line::point_weight(q);
      const P weight = w * base.p.metric[q];
      const auto& s = base.sections[q];
      const Vec<P, 6> sigma = factor * (base.p.viscous_matrix(q) * rate_change(q, d, at[q]));
      const Vec3<P> n{{sigma[0], sigma[1], sigma[2]}}, m{{sigma[3], sigma[4], sigma[5]}};
      const Vec3<P> on_turn =
          s.turn.tangent_transposed(cross(n, s.gamma) + cross(m, s.kappa)) + s.turn.tangent_rate_transposed(s.turn_slope, m);
      const Vec3<P> on_slope = s.turn.tangent_transposed(m), in_r = s.turn.turn(n), across = base.turns.R * in_r;
      on_r += weight * cross(in_r, s.tangent);
      for (int a = 0; a < N; ++a) {
        f.f[a].force -= (w * at[q].slope[a]) * across;
        on_psi[a] += (weight * at[q].value[a]) * on_turn + (w * at[q].slope[a]) * on_slope;
      }
    }
    base.turns.spread(on_r, on_psi, f);
    for (int a = 0; a < N; ++a)
      for (int k = 0; k < 3; ++k) {
        J(6 * a + k, column) -= f.f[a].force[k];
        J(6 * a + 3 + k, column) -= f.f[a].moment[k];
      }
  }
};

}  // namespace sinew
