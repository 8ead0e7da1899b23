// Elements over a number of nodes that is known at run time, or with numbers of their own: what the generic tests cover beside
// those that are registered.
#pragma once

#include "kernels/open_nodes.hpp"
#include "kernels/sweep/element_entry.hpp"
#include "tests/kernels/generic/changing_partners.hpp"

#include <cmath>

namespace sinew::trial {

/// Point masses in a ring, each tied to the next by a spring of its own length, with a damper beside it:
/// energy sum k (|x_{i+1} - x_i| - L_i)^2 / 2. Numbers: the lengths.
struct SpringRing {
  static constexpr const char* name = "spring-ring";
  using NodeList = OpenNodes<NodeKind::point>;
  static constexpr int num_signals = 0, least_nodes = 3;
  static constexpr bool has_numbers = true;

  struct Params {
    double mass, stiffness, damping;
  };
  using Given = WithNumbers<Params>;

  static Params example(unsigned seed) { return {0.5 + 0.1 * seed, 3.0, 0.4}; }
  static int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 3); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    std::vector<double> lengths;
    for (int k = 0; k < nodes; ++k) lengths.push_back(0.8 + 0.1 * k + 0.05 * seed);
    return lengths;
  }

  /// What lies beside one another in the ring.
  static constexpr bool couples(int nodes, int row, int column) {
    const int apart = (row / 3 - column / 3 + nodes) % nodes;
    return apart <= 1 || apart == nodes - 1;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& env, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    for (int k = 0; k < s.count(); ++k) {
      const int next = (k + 1) % s.count();
      const auto a = s.point(k), b = s.point(next);
      const Vec3<S> d = b.x[0] - a.x[0];
      const S length = norm(d), rate = dot(d, b.v[0] - a.v[0]) / length;
      const Vec3<S> pull = ((p.stiffness * (length - p.numbers[k]) + p.damping * rate) / length) * d;
      f.point(k, pull + p.mass * env.gravity);
      f.point(next, -1.0 * pull);
    }
  }
  KOKKOS_INLINE_FUNCTION static void mass(const Given& p, int nodes, const OpenMatrix& M) {
    for (int i = 0; i < 3 * nodes; ++i) M.add(i, i, p.mass);
  }
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& p, const NodeList::States<double>& s) {
    double sum = 0;
    for (int k = 0; k < s.count(); ++k) {
      const double stretch = norm(s.point((k + 1) % s.count()).x[0] - s.point(k).x[0]) - p.numbers[k];
      sum += p.stiffness * stretch * stretch / 2;
    }
    return sum;
  }
  KOKKOS_INLINE_FUNCTION static double potential_energy(const Given& p, const Environment& env,
                                                        const NodeList::States<double>& s) {
    double sum = 0;
    for (int k = 0; k < s.count(); ++k) sum -= p.mass * dot(env.gravity, s.point(k).x[0]);
    return sum;
  }
};

/// A ball with n amplitudes of shapes that move its centre of mass in body axes: mass m at x, and amplitude i as if it were a
/// mass m_i that slides along the axis c_i of the body, which feels its weight but nothing of its inertia. Energy
/// a^T K a / 2 - g . (m x + R sum m_i c_i a_i). Numbers: the axes c_i, then K by rows.
struct ReducedBall {
  static constexpr const char* name = "reduced-ball";
  using NodeList = OpenNodes<NodeKind::scalar, NodeKind::frame>;
  static constexpr int num_signals = 0, least_nodes = 1;
  static constexpr bool has_numbers = true;
  static constexpr bool is_analytic = true;

  struct Params {
    double mass, inertia, slider;
  };
  using Given = WithNumbers<Params>;

