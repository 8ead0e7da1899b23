/// \file
/// Geometrically exact (Simo-Reissner) beam in space: N = 2, 3 or 4 frames at the Lobatto points of a line.
///
/// A section is a frame (x(S), R(S)); axis 1 of R is normal to it. Strains in the section's axes
///   Gamma = R^T x',   K = axial(R^T R'),   less those of the unstressed line: Gamma0 and K0,
///   W = 1/2 int e^T C e dS,   e = (Gamma - Gamma0, K - K0),
/// stress resultants s = (n, m) = C e + D de/dt, in the order N V2 V3 T M2 M3; D = tau C, or of a time constant for each strain
/// (kernels/elements/beam_params.hpp), which is a family of its own.
/// Positions are interpolated by Lagrange polynomials, orientations by the rotation vectors that lead to the nodes from a frame
/// of the element: R(S) = R_r exp(sum l_a psi_a), psi_a = log(R_r^T R_a). So a rigid motion changes no strain, and strains
/// depend on where the nodes are, not on how they came there. N - 1 Gauss points integrate W: thin beams do not lock.
/// The nodes lie on the line of mass centres, c from the line that the sections are described about (axes of the section): so
/// their mass matrix is constant. With x_c = x + R c strains change by e = A e_c, A = [I c~; 0 I], C by A^T C A and D likewise.
/// Sources: Reissner (1973), Stud. Appl. Math. 52, 87-95; Simo (1985), Comput. Methods Appl. Mech. Eng. 49, 55-70; Simo and
/// Vu-Quoc (1986), ibid. 58, 79-116; Crisfield and Jelenic (1999), Proc. R. Soc. Lond. A 455, 1125-1147.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/elements/beam_params.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/elements/turn_within.hpp"
#include "kernels/lie/rotation_vector.hpp"
#include "kernels/shape/lobatto.hpp"

namespace sinew {

template <class B, class P>
struct BeamStiffening;
template <class B, class P>
struct BeamLag;

/// Of the families, by viscosity and number of nodes.
constexpr const char* beam_names[2][3] = {{"beam2", "beam3", "beam4"}, {"damped_beam2", "damped_beam3", "damped_beam4"}};

template <int N, BeamViscosity viscosity = BeamViscosity::even>
struct Beam {
  static constexpr BeamViscosity viscosity_kind = viscosity;
  static constexpr bool by_component = viscosity == BeamViscosity::by_component;
  static constexpr const char* name = beam_names[by_component][N - 2];
  static constexpr const char* help = by_component ? "geometrically exact beam (Simo-Reissner), damped by component of strain"
                                                   : "geometrically exact beam (Simo-Reissner)";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = N;
  static constexpr int num_signals = 0;
  static constexpr int num_dofs = 6 * N;
  static constexpr const char* degenerate = turned_too_far;
  using Line = LobattoLine<N>;
  using Shapes = typename Line::Shapes;
  static constexpr int num_points = Line::num_points;

  template <class P>
  using ParamsOf = BeamParams<viscosity, P, N>;
  using Params = ParamsOf<double>;
  using LineParams = BeamLineParams<double, N>;
  using States = NodeStates<double, node_kind, num_nodes>;
  template <class S>
  using StatesOf = NodeStates<S, node_kind, num_nodes>;
  template <class S>
  using ForcesOf = NodeForces<S, node_kind, num_nodes>;

  /// The node that is the frame r itself; -1 where that lies half way between two nodes. Of two nodes either gives the same
  /// line.
  static constexpr int pivot = N == 2 ? 0 : N == 3 ? 1 : -1;
  /// Of four nodes: the two inner ones.
  static constexpr int left = (N - 1) / 2, right = N / 2;

  /// The frame r and the rotation vectors psi_a from there to the nodes, in its axes.
  template <class S>
  struct Turns {
    Mat3<S> R;
    RotationVector<S> psi[N];
    RotationVector<S> half;  ///< half the turn from node `left` to node `right`; without a pivot only

