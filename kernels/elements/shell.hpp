/// \file
/// Geometrically exact shell of six degrees of freedom a node: N = 3 or 4 frames, the corners of a triangle or quadrilateral.
///
/// The midsurface x(s1, s2) carries a field of rotations R against the start (nodes' frames; X there, in the axes that all of
/// them have at the start). With t1, t2 and n, tangents and normal of the surface at the start, strains are
///   e_ab = (x,a . x,b - X,a . X,b)/2,   E_a = R^T x,a - X,a,   K_a = axial(R^T R,a),   a = 1, 2,
/// with derivatives by arc lengths along t1 and t2: e in the plane, gamma_a = E_a . n across, d = E_1 . t2 - E_2 . t1, and of
/// the director (R n),a = R (K_a x n):
///   rho_a1 = K_a . t2,   rho_a2 = -K_a . t1,   drilling curvatures K_a . n.
/// Energy per area, linear elastic, C = E t/(1 - nu^2), D = E t^3/(12 (1 - nu^2)), G = E/(2 (1 + nu)):
///   C/2 (e_11^2 + e_22^2 + 2 nu e_11 e_22) + G t/2 ((2 e_12)^2 + d^2) + 5/6 G t/2 (gamma_1^2 + gamma_2^2)
///   + D/2 (rho_11^2 + rho_22^2 + 2 nu rho_11 rho_22 + (1 - nu)/2 (rho_12 + rho_21)^2)
///   + 7/10 D (1 - nu)/2 ((K_1 . n)^2 + (K_2 . n)^2)
/// d is twice the turn about the normal against that of the midsurface; its stiffness and the factor 7/10 are those of
/// Chroscielewski, Makowski and Stumpf (1992), Int. J. Numer. Methods Eng. 35, 63-94. Their strains in the plane are E_a . t_b,
/// in which a turn of R against the surface by gamma counts as a shortening, cos gamma - 1. Such turns are in every element
/// between the places that gamma is interpolated from, and bend it; were they to shorten it too, they would grow under a tension
/// N wherever walls are thin against elements, N h^2 > 12 D, and fold the surface.
///
/// Interpolation: places by the shape functions N_a, rotations by the quaternions p = sum N_a p_a of the nodes, taken as a
/// rotation whatever their length (Romero (2004), Comput. Mech. 34, 121-133, compares such). A rigid motion turns all p_a alike
/// and changes no strain, and no node is preferred.
///   quadrilateral: gamma by the shears along the edges in their middles (Dvorkin and Bathe (1984), Eng. Comput. 1, 77-88,
///     MITC4);
///     e and d enhanced by the gradients of two incompatible displacements that are quadratic in the reference coordinates
///     (Simo and Rifai (1990), Int. J. Numer. Methods Eng. 29, 1595-1638), which bends in its plane without shear. The law is
///     linear, so that their amplitudes follow in closed form: they change the matrix of the energy alone, once and for all. So
///     does that d has no energy where it goes as the product of these coordinates: else curved surfaces would hardly bend.
///   triangle: one point, gamma by the shears along the edges likewise (Lee and Bathe (2004), Comput. Struct. 82, 945-962,
///     MITC3).
#pragma once

#include "kernels/algebra/symmetric.hpp"
#include "kernels/contract.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/elements/shell_turns.hpp"
#include "kernels/elements/turn_within.hpp"
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

