/// \file
/// Geometrically exact shell of six degrees of freedom a node: N = 3 or 4 frames, the corners of a triangle or quadrilateral.
///
/// The midsurface x(s1, s2) carries a field of rotations R against the start (nodes' frames; X there, in the axes that all of
/// them have at the start). With t1, t2 and n, tangents and normal of the surface at the start, strains are
///   E_a = R^T x,a - X,a,   K_a = axial(R^T R,a),   a = 1, 2: derivatives by arc lengths along t1 and t2,
/// E_ab = E_a . t_b in the plane, gamma_a = E_a . n across, and of the director (R n),a = R (K_a x n):
///   rho_a1 = K_a . t2,   rho_a2 = -K_a . t1,   drilling curvatures K_a . n.
/// Energy per area, linear elastic, C = E t/(1 - nu^2), D = E t^3/(12 (1 - nu^2)), G = E/(2 (1 + nu)):
///   C/2 (E_11^2 + E_22^2 + 2 nu E_11 E_22) + G t (E_12^2 + E_21^2) + 5/6 G t/2 (gamma_1^2 + gamma_2^2)
///   + D/2 (rho_11^2 + rho_22^2 + 2 nu rho_11 rho_22 + (1 - nu)/2 (rho_12 + rho_21)^2)
///   + 7/10 D (1 - nu)/2 ((K_1 . n)^2 + (K_2 . n)^2)
/// E_12 - E_21 is the turn about the normal against that of the midsurface; its stiffness, that of E_12 + E_21, and the
/// factor 7/10 are those of Chroscielewski, Makowski and Stumpf (1992), Int. J. Numer. Methods Eng. 35, 63-94.
///
/// Interpolation: places by the shape functions N_a, rotations by the quaternions p = sum N_a p_a of the nodes, taken as a
/// rotation whatever their length (Romero (2004), Comput. Mech. 34, 121-133, compares such). A rigid motion turns all p_a alike
/// and changes no strain, and no node is preferred.
///   quadrilateral: gamma by the shears along the edges in their middles (Dvorkin and Bathe (1984), Eng. Comput. 1, 77-88,
///     MITC4);
///     E_ab enhanced by the gradients of two incompatible displacements that are quadratic in the reference coordinates (Simo and
///     Rifai (1990), Int. J. Numer. Methods Eng. 29, 1595-1638), which bends in its plane without shear. The law is linear, so
///     that their amplitudes follow in closed form: they change the matrix of the energy alone, once and for all.
///   triangle: one point, gamma by the shears along the edges likewise (Lee and Bathe (2004), Comput. Struct. 82, 945-962,
///     MITC3).
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/algebra/symmetric.hpp"
#include "kernels/contract.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/shape/faces.hpp"

#include <type_traits>

namespace sinew {

/// Thickness and material of a shell.
struct ShellSection {
  double thickness = 0;       ///< m
  double youngs_modulus = 0;  ///< Pa
  double poissons_ratio = 0;
  double density = 0;  ///< kg/m^3
  double alpha = 0;    ///< mass-proportional damping, 1/s
  double tau = 0;      ///< viscosity proportional to stiffness, s
};

template <int N>
struct Shell {
  static_assert(N == 3 || N == 4);
  static constexpr const char* name = N == 3 ? "shell3" : "shell4";
  static constexpr const char* help = "geometrically exact shell (Reissner), six degrees of freedom a node";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = N;
  static constexpr int num_signals = 0;
  static constexpr int num_dofs = 6 * N;
  static constexpr bool is_analytic = true;
  static constexpr const char* degenerate = "turns by half a turn within an element, where it has no shape: use more elements";
  using Face = std::conditional_t<N == 3, Tri3, Quad4>;
  static constexpr int num_points = Face::num_points;
  static constexpr int num_plane = 4 * num_points;