    KOKKOS_INLINE_FUNCTION explicit Turns(const Frame<S> (&frame)[N]) {
      if constexpr (pivot >= 0) {
        R = frame[pivot].R;
      } else {
        half = RotationVector<S>(0.5 * rotation_vector(transpose(frame[left].R) * frame[right].R));
        R = frame[left].R * half.matrix();
      }
      for (int a = 0; a < N; ++a)
        if (a != pivot) psi[a] = RotationVector<S>(rotation_vector(transpose(R) * frame[a].R));
    }

    /// How r turns with the two inner nodes, which turn by u and w, all in own axes:
    /// 1/2 (I - g phi~) u + 1/2 (I + g phi~) w, phi the turn from one to the other, g = tan(|phi|/4)/|phi|.
    KOKKOS_INLINE_FUNCTION Vec3<S> share(double sign, const Vec3<S>& u) const {
      return 0.5 * u + (0.5 * sign * slant()) * cross(half.theta, u);
    }
    /// 2 g: tan(t/2)/t of t = |half.theta|.
    KOKKOS_INLINE_FUNCTION S slant() const { return half.a / (2.0 - dot(half.theta, half.theta) * half.b); }

    /// How half.theta changes where the two inner nodes turn by u and w: half of T^-1(phi) w - T^-T(phi) u.
    KOKKOS_INLINE_FUNCTION Vec3<S> half_change(const Vec3<S>& u, const Vec3<S>& w) const {
      const RotationVector<S> whole(2.0 * half.theta);
      return 0.5 * (whole.inverse_tangent(w) - whole.inverse_tangent_transposed(u));
    }
    /// How share(sign, u) changes with that: d(tan(t/2)/t)/d(t^2) = ((c - b)/2 + a/2 tan(t/2)/t)/(1 + cos t).
    KOKKOS_INLINE_FUNCTION Vec3<S> share_change(double sign, const Vec3<S>& change, const Vec3<S>& u) const {
      const S g = slant(), bottom = 2.0 - dot(half.theta, half.theta) * half.b;
      const S slope = 0.5 * (half.c - half.b + half.a * g) / bottom;
      return (0.5 * sign * g) * cross(change, u) + (sign * slope * dot(half.theta, change)) * cross(half.theta, u);
    }

    /// The changes of r (in its axes) and of psi where node a turns by u_a in its own axes.
    KOKKOS_INLINE_FUNCTION void change(const Vec3<S> (&u)[N], Vec3<S>& of_r, Vec3<S> (&of_psi)[N]) const {
      if constexpr (pivot >= 0) {
        of_r = u[pivot];
      } else {
        of_r = share(-1.0, u[left]) + share(1.0, u[right]);
      }
      for (int a = 0; a < N; ++a)
        if (a != pivot) of_psi[a] = psi[a].inverse_tangent(u[a]) - psi[a].inverse_tangent_transposed(of_r);
    }

    /// Subtracts from the nodes' moments what works on r and psi: the transpose of `change`.
    KOKKOS_INLINE_FUNCTION void spread(Vec3<S> on_r, const Vec3<S> (&on_psi)[N], ForcesOf<S>& f) const {
      for (int a = 0; a < N; ++a) {
        if (a == pivot) continue;
        f.f[a].moment -= psi[a].inverse_tangent_transposed(on_psi[a]);
        on_r -= psi[a].inverse_tangent(on_psi[a]);
      }
      if constexpr (pivot >= 0) {
        f.f[pivot].moment -= on_r;
      } else {
        f.f[left].moment -= share(1.0, on_r);
        f.f[right].moment -= share(-1.0, on_r);
      }
    }
  };

  /// A section between the nodes: its turn from r, the derivatives by S, and its strains.
  template <class S>
  struct Section {
    RotationVector<S> turn;  ///< Theta = sum l_a psi_a
    Vec3<S> turn_slope;      ///< Theta'
    Vec3<S> tangent;         ///< R_r^T x'
    Vec3<S> gamma, kappa;    ///< Gamma and K

    KOKKOS_INLINE_FUNCTION Section() {}
    template <class P>
    KOKKOS_INLINE_FUNCTION Section(const Turns<S>& turns, const Frame<S> (&frame)[N], const Shapes& shapes, const P& metric) {
      Vec3<S> theta, slope;
      const P inverse = 1.0 / metric;
      for (int a = 0; a < N; ++a) {
        slope += shapes.slope[a] * frame[a].x;
        if (a == pivot) continue;
        theta += shapes.value[a] * turns.psi[a].theta;
        turn_slope += shapes.slope[a] * turns.psi[a].theta;
      }
      slope = inverse * slope;
      turn_slope = inverse * turn_slope;
      turn = RotationVector<S>(theta);
      tangent = transpose_times(turns.R, slope);
      gamma = turn.turn_back(tangent);
      kappa = turn.tangent(turn_slope);
    }

