// Closed forms of the nonholonomic joints: the rolling disc in steady motion, the rolling ball and the skate.
#include "tests/catch.hpp"

#include "kernels/joints/rolling_disc.hpp"
#include "kernels/joints/rolling_sphere.hpp"
#include "kernels/joints/skate.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

const Vec3<double> ez{{0, 0, 1}};

Place ground_place() {
  Place ground;
  ground.is_ground = true;
  return ground;
}

/// Generalised forces -G^T lambda - K^T psi on the second body, the force and the moment both global.
template <class J>
Wrench<double> force_on_second(const typename J::Params& p, const Frame<double> (&f)[2], const Twist<double> (&z)[2],
                               double lambda, const Vec<double, 2>& psi) {
  typename JointSweep<J>::States states;
  for (int k = 0; k < 2; ++k) {
    states.frame[k] = f[k];
    states.twist[k] = z[k];
  }
  Mat<double, 3, 12> G;
  JointSweep<J>::gradient(p, states, {}, G);
  Wrench<double> w;
  for (int c = 0; c < 3; ++c) {
    w.force[c] = -(G(0, 6 + c) * lambda + G(1, 6 + c) * psi[0] + G(2, 6 + c) * psi[1]);
    w.moment[c] = -(G(0, 9 + c) * lambda + G(1, 9 + c) * psi[0] + G(2, 9 + c) * psi[1]);
  }
  w.moment = f[1].R * w.moment;
  return w;
}

}  // namespace

TEST_CASE("a disc rolls steadily in a circle with lambda = -m g and friction towards the axis", "[serial]") {
  // Lean b, contact circle of radius Rc, turning about the vertical with W:
  //   m g r sin b = W^2 cos b [m r (Rc - r sin b) + C (Rc / r - sin b) + A sin b],
  // and the disc spins with -W Rc / r about its axis in the frame that turns with it.
  const double m = 2, r = 0.5, g = 9.81, A = 0.125, C = 0.25, b = 20 * M_PI / 180, Rc = 2;
  const double W = std::sqrt(m * g * r * std::sin(b) /
                             (std::cos(b) * (m * r * (Rc - r * std::sin(b)) + C * (Rc / r - std::sin(b)) + A * std::sin(b))));
  const double centre_radius = Rc - r * std::sin(b);

  Setup setup;
  setup.places = {ground_place(), Place{}};
  setup.places[1].frame.x = {{centre_radius, 0, r * std::cos(b)}};
  setup.places[1].frame.R = Mat3<double>{{{0, -std::sin(b), std::cos(b)}, {1, 0, 0}, {0, std::cos(b), std::sin(b)}}};
  setup.fields.set("radius", {r});
  setup.fields.set("normal", {0, 0, 1});
  setup.fields.set("axis_local", {0, 0, 1});
  const auto p = RollingDisc::make(setup);

  for (const double angle : {0.0, 1.0, 2.5}) {  // about the vertical
    const Frame<double> f[2] = {{}, turned(setup.places[1].frame, ez, angle, {})};
    const Vec3<double> axis = column(f[1].R, 2);
    const Vec3<double> omega = W * ez - (W * Rc / r) * axis;
    const Twist<double> z[2] = {{}, {cross(W * ez, f[1].x), transpose_times(f[1].R, omega)}};
    CHECK(std::abs(rows_of<RollingDisc>(p, f).g[0]) < 1e-13);
    double k[2];
    RollingDisc::velocity(p, f, z, static_cast<const double*>(nullptr), k);
    CHECK(largest(k) < 1e-13);

    const Vec3<double> acceleration = cross(W * ez, cross(W * ez, f[1].x));
    Vec<double, 2> psi{{-m * acceleration[0], -m * acceleration[1]}};
    const auto w = force_on_second<RollingDisc>(p, f, z, -m * g, psi);
    CHECK(gap(w.force - m * g * ez, m * acceleration) < 1e-12);
    // Angular momentum turns with the disc about the vertical.
    const Vec3<double> omega_body = z[1].omega, momentum_body{{A * omega_body[0], A * omega_body[1], C * omega_body[2]}};
    CHECK(gap(w.moment, cross(W * ez, f[1].R * momentum_body)) < 1e-11);
  }
}

