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
///   A_j = int rho 2 (X . phi_j) I - X phi_j^T - phi_j X^T,   E_jk = int rho (phi_j . phi_k) I - (phi_j phi_k^T + phi_k phi_j^T)/2
/// From Lagrange's equations follow m v' = m g, and with c_j, k_j the damping and the stiffness of a shape
///   (J + dJ) omega' + sum_jk b_jk eta_j eta_k'' = -dJ' omega - omega x ((J + dJ) omega + sum_jk b_jk eta_j eta_k')
///   m_k eta_k'' + omega' . sum_j b_jk eta_j = -c_k eta_k' - k_k eta_k + 1/2 omega . D_k omega - 2 omega . sum_j b_jk eta_j'
/// with D_k = A_k + 2 sum_j E_jk eta_j, dJ' = sum_k D_k eta_k': rotation softens shapes that it stretches, and couples them as a
/// spinning shaft's two bending planes are. Without dJ and b the mass would be constant: `mass` is that part, `mass_at` the rest.
/// Nodes: the frame, then the amplitudes. Numbers: of each shape m_j, c_j, k_j and the 6 of A_j (xx, yy, zz, xy, xz, yz), then of
/// each pair j <= k the 6 of E_jk and the 3 of b_jk.
/// Source: A. Shabana, Dynamics of Multibody Systems, 4th ed., Cambridge 2013, chapter 5, the floating frame of reference with
/// its inertia shape integrals (5.5) and mean axes (5.8).
struct ModalBody {
  static constexpr const char* name = "modal-body";
  using NodeList = OpenNodes<NodeKind::scalar, NodeKind::frame>;
  using States = NodeList::States<double>;
  static constexpr int num_signals = 0, least_nodes = 2;
  static constexpr bool has_numbers = true;
  static constexpr int numbers_per_shape = 9, numbers_per_pair = 9;
  static constexpr bool couples(int /*nodes*/, int row, int column) { return row == column || (row >= 3 && column >= 3); }

  struct Params {
    double mass;           ///< m, kg
    Mat3<double> inertia;  ///< J, kg m^2
  };
  using Given = WithNumbers<Params>;

