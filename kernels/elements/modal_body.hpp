/// \file
/// A flexible body as a few shapes of vibration about a frame that moves with it.
#pragma once

#include "kernels/elements/sample.hpp"
#include "kernels/open_nodes.hpp"

#include <utility>
#include <vector>

namespace sinew {

/// A body whose particles are at x + R (X + sum phi_j(X) eta_j): a frame (x, R) in its centre of mass, and shapes phi_j that the
/// amplitudes eta_j multiply. The shapes are vibrations of the free body: orthogonal in its mass and its stiffness to each other,
/// and in its mass to rigid motions. With m its mass, J its inertia about the frame, undeformed, and rho its density
///   T = 1/2 m v^2 + 1/2 omega . (J + dJ(eta)) omega + omega . sum_jk b_jk eta_j eta_k' + 1/2 sum m_j eta_j'^2
///   dJ(eta) = sum_j A_j eta_j + sum_jk E_jk eta_j eta_k,     b_jk = int rho phi_j x phi_k = -b_kj
///   A_j = int rho 2 (X . phi_j) I - X phi_j^T - phi_j X^T
///   E_jk = int rho (phi_j . phi_k) I - (phi_j phi_k^T + phi_k phi_j^T)/2
/// From Lagrange's equations follow, with k_j the stiffness of a shape and y = (R^T v, omega, eta') the rates in the body's axes,
///   m v' = m g - R (C y)_v
///   (J + dJ) omega' + sum_jk b_jk eta_j eta_k'' = -dJ' omega - omega x ((J + dJ) omega + sum_jk b_jk eta_j eta_k') - (C y)_omega
///   m_k eta_k'' + omega' . sum_j b_jk eta_j = -k_k eta_k + 1/2 omega . D_k omega - 2 omega . sum_j b_jk eta_j' - (C y)_k
/// with D_k = A_k + 2 sum_j E_jk eta_j, dJ' = sum_k D_k eta_k': rotation softens shapes that it stretches, and couples them as a
/// spinning shaft's two bending planes are. Without dJ and b the mass would be constant: `mass` is that part, `mass_at` the rest.
/// C is the damping of the mesh in rigid motions and shapes: of materials that brake every motion it has all its parts.
/// Nodes: the frame, then the amplitudes. Numbers: of each shape m_j, k_j, the 6 of C between rigid motions and the shape, the 6
/// of A_j (xx, yy, zz, xy, xz, yz), then of each pair j <= k the 6 of E_jk, the 3 of b_jk and C_jk.
/// Source: A. Shabana, Dynamics of Multibody Systems, 4th ed., Cambridge 2013, chapter 5, the floating frame of reference with
/// its inertia shape integrals (5.5) and mean axes (5.8).
struct ModalBody {
  static constexpr const char* name = "modal-body";
  using NodeList = OpenNodes<NodeKind::scalar, NodeKind::frame>;
  using States = NodeList::States<double>;
  static constexpr int num_signals = 0, least_nodes = 2;
  static constexpr bool has_numbers = true;
  static constexpr bool is_analytic = true;
  static constexpr int numbers_per_shape = 14, numbers_per_pair = 10;
  static constexpr int first_of_drag = 2, first_of_A = 8, first_of_b = 6, place_of_C = 9;

  struct Params {
    double mass;               ///< m, kg
    Mat3<double> inertia;      ///< J, kg m^2
    Mat<double, 6, 6> drag{};  ///< C of rigid motions
  };
  using Given = WithNumbers<Params>;

