/// \file
/// Geometrically exact (Simo-Reissner) beam in space: N = 2, 3 or 4 frames at the Lobatto points of a line.
///
/// A section is a frame (x(S), R(S)); axis 1 of R is normal to it. Strains in the section's axes
///   Gamma = R^T x',   K = axial(R^T R'),   less those of the unstressed line: Gamma0 and K0,
///   W = 1/2 int e^T C e dS,   e = (Gamma - Gamma0, K - K0),
/// stress resultants s = (n, m) = C (e + tau de/dt), in the order N V2 V3 T M2 M3.
/// Positions are interpolated by Lagrange polynomials, orientations by the rotation vectors that lead to the nodes from a frame
/// of the element: R(S) = R_r exp(sum l_a psi_a), psi_a = log(R_r^T R_a). So a rigid motion changes no strain, and strains
/// depend on where the nodes are, not on how they came there. N - 1 Gauss points integrate W: thin beams do not lock.
/// Sources: Reissner (1973), Stud. Appl. Math. 52, 87-95; Simo (1985), Comput. Methods Appl. Mech. Eng. 49, 55-70; Simo and
/// Vu-Quoc (1986), ibid. 58, 79-116; Crisfield and Jelenic (1999), Proc. R. Soc. Lond. A 455, 1125-1147.
#pragma once

#include "kernels/contract.hpp"
#include "kernels/describe.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/lie/rotation_vector.hpp"
#include "kernels/shape/lobatto.hpp"

namespace sinew {

template <int N>
struct Beam {
  static constexpr const char* name = N == 2 ? "beam2" : N == 3 ? "beam3" : "beam4";
  static constexpr const char* help = "geometrically exact beam (Simo-Reissner)";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = N;
  static constexpr int num_signals = 0;
  static constexpr int num_dofs = 6 * N;
  static constexpr const char* degenerate = "turns by half a turn within an element, where it has no shape: use more elements";
  using Line = LobattoLine<N>;
  static constexpr int num_points = Line::num_points;

  struct Params {
    Mat<double, 6> stiffness;              ///< C, order N V2 V3 T M2 M3: N, N m, N m^2
    Vec<double, 6> reference[num_points];  ///< (Gamma0, K0) at the Gauss points: 1, 1/m
    double metric[num_points] = {};        ///< dS/dxi there, xi from 0 to 1 in the element: m
    double length[N] = {};                 ///< of line that goes with a node: Lobatto's weight times dS/dxi, m
    double mass_per_length = 0;            ///< kg/m
    Mat3<double> inertia;                  ///< of the section per length about its centre, in its axes: kg m
    double tau = 0;                        ///< viscosity proportional to stiffness, s
    double alpha = 0;                      ///< mass-proportional damping, f = -alpha M v, 1/s
  };
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
      const S g = half.a / (2.0 - dot(half.theta, half.theta) * half.b);  // times 2: of half.theta
      return 0.5 * u + (0.5 * sign * g) * cross(half.theta, u);
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
    KOKKOS_INLINE_FUNCTION Section(const Turns<S>& turns, const Frame<S> (&frame)[N], double xi, double metric) {
      Vec3<S> theta, slope;
      for (int a = 0; a < N; ++a) {
        const double l = Line::value(a, xi), d = Line::slope(a, xi) / metric;
        slope += d * frame[a].x;
        if (a == pivot) continue;
        theta += l * turns.psi[a].theta;
        turn_slope += d * turns.psi[a].theta;
      }
      turn = RotationVector<S>(theta);
      tangent = transpose_times(turns.R, slope);
      gamma = turn.turn_back(tangent);
      kappa = turn.tangent(turn_slope);
    }

    KOKKOS_INLINE_FUNCTION Vec<S, 6> strain() const { return {{gamma[0], gamma[1], gamma[2], kappa[0], kappa[1], kappa[2]}}; }
  };