    KOKKOS_INLINE_FUNCTION Vec<S, 6> strain() const { return {{gamma[0], gamma[1], gamma[2], kappa[0], kappa[1], kappa[2]}}; }
  };

  /// Rates of the strains at the section where the nodes move as `twist`.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Vec<S, 6> strain_rate(const Turns<S>& turns, const Section<S>& s, const Twist<S> (&twist)[N],
                                                      const Shapes& shapes, const P& metric) {
    Vec3<S> omega[N], of_r, of_psi[N], theta, theta_slope, velocity_slope;
    for (int a = 0; a < N; ++a) omega[a] = twist[a].omega;
    turns.change(omega, of_r, of_psi);
    const P inverse = 1.0 / metric;
    for (int a = 0; a < N; ++a) {
      const double l = shapes.value[a];
      const P d = shapes.slope[a] * inverse;
      velocity_slope += d * twist[a].v;
      theta += l * of_psi[a];
      theta_slope += d * of_psi[a];
    }
    const Vec3<S> turning = s.turn.tangent(theta);
    const Vec3<S> g =
        s.turn.turn_back(transpose_times(turns.R, velocity_slope) + cross(s.tangent, of_r)) + cross(s.gamma, turning);
    const Vec3<S> k = s.turn.tangent(theta_slope) + s.turn.tangent_rate(s.turn_slope, theta) + cross(s.kappa, turning);
    return {{g[0], g[1], g[2], k[0], k[1], k[2]}};
  }

