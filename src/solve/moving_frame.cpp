#include "solve/moving_frame.hpp"

#include "base/object_type.hpp"
#include "kernels/lie/so3.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Rates below this part of the largest are round-off.
constexpr double negligible_rate = 1e-14;

Mat3<double> rotation(const std::vector<double>& config, int offset) {
  return rotation_matrix(Pose::quaternion(config.data() + offset));
}

void set_triple(double* values, int first, const Vec3<double>& x) {
  for (int i = 0; i < 3; ++i) values[first + i] = x[i];
}

/// exp(theta~).
Mat3<double> exponential(const Vec3<double>& theta) { return rotation_matrix(exp_quaternion(theta)); }

/// Integral of exp(s theta~) over s from 0 to 1: the tangent operator, transposed.
Mat3<double> mean_rotation(const Vec3<double>& theta) { return transpose(exp_tangent(theta)); }

}  // namespace

MovingFrame::MovingFrame(const System& system, const Vec3<double>& angular_velocity, const Configuration& q, PetscVec z)
    : system_(&system), W_(angular_velocity) {
  const LocalModel& local = system.local();
  const std::vector<double> config = system.host_values(q);
  const VecRead velocity(z);
  double spin = 0;
  rate_ = norm(W_);
  bodies_.resize(static_cast<std::size_t>(local.num_owned_nodes));
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    if (!local.turns(n)) continue;
    Body& body = bodies_[n];
    const Vec3<double> omega = triple(velocity.data(), local.dof[n] + 3);
    body.frame_rate = transpose_times(rotation(config, local.config_offset[n]), W_);
    body.spin = omega - body.frame_rate;
    rate_ = std::max(rate_, norm(omega));
    spin = std::max(spin, norm(body.spin));
  }
  double rates[] = {rate_, spin};
  MPI_Allreduce(MPI_IN_PLACE, rates, 2, MPI_DOUBLE, MPI_MAX, local.comm);
  rate_ = rates[0];
  is_at_rest_ = norm(W_) == 0 && rates[1] == 0;
  for (Body& body : bodies_)
    if (norm(body.spin) <= negligible_rate * rate_) body.spin = {};
}

/// A block of 3 x 3 for every point (no body) and for the rotation of every frame.
MatHandle MovingFrame::block_matrix(const std::function<Mat3<double>(const Body*)>& block) const {
  const LocalModel& local = system_->local();
  const PetscInt size = system_->layout().num_dofs + system_->layout().num_rows;
  MatHandle A;
  petsc(MatCreateAIJ(local.comm, size, size, PETSC_DETERMINE, PETSC_DETERMINE, 3, nullptr, 0, nullptr, A.address()));
  PetscInt start = 0, end = 0;
  petsc(MatGetOwnershipRange(A, &start, &end));
  const auto add = [&](int dof, const Mat3<double>& values) {
    const PetscInt first = start + dof;
    const PetscInt places[] = {first, first + 1, first + 2};
    petsc(MatSetValues(A, 3, places, 3, places, &values.data[0][0], INSERT_VALUES));
  };
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    if (local.has_vector(n)) add(local.dof[n], block(nullptr));
    if (local.turns(n)) add(local.dof[n] + 3, block(&bodies_[n]));
  }
  petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  take_type_of_options(A);
  return A;
}

MatHandle MovingFrame::velocity_matrix() const {
  return block_matrix([this](const Body* body) { return skew(body ? body->frame_rate : W_); });
}

MatHandle MovingFrame::coriolis_matrix() const {
  return block_matrix([this](const Body* body) { return body ? skew(body->frame_rate - body->spin) : 2.0 * skew(W_); });
}

MatHandle MovingFrame::centrifugal_matrix() const {
  return block_matrix(
      [this](const Body* body) { return body ? -1.0 * (skew(body->spin) * skew(body->frame_rate)) : skew(W_) * skew(W_); });
}

void MovingFrame::accelerations(PetscVec z, PetscVec a) const {
  const LocalModel& local = system_->local();
  petsc(VecSet(a, 0.0));
  const VecRead velocity(z);
  VecWrite out(a);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    if (!local.has_vector(n)) continue;
    const int dof = local.dof[n];
    set_triple(out.data(), dof, cross(W_, triple(velocity.data(), dof)));
    if (local.turns(n)) set_triple(out.data(), dof + 3, cross(bodies_[n].frame_rate, triple(velocity.data(), dof + 3)));
  }
}

void MovingFrame::follow(const Configuration& moved, PetscVec w, PetscVec z) {
  const LocalModel& local = system_->local();
  const std::vector<double> config = system_->host_values(moved);
  const VecRead increment(w);
  VecWrite velocity(z);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    if (!local.has_vector(n)) continue;
    const int dof = local.dof[n];
    set_triple(velocity.data(), dof, triple(velocity.data(), dof) + cross(W_, triple(increment.data(), dof)));
    if (!local.turns(n)) continue;
    Body& body = bodies_[n];
    body.frame_rate = transpose_times(rotation(config, local.config_offset[n]), W_);
    set_triple(velocity.data(), dof + 3, body.frame_rate + body.spin);
  }
}

void MovingFrame::advance(double tau, Configuration& q, PetscVec z) {
  const LocalModel& local = system_->local();
  VecHandle w = system_->make_dof_vector();
  {
    const Mat3<double> turned = exponential(tau * W_), way = tau * mean_rotation(tau * W_);
    VecWrite velocity(z), increment(w);
    for (int n = 0; n < local.num_owned_nodes; ++n) {
      const int dof = local.dof[n];
      if (!local.has_vector(n)) {  // goes on as it does
        for (int i = 0; i < local.size(n).dofs; ++i) increment[dof + i] = tau * velocity[dof + i];
        continue;
      }
      const Vec3<double> v = triple(velocity.data(), dof);
      set_triple(increment.data(), dof, way * v);
      set_triple(velocity.data(), dof, turned * v);
      if (!local.turns(n)) continue;
      // exp(W~ tau) R0 exp(s~ tau) = R0 exp(W_b~ tau) exp(s~ tau); omega = exp(-s~ tau) (W_b + s)
      Body& body = bodies_[n];
      const Quaternion step = exp_quaternion(tau * body.frame_rate) * exp_quaternion(tau * body.spin);
      set_triple(increment.data(), dof + 3, log_quaternion(normalized(step)));
      body.frame_rate = transpose_times(exponential(tau * body.spin), body.frame_rate);
      set_triple(velocity.data(), dof + 3, body.frame_rate + body.spin);
    }
  }
  Configuration moved = system_->make_configuration();
  system_->retract(q, w, moved);
  Kokkos::deep_copy(q.values, moved.values);
}

void MovingFrame::turn(double tau, PetscVec dofs) const {
  const LocalModel& local = system_->local();
  const Mat3<double> turned = exponential(tau * W_);
  VecWrite x(dofs);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    if (!local.has_vector(n)) continue;
    const int dof = local.dof[n];
    set_triple(x.data(), dof, turned * triple(x.data(), dof));
    if (local.turns(n))
      set_triple(x.data(), dof + 3, transpose_times(exponential(tau * bodies_[n].spin), triple(x.data(), dof + 3)));
  }
}

}  // namespace sinew