  /// A shape alone.
  struct Shape {
    double mass = 0, damping = 0, stiffness = 0;
  };
  /// The numbers of a body by its shapes and their integrals C_j = int rho X phi_j^T and D_jk = int rho phi_j phi_k^T, k >= j, in
  /// turn.
  static std::vector<double> numbers(const std::vector<Shape>& shapes, const std::vector<Mat3<double>>& C,
                                     const std::vector<Mat3<double>>& D) {
    std::vector<double> found;
    const auto add_inertia = [&](const Mat3<double>& second, double factor) {
      const double trace = second(0, 0) + second(1, 1) + second(2, 2);
      for (int i = 0; i < 3; ++i) found.push_back(factor * (trace - second(i, i)));
      for (const auto& [i, j] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
        found.push_back(-0.5 * factor * (second(i, j) + second(j, i)));
    };
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      found.insert(found.end(), {shapes[j].mass, shapes[j].damping, shapes[j].stiffness});
      add_inertia(C[j], 2);
    }
    for (const Mat3<double>& one : D) {
      add_inertia(one, 1);
      found.insert(found.end(), {one(1, 2) - one(2, 1), one(2, 0) - one(0, 2), one(0, 1) - one(1, 0)});
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
    return p;
  }
  static constexpr int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 3); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    Sampler sample(seed);
    const std::vector<Particle> particles = example_particles(seed, nodes);
    std::vector<Shape> shapes;
    std::vector<Mat3<double>> C, D;
    for (std::size_t j = 0; j + 1 < static_cast<std::size_t>(nodes); ++j) {
      shapes.push_back({sample.uniform(1, 2), sample.uniform(0.1, 0.2), sample.uniform(5, 10)});
      C.emplace_back();
      for (const Particle& p : particles) C.back() = C.back() + p.mass * outer(p.place, p.shapes[j]);
      for (std::size_t k = j; k + 1 < static_cast<std::size_t>(nodes); ++k) {
        D.emplace_back();
        for (const Particle& p : particles) D.back() = D.back() + p.mass * outer(p.shapes[j], p.shapes[k]);
      }
    }
    return numbers(shapes, C, D);
  }

  KOKKOS_INLINE_FUNCTION static double number(const Given& p, int shape, int i) {
    return p.numbers[numbers_per_shape * shape + i];
  }
  KOKKOS_INLINE_FUNCTION static double mass_of(const Given& p, int shape) { return number(p, shape, 0); }
  KOKKOS_INLINE_FUNCTION static double damping(const Given& p, int shape) { return number(p, shape, 1); }
  KOKKOS_INLINE_FUNCTION static double stiffness(const Given& p, int shape) { return number(p, shape, 2); }
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
    return symmetric_times(p.numbers, numbers_per_shape * k + 3, w);
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> E_times(const Given& p, int n, int j, int k, const Vec3<S>& w) {
    return symmetric_times(p.numbers, j <= k ? pair(n, j, k) : pair(n, k, j), w);
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> b(const Given& p, int n, int j, int k) {
    const int at = (j <= k ? pair(n, j, k) : pair(n, k, j)) + 6;
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

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& env, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const Vec3<S> omega = s.frame(0).twist[0].omega;
    Wrench<S> wrench;
    for (int i = 0; i < 3; ++i) wrench.force[i] = S(p.mass * env.gravity[i]);
    wrench.moment = cross(p.inertia * omega, omega);
    f.frame(0, wrench);
    for (int k = 0; k + 1 < s.count(); ++k) {
      const auto amplitude = s.scalar(1 + k);
      f.scalar(1 + k, -stiffness(p, k) * amplitude.x[0] - damping(p, k) * amplitude.v[0]);
    }
  }

  /// Of both forces. With h the whole spin, by columns:
  ///   omega     cv (omega~ (J + dJ) - h~ + dJ') in the rotation, cv (2 sum_j b_jk eta_j' - D_k omega)^T in the amplitudes
  ///   eta_l     cq (omega x (D_l omega + sum_k b_lk eta_k') + 2 sum_k eta_k' E_kl omega);   cq (k_l delta_kl - omega . E_kl omega)
  ///   eta_l'    cv (D_l omega + omega x sum_j b_jl eta_j);                                  cv (c_l delta_kl + 2 omega . b_lk)
  KOKKOS_INLINE_FUNCTION static void tangent(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                             const States& s, double cq, double cv, const OpenMatrix& T) {
    const int n = s.count() - 1;
    const Vec3<double> omega = s.frame(0).twist[0].omega, h = p.inertia * omega + spin_of_shapes(p, s);
    for (int j = 0; j < 3; ++j) {
      Vec3<double> e;
      e[j] = 1;
      Vec3<double> column = cross(e, h) + cross(omega, p.inertia * e + change_times(p, s, e));
      for (int k = 0; k < n; ++k) column += s.scalar(1 + k).v[0] * D_times(p, s, k, e);
      for (int i = 0; i < 3; ++i) T.add(3 + i, 3 + j, cv * column[i]);
    }
    for (int l = 0; l < n; ++l) {
      const Vec3<double> D = D_times(p, s, l, omega);
      Vec3<double> turned = D, rate{};
      for (int k = 0; k < n; ++k) {
        const double eta_rate = s.scalar(1 + k).v[0];
        const Vec3<double> E = E_times(p, n, k, l, omega), of_pair = b(p, n, l, k);
        turned += eta_rate * of_pair;
        rate += (2 * eta_rate) * E;
        T.add(dof_of(k), dof_of(l), -cq * dot(omega, E) + 2 * cv * dot(omega, of_pair));
      }
      T.add(dof_of(l), dof_of(l), cq * stiffness(p, l) + cv * damping(p, l));
      const Vec3<double> column = cq * (rate + cross(omega, turned)) + cv * (D + cross(omega, coupling(p, s, l, false)));
      const Vec3<double> row = cv * (2.0 * coupling(p, s, l, true) - D);
      for (int i = 0; i < 3; ++i) {
        T.add(3 + i, dof_of(l), column[i]);
        T.add(dof_of(l), 3 + i, row[i]);
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
