// Friction in joints: its law, and what of the joints' reactions presses surfaces together, against closed forms.
#include "kernels/loads/friction_cylindrical.hpp"
#include "kernels/loads/friction_planar.hpp"
#include "kernels/loads/friction_prismatic.hpp"
#include "kernels/loads/friction_revolute.hpp"
#include "kernels/loads/friction_screw.hpp"
#include "kernels/loads/friction_spherical.hpp"
#include "kernels/loads/friction_universal.hpp"
#include "kernels/sweep/registry.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/joints/scene.hpp"

#include <numbers>

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr double mu = 0.3, radius = 0.05, length = 0.4;

FieldValues law_of(double coefficient, double transition) {
  FieldValues fields;
  fields.set("coefficient", {coefficient});
  fields.set("transition_speed", {transition});
  return fields;
}

double force_at(const FrictionLaw& law, double normal, double v) { return resistance(law, normal, size_from_square(v * v)) * v; }

/// Friction in a joint whose bodies lie where it holds them, slipping far faster than the transition speed.
template <class F>
struct Rubbing {
  Scene scene;
  typename F::Params p;
  NodeStates<double, NodeKind::frame, 2> s;

  explicit Rubbing(unsigned seed) : scene(seed) {
    scene.direction("axis", scene.e).number("radius", radius).number("length", length);
    scene.number("coefficient", mu).number("transition_speed", 1e-6);
  }
  /// To be called when all keys are there: twists are random.
  void make() {
    p = F::make(scene.setup);
    for (int k = 0; k < 2; ++k) {
      s.frame[k] = scene.place(k).frame;
      s.twist[k] = random_twist(scene.sample);
    }
  }
  Vec3<double> spin() const { return s.frame[1].R * s.twist[1].omega - s.frame[0].R * s.twist[0].omega; }
  Vec3<double> slip() const {
    return place_velocity(s.frame[1], s.twist[1], p.point2) - velocity_at(s.frame[0], s.twist[0], place_of(s.frame[1], p.point2));
  }
  NodeForces<double, NodeKind::frame, 2> forces(const double* lambda) const {
    NodeForces<double, NodeKind::frame, 2> f;
    F::force(p, Environment{}, nullptr, s, lambda, f);
    return f;
  }
  double power(const double* lambda) const {
    const auto f = forces(lambda);
    double sum = 0;
    for (int k = 0; k < 2; ++k) sum += dot(f.f[k].force, s.twist[k].v) + dot(f.f[k].moment, s.twist[k].omega);
    return sum;
  }
};

double size(double a, double b) { return std::hypot(a, b); }

constexpr double lambda[5] = {3, -4, 12, -0.5, 1.2};

}  // namespace

TEST_CASE("friction creeps under a load that it holds, and slips with Coulomb's force above it", "[serial]") {
  const double v_t = 1e-3, N = 20;
  const FrictionLaw law = make_friction_law(law_of(0.3, v_t));
  const double load = 4;  // of the 6 N that hold
  CHECK(force_at(law, N, v_t * std::atanh(load / (0.3 * N))) == Approx(load).epsilon(1e-13));
  CHECK(force_at(law, N, 20 * v_t) == Approx(0.3 * N).epsilon(1e-15));
  CHECK(force_at(law, N, -20 * v_t) == Approx(-0.3 * N).epsilon(1e-15));
  CHECK(force_at(law, N, 0) == 0);
  CHECK(force_at(law, 0, 1) == 0);
  // at rest the surfaces are held by the damper mu N / v_t
  CHECK(resistance(law, N, size_from_square(0.0)) == Approx(0.3 * N / v_t).epsilon(1e-15));
}

TEST_CASE("the friction coefficient falls from static to kinetic over Stribeck's speed, and viscosity adds to it", "[serial]") {
  FieldValues fields = law_of(0.2, 1e-4);
  fields.set("static_coefficient", {0.5});
  fields.set("stribeck_speed", {0.1});
  fields.set("damping", {3});
  const FrictionLaw law = make_friction_law(fields);
  for (const double v : {0.01, 0.1, 0.3})
    CHECK(force_at(law, 10, v) == Approx(10 * (0.2 + 0.3 * std::exp(-v * v / 0.01)) + 3 * v).epsilon(1e-14));
  fields.set("static_coefficient", {0.1});
  CHECK_THROWS_WITH(make_friction_law(fields), Catch::Contains("is below `coefficient`"));
  FieldValues half = law_of(0.2, 1e-4);
  half.set("static_coefficient", {0.5});
  CHECK_THROWS_WITH(make_friction_law(half), Catch::Contains("go together"));
}

TEST_CASE("a guide rubs with its force, and with its moments over its length and width", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Rubbing<FrictionPrismatic> guide(seed);
    guide.scene.number("width", 0.1);
    guide.make();
    const double N = 5 + 2 / length * size(12, 0.5) + 2 / 0.1 * 1.2;
    const double v = dot(guide.scene.e, guide.slip());
    const auto f = guide.forces(lambda);
    CHECK(gap(f.f[1].force, (v > 0 ? -mu * N : mu * N) * guide.scene.e) < 1e-11);
    CHECK(guide.power(lambda) == Approx(-mu * N * std::abs(v)).epsilon(1e-12));
  }
}

