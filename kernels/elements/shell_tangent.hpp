/// \file
/// The tangent of a shell by hand: -(cq df/dq + cv df/dv) of an element E, for one element or for a block of them in lanes.
///
/// With the strains e(q), their gradients B = de/dq and their rates B v the forces are -B^T s, s = H (e - e0 + tau B v), so that
///   J = B^T H ((cq + tau cv) B + cq tau D(B v)) + cq sum s_c D(B_c)
/// The first term, the material's, goes by columns: a column of B is the rates where one degree of freedom moves, and what
/// B^T H makes of it is forces.
/// The second, geometric term is that of forces in the surface, which follow its tangents whatever nodes turn, and of all others,
/// which is found in quaternions. With the nodes' p_a and x_a held apart, the stresses held fast do work
///   U = sum n_i . vec(conj(p) x,i p)/|p|^2 + 2 sum m_i . vec(conj(p) p,i)/|p|^2
/// at a point (an edge has its side in the place of x,i, and no p,i), where p = sum N_a p_a, p,i = sum N_a,i p_a. This is
/// (p^T A p + 2 sum p^T C_i p,i)/|p|^2 with matrices of 4 x 4, whose second derivatives are short:
///   A = [n.x, (n x x)^T; n x x, n x^T + x n^T - (n.x) I] summed over i,   C_i = [0, m_i^T; -m_i, m_i~]
/// They are summed over points, for p_a is the same at all of them, and turned to the nodes' rotations at the end.
#pragma once

#include "kernels/algebra/dual_lanes.hpp"
#include "kernels/directional.hpp"
#include "kernels/elements/shell.hpp"

namespace sinew {

template <class E, class P>
struct ShellTangent {
  static constexpr int N = E::num_nodes, num_points = E::num_points, num_dofs = E::num_dofs;
  using Params = typename E::template ParamsOf<P>;
  using States = NodeStates<P, NodeKind::frame, N>;
  using Surface = typename E::template Surface<P>;
  using Strains = typename E::template Strains<P>;
  using Place = typename E::template Place<P>;
  using Turn = typename E::template Turn<P>;
  using Vec4 = Vec<P, 4>;
  using Mat4 = Mat<P, 4>;

  const Params& p;
  const States& z;
  Surface surface;
  Strains s;

  KOKKOS_INLINE_FUNCTION ShellTangent(const Params& params, const States& states)
      : p(params), z(states), surface(p, z.frame), s(E::stresses(p, surface, z.twist)) {}

  KOKKOS_INLINE_FUNCTION void add_to(double cq, double cv, Mat<P, num_dofs>& J) const {
    const auto fill = [&](const auto& add_lag) {
      for (int j = 0; j < num_dofs; ++j) {
        Strains e = rates(surface, j);
        e.scale(cq + cv * p.tau);
        add_lag(j, e);
        add_column(E::stresses(p, e), j, J);
      }
    };
    if (cq != 0 && differs_from_zero(p.tau)) {
      Frame<Dual<P>> frame[N];
      for (int a = 0; a < N; ++a) frame[a] = perturbed(z.frame[a], z.twist[a].v, z.twist[a].omega);
      const MovedSurface moved(p, frame);
      fill([&](int j, Strains& e) { e.add(cq * p.tau, rates_of_change(moved, j)); });
    } else {
      fill([](int, Strains&) {});
    }
    if (cq != 0) add_geometric(cq, J);
  }

 private:
  using MovedSurface = typename E::template Surface<Dual<P>>;

  /// How strains change where degree of freedom j moves.
  template <class S>
  KOKKOS_INLINE_FUNCTION typename E::template Strains<S> rates(const typename E::template Surface<S>& of, int j) const {
    typename E::template Strains<S> e;
    Vec3<S> unit;
    for (int c = 0; c < 3; ++c) unit[c] = S(j % 3 == c ? 1.0 : 0.0);
    if (is_turn(j))
      E::add_rates_of_turn(p, of, j / 6, unit, e);
    else
      E::add_rates_of_place(p, of, j / 6, unit, e);
    return e;
  }
  KOKKOS_INLINE_FUNCTION static bool is_turn(int dof) { return dof % 6 >= 3; }