  /// Rates of the strains at the section where the nodes move as `twist`.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec<S, 6> strain_rate(const Turns<S>& turns, const Section<S>& s, const Twist<S> (&twist)[N],
                                                      double xi, double metric) {
    Vec3<S> omega[N], of_r, of_psi[N], theta, theta_slope, velocity_slope;
    for (int a = 0; a < N; ++a) omega[a] = twist[a].omega;
    turns.change(omega, of_r, of_psi);
    for (int a = 0; a < N; ++a) {
      const double l = Line::value(a, xi), d = Line::slope(a, xi) / metric;
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
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec<S, 6> stress(const Params& p, const Turns<S>& turns, const Section<S>& s,
                                                 const Twist<S> (&twist)[N], int q) {
    Vec<S, 6> e = s.strain() - p.reference[q];
    if (p.tau != 0) {
      const Vec<S, 6> rate = strain_rate(turns, s, twist, Line::point(q), p.metric[q]);
      for (int i = 0; i < 6; ++i) e[i] += p.tau * rate[i];
    }
    return p.stiffness * e;
  }

  /// Adds the forces of strain, viscosity, gravity and mass-proportional damping, and the gyroscopic moments.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    const Turns<S> turns(z.frame);
    Vec3<S> on_r, on_psi[N];
    for (int q = 0; q < num_points; ++q) {
      const double xi = Line::point(q), weight = Line::point_weight(q) * p.metric[q];
      const Section<S> s(turns, z.frame, xi, p.metric[q]);
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
        const double l = weight * Line::value(a, xi), d = weight * Line::slope(a, xi) / p.metric[q];
        f.f[a].force -= d * across;
        on_psi[a] += l * on_turn + d * on_slope;
      }
    }
    turns.spread(on_r, on_psi, f);
    for (int a = 0; a < N; ++a) add_inertia(p, env, p.length[a], z.twist[a], f.f[a]);
  }

  /// Gravity, gyroscopic moment -omega x J omega and mass-proportional damping of a node.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void add_inertia(const Params& p, const Environment& env, double length, const Twist<S>& twist,
                                                 Wrench<S>& f) {
    const double m = p.mass_per_length * length;
    const Vec3<S> spin = length * (p.inertia * twist.omega);
    f.force += m * env.gravity;
    f.moment -= cross(twist.omega, spin);
    if (p.alpha == 0) return;
    f.force -= (p.alpha * m) * twist.v;
    f.moment -= p.alpha * spin;
  }

  /// Adds -(cq df/dq + cv df/dv), exact: by hand where the element has a pivot and the configuration does not enter through
  /// rates of strain, else column by column with dual numbers.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& env, const double* signals, const States& z,
                                             double cq, double cv, Mat<double, num_dofs>& J) {
    if constexpr (pivot < 0) {
      add_tangent_by_duals(p, env, signals, z, cq, cv, J);
    } else if (p.tau != 0 && cq != 0) {
      add_tangent_by_duals(p, env, signals, z, cq, cv, J);
    } else {
      if (cq != 0 || p.tau != 0) {
        const Stiffening stiffening(p, z, cq, cv * p.tau);
        for (int j = 0; j < num_dofs; ++j) stiffening.add_column(j, J);
      }
      if (cv == 0) return;
      for (int a = 0; a < N; ++a) add_gyroscopic(cv * p.length[a], p.inertia, z.twist[a].omega, 6 * a + 3, J);
      if (p.alpha != 0) add_mass(p, cv * p.alpha, J);
    }
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs>& M) { add_mass(p, 1.0, M); }

  /// Adds factor M: mass and inertia of the line that goes with each node (Lobatto's rule), which is constant.
  KOKKOS_INLINE_FUNCTION static void add_mass(const Params& p, double factor, Mat<double, num_dofs>& M) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        M(6 * a + i, 6 * a + i) += factor * p.mass_per_length * p.length[a];
        for (int j = 0; j < 3; ++j) M(6 * a + 3 + i, 6 * a + 3 + j) += factor * p.length[a] * p.inertia(i, j);
      }
  }

  /// J
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    const Turns<double> turns(z.frame);
    double energy = 0;
    for (int q = 0; q < num_points; ++q) {
      const Section<double> s(turns, z.frame, Line::point(q), p.metric[q]);
      const Vec<double, 6> e = s.strain() - p.reference[q];
      energy += 0.5 * Line::point_weight(q) * p.metric[q] * dot(e, p.stiffness * e);
    }
    return energy;
  }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env, const States& z) {
    double energy = 0;
    for (int a = 0; a < N; ++a) energy -= p.mass_per_length * p.length[a] * dot(env.gravity, z.frame[a].x);
    return energy;
  }

  /// Rotation vectors end at half a turn. The angle t from r to a node has cos t = (tr - 1)/2; -0.999 is 177 degrees.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& /*p*/, const States& z) {
    double sum = 0, least = 1;
    const Mat3<double>& R = z.frame[pivot >= 0 ? pivot : left].R;
    for (int a = 0; a < N; ++a) {
      double trace = 0;
      for (int i = 0; i < 3; ++i) {
        sum += z.frame[a].x[i];
        for (int j = 0; j < 3; ++j) trace += R(i, j) * z.frame[a].R(i, j);
      }
      sum += trace;
      if (0.5 * (trace - 1) < least) least = 0.5 * (trace - 1);
    }
    if (!(math::fabs(sum) <= 1e300)) return Verdict::not_finite;
    return least < -0.999 ? Verdict::degenerate : Verdict::ok;
  }

  // ---- host

  /// The unstressed line from its nodes' frames: metric, lengths and reference strains. Its shape is that of the interpolation.
  static void set_reference(const Frame<double> (&frame)[N], Params& p) {
    const auto metric = [&frame](double xi) {
      Vec3<double> slope;
      for (int a = 0; a < N; ++a) slope += Line::slope(a, xi) * frame[a].x;
      return norm(slope);
    };
    const Turns<double> turns(frame);
    for (int q = 0; q < num_points; ++q) {
      p.metric[q] = metric(Line::point(q));
      p.reference[q] = Section<double>(turns, frame, Line::point(q), p.metric[q]).strain();
    }
    for (int a = 0; a < N; ++a) p.length[a] = Line::node_weight(a) * metric(Line::node(a));
  }

  static constexpr std::array<MeasureSpec, 5> section_measures() {
    return {{{"force", 3, "N", "what the part beyond the section exerts on the part before it, global frame"},
             {"moment", 3, "N m", "likewise, about the section's place"},
             {"tension", 1, "N", "force along axis 1 of the section"},
             {"strain", 3, "1", "stretch and the two shears, in the section's axes"},
             {"curvature", 3, "1/m", "change of twist and of the two curvatures, in the section's axes"}}};
  }

  /// Stress and strain stand at the Gauss points; between these they follow the polynomial through them.
  static void measure_section(const Params& p, const States& z, double xi, double* out) {
    const Turns<double> turns(z.frame);
    Vec<double, 6> sigma, strain;
    double metric = 0;
    for (int q = 0; q < num_points; ++q) {
      const Section<double> s(turns, z.frame, Line::point(q), p.metric[q]);
      const double l = Line::point_value(q, xi);
      sigma += l * stress(p, turns, s, z.twist, q);
      strain += l * (s.strain() - p.reference[q]);
      metric += l * p.metric[q];
    }
    const Section<double> here(turns, z.frame, xi, metric);
    const Vec3<double> force = turns.R * here.turn.turn({{sigma[0], sigma[1], sigma[2]}});
    const Vec3<double> moment = turns.R * here.turn.turn({{sigma[3], sigma[4], sigma[5]}});
    for (int i = 0; i < 3; ++i) {
      out[i] = force[i];
      out[3 + i] = moment[i];
      out[7 + i] = strain[i];
      out[10 + i] = strain[3 + i];
    }
    out[6] = sigma[0];
  }

  /// A random beam for the generic tests: part of a helix, all moduli coupled.
  static Params example(unsigned seed) {
    Sampler sample(seed);
    Params p;
    Mat<double, 6> A;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) A(i, j) = sample.uniform(-2, 2);
    p.stiffness = A * transpose(A) + identity<double, 6>();
    set_reference(helix(sample.vector(0.8)).frame, p);
    p.mass_per_length = sample.uniform(0.5, 2);
    Mat3<double> B;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) B(i, j) = sample.uniform(-1, 1);
    p.inertia = B * transpose(B) + identity<double, 3>();
    p.tau = seed % 2 == 0 ? sample.uniform(0.01, 0.1) : 0;
    p.alpha = seed % 3 == 0 ? sample.uniform(0.1, 1) : 0;
    return p;
  }

  static States example_reference(const Params& p) {
    return helix({{p.reference[0][3] * p.metric[0], p.reference[0][4] * p.metric[0], p.reference[0][5] * p.metric[0]}});
  }

 private:
  /// Columns of the tangent by directional derivatives of `force`.
  KOKKOS_INLINE_FUNCTION static void add_tangent_by_duals(const Params& p, const Environment& env, const double* signals,
                                                          const States& z, double cq, double cv, Mat<double, num_dofs>& J) {
    for (int j = 0; j < num_dofs; ++j) {
      StatesOf<Dual1> seeded;
      ForcesOf<Dual1> f;
      for (int a = 0; a < N; ++a) {
        const bool moves = j / 6 == a && j % 6 < 3, turns = j / 6 == a && j % 6 >= 3;
        Vec3<double> d;
        if (moves || turns) d[j % 3] = 1;
        const Mat3<double> change = turns ? z.frame[a].R * skew(cq * d) : Mat3<double>{};
        for (int i = 0; i < 3; ++i) {
          seeded.frame[a].x[i] = Dual1(z.frame[a].x[i], moves ? cq * d[i] : 0.0);
          for (int k = 0; k < 3; ++k) seeded.frame[a].R(i, k) = Dual1(z.frame[a].R(i, k), change(i, k));
          seeded.twist[a].v[i] = Dual1(z.twist[a].v[i], moves ? cv * d[i] : 0.0);
          seeded.twist[a].omega[i] = Dual1(z.twist[a].omega[i], turns ? cv * d[i] : 0.0);
        }
      }
      force(p, env, signals, seeded, f);
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i) {
          J(6 * a + i, j) -= f.f[a].force[i].grad;
          J(6 * a + 3 + i, j) -= f.f[a].moment[i].grad;
        }
    }
  }

  /// Adds factor (omega~ J - (J omega)~) to the rotational block of a node.
  KOKKOS_INLINE_FUNCTION static void add_gyroscopic(double factor, const Mat3<double>& inertia, const Vec3<double>& omega, int at,
                                                    Mat<double, num_dofs>& J) {
    const Mat3<double> block = skew(omega) * inertia - skew(inertia * omega);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(at + i, at + j) += factor * block(i, j);
  }

  /// What works on a section's turn, on its slope, and on the line's tangent; or the change of these.
  struct SectionForces {
    Vec3<double> on_turn, on_slope, in_r;
  };

  /// The derivatives of the elastic forces of an element with a pivot, column by column. `material` multiplies what comes from
  /// changes of strain, `geometric` what comes from the stress that is there.
  struct Stiffening {
    const Params& p;
    double geometric, material;
    Turns<double> turns;
    Section<double> sections[num_points];
    Vec3<double> n[num_points], m[num_points];  ///< stress resultants
    Vec3<double> in_r[num_points];              ///< n in the axes of r
    Vec3<double> on_x[N], on_psi[N];            ///< gradients of the energy by places, in the axes of r, and by psi

    KOKKOS_INLINE_FUNCTION Stiffening(const Params& params, const States& z, double cq, double viscous)
        : p(params), geometric(cq), material(cq + viscous), turns(z.frame) {
      for (int q = 0; q < num_points; ++q) {
        const double xi = Line::point(q), weight = Line::point_weight(q) * p.metric[q];
        Section<double>& s = sections[q];
        s = Section<double>(turns, z.frame, xi, p.metric[q]);
        const Vec<double, 6> sigma = p.stiffness * (s.strain() - p.reference[q]);
        n[q] = {{sigma[0], sigma[1], sigma[2]}};
        m[q] = {{sigma[3], sigma[4], sigma[5]}};
        in_r[q] = s.turn.turn(n[q]);
        const Vec3<double> on_turn = s.turn.tangent_transposed(cross(n[q], s.gamma) + cross(m[q], s.kappa)) +
                                     s.turn.tangent_rate_transposed(s.turn_slope, m[q]);
        const Vec3<double> on_slope = s.turn.tangent_transposed(m[q]);
        for (int a = 0; a < N; ++a) {
          const double l = weight * Line::value(a, xi), d = weight * Line::slope(a, xi) / p.metric[q];
          on_x[a] += d * in_r[q];
          on_psi[a] += l * on_turn + d * on_slope;
        }
      }
    }

    /// How the forces at Gauss point q change with Theta, Theta' and R_r^T x'.
    KOKKOS_INLINE_FUNCTION SectionForces change_at(int q, const Vec3<double>& theta, const Vec3<double>& slope,
                                                   const Vec3<double>& tangent) const {
      const Section<double>& s = sections[q];
      const RotationVector<double>& turn = s.turn;
      const Vec3<double> turning = turn.tangent(theta);
      const Vec3<double> gamma = turn.turn_back(tangent) + cross(s.gamma, turning);
      const Vec3<double> kappa = turn.tangent(slope) + turn.tangent_rate(s.turn_slope, theta) + cross(s.kappa, turning);
      const Vec<double, 6> sigma = p.stiffness * Vec<double, 6>{{material * gamma[0], material * gamma[1], material * gamma[2],
                                                                 material * kappa[0], material * kappa[1], material * kappa[2]}};
      const Vec3<double> dn{{sigma[0], sigma[1], sigma[2]}}, dm{{sigma[3], sigma[4], sigma[5]}};
      const Vec3<double> moment = cross(n[q], s.gamma) + cross(m[q], s.kappa);
      const Vec3<double> moment_change =
          cross(dn, s.gamma) + cross(dm, s.kappa) + geometric * (cross(n[q], gamma) + cross(m[q], kappa));
      SectionForces change;
      change.on_turn = turn.tangent_transposed(moment_change) + turn.tangent_rate_transposed(s.turn_slope, dm) +
                       geometric * (turn.tangent_rate_transposed(theta, moment) + turn.tangent_rate_transposed(slope, m[q]) +
                                    turn.tangent_rate_transposed_change(s.turn_slope, theta, m[q]));
      change.on_slope = turn.tangent_transposed(dm) + geometric * turn.tangent_rate_transposed(theta, m[q]);
      change.in_r = turn.turn(dn + geometric * cross(turning, n[q]));
      return change;
    }

    /// Adds the changes of all forces, negative, with dof j.
    KOKKOS_INLINE_FUNCTION void add_column(int j, Mat<double, num_dofs>& J) const {
      const int node = j / 6;
      Vec3<double> u[N], of_r, of_psi[N], of_x, d_x[N], d_psi[N], d_r;
      if (j % 6 < 3) {
        of_x = {{turns.R(j % 3, 0), turns.R(j % 3, 1), turns.R(j % 3, 2)}};
      } else {
        u[node][j % 3] = 1;
        turns.change(u, of_r, of_psi);
      }
      for (int q = 0; q < num_points; ++q) {
        const double xi = Line::point(q), weight = Line::point_weight(q) * p.metric[q];
        Vec3<double> theta, slope;
        for (int a = 0; a < N; ++a) {
          theta += Line::value(a, xi) * of_psi[a];
          slope += (Line::slope(a, xi) / p.metric[q]) * of_psi[a];
        }
        const Vec3<double> tangent = (Line::slope(node, xi) / p.metric[q]) * of_x + cross(sections[q].tangent, of_r);
        const SectionForces change = change_at(q, theta, slope, tangent);
        for (int a = 0; a < N; ++a) {
          const double l = weight * Line::value(a, xi), d = weight * Line::slope(a, xi) / p.metric[q];
          d_x[a] += d * change.in_r;
          d_psi[a] += l * change.on_turn + d * change.on_slope;
        }
        d_r += weight * (cross(change.in_r, sections[q].tangent) + geometric * cross(in_r[q], tangent));
      }
      for (int a = 0; a < N; ++a) {
        const Vec3<double> force = turns.R * (d_x[a] + geometric * cross(of_r, on_x[a]));
        for (int i = 0; i < 3; ++i) J(6 * a + i, j) += force[i];
        if (a == pivot) continue;
        const RotationVector<double>& psi = turns.psi[a];
        const Vec3<double> moment =
            psi.inverse_tangent_transposed(d_psi[a]) + geometric * psi.inverse_tangent_transposed_change(of_psi[a], on_psi[a]);
        for (int i = 0; i < 3; ++i) J(6 * a + 3 + i, j) += moment[i];
        d_r -= psi.inverse_tangent(d_psi[a]) + geometric * psi.inverse_tangent_change(of_psi[a], on_psi[a]);
      }
      for (int i = 0; i < 3; ++i) J(6 * pivot + 3 + i, j) += d_r[i];
    }
  };

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