TEST_CASE("the rows of a rolling disc do not notice a common motion of plane and disc", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Scene scene(seed);
    scene.number("radius", 0.3).direction("normal", scene.e).direction("axis_local", random_direction(scene.sample));
    const auto p = RollingDisc::make(scene.setup);
    Pair still(scene), carried(scene);
    Twist<double> z[2] = {random_twist(scene.sample), random_twist(scene.sample)}, moved_z[2];
    Carry carry(scene.sample);
    carry(carried);
    const Twist<double> common = random_twist(scene.sample);  // v of the origin and omega, global
    for (int k = 0; k < 2; ++k) {
      moved_z[k].v = carry.direction(z[k].v) + common.v + cross(common.omega, carried.f[k].x);
      moved_z[k].omega = z[k].omega + transpose_times(carried.f[k].R, common.omega);
    }
    double before[2], after[2];
    RollingDisc::velocity(p, still.f, z, static_cast<const double*>(nullptr), before);
    RollingDisc::velocity(p, carried.f, moved_z, static_cast<const double*>(nullptr), after);
    CHECK(std::abs(rows_of<RollingDisc>(p, still.f).g[0] - rows_of<RollingDisc>(p, carried.f).g[0]) < 1e-13);
    CHECK(std::abs(before[0] - after[0]) < 1e-12);
    CHECK(std::abs(before[1] - after[1]) < 1e-12);
  }
}

TEST_CASE("a ball rolls with v = omega x r n and presses on the plane with -lambda", "[serial]") {
  Scene scene(2);
  const double r = 0.3;
  scene.setup.places[1] = random_place_at(scene.sample, scene.pivot + r * scene.e + 2.0 * scene.u);
  scene.setup.places[1].frame.x = scene.setup.places[1].position();
  scene.setup.places[1].point = {};
  const auto p = RollingSphere::make(scene.number("radius", r).direction("normal", scene.e).setup);
  const Frame<double> f[2] = {scene.place(0).frame, scene.place(1).frame};
  CHECK(std::abs(rows_of<RollingSphere>(p, f).g[0]) < 1e-13);
  const Vec3<double> omega = scene.sample.vector(2);
  const Twist<double> z[2] = {{}, {cross(omega, r * scene.e), transpose_times(f[1].R, omega)}};
  double k[2];
  RollingSphere::velocity(p, f, z, static_cast<const double*>(nullptr), k);
  CHECK(largest(k) < 1e-13);
  const auto w = force_on_second<RollingSphere>(p, f, z, -5, Vec<double, 2>{{2, 3}});
  const Vec3<double> contact_force = 5.0 * scene.e - 2.0 * scene.u - 3.0 * scene.v;
  CHECK(gap(w.force, contact_force) < 1e-13);
  CHECK(gap(w.moment, cross(-r * scene.e, contact_force)) < 1e-13);
}

TEST_CASE("a skate reads its sideways velocity -x' sin + y' cos and pushes sideways", "[serial]") {
  Setup setup;
  setup.places = {ground_place(), Place{}};
  setup.fields.set("direction_local", {1, 0, 0});
  setup.fields.set("normal", {0, 0, 1});
  const auto p = Skate::make(setup);
  const double angle = 0.8;
  typename JointSweep<Skate>::States s;
  s.frame[1] = turned({{{3, -2, 0}}, identity<double, 3>()}, ez, angle, {{1, 1, 0}});
  s.twist[1] = {{{1.5, -0.7, 0}}, {{0, 0, 2}}};
  double k[1];
  Skate::velocity(p, s.frame, s.twist, static_cast<const double*>(nullptr), k);
  CHECK(k[0] == Approx(-1.5 * std::sin(angle) - 0.7 * std::cos(angle)));
  Mat<double, 1, 12> K;
  JointSweep<Skate>::gradient(p, s, {}, K);
  CHECK(K(0, 6) == Approx(-std::sin(angle)));
  CHECK(K(0, 7) == Approx(std::cos(angle)));
  CHECK(std::abs(K(0, 11)) < 1e-15);
}