  /// D_j(B v): the rates change as B does along v, D_v(B_j), and where j is a turn about axis e by B (e x omega), since turns do
  /// not commute. `moved`: the surface along v.
  KOKKOS_INLINE_FUNCTION Strains rates_of_change(const MovedSurface& moved, int j) const {
    const auto change = rates(moved, j);
    Strains e;
    for (int k = 0; k < E::num_plane; ++k) e.plane[k] = change.plane[k].grad;
    for (int a = 0; a < N; ++a) e.across[a] = change.across[a].grad;
    for (int q = 0; q < num_points; ++q)
      for (int i = 0; i < 2; ++i)
        for (int c = 0; c < 3; ++c) e.curvature[q][i][c] = change.curvature[q][i][c].grad;
    if (!is_turn(j)) return e;
    Vec3<P> axis;
    axis[j % 3] = P(1.0);
    E::add_rates_of_turn(p, surface, j / 6, cross(axis, z.twist[j / 6].omega), e);
    return e;
  }

  KOKKOS_INLINE_FUNCTION void add_column(const Strains& stresses, int j, Mat<P, num_dofs>& J) const {
    NodeForces<P, NodeKind::frame, N> f;
    E::add_forces(p, surface, stresses, f);
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        J(6 * a + i, j) -= f.f[a].force[i];
        J(6 * a + 3 + i, j) -= f.f[a].moment[i];
      }
  }

  /// First and second derivatives of the work U by the nodes' quaternions; of the blocks those with a <= b.
  struct Work {
    Vec4 gradient[N];
    Mat4 stiffness[N][N];
  };

  KOKKOS_INLINE_FUNCTION void add_geometric(double cq, Mat<P, num_dofs>& J) const {
    Work work;
    double shape[N];
    for (int q = 0; q < num_points; ++q) {
      E::shapes_at(q, shape);
      add_work_at_point(q, shape, work);
      for (int i = 0; i < 2; ++i) add_turning(surface.place[q], shape, E::drilling(p, s, q, i), q, i, cq, J);
      add_tension(q, cq, J);
    }
    for (int a = 0; a < N; ++a) {
      E::shapes_on_edge(a, shape);
      add_work_on_edge(a, shape, work);
      add_turning_on_edge(a, shape, cq, J);
    }
    add_to_turns(work, cq, J);
  }

  KOKKOS_INLINE_FUNCTION static Vec4 four(const Turn& t) { return {{t.w, t.v[0], t.v[1], t.v[2]}}; }

  /// Adds the matrix A of n . vec(conj(p) x p).
  KOKKOS_INLINE_FUNCTION static void add_pull(const Vec3<P>& n, const Vec3<P>& x, Mat4& A) {
    const P along = dot(n, x);
    const Vec3<P> across = cross(n, x);
    A(0, 0) += along;
    for (int i = 0; i < 3; ++i) {
      A(0, 1 + i) += across[i];
      A(1 + i, 0) += across[i];
      A(1 + i, 1 + i) -= along;
      for (int j = 0; j < 3; ++j) A(1 + i, 1 + j) += n[i] * x[j] + x[i] * n[j];
    }
  }
  /// The matrix C of 2 m . vec(conj(p) q); C^T = -C.
  KOKKOS_INLINE_FUNCTION static Mat4 bending(const Vec3<P>& m) {
    Mat4 C;
    const Mat3<P> turned = skew(m);
    for (int i = 0; i < 3; ++i) {
      C(0, 1 + i) = m[i];
      C(1 + i, 0) = -m[i];
      for (int j = 0; j < 3; ++j) C(1 + i, 1 + j) = turned(i, j);
    }
    return C;
  }