  struct Params {
    Symmetric<double, num_plane> plane;        ///< matrix of the energy of (E_11, E_22, E_12, E_21) at all points, N m
    Symmetric<double, N> across;               ///< of the shears along the edges, (x_b - x_a) . R n in their middles, N/m
    double bending, poissons_ratio, twisting;  ///< D, nu and 7/10 D (1 - nu)
    double weight[num_points];                 ///< area of a point, m^2
    double slope[num_points][N][2];            ///< dN_a/ds_1, dN_a/ds_2 there, 1/m
    Mat3<double> axes[num_points];             ///< t1, t2, n there, in columns
    Vec3<double> normal[N];                    ///< n in the middle of the edge from node a to the next
    Symmetric<double, N> mass;                 ///< of the displacements, kg
    double inertia[N];                         ///< of a node about every axis, kg m^2
    double tau, alpha;                         ///< damping, see ShellSection
  };
  using States = NodeStates<double, node_kind, num_nodes>;
  template <class S>
  using StatesOf = NodeStates<S, node_kind, num_nodes>;
  template <class S>
  using ForcesOf = NodeForces<S, node_kind, num_nodes>;

  /// A quaternion of any length.
  template <class S>
  struct Turn {
    S w = S(0.0);
    Vec3<S> v;

    KOKKOS_INLINE_FUNCTION void add(double factor, const Turn& other) {
      w = w + factor * other.w;
      v += factor * other.v;
    }
    /// conj(this) other
    KOKKOS_INLINE_FUNCTION Turn to(const Turn& other) const {
      return {w * other.w + dot(v, other.v), w * other.v - other.w * v - cross(v, other.v)};
    }
    /// The vector part of its product with u, and the transpose of that.
    KOKKOS_INLINE_FUNCTION Vec3<S> times(const Vec3<S>& u) const { return w * u + cross(v, u); }
    KOKKOS_INLINE_FUNCTION Vec3<S> transpose_times(const Vec3<S>& u) const { return w * u - cross(v, u); }
    KOKKOS_INLINE_FUNCTION S square() const { return w * w + dot(v, v); }
  };

  /// The nodes' turns from node 0, and a place that the strains are taken at.
  template <class S>
  struct Turns {
    Turn<S> p[N];

    KOKKOS_INLINE_FUNCTION explicit Turns(const Frame<S> (&frame)[N]) {
      using math::sqrt;
      p[0].w = S(1.0);
      for (int a = 1; a < N; ++a) {
        const Mat3<S> R = transpose(frame[0].R) * frame[a].R;
        const S w = 0.5 * sqrt(1.0 + (R(0, 0) + R(1, 1) + R(2, 2))), factor = 0.25 / w;
        p[a].w = w;
        p[a].v = factor * Vec3<S>{{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)}};
      }
    }
  };

  /// A place of the surface: how it has turned, and how that changes where the nodes turn.
  template <class S>
  struct Place {
    Turn<S> p;           ///< from node 0
    S inverse;           ///< 1/|p|^2
    Turn<S> to_node[N];  ///< conj(p) p_a

    KOKKOS_INLINE_FUNCTION Place(const Turns<S>& turns, const double (&shape)[N]) {
      for (int a = 0; a < N; ++a) p.add(shape[a], turns.p[a]);
      inverse = 1.0 / p.square();
      for (int a = 0; a < N; ++a) to_node[a] = p.to(turns.p[a]);
    }
    /// A vector of the axes of node 0 in those of the place, and back.
    KOKKOS_INLINE_FUNCTION Vec3<S> turn_back(const Vec3<S>& u) const {
      const Vec3<S> c = cross(p.v, u);
      return u + (2.0 * inverse) * (cross(p.v, c) - p.w * c);
    }
    KOKKOS_INLINE_FUNCTION Vec3<S> turn(const Vec3<S>& u) const {
      const Vec3<S> c = cross(p.v, u);
      return u + (2.0 * inverse) * (cross(p.v, c) + p.w * c);
    }
    /// What node a's turn u adds to that of the place, and the transpose.
    KOKKOS_INLINE_FUNCTION Vec3<S> share(double shape, int a, const Vec3<S>& u) const {
      return (shape * inverse) * to_node[a].times(u);
    }
    KOKKOS_INLINE_FUNCTION Vec3<S> share_transposed(double shape, int a, const Vec3<S>& u) const {
      return (shape * inverse) * to_node[a].transpose_times(u);
    }
  };

