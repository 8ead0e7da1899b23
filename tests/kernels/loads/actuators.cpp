// Actuators: the work they do is their amount times the growth of what they drive.
#include "tests/catch.hpp"

#include "kernels/loads/actuator_direction.hpp"
#include "kernels/loads/actuator_follower.hpp"
#include "kernels/loads/actuator_line.hpp"
#include "kernels/loads/actuator_torque.hpp"
#include "tests/kernels/joints/random_frames.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr double amount = 2.5;

/// Power of an actuator's forces at the velocities of its nodes, per unit of its amount.
template <class A, int N>
double unit_power(const typename A::Params& p, const NodeStates<double, NodeKind::frame, N>& s) {
  NodeForces<double, NodeKind::frame, N> f;
  A::force(p, Environment{}, &amount, s, f);
  double sum = 0;
  for (int k = 0; k < N; ++k) sum += dot(f.f[k].force, s.twist[k].v) + dot(f.f[k].moment, s.twist[k].omega);
  return sum / amount;
}

/// The frames a short time later.
template <int N>
NodeStates<double, NodeKind::frame, N> later(NodeStates<double, NodeKind::frame, N> s, double dt) {
  for (int k = 0; k < N; ++k) {
    s.frame[k].R = s.frame[k].R * rotation_matrix(exp_quaternion(dt * s.twist[k].omega));
    s.frame[k].x += dt * s.twist[k].v;
  }
  return s;
}

template <class Measure>
double growth(const NodeStates<double, NodeKind::frame, 2>& s, const Measure& measure) {
  constexpr double dt = 1e-5;
  return (measure(later(s, dt)) - measure(later(s, -dt))) / (2 * dt);
}

}  // namespace

TEST_CASE("A positive actuator along a line pushes its places apart", "[serial]") {
  Sampler sample(1);
  const ActuatorLine::Params p{sample.vector(1), sample.vector(1)};
  const auto s = random_states<2>(sample);
  const auto distance = [&p](const auto& at) { return norm(place_of(at.frame[1], p.point2) - place_of(at.frame[0], p.point1)); };
  CHECK(unit_power<ActuatorLine>(p, s) == Approx(growth(s, distance)).epsilon(1e-7));
}

TEST_CASE("An actuator along a direction drives the displacement of a prismatic joint", "[serial]") {
  Sampler sample(2);
  const ActuatorDirection::Params p{sample.vector(1), Vec3<double>{{0.6, 0, 0.8}}, sample.vector(1)};
  const auto s = random_states<2>(sample);
  const auto displacement = [&p](const auto& at) {
    return dot(place_of(at.frame[1], p.point) - at.frame[0].x, at.frame[0].R * p.direction);
  };
  CHECK(unit_power<ActuatorDirection>(p, s) == Approx(growth(s, displacement)).epsilon(1e-7));
}

TEST_CASE("An actuator with a torque drives the turn of the second body against the first", "[serial]") {
  Sampler sample(3);
  const ActuatorTorque::Params p{Vec3<double>{{0, 0.6, 0.8}}};
  const auto s = random_states<2>(sample);
  const Vec3<double> axis = s.frame[0].R * p.axis;
  const double rate = dot(axis, s.frame[1].R * s.twist[1].omega - s.frame[0].R * s.twist[0].omega);
  CHECK(unit_power<ActuatorTorque>(p, s) == Approx(rate).epsilon(1e-13));
}

TEST_CASE("An actuator that turns with its body pushes its place along the body's direction", "[serial]") {
  Sampler sample(4);
  const ActuatorFollower::Params p{sample.vector(1), Vec3<double>{{0.8, 0, 0.6}}};
  const auto s = random_states<1>(sample);
  const double speed = dot(s.frame[0].R * p.direction, place_velocity(s.frame[0], s.twist[0], p.point));
  CHECK(unit_power<ActuatorFollower>(p, s) == Approx(speed).epsilon(1e-13));
}