  /// Second derivatives by p of U = (p^T A p + 2 sum p^T C_i p,i)/|p|^2: 2/|p|^2 (A - U I - r p^T - p r^T), r its gradient by p.
  KOKKOS_INLINE_FUNCTION static Mat4 second(const Mat4& A, const P& value, const Vec4& r, const Vec4& at, const P& inverse) {
    Mat4 H;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        H(i, j) = (2.0 * inverse) * ((i == j ? A(i, j) - value : A(i, j)) - r[i] * at[j] - at[i] * r[j]);
    return H;
  }

  KOKKOS_INLINE_FUNCTION void add_work_at_point(int q, const double (&shape)[N], Work& work) const {
    const Place& place = surface.place[q];
    const Vec4 at = four(place.p);
    Mat4 A, cross_terms[2];
    Vec4 u, by_slope[2];
    P value = 0.0;
    for (int i = 0; i < 2; ++i) {
      const Vec3<P> n = E::drilling(p, s, q, i), m = p.axes[q] * s.curvature[q][i];
      add_pull(n, place.turn(surface.gradient[q][i]), A);
      const Mat4 C = bending(m);
      u += C * four(surface.along[q][i].p);
      by_slope[i] = (-2.0 * place.inverse) * (C * at);
      value += dot(n, surface.gradient[q][i]) + dot(m, surface.along[q][i].curvature);
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) cross_terms[i](k, l) = (2.0 * place.inverse) * (C(k, l) - at[k] * by_slope[i][l]);
    }
    u += A * at - value * at;
    const Vec4 by_p = (2.0 * place.inverse) * u;
    const Mat4 H = second(A, value, by_p, at, place.inverse);
    for (int a = 0; a < N; ++a) {
      const P(&da)[2] = p.slope[q][a];
      work.gradient[a] += shape[a] * by_p + da[0] * by_slope[0] + da[1] * by_slope[1];
      for (int b = a; b < N; ++b) {
        const P(&db)[2] = p.slope[q][b];
        const double both = shape[a] * shape[b];
        const P forth[2] = {shape[a] * db[0], shape[a] * db[1]}, back[2] = {shape[b] * da[0], shape[b] * da[1]};
        Mat4& K = work.stiffness[a][b];
        for (int k = 0; k < 4; ++k)
          for (int l = 0; l < 4; ++l)
            K(k, l) += both * H(k, l) + forth[0] * cross_terms[0](k, l) + forth[1] * cross_terms[1](k, l) +
                       back[0] * cross_terms[0](l, k) + back[1] * cross_terms[1](l, k);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void add_work_on_edge(int e, const double (&shape)[N], Work& work) const {
    const Place& place = surface.middle[e];
    const Vec4 at = four(place.p);
    const Vec3<P> n = s.across[e] * p.normal[e];
    Mat4 A;
    add_pull(n, place.turn(surface.side[e]), A);
    const P value = dot(n, surface.side[e]);
    const Vec4 by_p = (2.0 * place.inverse) * (A * at - value * at);
    const Mat4 H = second(A, value, by_p, at, place.inverse);
    const int f = (e + 1) % N, first = e < f ? e : f, last = e < f ? f : e;
    for (const int a : {first, last}) {
      work.gradient[a] += shape[a] * by_p;
      for (const int b : {first, last}) {
        if (b < a) continue;
        for (int k = 0; k < 4; ++k)
          for (int l = 0; l < 4; ++l) work.stiffness[a][b](k, l) += (shape[a] * shape[b]) * H(k, l);
      }
    }
  }

  /// Forces in the surface follow its tangents.
  KOKKOS_INLINE_FUNCTION void add_tension(int q, double cq, Mat<P, num_dofs>& J) const {
    const P first = cq * s.plane[4 * q], second = cq * s.plane[4 * q + 1], both = cq * s.plane[4 * q + 2];
    for (int a = 0; a < N; ++a) {
      const P(&da)[2] = p.slope[q][a];
      const P along[2] = {first * da[0] + both * da[1], both * da[0] + second * da[1]};
      for (int b = 0; b < N; ++b) {
        const P K = along[0] * p.slope[q][b][0] + along[1] * p.slope[q][b][1];
        for (int i = 0; i < 3; ++i) J(6 * a + i, 6 * b + i) += K;
      }
    }
  }

  /// Where node b turns, the force along R n turns with the place; and the same work says what moments follow from places.
  KOKKOS_INLINE_FUNCTION void add_turning(const Place& place, const double (&shape)[N], const Vec3<P>& n, int q, int i, double cq,
                                          Mat<P, num_dofs>& J) const {
    for (int b = 0; b < N; ++b)
      for (int c = 0; c < 3; ++c) {
        const Vec3<P> change = turning_force(place, shape[b], n, b, c, cq);
        for (int a = 0; a < N; ++a) add_pair(a, b, c, p.slope[q][a][i] * change, J);
      }
  }
  KOKKOS_INLINE_FUNCTION void add_turning_on_edge(int e, const double (&shape)[N], double cq, Mat<P, num_dofs>& J) const {
    const int f = (e + 1) % N;
    const Vec3<P> n = s.across[e] * p.normal[e];
    for (const int b : {e, f})
      for (int c = 0; c < 3; ++c) {
        const Vec3<P> change = turning_force(surface.middle[e], shape[b], n, b, c, cq);
        add_pair(f, b, c, change, J);
        add_pair(e, b, c, -change, J);
      }
  }
  KOKKOS_INLINE_FUNCTION Vec3<P> turning_force(const Place& place, double shape, const Vec3<P>& n, int b, int c,
                                               double cq) const {
    Vec3<P> axis;
    axis[c] = P(cq);
    return surface.R * place.turn(cross(place.share(shape, b, axis), n));
  }
  /// Between the place of node a and the turn of node b about axis c.
  KOKKOS_INLINE_FUNCTION static void add_pair(int a, int b, int c, const Vec3<P>& change, Mat<P, num_dofs>& J) {
    for (int i = 0; i < 3; ++i) {
      J(6 * a + i, 6 * b + 3 + c) += change[i];
      J(6 * b + 3 + c, 6 * a + i) += change[i];
    }
  }

  /// Turns of the nodes: p_a changes by p_a (0, e)/2, and once more where it turns again, first about e_j, then about e_i:
  /// p_a (0, e_j)(0, e_i)/4, (0, e_j)(0, e_i) = (-delta_ij, e_j x e_i).
  KOKKOS_INLINE_FUNCTION void add_to_turns(const Work& work, double cq, Mat<P, num_dofs>& J) const {
    Mat<P, 4, 3> turn[N];
    for (int a = 0; a < N; ++a) {
      const Turn& t = surface.turns.p[a];
      const Mat3<P> skewed = skew(t.v);
      for (int c = 0; c < 3; ++c) {
        turn[a](0, c) = -0.5 * t.v[c];
        for (int k = 0; k < 3; ++k) turn[a](1 + k, c) = 0.5 * (k == c ? skewed(k, c) + t.w : skewed(k, c));
      }
    }
    for (int a = 0; a < N; ++a) {
      for (int b = a; b < N; ++b) {
        const Mat3<P> K = transpose(turn[a]) * (work.stiffness[a][b] * turn[b]);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            J(6 * a + 3 + i, 6 * b + 3 + j) += cq * K(i, j);
            if (a != b) J(6 * b + 3 + j, 6 * a + 3 + i) += cq * K(i, j);
          }
      }
      const Mat3<P> moment = skew(transpose_times(turn[a], work.gradient[a]));
      const P along = dot(work.gradient[a], four(surface.turns.p[a]));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          J(6 * a + 3 + i, 6 * a + 3 + j) += cq * (0.5 * moment(i, j) - (i == j ? 0.25 * along : P(0.0)));
    }
  }
};

}  // namespace sinew