template <class E, class P>
struct ShellTangent;

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
  static constexpr const char* degenerate = turned_too_far;
  using Face = std::conditional_t<N == 3, Tri3, Quad4>;
  static constexpr int num_points = Face::num_points;
  static constexpr int num_plane = 4 * num_points;

  /// Strains at all points and edges, as the energy takes them, or their rates.
  template <class S>
  struct Strains {
    Vec<S, num_plane> plane;  ///< e_11, e_22, 2 e_12, d at every point; of the surface as it lies 1/2 more of the first two
    Vec3<S> curvature[num_points][2];  ///< K_1, K_2 along t1, t2, n
    Vec<S, N> across;

    KOKKOS_INLINE_FUNCTION void scale(const S& factor) {
      plane = factor * plane;
      across = factor * across;
      for (int q = 0; q < num_points; ++q)
        for (int i = 0; i < 2; ++i) curvature[q][i] = factor * curvature[q][i];
    }
    /// this + factor other
    template <class F, class T>
    KOKKOS_INLINE_FUNCTION void add(const F& factor, const Strains<T>& other) {
      plane += factor * other.plane;
      across += factor * other.across;
      for (int q = 0; q < num_points; ++q)
        for (int i = 0; i < 2; ++i) curvature[q][i] += factor * other.curvature[q][i];
    }
  };

  /// P is double, or Lanes where elements are taken in blocks (kernels/sweep/lane_block.hpp).
  template <class P>
  struct ParamsOf {
    Symmetric<P, num_plane> plane;        ///< matrix of the energy of (e_11, e_22, 2 e_12, d) at all points, N m
    Symmetric<P, N> across;               ///< of the shears along the edges, (x_b - x_a) . R n in their middles, N/m
    P bending, poissons_ratio, twisting;  ///< D, nu and 7/10 D (1 - nu)
    P weight[num_points];                 ///< area of a point, m^2
    P slope[num_points][N][2];            ///< dN_a/ds_1, dN_a/ds_2 there, 1/m
    Mat3<P> axes[num_points];             ///< t1, t2, n there, in columns
    Vec3<P> normal[N];                    ///< n in the middle of the edge from node a to the next
    Strains<P> reference;                 ///< of the surface without stress, as it lies
    Symmetric<P, N> mass;                 ///< of the displacements, kg
    P inertia[N];                         ///< of a node about every axis, kg m^2
    P thickness;                          ///< m, for output alone
    P tau, alpha;                         ///< damping, see ShellSection
  };
  using Params = ParamsOf<double>;
  using States = NodeStates<double, node_kind, num_nodes>;
  template <class S>
  using StatesOf = NodeStates<S, node_kind, num_nodes>;
  template <class S>
  using ForcesOf = NodeForces<S, node_kind, num_nodes>;

  template <class S>
  using Turn = ShellTurn<S>;
  template <class S>
  using Turns = ShellTurns<N, S>;
  template <class S>
  using Place = ShellPlace<N, S>;
  template <class S>
  using Along = ShellAlong<N, S>;

  /// Shape functions at point q.
  KOKKOS_INLINE_FUNCTION static void shapes_at(int q, double (&shape)[N]) {
    double slope[2][N];
    Face::evaluate(Face::point(q), shape, slope);
  }
  /// In the middle of the edge from node a to the next.
  KOKKOS_INLINE_FUNCTION static void shapes_on_edge(int a, double (&shape)[N]) {
    for (int b = 0; b < N; ++b) shape[b] = b == a || b == (a + 1) % N ? 0.5 : 0.0;
  }

  /// The surface as it lies: what strains and forces take of its points and edges.
  template <class S>
  struct Surface {
    Mat3<S> R;  ///< of node 0
    Turns<S> turns;
    Place<S> place[num_points], middle[N];  ///< the points, and the middles of the edges from node a to the next
    Along<S> along[num_points][2];
    Vec3<S> tangent[num_points][2];   ///< x,i in the axes of node 0
    Vec3<S> gradient[num_points][2];  ///< R^T x,i
    Vec3<S> side[N];                  ///< R^T (x_b - x_a) in the edge's middle

    template <class P>
    KOKKOS_INLINE_FUNCTION Surface(const ParamsOf<P>& p, const Frame<S> (&frame)[N]) : R(frame[0].R), turns(frame) {
      double shape[N];
      for (int q = 0; q < num_points; ++q) {
        shapes_at(q, shape);
        place[q] = Place<S>(turns, shape);
        for (int i = 0; i < 2; ++i) {
          along[q][i] = Along<S>(turns, place[q], p.slope[q], i);
          Vec3<S> slope;
          for (int a = 0; a < N; ++a) slope += p.slope[q][a][i] * frame[a].x;
          tangent[q][i] = transpose_times(R, slope);
          gradient[q][i] = place[q].turn_back(tangent[q][i]);
        }
      }
      for (int a = 0; a < N; ++a) {
        shapes_on_edge(a, shape);
        middle[a] = Place<S>(turns, shape);
        side[a] = middle[a].turn_back(transpose_times(R, frame[(a + 1) % N].x - frame[a].x));
      }
    }
  };

  /// Strains of the surface as it lies.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Strains<S> strains(const ParamsOf<P>& p, const Surface<S>& surface) {
    Strains<S> e;
    for (int q = 0; q < num_points; ++q)
      for (int i = 0; i < 2; ++i) {
        add_in_plane(surface, q, i, 0.5 * surface.tangent[q][i], e);  // the rate of a square is twice the product
        add_drilling(p, q, i, surface.gradient[q][i], e);
        e.curvature[q][i] = transpose_times(p.axes[q], surface.along[q][i].curvature);
      }
    for (int a = 0; a < N; ++a) e.across[a] = dot(p.normal[a], surface.side[a]);
    return e;
  }

  /// The same less those of the surface without stress.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Strains<S> elastic_strains(const ParamsOf<P>& p, const Surface<S>& surface) {
    Strains<S> e = strains(p, surface);
    e.add(-1.0, p.reference);
    return e;
  }

  /// Adds the rates of the strains where node b moves with v.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void add_rates_of_place(const ParamsOf<P>& p, const Surface<S>& surface, int b, const Vec3<S>& v,
                                                        Strains<S>& e) {
    const Vec3<S> moving = transpose_times(surface.R, v);
    for (int q = 0; q < num_points; ++q) {
      const Vec3<S> g = surface.place[q].turn_back(moving);
      for (int i = 0; i < 2; ++i) {
        add_in_plane(surface, q, i, p.slope[q][b][i] * moving, e);
        add_drilling(p, q, i, p.slope[q][b][i] * g, e);
      }
    }
    const int before = (b + N - 1) % N;
    e.across[b] -= dot(p.normal[b], surface.middle[b].turn_back(moving));
    e.across[before] += dot(p.normal[before], surface.middle[before].turn_back(moving));
  }
  /// Likewise where it turns with omega.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void add_rates_of_turn(const ParamsOf<P>& p, const Surface<S>& surface, int b,
                                                       const Vec3<S>& omega, Strains<S>& e) {
    double shape[N];
    for (int q = 0; q < num_points; ++q) {
      shapes_at(q, shape);
      const Place<S>& place = surface.place[q];
      const Vec3<S> turning = place.share(shape[b], b, omega);
      for (int i = 0; i < 2; ++i) {
        add_drilling(p, q, i, cross(surface.gradient[q][i], turning), e);
        const Vec3<S> k = surface.along[q][i].share(place, shape[b], p.slope[q][b][i], b, omega);
        e.curvature[q][i] += transpose_times(p.axes[q], k);
      }
    }
    for (const int a : {b, (b + N - 1) % N})  // the edge that begins in b and the one that ends there
      e.across[a] += dot(p.normal[a], cross(surface.side[a], surface.middle[a].share(0.5, b, omega)));
  }
  /// Adds what a change of x,i is in the strains e at point q.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void add_in_plane(const Surface<S>& surface, int q, int i, const Vec3<S>& change, Strains<S>& e) {
    e.plane[4 * q + i] += dot(surface.tangent[q][i], change);
    e.plane[4 * q + 2] += dot(surface.tangent[q][1 - i], change);
  }
  /// Adds what R^T x,i = g is in d at point q.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void add_drilling(const ParamsOf<P>& p, int q, int i, const Vec3<S>& g, Strains<S>& e) {
    const S part = dot(column(p.axes[q], 1 - i), g);
    e.plane[4 * q + 3] += i == 0 ? part : -part;
  }
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Strains<S> strain_rates(const ParamsOf<P>& p, const Surface<S>& surface,
                                                        const Twist<S> (&twist)[N]) {
    Strains<S> e;
    for (int b = 0; b < N; ++b) {
      add_rates_of_place(p, surface, b, twist[b].v, e);
      add_rates_of_turn(p, surface, b, twist[b].omega, e);
    }
    return e;
  }

  /// Derivatives of the energy by the strains: they fill the places of these.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Strains<S> stresses(const ParamsOf<P>& p, const Strains<S>& e) {
    Strains<S> s;
    s.plane = p.plane * e.plane;
    s.across = p.across * e.across;
    for (int q = 0; q < num_points; ++q) {
      const Vec3<S>(&k)[2] = e.curvature[q];
      const P bending = p.weight[q] * p.bending, drilling = p.weight[q] * p.twisting;
      const S first = k[0][1], second = -k[1][0];  // rho_11 and rho_22; then m_12
      const S twist = (0.5 * bending * (1.0 - p.poissons_ratio)) * (k[1][1] - k[0][0]);
      s.curvature[q][0] = {{-twist, bending * (first + p.poissons_ratio * second), drilling * k[0][2]}};
      s.curvature[q][1] = {{-bending * (second + p.poissons_ratio * first), twist, drilling * k[1][2]}};
    }
    return s;
  }

  /// The forces of these stresses: less the transpose of what leads to their rates.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void add_forces(const ParamsOf<P>& p, const Surface<S>& surface, const Strains<S>& s,
                                                ForcesOf<S>& f) {
    double shape[N];
    for (int q = 0; q < num_points; ++q) {
      shapes_at(q, shape);
      const Place<S>& place = surface.place[q];
      Vec3<S> on_turn;
      for (int i = 0; i < 2; ++i) {
        const Vec3<S> n = drilling(p, s, q, i), moment = p.axes[q] * s.curvature[q][i];
        const Vec3<S> push = surface.R * (in_plane(surface, s, q, i) + place.turn(n));
        on_turn += cross(n, surface.gradient[q][i]);
        for (int a = 0; a < N; ++a) {
          f.f[a].force -= p.slope[q][a][i] * push;
          f.f[a].moment -= surface.along[q][i].share_transposed(place, shape[a], p.slope[q][a][i], a, moment);
        }
      }
      for (int a = 0; a < N; ++a) f.f[a].moment -= place.share_transposed(shape[a], a, on_turn);
    }
    for (int a = 0; a < N; ++a) {
      const int b = (a + 1) % N;
      const Place<S>& place = surface.middle[a];
      const Vec3<S> n = s.across[a] * p.normal[a];
      const Vec3<S> push = surface.R * place.turn(n);
      const Vec3<S> on_turn = cross(n, surface.side[a]);
      f.f[b].force -= push;
      f.f[a].force += push;
      f.f[a].moment -= place.share_transposed(0.5, a, on_turn);
      f.f[b].moment -= place.share_transposed(0.5, b, on_turn);
    }
  }
  /// What works along x,i at point q, in the axes of node 0.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> in_plane(const Surface<S>& surface, const Strains<S>& s, int q, int i) {
    return s.plane[4 * q + i] * surface.tangent[q][i] + s.plane[4 * q + 2] * surface.tangent[q][1 - i];
  }
  /// What works along R^T x,i there.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> drilling(const ParamsOf<P>& p, const Strains<S>& s, int q, int i) {
    const S part = i == 0 ? s.plane[4 * q + 3] : -s.plane[4 * q + 3];
    return part * column(p.axes[q], 1 - i);
  }

  /// Stresses of the surface as it lies and moves.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Strains<S> stresses(const ParamsOf<P>& p, const Surface<S>& surface, const Twist<S> (&twist)[N]) {
    Strains<S> e = elastic_strains(p, surface);
    if (differs_from_zero(p.tau)) e.add(p.tau, strain_rates(p, surface, twist));
    return stresses(p, e);
  }

  /// Adds the forces of strain, viscosity, gravity and mass-proportional damping. A node's inertia is the same about every axis:
  /// there are no gyroscopic moments.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void force(const ParamsOf<P>& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    const Surface<S> surface(p, z.frame);
    add_forces(p, surface, stresses(p, surface, z.twist), f);
    for (int a = 0; a < N; ++a) {
      for (int b = 0; b < N; ++b) {
        f.f[a].force += p.mass(a, b) * env.gravity;
        if (differs_from_zero(p.alpha)) f.f[a].force -= (p.alpha * p.mass(a, b)) * z.twist[b].v;
      }
      if (differs_from_zero(p.alpha)) f.f[a].moment -= (p.alpha * p.inertia[a]) * z.twist[a].omega;
    }
  }

  /// Adds -(cq df/dq + cv df/dv), exact, by hand (kernels/elements/shell_tangent.hpp).
  template <class P>
  KOKKOS_INLINE_FUNCTION static void tangent(const ParamsOf<P>& p, const Environment& /*env*/, const double* /*signals*/,
                                             const StatesOf<P>& z, double cq, double cv, Mat<P, num_dofs>& J) {
    if (cv != 0 && differs_from_zero(p.alpha)) add_mass(p, cv * p.alpha, J);
    if (cq != 0 || differs_from_zero(p.tau)) ShellTangent<Shell, P>(p, z).add_to(cq, cv, J);
  }

  /// Moves the reference strains so that the stresses at `now` are those of the strains that the motion of `before`, which leads
  /// there, makes of its own to first order.
  KOKKOS_INLINE_FUNCTION static void extrapolate(Params& p, const States& before, const States& now) {
    const Surface<double> from(p, before.frame), to(p, now.frame);
    p.reference.add(1.0, strains(p, to));
    p.reference.add(-1.0, strains(p, from));
    p.reference.add(-1.0, strain_rates(p, from, before.twist));
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs>& M) { add_mass(p, 1.0, M); }
  template <class P>
  KOKKOS_INLINE_FUNCTION static void add_mass(const ParamsOf<P>& p, const P& factor, Mat<P, num_dofs>& M) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        for (int b = 0; b < N; ++b) M(6 * a + i, 6 * b + i) += factor * p.mass(a, b);
        M(6 * a + 3 + i, 6 * a + 3 + i) += factor * p.inertia[a];
      }
  }

  /// J
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    const Strains<double> e = elastic_strains(p, Surface<double>(p, z.frame)), s = stresses(p, e);
    double energy = 0.5 * (dot(e.plane, s.plane) + dot(e.across, s.across));
    for (int q = 0; q < num_points; ++q)
      for (int i = 0; i < 2; ++i) energy += 0.5 * dot(e.curvature[q][i], s.curvature[q][i]);
    return energy;
  }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env, const States& z) {
    double energy = 0;
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) energy -= p.mass(a, b) * dot(env.gravity, z.frame[a].x);
    return energy;
  }

  /// (x,1 x x,2) . R n, R n by the shape functions between the nodes: the surface's normal against its director, where it is
  /// least. Negative where the surface faces against its directors. An element that is laid right round while its nodes do not
  /// turn has none of the strains above: squares of x,a stay, and x,a . R n is 0 there as well.
  template <class P>
  KOKKOS_INLINE_FUNCTION static P least_normal(const ParamsOf<P>& p, const Frame<P> (&frame)[N]) {
    P least = 1.0;
    for (int q = 0; q < num_points; ++q) {
      double shape[N];
      shapes_at(q, shape);
      const Vec3<P> n = column(p.axes[q], 2);
      Vec3<P> along[2], director;
      for (int a = 0; a < N; ++a) {
        for (int i = 0; i < 2; ++i) along[i] += p.slope[q][a][i] * frame[a].x;
        director += shape[a] * (frame[a].R * n);
      }
      least = smaller(dot(cross(along[0], along[1]), director), least);
    }
    return least;
  }
  /// Cosine of the largest turn between nodes; less than -1.5 where the surface faces against its directors.
  template <class P>
  KOKKOS_INLINE_FUNCTION static P soundness(const ParamsOf<P>& p, const StatesOf<P>& z) {
    const P cosine = cosine_of_largest_turn(z.frame, 0), normal = least_normal(p, z.frame);
    if constexpr (std::is_same_v<P, double>)
      return normal < 0 ? cosine - 3 : cosine;
    else
      return where_below(normal, 0.0, cosine - 3.0, cosine);
  }
  KOKKOS_INLINE_FUNCTION static Verdict judge(double soundness) {
    return soundness < -1.5 ? Verdict::inverted : judge_turn(soundness);
  }
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const States& z) { return judge(soundness(p, z)); }

  // ---- host

  /// The element between these nodes, in the axes that their frames have at the start.
  static Params make(const Vec3<double> (&X)[N], const ShellSection& section);
  static Params example(unsigned seed);
  static States example_reference(const Params& p);
};

}  // namespace sinew

#include "kernels/elements/shell_reference.hpp"
#include "kernels/elements/shell_tangent.hpp"