TEST_CASE("a hinge rubs at its pin and, where it has one, at its collar", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Rubbing<FrictionRevolute> hinge(seed), with_collar(seed);
    with_collar.scene.number("collar_radius", 0.08);
    hinge.make();
    with_collar.make();
    const Vec3<double> F{{lambda[0], lambda[1], lambda[2]}}, e = hinge.scene.e;
    const double along = dot(F, e), pin = norm(F - along * e) + 2 / length * size(lambda[3], lambda[4]);
    const double w = dot(e, hinge.spin());
    CHECK(hinge.power(lambda) == Approx(-mu * radius * pin * std::abs(w)).epsilon(1e-12));
    CHECK(with_collar.power(lambda) == Approx(-mu * (radius * pin + 0.08 * std::abs(along)) * std::abs(w)).epsilon(1e-12));
    const auto f = hinge.forces(lambda);
    CHECK(gap(hinge.s.frame[1].R * f.f[1].moment, (w > 0 ? -mu : mu) * radius * pin * e) < 1e-12);
    CHECK(norm(f.f[0].force) + norm(f.f[1].force) == 0);
  }
}

TEST_CASE("a sleeve that slides and turns rubs against the slip of its surface", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Rubbing<FrictionCylindrical> sleeve(seed);
    sleeve.make();
    const double N = 5 + 2 / length * size(12, 0.5);
    const double v = dot(sleeve.scene.e, sleeve.slip()), u = radius * dot(sleeve.scene.e, sleeve.spin());
    const auto f = sleeve.forces(lambda);
    CHECK(gap(f.f[1].force, (-mu * N * v / size(u, v)) * sleeve.scene.e) < 1e-11);
    CHECK(sleeve.power(lambda) == Approx(-mu * N * size(u, v)).epsilon(1e-12));
  }
}

TEST_CASE("a thread rubs against the slip of its surface, under the force that its moment goes with", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Rubbing<FrictionScrew> screw(seed);
    screw.scene.number("pitch", -0.1).number("flank_angle", 0.25);
    screw.make();
    const double per_turn = 2 * std::numbers::pi / 0.1, helix = 1 / (per_turn * radius), flank = std::tan(0.25);
    const double N = 5 + 2 / length * size(12, 0.5) + per_turn * 1.2 * std::sqrt(1 + helix * helix + flank * flank);
    const Vec3<double> slip = place_velocity(screw.s.frame[1], screw.s.twist[1], screw.p.bar.point2) -
                              velocity_at(screw.s.frame[0], screw.s.twist[0], place_of(screw.s.frame[1], screw.p.bar.point2));
    const double v = dot(screw.scene.e, slip), u = radius * dot(screw.scene.e, screw.spin());
    CHECK(screw.power(lambda) == Approx(-mu * N * size(u, v)).epsilon(1e-12));
  }
  Rubbing<FrictionScrew> flat(1);
  flat.scene.number("pitch", 0.1).number("flank_angle", 1.6);
  CHECK_THROWS_WITH(flat.make(), Catch::Contains("less than a right angle"));
}

TEST_CASE("a face that slides and turns rubs against both", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Rubbing<FrictionPlanar> face(seed);
    face.scene.direction("normal", face.scene.e);
    face.make();
    const double N = 3 + 2 / length * size(-4, 12), u = radius * dot(face.scene.e, face.spin());
    const Vec3<double> v = face.slip() - dot(face.slip(), face.scene.e) * face.scene.e;
    const auto f = face.forces(lambda);
    CHECK(gap(f.f[1].force, (-mu * N / size(u, norm(v))) * v) < 1e-11);
    CHECK(face.power(lambda) == Approx(-mu * N * size(u, norm(v))).epsilon(1e-12));
  }
}

TEST_CASE("a ball rubs against its spin with the whole force at its radius", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Rubbing<FrictionSpherical> ball(seed);
    ball.make();
    const Vec3<double> w = ball.spin();
    const auto f = ball.forces(lambda);
    CHECK(gap(ball.s.frame[1].R * f.f[1].moment, (-mu * radius * 13 / norm(w)) * w) < 1e-12);
    CHECK(ball.power(lambda) == Approx(-mu * radius * 13 * norm(w)).epsilon(1e-12));
  }
}

TEST_CASE("a cross rubs at both of its pins", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Rubbing<FrictionUniversal> cross(seed);
    cross.scene.direction("axis2", cross.scene.u);
    cross.make();
    const double N = 13 + 2 / length * 0.5;
    const double first = std::abs(dot(cross.scene.e, cross.spin())), second = std::abs(dot(cross.scene.u, cross.spin()));
    CHECK(cross.power(lambda) == Approx(-mu * radius * N * (first + second)).epsilon(1e-12));
  }
}

TEST_CASE("what friction measures of itself is its power", "[serial]") {
  Rubbing<FrictionPrismatic> guide(7);
  guide.make();
  const auto measure = [](const char* name, const auto& rubbing) {
    return find_entry(registered_forces(), name)
        ->measure({packed(rubbing.p).data(), nullptr, rubbing.s.frame, rubbing.s.twist, lambda});
  };
  const auto m = measure(FrictionPrismatic::name, guide);
  CHECK(guide.power(lambda) == Approx(-m[0] * m[2]).epsilon(1e-12));
  CHECK(std::abs(m[0]) == Approx(mu * m[1]).epsilon(1e-12));
  Rubbing<FrictionRevolute> hinge(7);
  hinge.make();
  const auto of_hinge = measure(FrictionRevolute::name, hinge);
  CHECK(hinge.power(lambda) == Approx(-of_hinge[0] * of_hinge[3] / radius).epsilon(1e-12));
  Rubbing<FrictionSpherical> ball(7);
  ball.make();
  const auto of_ball = measure(FrictionSpherical::name, ball);
  CHECK(ball.power(lambda) == Approx(-mu * of_ball[3] * of_ball[4]).epsilon(1e-12));
}