  /// How a place's turn changes along a direction: K, and how that changes where the nodes turn.
  template <class S>
  struct Along {
    Vec3<S> curvature;
    Turn<S> to_node[N];  ///< conj(p,a) p_a

    KOKKOS_INLINE_FUNCTION Along(const Turns<S>& turns, const Place<S>& place, const double (&slope)[N][2], int direction) {
      Turn<S> change;
      for (int a = 0; a < N; ++a) change.add(slope[a][direction], turns.p[a]);
      curvature = (2.0 * place.inverse) * place.p.to(change).v;
      for (int a = 0; a < N; ++a) to_node[a] = change.to(turns.p[a]);
    }
    KOKKOS_INLINE_FUNCTION Vec3<S> share(const Place<S>& place, double shape, double slope, int a, const Vec3<S>& u) const {
      const Vec3<S> sum =
          slope * place.to_node[a].times(u) - shape * to_node[a].times(u) + (shape * dot(place.to_node[a].v, u)) * curvature;
      return place.inverse * sum;
    }
    KOKKOS_INLINE_FUNCTION Vec3<S> share_transposed(const Place<S>& place, double shape, double slope, int a,
                                                    const Vec3<S>& u) const {
      const Vec3<S> sum = slope * place.to_node[a].transpose_times(u) - shape * to_node[a].transpose_times(u) +
                          (shape * dot(curvature, u)) * place.to_node[a].v;
      return place.inverse * sum;
    }
  };

  /// Shape functions at point q.
  KOKKOS_INLINE_FUNCTION static void shapes_at(int q, double (&shape)[N]) {
    double slope[2][N];
    Face::evaluate(Face::point(q), shape, slope);
  }
  /// In the middle of the edge from node a to the next.
  KOKKOS_INLINE_FUNCTION static void shapes_on_edge(int a, double (&shape)[N]) {
    for (int b = 0; b < N; ++b) shape[b] = b == a || b == (a + 1) % N ? 0.5 : 0.0;
  }

  /// Strains at all points and edges, as the energy takes them, or their rates.
  template <class S>
  struct Strains {
    Vec<S, num_plane> plane;
    Vec3<S> curvature[num_points][2];  ///< K_1, K_2 along t1, t2, n
    Vec<S, N> across;
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static Strains<S> strains(const Params& p, const Turns<S>& turns, const Frame<S> (&frame)[N]) {
    Strains<S> e;
    double shape[N];
    for (int q = 0; q < num_points; ++q) {
      shapes_at(q, shape);
      const Place<S> place(turns, shape);
      for (int i = 0; i < 2; ++i) {
        const Vec3<S> g = gradient(p, place, frame, q, i);
        e.plane[4 * q + i] = dot(column(p.axes[q], i), g) - 1.0;
        e.plane[4 * q + 2 + i] = dot(column(p.axes[q], 1 - i), g);
        e.curvature[q][i] = transpose_times(p.axes[q], Along<S>(turns, place, p.slope[q], i).curvature);
      }
    }
    for (int a = 0; a < N; ++a) {
      shapes_on_edge(a, shape);
      const Place<S> place(turns, shape);
      const Vec3<S> side = transpose_times(frame[0].R, frame[(a + 1) % N].x - frame[a].x);
      e.across[a] = dot(p.normal[a], place.turn_back(side));
    }
    return e;
  }

  /// R^T x,i at point q.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> gradient(const Params& p, const Place<S>& place, const Frame<S> (&frame)[N], int q,
                                                 int i) {
    Vec3<S> slope;
    for (int a = 0; a < N; ++a) slope += p.slope[q][a][i] * frame[a].x;
    return place.turn_back(transpose_times(frame[0].R, slope));
  }