  static Params example(unsigned seed) { return {1.5, 0.3 + 0.1 * seed, 0.6}; }
  static int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 4); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    const int n = nodes - 1;
    std::vector<double> numbers;
    for (int i = 0; i < 3 * n; ++i) numbers.push_back(std::sin(1.0 + i + seed));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) numbers.push_back(i == j ? 4.0 + i : 0.5 / (1 + std::abs(i - j)));
    return numbers;
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> axis(const Given& p, int i) {
    return {{p.numbers[3 * i], p.numbers[3 * i + 1], p.numbers[3 * i + 2]}};
  }
  KOKKOS_INLINE_FUNCTION static double stiffness(const Given& p, int n, int i, int j) { return p.numbers[3 * n + n * i + j]; }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& env, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const int n = s.count() - 1;
    const auto body = s.frame(0);
    Vec3<S> gravity;  // in body axes
    for (int i = 0; i < 3; ++i) gravity[i] = S(env.gravity[i]);
    gravity = transpose_times(body.frame[0].R, gravity);
    Wrench<S> weight;
    for (int i = 0; i < 3; ++i) weight.force[i] = S(p.mass * env.gravity[i]);
    for (int i = 0; i < n; ++i) {
      const Vec3<double> c = axis(p, i);
      S pull = p.slider * dot(c, gravity);
      for (int j = 0; j < n; ++j) pull -= stiffness(p, n, i, j) * s.scalar(1 + j).x[0];
      f.scalar(1 + i, pull);
      weight.moment += (p.slider * s.scalar(1 + i).x[0]) * cross(c, gravity);
    }
    f.frame(0, weight);
  }
  KOKKOS_INLINE_FUNCTION static void mass(const Given& p, int nodes, const OpenMatrix& M) {
    for (int i = 0; i < NodeList::first_dof(nodes); ++i) M.add(i, i, i < 3 ? p.mass : i < 6 ? p.inertia : p.slider);
  }
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& p, const NodeList::States<double>& s) {
    const int n = s.count() - 1;
    double sum = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) sum += s.scalar(1 + i).x[0] * stiffness(p, n, i, j) * s.scalar(1 + j).x[0] / 2;
    return sum;
  }
  KOKKOS_INLINE_FUNCTION static double potential_energy(const Given& p, const Environment& env,
                                                        const NodeList::States<double>& s) {
    const auto body = s.frame(0);
    Vec3<double> arm;
    for (int i = 0; i + 1 < s.count(); ++i) arm += (p.slider * s.scalar(1 + i).x[0]) * axis(p, i);
    return -dot(env.gravity, p.mass * body.frame[0].x + body.frame[0].R * arm);
  }
};

/// The same with a tangent of its own.
struct WrittenBall : ReducedBall {
  static constexpr const char* name = "reduced-ball-with-a-tangent";
  static constexpr bool is_analytic = false;

  KOKKOS_INLINE_FUNCTION static void tangent(const Given& p, const Environment& env, const double* /*signals*/,
                                             const NodeList::States<double>& s, double cq, double /*cv*/, const OpenMatrix& J) {
    const int n = s.count() - 1;
    const Vec3<double> gravity = transpose_times(s.frame(0).frame[0].R, env.gravity);
    Vec3<double> arm;
    for (int i = 0; i < n; ++i) {
      const Vec3<double> c = axis(p, i), moment = cross(c, gravity);
      arm += s.scalar(1 + i).x[0] * c;
      for (int j = 0; j < n; ++j) J.add(6 + i, 6 + j, cq * stiffness(p, n, i, j));
      for (int k = 0; k < 3; ++k) {
        J.add(3 + k, 6 + i, -cq * p.slider * moment[k]);
        // gravity in body axes changes by gravity x dtheta
        J.add(6 + i, 3 + k, -cq * p.slider * cross(c, gravity)[k]);
      }
    }
    for (int k = 0; k < 3; ++k) {
      Vec3<double> e;
      e[k] = 1;
      const Vec3<double> change = cross(arm, cross(gravity, e));
      for (int i = 0; i < 3; ++i) J.add(3 + i, 3 + k, -cq * p.slider * change[i]);
    }
  }
};

/// A spring whose force is a polynomial of its stretch, without a constant: x of two scalars apart. Numbers: its coefficients.
struct PolynomialSpring {
  static constexpr const char* name = "polynomial-spring";
  static constexpr NodeKind node_kind = NodeKind::scalar;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr bool has_numbers = true;
  struct Params {
    double factor;
  };

  static Params example(unsigned seed) { return {1.0 + 0.1 * seed}; }
  static std::vector<double> example_numbers(unsigned seed, int /*nodes*/) {
    return std::vector<double>(seed, 0.7);  // of the first specimen none
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const WithNumbers<Params>& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::scalar, 2>& s, NodeForces<S, NodeKind::scalar, 2>& f) {
    const S stretch = s.x[1] - s.x[0];
    S pull = 0.0;
    for (int k = p.numbers.count - 1; k >= 0; --k) pull = (pull + p.numbers[k]) * stretch;
    f.f[0] += p.factor * pull;
    f.f[1] -= p.factor * pull;
  }
  KOKKOS_INLINE_FUNCTION static double strain_energy(const WithNumbers<Params>& p,
                                                     const NodeStates<double, NodeKind::scalar, 2>& s) {
    const double stretch = s.x[1] - s.x[0];
    double sum = 0;
    for (int k = p.numbers.count - 1; k >= 0; --k) sum = sum * stretch + p.numbers[k] / (k + 2);
    return p.factor * sum * stretch * stretch;
  }
};

/// All of them, as if they were registered.
inline const std::vector<ElementEntry>& open_elements() {
  static const std::vector<ElementEntry> all = {make_element_entry<SpringRing>(), make_element_entry<ReducedBall>(),
                                                make_element_entry<WrittenBall>(), make_element_entry<PolynomialSpring>(),
                                                nearest_point()};
  return all;
}

}  // namespace sinew::trial
