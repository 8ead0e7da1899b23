/// \file
/// Gyrostat: a rigid body that carries balanced rotors.
#pragma once

#include "kernels/elements/sample.hpp"
#include "kernels/open_nodes.hpp"

#include <vector>

namespace sinew {

/// A rigid body of mass m and inertia J (rotors held, about the centre of mass, body axes) and n rotors that turn in it
/// about unit vectors a_k of body axes by angles phi_k, with moments of inertia j_k about them. Rotors are balanced and symmetric
/// about their axes, so that J stays as they turn. With the spin h = J omega + sum j_k phi_k' a_k
///   m v' = m g,   J omega' + sum j_k phi_k'' a_k = -omega x h,   j_k (phi_k'' + a_k . omega') = -c_k phi_k'
/// c_k: drag of the bearings, between rotor and body. A force on phi_k is a torque between the two, which the body's equation
/// does not hold. Numbers, of each rotor: a_k, j_k, c_k.
/// Source: J. Wittenburg, Dynamics of Multibody Systems, 2nd ed., Springer 2008, chapter 4, gyrostats; P. C. Hughes, Spacecraft
/// Attitude Dynamics, Wiley 1986, rigid bodies with wheels.
struct Gyrostat {
  static constexpr const char* name = "gyrostat";
  using NodeList = OpenNodes<NodeKind::scalar, NodeKind::frame>;
  static constexpr int num_signals = 0, least_nodes = 2;
  static constexpr bool has_numbers = true;
  static constexpr bool is_analytic = true;
  static constexpr int numbers_per_rotor = 5;

  struct Params {
    double mass;           ///< kg
    Mat3<double> inertia;  ///< J, kg m^2
  };
  using Given = WithNumbers<Params>;

  static Params example(unsigned seed) {
    Sampler sample(seed);
    Params p{};
    p.mass = sample.uniform(0.5, 2);
    for (int i = 0; i < 3; ++i) p.inertia(i, i) = sample.uniform(1, 1.5);
    p.inertia(0, 1) = p.inertia(1, 0) = 0.1;
    return p;
  }
  static constexpr int example_nodes(unsigned seed) { return least_nodes + static_cast<int>(seed % 3); }
  static std::vector<double> example_numbers(unsigned seed, int nodes) {
    Sampler sample(seed);
    std::vector<double> numbers;
    for (int k = 1; k < nodes; ++k) {
      const Vec3<double> some = sample.vector(1) + Vec3<double>{{0, 0, 1.5}}, a = (1 / norm(some)) * some;
      numbers.insert(numbers.end(), {a[0], a[1], a[2], sample.uniform(0.1, 0.2), sample.uniform(0.1, 1)});
    }
    return numbers;
  }

  KOKKOS_INLINE_FUNCTION static double number(const Given& p, int rotor, int i) {
    return p.numbers[numbers_per_rotor * rotor + i];
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> axis(const Given& p, int rotor) {
    return {{number(p, rotor, 0), number(p, rotor, 1), number(p, rotor, 2)}};
  }
  KOKKOS_INLINE_FUNCTION static double inertia(const Given& p, int rotor) { return number(p, rotor, 3); }
  KOKKOS_INLINE_FUNCTION static double drag(const Given& p, int rotor) { return number(p, rotor, 4); }
  /// The degree of freedom of a rotor.
  KOKKOS_INLINE_FUNCTION static constexpr int dof_of(int rotor) { return NodeList::first_dof(1 + rotor); }

  /// The spin h.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> spin(const Given& p, const Vec3<S>& omega, const NodeList::States<S>& s) {
    Vec3<S> h = p.inertia * omega;
    for (int k = 0; k + 1 < s.count(); ++k) h += (inertia(p, k) * s.scalar(1 + k).v[0]) * axis(p, k);
    return h;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Given& p, const Environment& env, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const Vec3<S> omega = s.frame(0).twist[0].omega;
    Wrench<S> wrench;
    for (int i = 0; i < 3; ++i) wrench.force[i] = S(p.mass * env.gravity[i]);
    wrench.moment = cross(spin(p, omega, s), omega);
    f.frame(0, wrench);
    for (int k = 0; k + 1 < s.count(); ++k) f.scalar(1 + k, -drag(p, k) * s.scalar(1 + k).v[0]);
  }

  /// Gyroscopic moments and drag: adds cv (omega~ J - h~) and cv j_k omega x a_k to the rows of the rotation, cv c_k to those of
  /// rotors.
  KOKKOS_INLINE_FUNCTION static void tangent(const Given& p, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeList::States<double>& s, double /*cq*/, double cv, const OpenMatrix& T) {
    const Vec3<double> omega = s.frame(0).twist[0].omega, h = spin(p, omega, s);
    for (int j = 0; j < 3; ++j) {
      Vec3<double> e;
      e[j] = 1;
      const Vec3<double> column = cross(omega, p.inertia * e) - cross(h, e);
      for (int i = 0; i < 3; ++i) T.add(3 + i, 3 + j, cv * column[i]);
    }
    for (int k = 0; k + 1 < s.count(); ++k) {
      const Vec3<double> column = inertia(p, k) * cross(omega, axis(p, k));
      for (int i = 0; i < 3; ++i) T.add(3 + i, dof_of(k), cv * column[i]);
      T.add(dof_of(k), dof_of(k), cv * drag(p, k));
    }
  }

  KOKKOS_INLINE_FUNCTION static void mass(const Given& p, int nodes, const OpenMatrix& M) {
    for (int i = 0; i < 3; ++i) {
      M.add(i, i, p.mass);
      for (int j = 0; j < 3; ++j) M.add(3 + i, 3 + j, p.inertia(i, j));
    }
    for (int k = 0; k + 1 < nodes; ++k) {
      const Vec3<double> column = inertia(p, k) * axis(p, k);
      for (int i = 0; i < 3; ++i) {
        M.add(3 + i, dof_of(k), column[i]);
        M.add(dof_of(k), 3 + i, column[i]);
      }
      M.add(dof_of(k), dof_of(k), inertia(p, k));
    }
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Given& /*p*/, const NodeList::States<double>& /*s*/) { return 0.0; }

  KOKKOS_INLINE_FUNCTION static double potential_energy(const Given& p, const Environment& env,
                                                        const NodeList::States<double>& s) {
    return -p.mass * dot(env.gravity, s.frame(0).frame[0].x);
  }
};

}  // namespace sinew
