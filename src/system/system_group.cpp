#include "kernels/lie/so3.hpp"
#include "system/device_access.hpp"
#include "system/system.hpp"

#include <cmath>

namespace sinew {

namespace {

/// T(theta)^-1 v = v + theta x v / 2 + c theta x (theta x v), c = (1 - (t/2) cot(t/2))/t^2, the rate of the rotation vector at
/// angular velocity v.
KOKKOS_INLINE_FUNCTION Vec3<double> inverse_tangent_times(const Vec3<double>& theta, const Vec3<double>& v) {
  const double t2 = dot(theta, theta);
  double c = (1 + t2 / 60 * (1 + t2 / 42)) / 12;
  if (t2 > 1e-3) {
    const double half = 0.5 * math::sqrt(t2);
    c = (1 - half * math::cos(half) / math::sin(half)) / t2;
  }
  const Vec3<double> turned = cross(theta, v);
  return v + 0.5 * turned + c * cross(theta, turned);
}

constexpr int max_corrections = 50;

/// theta = base + b T(theta)^-1 omega by corrections with 1 + (b/2) omega~, which leaves an error of second order in b omega.
KOKKOS_INLINE_FUNCTION Vec3<double> solve_rotation(const Vec3<double>& base, double b, const Vec3<double>& omega) {
  const Mat3<double> A = identity<double, 3>() + (0.5 * b) * skew(omega);
  const Mat3<double> P = inverse(A, determinant(A));
  Vec3<double> theta = base + b * omega;
  double last = 1e300;
  for (int i = 0; i < max_corrections; ++i) {
    const Vec3<double> change = P * (base + b * inverse_tangent_times(theta, omega) - theta);
    theta = theta + change;
    const double size = norm(change);
    if (size <= 1e-17 || (size < 1e-12 && size > 0.5 * last)) return theta;
    last = size;
  }
  return last < 1e-12 ? theta : Vec3<double>{{NAN, NAN, NAN}};
}

}  // namespace

void System::difference(const Configuration& q0, const Configuration& q1, PetscVec w) const {
  clear_states(w);
  const DeviceWrite target(w, OldValues::kept);
  double* out = target.data();
  const auto nodes = nodes_;
  const double *from = q0.values.data(), *to = q1.values.data();
  const int count = static_cast<int>(local_.node_id.size()), owned = local_.num_owned_dofs;
  Kokkos::parallel_for(
      "sinew::difference", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const int node) {
        const int c = nodes.config(node), dof = nodes.dof(node);
        if (dof < 0 || dof >= owned) return;
        for (int i = 0; i < 3; ++i) out[dof + i] = to[c + i] - from[c + i];
        if (nodes.frame(node) < 0) return;
        const Quaternion back{from[c + 3], -from[c + 4], -from[c + 5], -from[c + 6]};
        const Vec3<double> theta = log_quaternion(normalized(back * Quaternion{to[c + 3], to[c + 4], to[c + 5], to[c + 6]}));
        for (int i = 0; i < 3; ++i) out[dof + 3 + i] = theta[i];
      });
}

void System::commutator(PetscVec u, PetscVec v, PetscVec out) const {
  petsc(VecSet(out, 0.0));
  const DeviceRead left(u), right(v);
  const DeviceWrite target(out, OldValues::kept);
  const double *a = left.data(), *b = right.data();
  double* c = target.data();
  const auto nodes = nodes_;
  const int count = static_cast<int>(local_.node_id.size()), owned = local_.num_owned_dofs;
  Kokkos::parallel_for(
      "sinew::commutator", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const int node) {
        const int dof = nodes.dof(node);
        if (dof < 0 || dof >= owned || nodes.frame(node) < 0) return;
        const int r = dof + 3;
        const Vec3<double> product = cross(Vec3<double>{{a[r], a[r + 1], a[r + 2]}}, Vec3<double>{{b[r], b[r + 1], b[r + 2]}});
        for (int i = 0; i < 3; ++i) c[r + i] = product[i];
      });
}

double System::largest_turn(PetscVec w, PetscVec angles) const {
  if (angles != nullptr) petsc(VecSet(angles, 0.0));
  if (num_frames_ == 0) return 0;
  double largest = 0;
  const VecRead increment(w);
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    if (!local_.is_frame[n]) continue;
    const PetscInt r = local_.dof[n] + 3;
    const double square = increment[r] * increment[r] + increment[r + 1] * increment[r + 1] + increment[r + 2] * increment[r + 2];
    largest = square <= largest ? largest : square;
    if (angles == nullptr) continue;
    VecWrite angle(angles);
    angle[r] = std::sqrt(square);
  }
  return std::sqrt(largest);
}

void System::chart_step(PetscVec base, double b, PetscVec z, PetscVec w) const {
  clear_states(w);
  const DeviceRead start(base), velocity(z);
  const DeviceWrite target(w, OldValues::kept);
  const double *x = start.data(), *v = velocity.data();
  double* out = target.data();
  const auto nodes = nodes_;
  const int count = static_cast<int>(local_.node_id.size()), owned = local_.num_owned_dofs;
  Kokkos::parallel_for(
      "sinew::chart_step", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const int node) {
        const int dof = nodes.dof(node);
        if (dof < 0 || dof >= owned) return;
        for (int i = 0; i < 3; ++i) out[dof + i] = x[dof + i] + b * v[dof + i];
        if (nodes.frame(node) < 0) return;
        const Vec3<double> theta = solve_rotation(Vec3<double>{{x[dof + 3], x[dof + 4], x[dof + 5]}}, b,
                                                  Vec3<double>{{v[dof + 3], v[dof + 4], v[dof + 5]}});
        for (int i = 0; i < 3; ++i) out[dof + 3 + i] = theta[i];
      });
}

}  // namespace sinew
