// Closed forms of the loads on one body, and of the rigid body and the point mass themselves.
#include "tests/catch.hpp"

#include "kernels/elements/point_mass.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "kernels/loads/follower_force.hpp"
#include "kernels/loads/follower_torque.hpp"
#include "kernels/loads/force.hpp"
#include "kernels/loads/torque.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

using States = NodeStates<double, NodeKind::frame, 1>;

template <class F>
Wrench<double> wrench(const Setup& setup, const States& s, const Vec3<double>& signals) {
  NodeForces<double, NodeKind::frame, 1> f;
  F::force(F::make(setup), {}, signals.data, s, f);
  return {f.f[0].force, s.frame[0].R * f.f[0].moment};
}

std::string refusal(const std::vector<double>& inertia) {
  Setup setup;
  setup.fields.set("mass", {2});
  setup.fields.set("inertia", inertia);
  try {
    RigidBody::make(setup);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a force keeps its direction in space and a follower force turns with the body", "[serial]") {
  Scene scene(1);
  scene.setup.places.pop_back();
  States s;
  s.frame[0] = turned(scene.place(0).frame, scene.u, 1.2, scene.pivot);
  const Vec3<double> F{{1, -2, 3}}, arm = s.frame[0].R * scene.place(0).point;
  const auto fixed = wrench<Force>(scene.setup, s, F), follower = wrench<FollowerForce>(scene.setup, s, F);
  CHECK(gap(fixed.force, F) < 1e-14);
  CHECK(gap(fixed.moment, cross(arm, F)) < 1e-14);
  CHECK(gap(follower.force, s.frame[0].R * F) < 1e-14);
  CHECK(gap(follower.moment, cross(arm, s.frame[0].R * F)) < 1e-14);
  const auto torque = wrench<Torque>(scene.setup, s, F);
  CHECK(norm(torque.force) == 0.0);
  CHECK(gap(torque.moment, F) < 1e-14);
  const auto turning = wrench<FollowerTorque>(scene.setup, s, F);
  CHECK(norm(turning.force) == 0.0);
  CHECK(gap(turning.moment, s.frame[0].R * F) < 1e-14);
}

TEST_CASE("torques and what follows a body refuse a point", "[serial]") {
  Setup setup;
  setup.places = {Place{{}, {}, false, false}};
  CHECK_THROWS_AS(Torque::make(setup), std::invalid_argument);
  CHECK_THROWS_AS(FollowerForce::make(setup), std::invalid_argument);
  CHECK_THROWS_AS(FollowerTorque::make(setup), std::invalid_argument);
  CHECK_NOTHROW(Force::make(setup));
}

TEST_CASE("a rigid body feels its weight and turns by Euler's equations", "[serial]") {
  RigidBody::Params p{2, {{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}}};
  States s;
  s.frame[0].x = {{1, 2, 3}};
  s.twist[0].omega = {{1, 2, 3}};
  const Environment env{0, {{0, 0, -10}}};
  NodeForces<double, NodeKind::frame, 1> f;
  RigidBody::force(p, env, nullptr, s, f);
  CHECK(gap(f.f[0].force, {{0, 0, -20}}) == 0.0);
  CHECK(gap(f.f[0].moment, {{(2 - 2.5) * 2 * 3, (2.5 - 1) * 3 * 1, (1 - 2) * 1 * 2.0}}) < 1e-14);
  CHECK(RigidBody::potential_energy(p, env, s) == Approx(60));
  Mat<double, 6> M;
  RigidBody::mass(p, M);
  CHECK(M(2, 2) == 2);
  CHECK(M(5, 5) == 2.5);
}

TEST_CASE("a rigid body refuses an inertia that no body has", "[serial]") {
  CHECK(refusal({1, 0, 0, 0, 1, 0, 0, 0, 1}).empty());
  CHECK(refusal({1, 0, 0, 0, 1, 0, 0, 0, 2}).empty());  // a flat disc
  CHECK(refusal({1, 0, 0, 0, 1, 0, 0, 0, 2.1}).find("sum of the other two") != std::string::npos);
  CHECK(refusal({1, 0, 0, 0, 1, 0, 0, 0, 0}).find("not positive") != std::string::npos);
  CHECK(refusal({1, 0.2, 0, 0.3, 1, 0, 0, 0, 1}).find("not symmetric") != std::string::npos);
  CHECK(refusal({1, 1.2, 0, 1.2, 1, 0, 0, 0, 1}).find("not positive") != std::string::npos);
  CHECK(refusal({1, 0.4, 0, 0.4, 1, 0, 0, 0, 1.2}).empty());
  CHECK(refusal({1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9}).empty());
}

TEST_CASE("a point mass feels its weight", "[serial]") {
  NodeStates<double, NodeKind::point, 1> s;
  s.x[0] = {{0, 0, 4}};
  NodeForces<double, NodeKind::point, 1> f;
  const Environment env{0, {{0, 0, -10}}};
  PointMass::force({3}, env, nullptr, s, f);
  CHECK(gap(f.f[0], {{0, 0, -30}}) == 0.0);
  CHECK(PointMass::potential_energy({3}, env, s) == Approx(120));
  Mat<double, 3> M;
  PointMass::mass({3}, M);
  CHECK(M(1, 1) == 3);
}
