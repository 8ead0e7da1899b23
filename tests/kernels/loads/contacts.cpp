// Balls against planes, cylinders, tubes and other balls: gaps, push, friction, and where they act.
#include "kernels/loads/contact_cylinder.hpp"
#include "kernels/loads/contact_plane.hpp"
#include "kernels/loads/contact_sphere.hpp"
#include "kernels/loads/contact_tube.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/joints/scene.hpp"

#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr double stiffness = 1000, damping = 0.5, exponent = 1.5, coefficient = 0.3, transition = 0.01, radius = 0.2;

using States = NodeStates<double, NodeKind::frame, 2>;

/// Keys of every contact, with friction.
FieldValues keys() {
  FieldValues fields;
  for (const auto& [key, value] : {std::pair<const char*, double>{"stiffness", stiffness},
                                   {"damping", damping},
                                   {"exponent", exponent},
                                   {"coefficient", coefficient},
                                   {"transition_speed", transition},
                                   {"radius", radius}})
    fields.set(key, {value});
  return fields;
}

/// Two bodies whose second place lies at `way` from the first, in random motion.
struct Touching : Scene {
  States s;

  Touching(unsigned seed, const Vec3<double>& way) : Scene(seed) {
    setup.fields = keys();
    for (int k = 0; k < 2; ++k) {
      s.frame[k] = place(k).frame;
      s.twist[k] = random_twist(sample);
    }
    s.frame[1] = shifted(s.frame[1], way);
  }
};

/// The parts of what a contact of kind F does, and whether they follow from the gap, n and the motion there.
template <class F>
void check_contact(const Touching& it, const Vec3<double>& n, double gap_expected) {
  const auto p = F::make(it.setup);
  std::array<double, 7> out{};
  F::measure(p, nullptr, it.s, out.data());
  CHECK(out[4] == Approx(gap_expected).margin(1e-14));
  const Vec3<double> middle = it.pivot + (it.s.frame[1].x - it.place(1).frame.x),
                     place = middle - (radius + gap_expected / 2) * n;
  const Vec3<double> v = velocity_at(it.s.frame[1], it.s.twist[1], place) - velocity_at(it.s.frame[0], it.s.twist[0], place);
  const double rate = dot(n, v), push = std::max(0.0, stiffness * std::pow(-gap_expected, exponent) * (1 - damping * rate));
  const Vec3<double> slip = v - rate * n;
  const Vec3<double> force = push * n - (coefficient * push * std::tanh(norm(slip) / transition) / norm(slip)) * slip;
  CHECK(out[3] == Approx(push));
  CHECK(out[5] == Approx(rate));
  CHECK(out[6] == Approx(norm(slip)));
  CHECK(gap(Vec3<double>{{out[0], out[1], out[2]}}, force) < 1e-12 * (1 + norm(force)));

  NodeForces<double, NodeKind::frame, 2> f;
  F::force(p, {}, nullptr, it.s, f);
  for (int k = 0; k < 2; ++k) {
    const Frame<double>& node = it.s.frame[k];
    CHECK(gap(f.f[k].force, (k == 0 ? -1.0 : 1.0) * force) < 1e-12 * (1 + norm(force)));
    CHECK(norm(node.R * f.f[k].moment - cross(place - node.x, f.f[k].force)) < 1e-12 * (1 + norm(force)));
  }
  CHECK(F::strain_energy(p, it.s) == Approx(stiffness * std::pow(-gap_expected, exponent + 1) / (exponent + 1)));
  std::array<double, 2> kinks{};
  F::kinks(p, it.s, kinks.data());
  CHECK(kinks[0] == Approx(gap_expected));
  CHECK(kinks[1] == Approx(1 - damping * rate));
  CHECK(F::check(p, it.s) == Verdict::ok);
}

template <class F>
void check_apart(const Touching& it, double gap_expected) {
  const auto p = F::make(it.setup);
  NodeForces<double, NodeKind::frame, 2> f;
  F::force(p, {}, nullptr, it.s, f);
  CHECK(norm(f.f[0].force) + norm(f.f[0].moment) + norm(f.f[1].force) + norm(f.f[1].moment) == 0);
  CHECK(F::strain_energy(p, it.s) == 0);
  std::array<double, 2> kinks{};
  F::kinks(p, it.s, kinks.data());
  CHECK(kinks[0] == Approx(gap_expected));
  CHECK(kinks[1] == 1);
}

}  // namespace

