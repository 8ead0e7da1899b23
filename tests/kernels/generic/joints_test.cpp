// What every registered joint must satisfy, whatever it is. A new joint is covered by being registered.
#include "tests/catch.hpp"

#include "tests/kernels/generic/one_element.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr unsigned num_seeds = 3;

struct Specimen {
  RandomItem item;
  OneElement element;
  ElementState state;
};

Specimen specimen(const JointEntry& entry, unsigned seed, bool prefer_optional) {
  auto item = random_item(entry, seed, prefer_optional);
  if (!item) throw std::runtime_error("`make` refuses every random setup of joint " + entry.name);
  OneElement element(entry, item->params);
  ElementState state = random_state(entry, item->setup, seed);
  return {std::move(*item), std::move(element), std::move(state)};
}

/// Runs the check for every joint and several random specimens.
template <class Check>
void for_every_joint(const Check& check) {
  REQUIRE(!registered_joints().empty());
  for (const JointEntry& entry : registered_joints())
    for (unsigned seed = 0; seed < num_seeds; ++seed) {
      INFO("joint " << entry.name << ", seed " << seed);
      check(entry, specimen(entry, seed, seed % 2 == 0));
    }
}

std::vector<double> head(std::vector<double> values, int n) {
  values.resize(static_cast<std::size_t>(n));
  return values;
}

/// The state with its violations as multipliers. Rows may be written in the global frame: then these turn as the rows do.
ElementState with_violations_as_multipliers(const OneElement& element, ElementState s) {
  s.multipliers = element.velocity(s);
  const auto g = element.position(s);
  for (int r = 0; r < element.position_rows(); ++r) s.multipliers[ElementState::index(r)] = g[ElementState::index(r)];
  return s;
}

/// Brings the position rows to zero by least-squares steps; false where that does not converge.
bool can_be_assembled(const OneElement& element, ElementState s) {
  const int P = element.position_rows(), D = element.dofs();
  for (int iteration = 0; iteration < 50; ++iteration) {
    const auto g = head(element.position(s), P);
    if (largest(g) < 1e-12) return true;
    const auto G = element.gradient(s);
    // One row after the other (Kaczmarz' method): no system to solve, and redundant rows do no harm.
    for (int r = 0; r < P; ++r) {
      const double* row = G.data() + r * D;
      const double violation = element.position(s)[ElementState::index(r)];
      double square = 1e-300;
      for (int j = 0; j < D; ++j) square += row[j] * row[j];
      for (int j = 0; j < D; ++j) s = s.along(j, -violation * row[j] / square);
    }
  }
  return false;
}

}  // namespace

TEST_CASE("the gradient of every joint agrees with central differences", "[serial]") {
  for_every_joint([](const JointEntry&, const Specimen& it) {
    const int P = it.element.position_rows(), D = it.element.dofs();
    const auto G = it.element.gradient(it.state);
    for (int j = 0; j < D; ++j) {
      auto expected = head(central_difference([&](double eps) { return it.element.position(it.state.along(j, eps)); }), P);
      const auto by_velocity = central_difference([&](double eps) {
        ElementState s = it.state;
        s.velocity(j) += eps;
        return it.element.velocity(s);
      });
      CHECK(mismatch(head(by_velocity, P), expected) < 1e-7);
      expected.insert(expected.end(), by_velocity.begin() + P, by_velocity.end());
      CHECK(mismatch(column_of(G, D, j), expected) < 1e-7);
    }
  });
}

TEST_CASE("the tangent of every joint's reactions agrees with central differences", "[serial]") {
  for_every_joint([](const JointEntry&, const Specimen& it) {
    const int D = it.element.dofs();
    const Shift shift{0.7, 0.3, 0.2};
    const auto J = it.element.tangent(it.state, shift);
    for (int j = 0; j < D; ++j) {
      auto expected = central_difference([&](double eps) { return it.element.forces(it.state.along(j, eps)); });
      for (double& value : expected) value *= -shift.q;
      CHECK(mismatch(column_of(J, D, j), expected) < 1e-7);
    }
  });
}

TEST_CASE("the velocity rows of every joint are the rate of its position rows", "[serial]") {
  for_every_joint([](const JointEntry&, const Specimen& it) {
    const int P = it.element.position_rows();
    const auto rate = head(central_difference([&](double eps) { return it.element.position(it.state.later(eps)); }), P);
    CHECK(mismatch(head(it.element.velocity(it.state), P), rate) < 1e-7);
  });
}

