// What the tests of elements share: tangents by dual numbers, eigenvalues, a dense solver, moved states.
#pragma once

#include "kernels/contract.hpp"
#include "kernels/elements/sample.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

inline Matrix zero_matrix(std::size_t n) { return Matrix(n, Vector(n, 0.0)); }

template <int D>
Matrix to_matrix(const Mat<double, D, D>& A) {
  Matrix B = zero_matrix(D);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) B[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = A(i, j);
  return B;
}

inline double largest(const Matrix& A) {
  double m = 0;
  for (const Vector& row : A)
    for (double a : row) m = std::abs(a) <= m ? m : std::abs(a);  // keeps NaN
  return m;
}

/// Eigenvalues of a symmetric matrix in ascending order, by Jacobi's rotations.
inline Vector eigenvalues(Matrix A) {
  const std::size_t n = A.size();
  for (int sweep = 0; sweep < 50; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (A[p][q] == 0) continue;
        const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double a = A[k][p], b = A[k][q];
          A[k][p] = c * a - s * b;
          A[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double a = A[p][k], b = A[q][k];
          A[p][k] = c * a - s * b;
          A[q][k] = s * a + c * b;
        }
      }
  Vector values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = A[i][i];
  std::sort(values.begin(), values.end());
  return values;
}

/// How many eigenvalues vanish to rounding, and whether the rest are clearly positive.
struct Spectrum {
  int zeros = 0, negative = 0;
  double smallest_positive = 0;  ///< relative to the largest
};
inline Spectrum spectrum(const Matrix& A) {
  const Vector values = eigenvalues(A);
  Spectrum s;
  for (double v : values) {
    const double relative = v / values.back();
    if (std::abs(relative) < 1e-12)
      ++s.zeros;
    else if (relative < 0)
      ++s.negative;
    else if (s.smallest_positive == 0)
      s.smallest_positive = relative;
  }
  return s;
}

/// A x = b by elimination with row pivots.
inline Vector solve(Matrix A, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t best = i;
    for (std::size_t r = i; r < n; ++r)
      if (std::abs(A[r][i]) > std::abs(A[best][i])) best = r;
    std::swap(A[i], A[best]);
    std::swap(b[i], b[best]);
    for (std::size_t r = i + 1; r < n; ++r) {
      const double m = A[r][i] / A[i][i];
      if (m == 0) continue;
      for (std::size_t c = i; c < n; ++c) A[r][c] -= m * A[i][c];
      b[r] -= m * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= A[i][c] * b[c];
    b[i] /= A[i][i];
  }
  return b;
}

inline Mat3<double> rotation(const Vec3<double>& theta) { return rotation_matrix(exp_quaternion(theta)); }

/// States with positions displaced and velocities drawn at random.
template <class States, int N>
States disturbed(States z, unsigned seed, double size) {
  Sampler sample(seed);
  for (int k = 0; k < N; ++k) {
    z.x[k] += sample.vector(size);
    z.v[k] = sample.vector(1);
  }
  return z;
}

template <class E>
NodeForces<double, NodeKind::point, E::num_nodes> forces_of(const typename E::Params& p, const Environment& env,
                                                            const typename E::States& z) {
  NodeForces<double, NodeKind::point, E::num_nodes> f;
  E::force(p, env, nullptr, z, f);
  return f;
}

template <class E>
double largest_force(const typename E::Params& p, const typename E::States& z) {
  const auto f = forces_of<E>(p, Environment{}, z);
  double m = 0;
  for (int k = 0; k < E::num_nodes; ++k)
    for (int i = 0; i < 3; ++i) m = std::abs(f.f[k][i]) <= m ? m : std::abs(f.f[k][i]);
  return m;
}

/// -(cq df/dq + cv df/dv) by dual numbers.
template <class E>
Matrix dual_tangent(const typename E::Params& p, const typename E::States& z, double cq, double cv) {
  Matrix K = zero_matrix(E::num_dofs);
  for (int j = 0; j < E::num_dofs; ++j) {
    NodeStates<Dual1, NodeKind::point, E::num_nodes> seeded;
    NodeForces<Dual1, NodeKind::point, E::num_nodes> f;
    for (int i = 0; i < E::num_dofs; ++i) {
      seeded.x[i / 3][i % 3] = Dual1(z.x[i / 3][i % 3], i == j ? cq : 0.0);
      seeded.v[i / 3][i % 3] = Dual1(z.v[i / 3][i % 3], i == j ? cv : 0.0);
    }
    E::force(p, Environment{}, nullptr, seeded, f);
    for (int i = 0; i < E::num_dofs; ++i) K[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = -f.f[i / 3][i % 3].grad;
  }
  return K;
}

template <class E>
Matrix hand_tangent(const typename E::Params& p, const typename E::States& z, double cq, double cv) {
  Mat<double, E::num_dofs, E::num_dofs> J;
  E::tangent(p, Environment{}, nullptr, z, cq, cv, J);
  return to_matrix(J);
}

inline double largest_difference(const Matrix& A, const Matrix& B) {
  Matrix C = A;
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A.size(); ++j) C[i][j] -= B[i][j];
  return largest(C);
}

/// Largest difference between the force at rest and minus the gradient of the strain energy, by central differences.
template <class E>
double energy_gradient_error(const typename E::Params& p, typename E::States z) {
  for (auto& v : z.v) v = Vec3<double>{};
  const auto f = forces_of<E>(p, Environment{}, z);
  const double h = 1e-5;
  double error = 0;
  for (int i = 0; i < E::num_dofs; ++i) {
    auto plus = z, minus = z;
    plus.x[i / 3][i % 3] += h;
    minus.x[i / 3][i % 3] -= h;
    const double slope = (E::strain_energy(p, plus) - E::strain_energy(p, minus)) / (2 * h);
    const double d = std::abs(slope + f.f[i / 3][i % 3]);
    error = d <= error ? error : d;
  }
  return error;
}

/// Sum of the forces and of their moments about the origin; `is_position(k)` tells positions from slopes, whose moment counts
/// in the same way and whose force does not.
template <class E, class IsPosition>
double imbalance(const typename E::Params& p, const typename E::States& z, IsPosition is_position) {
  const auto f = forces_of<E>(p, Environment{}, z);
  Vec3<double> force, moment;
  for (int k = 0; k < E::num_nodes; ++k) {
    if (is_position(k)) force += f.f[k];
    moment += cross(z.x[k], f.f[k]);
  }
  return norm(force) + norm(moment);
}

}  // namespace sinew
