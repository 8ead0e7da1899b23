// Forces on shafts, whose nodes are scalars, and one between a body and a shaft.
#include "tests/catch.hpp"

#include "kernels/loads/shaft_spring.hpp"
#include "kernels/loads/shaft_torque.hpp"
#include "kernels/sweep/force_family.hpp"
#include "tests/kernels/generic/one_element.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// A spring between the point of a body that moves along the first axis and a pinion whose angle is a scalar, U = k (x1 - r
/// theta)^2/2.
struct RackSpring {
  static constexpr const char* name = "rack-spring";
  static constexpr const char* help = "spring between a rack and a pinion";
  using NodeList = MixedNodes<NodeKind::frame, NodeKind::scalar>;
  static constexpr int num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> point;
    double stiffness, radius;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"stiffness", FieldType::number, "N/m", true, "", FieldCheck::nonnegative, "stiffness of the spring"},
             {"radius", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the pinion"}}};
  }
  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    return {setup.places[0].point, setup.fields.number("stiffness"), setup.fields.number("radius")};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static S stretch(const Params& p, const NodeList::States<S>& s) {
    const Frame<S>& rack = node_at<0>(s).frame[0];
    return (rack.x + rack.R * p.point)[0] - p.radius * node_at<1>(s).x[0];
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeList::States<S>& s, NodeList::Forces<S>& f) {
    const S pull = p.stiffness * stretch(p, s);
    const Vec3<S> back{{-pull, S(0.0), S(0.0)}};
    node_at<0>(f).f[0].force += back;
    node_at<0>(f).f[0].moment += cross(p.point, transpose_times(node_at<0>(s).frame[0].R, back));
    node_at<1>(f).f[0] += p.radius * pull;
  }
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeList::States<double>& s) {
    return 0.5 * p.stiffness * stretch(p, s) * stretch(p, s);
  }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"stretch", 1, "m", "of the spring"}}}; }
  static void measure(const Params& p, const double* /*signals*/, const NodeList::States<double>& s, double* out) {
    out[0] = stretch(p, s);
  }
};

/// Two shafts.
Setup shafts(double first, double second) {
  Setup setup;
  for (const double angle : {first, second})
    setup.places.push_back(Place{{Vec3<double>{{angle, 0, 0}}, identity<double, 3>()}, {}, false, false, true});
  return setup;
}

}  // namespace

TEST_CASE("a spring between shafts writes the four entries of their angles", "[serial]") {
  const FamilyEntry& entry = *find_entry(registered_forces(), ShaftSpring::name);
  const Setup setup = shafts(0.2, 0.5);
  const OneElement spring(entry, packed(ShaftSpring::Params{200, 3, 0.1}));
  ElementState s = start_of(entry, setup);
  s.velocity(0) = 2;
  s.velocity(1) = -1;
  CHECK(spring.dofs() == 2);
  CHECK(entry.shape.is_scalar(0));
  CHECK(entry.shape.is_scalar(1));
  CHECK_FALSE(entry.shape.has_turns());
  const std::vector<double> f = spring.forces(s);
  CHECK(f[0] == Approx(200 * 0.2 - 3 * 3));
  CHECK(f[1] == Approx(-f[0]));
  CHECK(spring.tangent(s, {1, 0.5, 0}) == std::vector<double>{201.5, -201.5, -201.5, 201.5});
  CHECK(spring.strain_energy(s) == Approx(200 * 0.04 / 2));
}

TEST_CASE("a torque on a shaft has one entry, which is zero", "[serial]") {
  const FamilyEntry& entry = *find_entry(registered_forces(), ShaftTorque::name);
  Setup setup = shafts(0.2, 0.5);
  setup.places.pop_back();
  const OneElement torque(entry, packed(ShaftTorque::Params{1}));
  ElementState s = start_of(entry, setup);
  s.signals[0] = 0.7;
  CHECK(torque.forces(s) == std::vector<double>{0.7});
  CHECK(torque.tangent(s, {1, 1, 0}) == std::vector<double>{0});
}

TEST_CASE("a force between a body and a shaft has the unknowns of both", "[serial]") {
  const ForceEntry entry = make_force_entry<RackSpring>();
  CHECK_FALSE(entry.shape.is_scalar(0));
  CHECK(entry.shape.is_scalar(1));
  for (unsigned seed = 0; seed < 5; ++seed) {
    const auto item = random_item(entry, seed, true);
    REQUIRE(item);
    CHECK(item->setup.places[1].is_scalar);
    const OneElement spring(entry, item->params);
    REQUIRE(spring.dofs() == 7);
    const ElementState s = random_state(entry, item->setup, seed);
    const auto f = spring.forces(s), J = spring.tangent(s, {1, 0, 0});
    for (int j = 0; j < 7; ++j) {
      auto by_q = central_difference([&](double eps) { return spring.forces(s.along(j, eps)); });
      for (double& value : by_q) value = -value;
      CHECK(mismatch(column_of(J, 7, j), by_q) < 1e-7);
      const double slope =
          central_difference([&](double eps) { return std::vector<double>{spring.strain_energy(s.along(j, eps))}; })[0];
      CHECK(slope == Approx(-f[ElementState::index(j)]).margin(1e-7));
    }
    const std::vector<Frame<double>> frames{s.frame(0), s.frame(1)};
    const double stretch = entry.measure({item->params.data(), nullptr, frames.data(), s.z.data()})[0];
    const auto k = item->setup.fields.number("stiffness");
    CHECK(spring.strain_energy(s) == Approx(k * stretch * stretch / 2));
  }
}