  /// A shape alone.
  struct Shape {
    double mass = 0, stiffness = 0;
  };
  /// The numbers of a body by its shapes, their integrals B_j = int rho X phi_j^T and D_jk = int rho phi_j phi_k^T, k >= j, in
  /// turn, and C over rigid motions and shapes, (6 + n) x (6 + n) by rows.
  static std::vector<double> numbers(const std::vector<Shape>& shapes, const std::vector<Mat3<double>>& B,
                                     const std::vector<Mat3<double>>& D, const std::vector<double>& C) {
    std::vector<double> found;
    const auto add_inertia = [&](const Mat3<double>& second, double factor) {
      const double trace = second(0, 0) + second(1, 1) + second(2, 2);
      for (int i = 0; i < 3; ++i) found.push_back(factor * (trace - second(i, i)));
      for (const auto& [i, j] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
        found.push_back(-0.5 * factor * (second(i, j) + second(j, i)));
    };
    const std::size_t n = shapes.size();
    for (std::size_t j = 0; j < n; ++j) {
      found.insert(found.end(), {shapes[j].mass, shapes[j].stiffness});
      for (std::size_t i = 0; i < 6; ++i) found.push_back(C[i * (6 + n) + 6 + j]);
      add_inertia(B[j], 2);
    }
    auto one = D.begin();
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = j; k < n; ++k, ++one) {
        add_inertia(*one, 1);
        found.insert(found.end(), {(*one)(1, 2) - (*one)(2, 1), (*one)(2, 0) - (*one)(0, 2), (*one)(0, 1) - (*one)(1, 0),
                                   C[(6 + j) * (6 + n) + 6 + k]});
      }
    return found;
  }