TEST_CASE("the drift and the curvature of every joint's velocity rows agree with central differences", "[serial]") {
  for_every_joint([](const JointEntry&, const Specimen& it) {
    const auto drift = central_difference([&](double eps) { return it.element.velocity(it.state.later(eps)); });
    CHECK(mismatch(it.element.drift(it.state), drift) < 1e-7);
    const int D = it.element.dofs();
    const auto curvature = it.element.curvature(it.state);
    for (int j = 0; j < D; ++j) {
      const auto expected = central_difference([&](double eps) { return it.element.velocity(it.state.along(j, eps)); });
      CHECK(mismatch(column_of(curvature, D, j), expected) < 1e-7);
    }
  });
}

TEST_CASE("a rigid motion of everything changes no violation and turns the reactions of every joint", "[serial]") {
  for_every_joint([](const JointEntry& entry, const Specimen& it) {
    if (entry.shape.nodes_per_element < 2) return;  // held by the ground
    Sampler sample(77);
    const Quaternion Q = random_quaternion(sample);
    const ElementState before = with_violations_as_multipliers(it.element, it.state);
    const ElementState after = with_violations_as_multipliers(it.element, it.state.carried(Q, sample.vector(2)));
    double square_before = 0, square_after = 0;
    for (const double value : before.multipliers) square_before += value * value;
    for (const double value : after.multipliers) square_after += value * value;
    CHECK(std::sqrt(square_after) == Approx(std::sqrt(square_before)).epsilon(1e-12));
    const auto f_before = it.element.forces(before), f_after = it.element.forces(after);
    for (int k = 0; k < before.nodes(); ++k) {
      const auto w_before = global_wrench(before, f_before, k), w_after = global_wrench(after, f_after, k);
      CHECK(norm(turn_of(before, k, Q) * w_before.force - w_after.force) < 1e-11);
      CHECK(norm(turn_of(before, k, Q) * w_before.moment - w_after.moment) < 1e-11);
    }
  });
}

TEST_CASE("a common velocity of everything changes no velocity row of any joint", "[serial]") {
  for_every_joint([](const JointEntry& entry, const Specimen& it) {
    if (entry.shape.nodes_per_element < 2) return;
    Sampler sample(78);
    const Vec3<double> v = sample.vector(2), omega = sample.vector(2);
    ElementState moving = it.state;
    for (int k = 0; k < moving.nodes(); ++k) {
      if (!moving.has_vector(k)) continue;
      const std::size_t i = ElementState::index(k);
      moving.z[i].v += cross(omega, moving.x[i]);
      if (moving.is_place(k)) moving.z[i].v += v;
      moving.z[i].omega += transpose_times(moving.frame(k).R, omega);
    }
    const int P = it.element.position_rows();
    const auto before = it.element.velocity(it.state), after = it.element.velocity(moving);
    const auto rows = static_cast<std::size_t>(P);
    const std::vector<double> k_before(before.begin() + P, before.end()), k_after(after.begin() + P, after.end());
    if (rows < before.size()) CHECK(mismatch(k_after, k_before) < 1e-12);
  });
}

TEST_CASE("the reactions of every joint between bodies are in equilibrium", "[serial]") {
  for_every_joint([](const JointEntry& entry, const Specimen& it) {
    if (entry.shape.nodes_per_element < 2) return;
    const ElementState s = with_violations_as_multipliers(it.element, it.state);
    const auto sum = resultant(s, it.element.forces(s));
    CHECK(norm(sum.force) < 1e-12);
    CHECK(norm(sum.moment) < 1e-12);
  });
}

TEST_CASE("every joint is satisfied at the start unless required numbers say otherwise, and can be assembled", "[serial]") {
  REQUIRE(!registered_joints().empty());
  for (const JointEntry& entry : registered_joints()) {
    INFO("joint " << entry.name);
    const auto item = random_item(entry, 5, false);
    REQUIRE(item);
    const OneElement element(entry, item->params);
    const ElementState start = start_of(entry, item->setup);
    CHECK(can_be_assembled(element, start));
    bool has_required_numbers = false;  // a number, or the points of a curve
    for (const FieldSpec& field : entry.fields)
      has_required_numbers =
          has_required_numbers || (field.required && (field.type == FieldType::number || field.type == FieldType::points));
    if (!has_required_numbers) CHECK(largest(element.position(start)) < 1e-13);
    CHECK(largest(element.velocity(start)) < 1e-13);
  }
}

TEST_CASE("the keys of every joint are described", "[serial]") {
  for (const JointEntry& entry : registered_joints()) {
    INFO("joint " << entry.name);
    CHECK(!entry.help.empty());
    int signals = 0;
    for (const FieldSpec& field : entry.fields) {
      signals += signals_of(field.type);
      CHECK(std::string(field.help) != "");
      CHECK(std::string(field.unit) != "");
      CHECK((field.required || std::string(field.default_text) != ""));
    }
    CHECK(signals == entry.shape.num_signals);
  }
}