  /// Stress resultants at Gauss point q.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Vec<S, 6> stress(const ParamsOf<P>& p, const Turns<S>& turns, const Section<S>& s,
                                                 const Twist<S> (&twist)[N], int q) {
    const Vec<S, 6> e = s.strain() - p.reference[q];
    if (!p.is_viscous()) return p.stiffness[q] * e;
    return p.stress(q, e, strain_rate(turns, s, twist, Line::shapes(Line::point(q)), p.metric[q]));
  }

  /// Adds the forces of strain, viscosity, gravity and mass-proportional damping, and the gyroscopic moments.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void force(const ParamsOf<P>& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    const Turns<S> turns(z.frame);
    constexpr typename Line::PointShapes at;
    Vec3<S> on_r, on_psi[N];
    for (int q = 0; q < num_points; ++q) {
      const double w = Line::point_weight(q);
      const P weight = w * p.metric[q];
      const Section<S> s(turns, z.frame, at[q], p.metric[q]);
      const Vec<S, 6> sigma = stress(p, turns, s, z.twist, q);
      const Vec3<S> n{{sigma[0], sigma[1], sigma[2]}}, m{{sigma[3], sigma[4], sigma[5]}};
      // dGamma = exp(-Theta) (R_r^T dx' + R_r^T x' x dr) + Gamma x T dTheta,  dK = (T dTheta)' + K x T dTheta
      const Vec3<S> on_turn =
          s.turn.tangent_transposed(cross(n, s.gamma) + cross(m, s.kappa)) + s.turn.tangent_rate_transposed(s.turn_slope, m);
      const Vec3<S> on_slope = s.turn.tangent_transposed(m);
      const Vec3<S> in_r = s.turn.turn(n);
      const Vec3<S> across = turns.R * in_r;
      on_r += weight * cross(in_r, s.tangent);
      for (int a = 0; a < N; ++a) {
        const P l = weight * at[q].value[a];
        const double d = w * at[q].slope[a];
        f.f[a].force -= d * across;
        on_psi[a] += l * on_turn + d * on_slope;
      }
    }
    turns.spread(on_r, on_psi, f);
    for (int a = 0; a < N; ++a) add_inertia(p, env, a, z.twist[a], f.f[a]);
  }

  /// Gravity, gyroscopic moment -omega x J omega and mass-proportional damping of node a.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void add_inertia(const ParamsOf<P>& p, const Environment& env, int a, const Twist<S>& twist,
                                                 Wrench<S>& f) {
    const Vec3<S> spin = p.inertia[a] * twist.omega;
    f.force += p.mass[a] * env.gravity;
    f.moment -= cross(twist.omega, spin);
    if (!differs_from_zero(p.alpha)) return;
    f.force -= (p.alpha * p.mass[a]) * twist.v;
    f.moment -= p.alpha * spin;
  }

  /// Adds -(cq df/dq + cv df/dv), exact, by hand (kernels/elements/beam_tangent.hpp).
  template <class P>
  KOKKOS_INLINE_FUNCTION static void tangent(const ParamsOf<P>& p, const Environment& /*env*/, const double* /*signals*/,
                                             const StatesOf<P>& z, double cq, double cv, Mat<P, num_dofs>& J) {
    const bool is_viscous = p.is_viscous();
    if (cq != 0 || is_viscous) {
      const BeamStiffening<Beam, P> stiffening(p, z, cq, cv);
      stiffening.add_to(J);
      if (cq != 0 && is_viscous) BeamLag<Beam, P>(stiffening, z.twist).add_to(cq * p.viscous_factor(), J);
    }
    if (cv == 0) return;
    for (int a = 0; a < N; ++a) add_gyroscopic(cv, p.inertia[a], z.twist[a].omega, 6 * a + 3, J);
    if (differs_from_zero(p.alpha)) add_mass(p, cv * p.alpha, J);
  }

  /// Moves the reference strains so that the stresses at `now` are those of the strains that the motion of `before`, which leads
  /// there, makes of its own to first order: e(before) + de(before).
  KOKKOS_INLINE_FUNCTION static void extrapolate(Params& p, const States& before, const States& now) {
    const Turns<double> turns_before(before.frame), turns_now(now.frame);
    constexpr typename Line::PointShapes at;
    for (int q = 0; q < num_points; ++q) {
      const Section<double> from(turns_before, before.frame, at[q], p.metric[q]), to(turns_now, now.frame, at[q], p.metric[q]);
      p.reference[q] += to.strain() - from.strain() - strain_rate(turns_before, from, before.twist, at[q], p.metric[q]);
    }
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs>& M) { add_mass(p, 1.0, M); }

  /// Adds factor M: mass and inertia of the line that goes with each node (Lobatto's rule), which is constant.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void add_mass(const ParamsOf<P>& p, const P& factor, Mat<P, num_dofs>& M) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        M(6 * a + i, 6 * a + i) += factor * p.mass[a];
        for (int j = 0; j < 3; ++j) M(6 * a + 3 + i, 6 * a + 3 + j) += factor * p.inertia[a](i, j);
      }
  }

  /// J
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    const Turns<double> turns(z.frame);
    double energy = 0;
    for (int q = 0; q < num_points; ++q) {
      const Section<double> s(turns, z.frame, Line::shapes(Line::point(q)), p.metric[q]);
      const Vec<double, 6> e = s.strain() - p.reference[q];
      energy += 0.5 * Line::point_weight(q) * p.metric[q] * dot(e, p.stiffness[q] * e);
    }
    return energy;
  }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env, const States& z) {
    double energy = 0;
    for (int a = 0; a < N; ++a) energy -= p.mass[a] * dot(env.gravity, z.frame[a].x);
    return energy;
  }

  /// From r, of four nodes from an inner one.
  template <class P>
  KOKKOS_INLINE_FUNCTION static P soundness(const ParamsOf<P>& /*p*/, const StatesOf<P>& z) {
    return cosine_of_largest_turn(z.frame, pivot >= 0 ? pivot : left);
  }
  KOKKOS_INLINE_FUNCTION static Verdict judge(double soundness) { return judge_turn(soundness); }
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const States& z) { return judge(soundness(p, z)); }

  // ---- host

  /// Mass of a section, per length, about the line that it is described by, in its axes.
  struct Matter {
    double mass = 0;              ///< kg/m
    Vec3<double> first_moment;    ///< mass per length times its centre, kg
    Mat3<double> second_moments;  ///< inertia about the line, kg m
  };

  /// The unstressed line: metric and reference strains. `line`: frames of the line that arc lengths are taken along; node a lies
  /// at `centre[a]` from there, in the section's axes. Both shapes are those of the interpolation.
  static void set_reference(const Frame<double> (&line)[N], const Vec3<double> (&centre)[N], LineParams& p) {
    Frame<double> node[N];
    for (int a = 0; a < N; ++a) node[a] = {line[a].x + line[a].R * centre[a], line[a].R};
    const Turns<double> turns(node);
    for (int q = 0; q < num_points; ++q) {
      const double xi = Line::point(q);
      p.metric[q] = metric_of(line, xi);
      p.reference[q] = Section<double>(turns, node, Line::shapes(xi), p.metric[q]).strain();
      p.offset[q] = {};
      for (int a = 0; a < N; ++a) p.offset[q] += Line::value(a, xi) * centre[a];
    }
  }
  static void set_reference(const Frame<double> (&line)[N], LineParams& p) { set_reference(line, {}, p); }

  /// dS/dxi of a line.
  static double metric_of(const Frame<double> (&line)[N], double xi) {
    Vec3<double> slope;
    for (int a = 0; a < N; ++a) slope += Line::slope(a, xi) * line[a].x;
    return norm(slope);
  }

  /// C at Gauss point q as the nodes' line feels it: A^T C A. Needs what set_reference sets.
  static void set_stiffness(int q, const Mat<double, 6>& C, LineParams& p) { p.stiffness[q] = moved(C, p.offset[q]); }

  /// Likewise D, of the section's stiffness C and its time constants b.
  static void set_viscosity(int q, const Mat<double, 6>& C, const Vec<double, 6>& b, Params& p) requires by_component {
    p.viscosity[q] = moved(viscosity_by_component(C, b), p.offset[q]);
  }

  /// Mass and inertia of node a about its place `centre`, of `length` of a line with first moments S and inertia J about itself:
  /// J_c = J - (h.c I - 1/2 (h c^T + c h^T)), h = 2 S - m c.
  static void set_inertia(int a, const Matter& matter, const Vec3<double>& centre, double length, LineParams& p) {
    const Vec3<double> h = 2.0 * matter.first_moment - matter.mass * centre;
    Mat3<double> J = matter.second_moments + 0.5 * (outer(h, centre) + outer(centre, h));
    for (int i = 0; i < 3; ++i) J(i, i) -= dot(h, centre);
    p.mass[a] = length * matter.mass;
    p.inertia[a] = Symmetric<double, 3>::of(length * J);
  }

  static constexpr std::array<MeasureSpec, 7> section_measures() {
    return {{{"force", 3, "N", "what the part beyond the section exerts on the part before it, global frame"},
             {"moment", 3, "N m", "likewise, about the section's place"},
             {"tension", 1, "N", "force along axis 1 of the section"},
             {"strain", 3, "1", "stretch and the two shears, in the section's axes"},
             {"curvature", 3, "1/m", "change of twist and of the two curvatures, in the section's axes"},
             {"force_local", 3, "N", "the force in the section's axes: tension, shear along axes 2 and 3", true},
             {"moment_local", 3, "N m", "the moment in the section's axes: torque, bending about axes 2 and 3", true}}};
  }

  /// Stress and strain stand at the Gauss points; between these they follow the polynomial through them.
  static void measure_section(const Params& p, const States& z, double xi, double* out) {
    const Turns<double> turns(z.frame);
    Vec<double, 6> sigma, strain;
    double metric = 0;
    for (int q = 0; q < num_points; ++q) {
      const Section<double> s(turns, z.frame, Line::shapes(Line::point(q)), p.metric[q]);
      const double l = Line::point_value(q, xi);
      const Vec3<double>& c = p.offset[q];
      Vec<double, 6> of_s = stress(p, turns, s, z.twist, q), of_e = s.strain() - p.reference[q];
      // about the sections' own line: m + c x n, Gamma + c x K
      const Vec3<double> moment = cross(c, Vec3<double>{{of_s[0], of_s[1], of_s[2]}});
      const Vec3<double> stretch = cross(c, Vec3<double>{{of_e[3], of_e[4], of_e[5]}});
      for (int i = 0; i < 3; ++i) {
        of_s[3 + i] += moment[i];
        of_e[i] += stretch[i];
      }
      sigma += l * of_s;
      strain += l * of_e;
      metric += l * p.metric[q];
    }
    const Section<double> here(turns, z.frame, Line::shapes(xi), metric);
    const Vec3<double> force = turns.R * here.turn.turn({{sigma[0], sigma[1], sigma[2]}});
    const Vec3<double> moment = turns.R * here.turn.turn({{sigma[3], sigma[4], sigma[5]}});
    for (int i = 0; i < 3; ++i) {
      out[i] = force[i];
      out[3 + i] = moment[i];
      out[7 + i] = strain[i];
      out[10 + i] = strain[3 + i];
      out[13 + i] = sigma[i];
      out[16 + i] = sigma[3 + i];
    }
    out[6] = sigma[0];
  }

  /// A random beam for the generic tests: part of a helix, all moduli coupled and different at every Gauss point.
  static Params example(unsigned seed) {
    Sampler sample(seed);
    Params p;
    Mat<double, 6> A;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) A(i, j) = sample.uniform(-2, 2);
    const States start = helix(sample.vector(0.8));
    const Frame<double>(&line)[N] = start.frame;
    set_reference(line, p);
    Mat<double, 6> C[num_points];
    for (int q = 0; q < num_points; ++q) {
      C[q] = (1 + 0.1 * q) * (A * transpose(A)) + identity<double, 6>();
      set_stiffness(q, C[q], p);
    }
    Matter matter;
    matter.mass = sample.uniform(0.5, 2);
    Mat3<double> B;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) B(i, j) = sample.uniform(-1, 1);
    matter.second_moments = B * transpose(B) + identity<double, 3>();
    for (int a = 0; a < N; ++a) set_inertia(a, matter, {}, Line::node_weight(a) * metric_of(line, Line::node(a)), p);
    if constexpr (by_component) {
      Vec<double, 6> b;
      for (int i = 0; i < 6; ++i) b[i] = i == static_cast<int>(seed % 7) ? 0 : sample.uniform(0.01, 0.1);
      for (int q = 0; q < num_points; ++q) set_viscosity(q, C[q], b, p);
    } else {
      p.tau = seed % 2 == 0 ? sample.uniform(0.01, 0.1) : 0;
    }
    p.alpha = seed % 3 == 0 ? sample.uniform(0.1, 1) : 0;
    return p;
  }

  static States example_reference(const Params& p) {
    return helix({{p.reference[0][3] * p.metric[0], p.reference[0][4] * p.metric[0], p.reference[0][5] * p.metric[0]}});
  }

 private:
  /// A^T C A
  static Symmetric<double, 6> moved(const Mat<double, 6>& C, const Vec3<double>& offset) {
    Mat<double, 6> A = identity<double, 6>();
    const Mat3<double> across = skew(offset);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A(i, 3 + j) = across(i, j);
    return Symmetric<double, 6>::of(transpose(A) * C * A);
  }

  /// Adds factor (omega~ J - (J omega)~) to the rotational block of a node.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void add_gyroscopic(double factor, const Symmetric<P, 3>& inertia, const Vec3<P>& omega, int at,
                                                    Mat<P, num_dofs>& J) {
    const Vec3<P> spin = inertia * omega;
    for (int j = 0; j < 3; ++j) {
      const Vec3<P> column = cross(omega, Vec3<P>{{inertia(0, j), inertia(1, j), inertia(2, j)}});
      for (int i = 0; i < 3; ++i) J(at + i, at + j) += factor * column[i];
    }
    const Mat3<P> block = skew(spin);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (i != j) J(at + i, at + j) -= factor * block(i, j);
  }

  /// A line of length 1 that turns by k, and by equal turns along equal lengths: x(S) = int_0^S exp(S k~) e1 dS.
  static States helix(const Vec3<double>& k) {
    States z;
    for (int a = 0; a < N; ++a) {
      const RotationVector<double> turn(Line::node(a) * k);
      z.frame[a].R = turn.matrix();
      z.frame[a].x = Line::node(a) * turn.tangent_transposed({{1, 0, 0}});
    }
    return z;
  }
};

}  // namespace sinew

#include "kernels/elements/beam_tangent.hpp"