  /// A few particles that springs hold, with shapes of any kind: they are parts of a body of the example's mass and inertia.
  struct Particle {
    double mass;
    Vec3<double> place;
    std::vector<Vec3<double>> shapes;
  };
  static std::vector<Particle> example_particles(unsigned seed, int nodes) {
    Sampler sample(seed);
    std::vector<Particle> particles(6);
    for (Particle& p : particles) {
      p = {sample.uniform(0.1, 0.3), sample.vector(1), {}};
      for (int k = 1; k < nodes; ++k) p.shapes.push_back(sample.vector(0.5));
    }
    return particles;
  }
  static Params example(unsigned seed) {
    Sampler sample(seed);
    Params p{};
    p.mass = sample.uniform(0.5, 2);
    for (int i = 0; i < 3; ++i) p.inertia(i, i) = sample.uniform(5, 6);
    p.inertia(0, 1) = p.inertia(1, 0) = 0.1;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) p.drag(i, j) = p.drag(j, i) = sample.uniform(-0.2, 0.2);
    return p;
  }
  static constexpr int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 3); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    Sampler sample(seed);
    const std::vector<Particle> particles = example_particles(seed, nodes);
    const auto n = static_cast<std::size_t>(nodes - 1);
    std::vector<Shape> shapes;
    std::vector<Mat3<double>> B, D;
    for (std::size_t j = 0; j < n; ++j) {
      shapes.push_back({sample.uniform(1, 2), sample.uniform(5, 10)});
      B.emplace_back();
      for (const Particle& p : particles) B.back() = B.back() + p.mass * outer(p.place, p.shapes[j]);
      for (std::size_t k = j; k < n; ++k) {
        D.emplace_back();
        for (const Particle& p : particles) D.back() = D.back() + p.mass * outer(p.shapes[j], p.shapes[k]);
      }
    }
    std::vector<double> C((6 + n) * (6 + n));
    for (double& c : C) c = sample.uniform(-0.2, 0.2);
    return numbers(shapes, B, D, C);
  }

  KOKKOS_INLINE_FUNCTION static double number(const Given& p, int shape, int i) {
    return p.numbers[numbers_per_shape * shape + i];
  }
  KOKKOS_INLINE_FUNCTION static double mass_of(const Given& p, int shape) { return number(p, shape, 0); }
  KOKKOS_INLINE_FUNCTION static double stiffness(const Given& p, int shape) { return number(p, shape, 1); }
  /// C between the translations (first = 0) or turns (3) of the body and a shape.
  KOKKOS_INLINE_FUNCTION static Vec3<double> drag(const Given& p, int shape, int first) {
    const int at = first_of_drag + first;
    return {{number(p, shape, at), number(p, shape, at + 1), number(p, shape, at + 2)}};
  }
  /// C of translations (0) and turns (3) of the body.
  KOKKOS_INLINE_FUNCTION static Mat3<double> rigid_drag(const Given& p, int first_row, int first_column) {
    Mat3<double> part;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) part(i, j) = p.drag(first_row + i, first_column + j);
    return part;
  }
  KOKKOS_INLINE_FUNCTION static double damping(const Given& p, int n, int j, int k) {
    return p.numbers[(j <= k ? pair(n, j, k) : pair(n, k, j)) + place_of_C];
  }
  KOKKOS_INLINE_FUNCTION static constexpr int dof_of(int shape) { return NodeList::first_dof(1 + shape); }

  /// The first number of a pair of n shapes, j <= k.
  KOKKOS_INLINE_FUNCTION static int pair(int n, int j, int k) {
    return numbers_per_shape * n + numbers_per_pair * (j * n - j * (j - 1) / 2 + k - j);
  }
  /// A symmetric matrix, by the first of its six numbers, times a vector.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> symmetric_times(const Numbers& n, int at, const Vec3<S>& w) {
    return {{n[at] * w[0] + n[at + 3] * w[1] + n[at + 4] * w[2], n[at + 3] * w[0] + n[at + 1] * w[1] + n[at + 5] * w[2],
             n[at + 4] * w[0] + n[at + 5] * w[1] + n[at + 2] * w[2]}};
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> A_times(const Given& p, int k, const Vec3<S>& w) {
    return symmetric_times(p.numbers, numbers_per_shape * k + first_of_A, w);
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> E_times(const Given& p, int n, int j, int k, const Vec3<S>& w) {
    return symmetric_times(p.numbers, j <= k ? pair(n, j, k) : pair(n, k, j), w);
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> b(const Given& p, int n, int j, int k) {
    const int at = (j <= k ? pair(n, j, k) : pair(n, k, j)) + first_of_b;
    const double sign = j <= k ? 1 : -1;
    return {{sign * p.numbers[at], sign * p.numbers[at + 1], sign * p.numbers[at + 2]}};
  }

  /// D_k w.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> D_times(const Given& p, const NodeList::States<S>& s, int k, const Vec3<S>& w) {
    const int n = s.count() - 1;
    Vec3<S> product = A_times(p, k, w);
    for (int j = 0; j < n; ++j) product += (2.0 * s.scalar(1 + j).x[0]) * E_times(p, n, j, k, w);
    return product;
  }
  /// dJ w = sum_k eta_k (A_k + D_k)/2 w.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> change_times(const Given& p, const NodeList::States<S>& s, const Vec3<S>& w) {
    Vec3<S> product{};
    for (int k = 0; k + 1 < s.count(); ++k) product += (0.5 * s.scalar(1 + k).x[0]) * (A_times(p, k, w) + D_times(p, s, k, w));
    return product;
  }
  /// sum_j b_jk y_j, y the amplitudes or their rates.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> coupling(const Given& p, const NodeList::States<S>& s, int k, bool of_rates) {
    const int n = s.count() - 1;
    Vec3<S> sum{};
    for (int j = 0; j < n; ++j) {
      const auto amplitude = s.scalar(1 + j);
      const Vec3<double> of_pair = b(p, n, j, k);
      const S y = of_rates ? amplitude.v[0] : amplitude.x[0];
      for (int i = 0; i < 3; ++i) sum[i] += of_pair[i] * y;
    }
    return sum;
  }
  /// dJ omega + sum_jk b_jk eta_j eta_k': what deformation adds to the spin J omega.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> spin_of_shapes(const Given& p, const NodeList::States<S>& s) {
    Vec3<S> sum = change_times(p, s, s.frame(0).twist[0].omega);
    for (int k = 0; k + 1 < s.count(); ++k) sum += s.scalar(1 + k).v[0] * coupling(p, s, k, false);
    return sum;
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Given& p, int nodes, const OpenMatrix& M) {
    for (int i = 0; i < 3; ++i) {
      M.add(i, i, p.mass);
      for (int j = 0; j < 3; ++j) M.add(3 + i, 3 + j, p.inertia(i, j));
    }
    for (int k = 0; k + 1 < nodes; ++k) M.add(dof_of(k), dof_of(k), mass_of(p, k));
  }
  KOKKOS_INLINE_FUNCTION static void mass_at(const Given& p, const States& s, const OpenMatrix& M) {
    for (int j = 0; j < 3; ++j) {
      Vec3<double> e;
      e[j] = 1;
      const Vec3<double> column = change_times(p, s, e);
      for (int i = 0; i < 3; ++i) M.add(3 + i, 3 + j, column[i]);
    }
    for (int k = 0; k + 1 < s.count(); ++k) {
      const Vec3<double> column = coupling(p, s, k, false);
      for (int i = 0; i < 3; ++i) {
        M.add(3 + i, dof_of(k), column[i]);
        M.add(dof_of(k), 3 + i, column[i]);
      }
    }
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static void mass_at_times(const Given& p, const NodeList::States<S>& s, NodeList::Forces<S>& product) {
    const Vec3<S> omega = s.frame(0).twist[0].omega;
    product.frame(0, Wrench<S>{{}, spin_of_shapes(p, s)});
    for (int k = 0; k + 1 < s.count(); ++k) product.scalar(1 + k, dot(omega, coupling(p, s, k, false)));
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static void inertia_force(const Given& p, const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const Vec3<S> omega = s.frame(0).twist[0].omega;
    Vec3<S> moment = cross(spin_of_shapes(p, s), omega);
    for (int k = 0; k + 1 < s.count(); ++k) {
      const Vec3<S> D = D_times(p, s, k, omega);
      moment -= s.scalar(1 + k).v[0] * D;
      f.scalar(1 + k, 0.5 * dot(omega, D) - 2.0 * dot(omega, coupling(p, s, k, true)));
    }
    f.frame(0, Wrench<S>{{}, moment});
  }

  /// C y of the frame, in the body's axes; y has the rate R^T v.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Wrench<S> braking(const Given& p, const NodeList::States<S>& s, const Vec3<S>& rate) {
    const Vec3<S> omega = s.frame(0).twist[0].omega;
    Wrench<S> sum{rigid_drag(p, 0, 0) * rate + rigid_drag(p, 0, 3) * omega,
                  rigid_drag(p, 3, 0) * rate + rigid_drag(p, 3, 3) * omega};
    for (int k = 0; k + 1 < s.count(); ++k) {
      const S eta_rate = s.scalar(1 + k).v[0];
      sum.force += eta_rate * drag(p, k, 0);
      sum.moment += eta_rate * drag(p, k, 3);
    }
    return sum;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& env, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const auto body = s.frame(0);
    const Vec3<S> omega = body.twist[0].omega, rate = transpose_times(body.frame[0].R, body.twist[0].v);
    const Wrench<S> brake = braking(p, s, rate);
    const Vec3<S> braked = body.frame[0].R * brake.force;
    Wrench<S> wrench;
    for (int i = 0; i < 3; ++i) wrench.force[i] = p.mass * env.gravity[i] - braked[i];
    wrench.moment = cross(p.inertia * omega, omega) - brake.moment;
    f.frame(0, wrench);
    const int n = s.count() - 1;
    for (int k = 0; k < n; ++k) {
      S sum = stiffness(p, k) * s.scalar(1 + k).x[0] + dot(rate, drag(p, k, 0)) + dot(omega, drag(p, k, 3));
      for (int j = 0; j < n; ++j) sum += damping(p, n, j, k) * s.scalar(1 + j).v[0];
      f.scalar(1 + k, -sum);
    }
  }

  /// Of both forces. With h the whole spin, w = R^T v, y_v the braking force in the body's axes and C_a the row or column a of C:
  ///   v         cv R C_vv R^T;   cv C_wv R^T;   cv C_kv R^T
  ///   theta     cq R (C_vv w~ - y_v~);   cq C_wv w~;   cq C_kv w~
  ///   omega     cv R C_vw;   cv (omega~ (J + dJ) - h~ + dJ' + C_ww);   cv (2 sum_j b_jk eta_j' - D_k omega + C_kw)
  ///   eta_l     0;   cq (omega x (D_l omega + sum_k b_lk eta_k') + 2 sum_k eta_k' E_kl omega);   cq (k_l delta_kl - omega . E_kl
  ///             omega)
  ///   eta_l'    cv R C_vl;   cv (D_l omega + omega x sum_j b_jl eta_j + C_wl);   cv (C_kl + 2 omega . b_lk)
  /// in the rows of v; of the turn; of eta_k.
  KOKKOS_INLINE_FUNCTION static void tangent(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                             const States& s, double cq, double cv, const OpenMatrix& T) {
    const int n = s.count() - 1;
    const auto body = s.frame(0);
    const Mat3<double>& R = body.frame[0].R;
    const Vec3<double> omega = body.twist[0].omega, h = p.inertia * omega + spin_of_shapes(p, s),
                       w = transpose_times(R, body.twist[0].v);
    const Mat3<double> of_turn = R * (rigid_drag(p, 0, 0) * skew(w) - skew(braking(p, s, w).force)),
                       of_translation = R * rigid_drag(p, 0, 0) * transpose(R),
                       turn_by_translation = rigid_drag(p, 3, 0) * transpose(R), turn_by_turn = rigid_drag(p, 3, 0) * skew(w),
                       by_omega = R * rigid_drag(p, 0, 3);
    for (int j = 0; j < 3; ++j) {
      Vec3<double> e;
      e[j] = 1;
      Vec3<double> column = cross(e, h) + cross(omega, p.inertia * e + change_times(p, s, e)) + rigid_drag(p, 3, 3) * e;
      for (int k = 0; k < n; ++k) column += s.scalar(1 + k).v[0] * D_times(p, s, k, e);
      for (int i = 0; i < 3; ++i) {
        T.add(i, j, cv * of_translation(i, j));
        T.add(3 + i, j, cv * turn_by_translation(i, j));
        T.add(i, 3 + j, cq * of_turn(i, j) + cv * by_omega(i, j));
        T.add(3 + i, 3 + j, cv * column[i] + cq * turn_by_turn(i, j));
      }
    }
    for (int l = 0; l < n; ++l) {
      const Vec3<double> D = D_times(p, s, l, omega), of_place = drag(p, l, 0), of_rotation = drag(p, l, 3);
      Vec3<double> turned = D, rate{};
      for (int k = 0; k < n; ++k) {
        const double eta_rate = s.scalar(1 + k).v[0];
        const Vec3<double> E = E_times(p, n, k, l, omega), of_pair = b(p, n, l, k);
        turned += eta_rate * of_pair;
        rate += (2 * eta_rate) * E;
        T.add(dof_of(k), dof_of(l), -cq * dot(omega, E) + cv * (2 * dot(omega, of_pair) + damping(p, n, k, l)));
      }
      T.add(dof_of(l), dof_of(l), cq * stiffness(p, l));
      const Vec3<double> column =
          cq * (rate + cross(omega, turned)) + cv * (D + cross(omega, coupling(p, s, l, false)) + of_rotation);
      const Vec3<double> row = cv * (2.0 * coupling(p, s, l, true) - D + of_rotation) + cq * cross(of_place, w);
      const Vec3<double> along = cv * (R * of_place);
      for (int i = 0; i < 3; ++i) {
        T.add(3 + i, dof_of(l), column[i]);
        T.add(dof_of(l), 3 + i, row[i]);
        T.add(i, dof_of(l), along[i]);
        T.add(dof_of(l), i, along[i]);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& p, const States& s) {
    double energy = 0;
    for (int k = 0; k + 1 < s.count(); ++k) {
      const double amplitude = s.scalar(1 + k).x[0];
      energy += 0.5 * stiffness(p, k) * amplitude * amplitude;
    }
    return energy;
  }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Given& p, const Environment& env, const States& s) {
    return -p.mass * dot(env.gravity, s.frame(0).frame[0].x);
  }
};

}  // namespace sinew