  /// Rates of the strains where the nodes move as `twist`.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Strains<S> strain_rates(const Params& p, const Turns<S>& turns, const StatesOf<S>& z) {
    Strains<S> e;
    double shape[N];
    for (int q = 0; q < num_points; ++q) {
      shapes_at(q, shape);
      const Place<S> place(turns, shape);
      Vec3<S> omega;
      for (int a = 0; a < N; ++a) omega += place.share(shape[a], a, z.twist[a].omega);
      for (int i = 0; i < 2; ++i) {
        const Along<S> along(turns, place, p.slope[q], i);
        Vec3<S> slope, curving;
        for (int a = 0; a < N; ++a) {
          slope += p.slope[q][a][i] * z.twist[a].v;
          curving += along.share(place, shape[a], p.slope[q][a][i], a, z.twist[a].omega);
        }
        const Vec3<S> g = place.turn_back(transpose_times(z.frame[0].R, slope)) + cross(gradient(p, place, z.frame, q, i), omega);
        e.plane[4 * q + i] = dot(column(p.axes[q], i), g);
        e.plane[4 * q + 2 + i] = dot(column(p.axes[q], 1 - i), g);
        e.curvature[q][i] = transpose_times(p.axes[q], curving);
      }
    }
    for (int a = 0; a < N; ++a) {
      const int b = (a + 1) % N;
      shapes_on_edge(a, shape);
      const Place<S> place(turns, shape);
      const Vec3<S> side = place.turn_back(transpose_times(z.frame[0].R, z.frame[b].x - z.frame[a].x));
      const Vec3<S> moving = place.turn_back(transpose_times(z.frame[0].R, z.twist[b].v - z.twist[a].v));
      const Vec3<S> omega = place.share(0.5, a, z.twist[a].omega) + place.share(0.5, b, z.twist[b].omega);
      e.across[a] = dot(p.normal[a], moving + cross(side, omega));
    }
    return e;
  }

  /// Moments that go with K_1, K_2 of Strains, per area.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void moments(const Params& p, const Vec3<S> (&k)[2], Vec3<S> (&m)[2]) {
    const S first = k[0][1], second = -k[1][0];
    const S twist = (0.5 * p.bending * (1.0 - p.poissons_ratio)) * (k[1][1] - k[0][0]);
    m[0][1] = p.bending * (first + p.poissons_ratio * second);
    m[1][0] = -p.bending * (second + p.poissons_ratio * first);
    m[0][0] = -twist;
    m[1][1] = twist;
    for (int i = 0; i < 2; ++i) m[i][2] = p.twisting * k[i][2];
  }

  /// Adds the forces of strain, viscosity, gravity and mass-proportional damping. A node's inertia is the same about every axis:
  /// there are no gyroscopic moments.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    const Turns<S> turns(z.frame);
    Strains<S> e = strains(p, turns, z.frame);
    if (differs_from_zero(p.tau)) add_rates(p.tau, strain_rates(p, turns, z), e);
    const Vec<S, num_plane> plane = p.plane * e.plane;
    const Vec<S, N> across = p.across * e.across;
    const Mat3<S>& R = z.frame[0].R;
    double shape[N];
    for (int q = 0; q < num_points; ++q) {
      shapes_at(q, shape);
      const Place<S> place(turns, shape);
      Vec3<S> m[2], on_turn;
      moments(p, e.curvature[q], m);
      for (int i = 0; i < 2; ++i) {
        const Along<S> along(turns, place, p.slope[q], i);
        const Vec3<S> n = plane[4 * q + i] * column(p.axes[q], i) + plane[4 * q + 2 + i] * column(p.axes[q], 1 - i);
        const Vec3<S> moment = p.weight[q] * (p.axes[q] * m[i]);
        const Vec3<S> push = R * place.turn(n);
        on_turn += cross(n, gradient(p, place, z.frame, q, i));
        for (int a = 0; a < N; ++a) {
          f.f[a].force -= p.slope[q][a][i] * push;
          f.f[a].moment -= along.share_transposed(place, shape[a], p.slope[q][a][i], a, moment);
        }
      }
      for (int a = 0; a < N; ++a) f.f[a].moment -= place.share_transposed(shape[a], a, on_turn);
    }
    for (int a = 0; a < N; ++a) {
      const int b = (a + 1) % N;
      shapes_on_edge(a, shape);
      const Place<S> place(turns, shape);
      const Vec3<S> n = across[a] * p.normal[a];
      const Vec3<S> push = R * place.turn(n);
      const Vec3<S> on_turn = cross(n, place.turn_back(transpose_times(R, z.frame[b].x - z.frame[a].x)));
      f.f[b].force -= push;
      f.f[a].force += push;
      f.f[a].moment -= place.share_transposed(0.5, a, on_turn);
      f.f[b].moment -= place.share_transposed(0.5, b, on_turn);
    }
    for (int a = 0; a < N; ++a) {
      for (int b = 0; b < N; ++b) {
        f.f[a].force += p.mass(a, b) * env.gravity;
        if (differs_from_zero(p.alpha)) f.f[a].force -= (p.alpha * p.mass(a, b)) * z.twist[b].v;
      }
      if (differs_from_zero(p.alpha)) f.f[a].moment -= (p.alpha * p.inertia[a]) * z.twist[a].omega;
    }
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs>& M) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        for (int b = 0; b < N; ++b) M(6 * a + i, 6 * b + i) += p.mass(a, b);
        M(6 * a + 3 + i, 6 * a + 3 + i) += p.inertia[a];
      }
  }

  /// J
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    const Strains<double> e = strains(p, Turns<double>(z.frame), z.frame);
    double energy = 0.5 * (dot(e.plane, p.plane * e.plane) + dot(e.across, p.across * e.across));
    for (int q = 0; q < num_points; ++q) {
      Vec3<double> m[2];
      moments(p, e.curvature[q], m);
      energy += 0.5 * p.weight[q] * (dot(m[0], e.curvature[q][0]) + dot(m[1], e.curvature[q][1]));
    }
    return energy;
  }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env, const States& z) {
    double energy = 0;
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) energy -= p.mass(a, b) * dot(env.gravity, z.frame[a].x);
    return energy;
  }

  /// Quaternions tell turns of less than half a turn apart: the cosine of the largest from node 0 is (tr - 1)/2; -0.999 is 177
  /// degrees.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& /*p*/, const States& z) {
    double least = 1, sum = 0;
    for (int a = 0; a < N; ++a) {
      double trace = 0;
      for (int i = 0; i < 3; ++i) {
        sum += z.frame[a].x[i] * z.frame[a].x[i];
        for (int j = 0; j < 3; ++j) trace += z.frame[0].R(i, j) * z.frame[a].R(i, j);
      }
      sum += trace * trace;
      if (0.5 * (trace - 1) < least) least = 0.5 * (trace - 1);
    }
    if (!(sum < 1e300)) return Verdict::not_finite;
    return least < -0.999 ? Verdict::degenerate : Verdict::ok;
  }

  // ---- host

  /// The element between these nodes, in the axes that their frames have at the start.
  static Params make(const Vec3<double> (&X)[N], const ShellSection& section);
  static Params example(unsigned seed);
  static States example_reference(const Params& p);

 private:
  template <class S>
  KOKKOS_INLINE_FUNCTION static void add_rates(double tau, const Strains<S>& rates, Strains<S>& e) {
    e.plane += tau * rates.plane;
    e.across += tau * rates.across;
    for (int q = 0; q < num_points; ++q)
      for (int i = 0; i < 2; ++i) e.curvature[q][i] += tau * rates.curvature[q][i];
  }
};

}  // namespace sinew

#include "kernels/elements/shell_reference.hpp"