TEST_CASE("a ball that is pressed in is pushed along the normal and rubs in proportion, in the middle of the overlap",
          "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Scene axes(seed);
    const Vec3<double> e = axes.e, across = std::cos(0.7) * axes.u + std::sin(0.7) * axes.v;
    const auto with = [&](const Vec3<double>& way, const char* direction, const char* size) {
      Touching it(seed, way);
      if (*direction != 0) it.direction(direction, e);
      if (*size != 0) it.number(size, 1.0);
      return it;
    };
    check_contact<ContactPlane>(with(0.17 * e + 3 * across, "normal", ""), e, -0.03);
    check_apart<ContactPlane>(with(0.21 * e + 3 * across, "normal", ""), 0.01);
    check_contact<ContactCylinder>(with(5 * e + 1.1 * across, "axis", "first_radius"), across, -0.1);
    check_apart<ContactCylinder>(with(5 * e - 1.3 * across, "axis", "first_radius"), 0.1);
    check_contact<ContactTube>(with(5 * e + 0.9 * across, "axis", "bore"), -across, -0.1);
    check_apart<ContactTube>(with(5 * e + 0.7 * across, "axis", "bore"), 0.1);
    check_apart<ContactTube>(with(5 * e, "axis", "bore"), 0.8);
    const Vec3<double> slant = 0.6 * e - 0.8 * across;
    check_contact<ContactSphere>(with(1.15 * slant, "", "first_radius"), slant, -0.05);
    check_apart<ContactSphere>(with(1.25 * slant, "", "first_radius"), 0.05);
  }
}

TEST_CASE("what cannot turn is pushed and rubbed at its own place", "[serial]") {
  for (const bool is_second : {true, false}) {
    Touching it(3, {{0.9, 0, 0}});
    it.number("first_radius", 1.0);
    const int k = is_second ? 1 : 0;
    Place& point = it.setup.places[static_cast<std::size_t>(k)];
    point = Place{{point.position()}, {}, false, false};
    it.s.frame[k] = shifted(point.frame, is_second ? Vec3<double>{{0.9, 0, 0}} : Vec3<double>{});
    it.s.twist[k].omega = {};
    const auto p = ContactSphere::make(it.setup);
    NodeForces<double, NodeKind::frame, 2> f;
    ContactSphere::force(p, {}, nullptr, it.s, f);
    CHECK(norm(f.f[k].force) > 1);
    CHECK(norm(f.f[k].moment) < 1e-13 * norm(f.f[k].force));
    CHECK(norm(f.f[0].force + f.f[1].force) == 0);
    const int other = 1 - k;
    const Frame<double>& body = it.s.frame[other];
    CHECK(norm(body.R * f.f[other].moment - cross(it.s.frame[k].x - body.x, f.f[other].force)) < 1e-12);
  }
}

TEST_CASE("a contact says when a ball has come to the middle of what is round", "[serial]") {
  Touching it(1, {});
  it.number("first_radius", 1.0);
  CHECK(ContactSphere::check(ContactSphere::make(it.setup), it.s) == Verdict::degenerate);
  Touching tube(1, {});
  tube.number("bore", 1.0).direction("axis", tube.e);
  CHECK(ContactTube::check(ContactTube::make(tube.setup), tube.s) == Verdict::ok);
}

TEST_CASE("keys of a contact that do not fit together are refused", "[serial]") {
  Touching it(0, {{1, 0, 0}});
  it.number("first_radius", 1.0);
  const auto refusal = [](Setup setup, const char* key, double value, bool has_coefficient) {
    if (!has_coefficient) {
      const FieldValues all = setup.fields;
      setup.fields = {};
      for (const char* kept : {"stiffness", "first_radius"}) setup.fields.set(kept, all.at(kept));
    }
    setup.fields.set(key, {value});
    return setup;
  };
  CHECK_THROWS_WITH(ContactSphere::make(refusal(it.setup, "exponent", 0.5, true)), Catch::Contains("`exponent` of a contact"));
  CHECK_THROWS_WITH(ContactSphere::make(refusal(it.setup, "transition_speed", 1, false)), Catch::Contains("has a `coefficient`"));
  CHECK_THROWS_WITH(ContactSphere::make(refusal(it.setup, "coefficient", 1, false)),
                    Catch::Contains("takes a `transition_speed`"));
  Setup setup = it.setup;
  setup.places[1].is_ground = true;
  CHECK_THROWS_WITH(ContactSphere::make(setup), Catch::Contains("name the ground first"));
  setup = it.setup;
  for (Place& place : setup.places) place.can_turn = false;
  CHECK_THROWS_WITH(ContactSphere::make(setup), Catch::Contains("do not rub"));
  it.number("bore", 0.1).direction("axis", it.e);
  CHECK_THROWS_WITH(ContactTube::make(it.setup), Catch::Contains("does not go into the bore"));
}
