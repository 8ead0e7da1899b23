// What forces measure of themselves agrees with the forces that they exert.
#include "kernels/loads/actuator_direction.hpp"
#include "kernels/loads/actuator_follower.hpp"
#include "kernels/loads/actuator_line.hpp"
#include "kernels/loads/actuator_torque.hpp"
#include "kernels/loads/bushing.hpp"
#include "kernels/loads/spring_damper.hpp"
#include "kernels/loads/spring_damper_law.hpp"
#include "kernels/loads/spring_damper_table.hpp"
#include "kernels/loads/torsional_spring.hpp"
#include "kernels/loads/torsional_spring_law.hpp"
#include "kernels/loads/torsional_spring_table.hpp"
#include "kernels/sweep/registry.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// A force in a random state, with damping and two bodies that move; the places do not coincide.
template <class F>
struct Specimen {
  static constexpr int N = F::num_nodes;
  typename F::Params p;
  NodeStates<double, NodeKind::frame, N> s;
  double signal = 7;

  explicit Specimen(unsigned seed) {
    Scene scene(seed);
    scene.direction("axis", scene.e).direction("direction", scene.e).direction("direction_local", scene.e);
    scene.number("damping", 3).number("length", 0.2).number("angle", 0.1).number("stiffness", 50);
    scene.setup.fields.set("table", {-2, -30, 0, -4, 1, 5, 3, 40});
    scene.setup.places[1].point = scene.setup.places[1].point + scene.sample.vector(0.4);
    if constexpr (std::is_same_v<F, Bushing>) {
      std::vector<double> K(36, 0.0);
      for (std::size_t i = 0; i < 6; ++i) K[7 * i] = 10 + static_cast<double>(i);
      scene.setup.fields.set("stiffness", K);
      scene.setup.fields.set("damping", K);
    }
    scene.setup.places.resize(static_cast<std::size_t>(N));
    p = F::make(scene.setup);
    for (int k = 0; k < N; ++k) {
      s.frame[k] = moved(scene.place(k).frame, scene.sample.vector(0.2), scene.sample.vector(0.3));
      s.twist[k] = random_twist(scene.sample);
    }
  }
  std::vector<double> measured() const {
    const FamilyEntry* entry = find_entry(registered_forces(), F::name);
    REQUIRE(entry);
    return entry->measure({packed(p).data(), &signal, s.frame, s.twist});
  }
  /// Power of the force.
  double power() const {
    NodeForces<double, NodeKind::frame, N> f;
    F::force(p, Environment{}, &signal, s, f);
    double sum = 0;
    for (int k = 0; k < N; ++k) sum += dot(f.f[k].force, s.twist[k].v) + dot(f.f[k].moment, s.twist[k].omega);
    return sum;
  }
};

/// Force or moment first, rate last: the power is their product, with the sign of what a positive one does.
template <class F>
void check_power(double sign) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Specimen<F> specimen(seed);
    const std::vector<double> m = specimen.measured();
    INFO(F::name);
    CHECK(std::abs(m.front() * m.back()) > 1e-6);
    CHECK(specimen.power() == Approx(sign * m.front() * m.back()));
  }
}

}  // namespace

TEST_CASE("force times rate is the power of springs and actuators", "[serial]") {
  check_power<SpringDamper>(-1);
  check_power<TorsionalSpring>(-1);
  check_power<SpringDamperTable>(-1);
  check_power<SpringDamperLaw>(-1);
  check_power<TorsionalSpringTable>(-1);
  check_power<TorsionalSpringLaw>(-1);
  check_power<ActuatorLine>(1);
  check_power<ActuatorDirection>(1);
  check_power<ActuatorTorque>(1);
  check_power<ActuatorFollower>(1);
}

TEST_CASE("the rate of a spring or an actuator is the rate of its length", "[serial]") {
  const auto check = [](auto specimen) {
    constexpr double h = 1e-6;
    const std::vector<double> here = specimen.measured();
    auto ahead = specimen, behind = specimen;
    for (int k = 0; k < specimen.N; ++k) {
      ahead.s.frame[k] = moved(specimen.s.frame[k], h * specimen.s.twist[k].v, h * specimen.s.twist[k].omega);
      behind.s.frame[k] = moved(specimen.s.frame[k], -h * specimen.s.twist[k].v, -h * specimen.s.twist[k].omega);
    }
    CHECK(here[2] == Approx((ahead.measured()[1] - behind.measured()[1]) / (2 * h)).epsilon(1e-7));
  };
  for (unsigned seed = 0; seed < 5; ++seed) {
    check(Specimen<SpringDamper>(seed));
    check(Specimen<TorsionalSpring>(seed));
    check(Specimen<ActuatorLine>(seed));
    check(Specimen<ActuatorDirection>(seed));
  }
}

TEST_CASE("a bushing measures the force and moment that it exerts on its first place", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Specimen<Bushing> specimen(seed);
    const std::vector<double> m = specimen.measured();
    NodeForces<double, NodeKind::frame, 2> f;
    Bushing::force(specimen.p, Environment{}, nullptr, specimen.s, f);
    const Frame<double>& frame = specimen.s.frame[0];
    const Vec3<double> about = place_of(frame, specimen.p.point1);
    const Vec3<double> moment = frame.R * f.f[0].moment + cross(frame.x - about, f.f[0].force);
    CHECK(gap({{m[0], m[1], m[2]}}, f.f[0].force) < 1e-12);
    CHECK(gap({{m[3], m[4], m[5]}}, moment) < 1e-12);
    double power = 0;  // of springs and dampers: - (K e + D e') . e'
    for (std::size_t i = 0; i < 6; ++i) power -= (10 + static_cast<double>(i)) * (m[6 + i] + m[12 + i]) * m[12 + i];
    CHECK(specimen.power() == Approx(power));
  }
}

TEST_CASE("every force says what it measures, in as many numbers as it announces", "[serial]") {
  for (const FamilyEntry& entry : registered_forces()) {
    INFO(entry.name);
    REQUIRE_FALSE(entry.measures.empty());
    const std::vector<double> params(static_cast<std::size_t>(entry.params_per_element), 0.5);
    const std::vector<double> signals(3, 1.0);
    const Frame<double> frames[2] = {{}, {Vec3<double>{{1, 0, 0}}, identity<double, 3>()}};
    const Twist<double> twists[2] = {};
    const std::vector<double> multipliers(static_cast<std::size_t>(entry.shape.num_multipliers), 2.0);
    const std::vector<double> measured = entry.measure({params.data(), signals.data(), frames, twists, multipliers.data()});
    CHECK(static_cast<int>(measured.size()) == count_measured(entry.measures));
    for (const MeasureSpec& spec : entry.measures) CHECK((spec.components == 1 || spec.components == 3));
  }
}
