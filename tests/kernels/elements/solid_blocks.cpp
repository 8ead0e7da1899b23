// Solids in blocks, one in each lane: to rounding the same numbers as each element alone, whatever its neighbours are made of.

#include "kernels/sweep/element_family.hpp"
#include "kernels/sweep/registry.hpp"

#include "tests/catch.hpp"
#include "tests/kernels/elements/all_solids.hpp"
#include "tests/kernels/elements/element_checks.hpp"

#include <limits>

namespace sinew {
namespace {

/// Elements with nodes of their own, disturbed and moving. Every kind of damping is there and absent in turn.
template <class E>
struct Pile {
  explicit Pile(int size) {
    for (int e = 0; e < size; ++e) {
      const auto seed = static_cast<unsigned>(e);
      auto p = E::example(seed);
      p.material.viscosity = e % 3 == 0 ? 0.7 : 0;
      p.material.beta = e % 5 == 1 ? 0.2 : 0;
      p.material.alpha = e % 4 == 2 ? 0.3 : 0;
      params.push_back(p);
      states.push_back(disturbed<typename E::States, E::N>(E::example_reference(p), seed, 0.05));
    }
  }

  ElementFamily<E> family(int first, int last) const {
    FamilyData data;
    data.size = last - first;
    for (int e = first; e < last; ++e) {
      for (int k = 0; k < E::N; ++k) data.nodes.push_back(E::N * e + k);
      const auto words = packed(params[static_cast<std::size_t>(e)]);
      data.params.insert(data.params.end(), words.begin(), words.end());
    }
    return ElementFamily<E>(E::name, data);
  }

  /// What a sweep writes: `count` numbers.
  template <class Sweep>
  std::vector<double> evaluate(int count, Sweep sweep) const {
    std::vector<int> offset, frame;
    std::vector<double> config, velocity;
    for (const auto& z : states)
      for (int k = 0; k < E::N; ++k) {
        offset.push_back(static_cast<int>(config.size()));
        frame.push_back(-1);
        config.insert(config.end(), z.x[k].data, z.x[k].data + 3);
        velocity.insert(velocity.end(), z.v[k].data, z.v[k].data + 3);
      }
    SweepState s;
    const NodeArrays arrays{to_device_array("offset", offset), to_device_array("dof", offset), to_device_array("frame", frame)};
    s.nodes = arrays;
    const auto q = to_device_array("config", config), v = to_device_array("velocity", velocity);
    s.config = q.data();
    s.velocity = v.data();
    s.environment.gravity = Vec3<double>{{1, -2, 3}};
    DeviceArray<double> out("out", static_cast<std::size_t>(count));
    sweep(s, out.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), out);
    return std::vector<double>(host.data(), host.data() + count);
  }

  /// The same of all elements, one after the other.
  template <class Sweep>
  std::vector<double> by_element(const SlotLayout& layout, const Sweep& sweep) const {
    return layout.by_element(evaluate(static_cast<int>(layout.size()), sweep).data());
  }

  std::vector<typename E::Params> params;
  std::vector<typename E::States> states;
};

std::vector<double> part(const std::vector<double>& all, int e, int width) {
  return std::vector<double>(all.begin() + e * width, all.begin() + (e + 1) * width);
}

/// The largest difference, over the largest number.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    difference = d <= difference ? difference : d;  // keeps NaN
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("A solid's forces and tangent do not depend on the block that it stands in", "[serial][device]",
                        AllSolids) {
  constexpr int D = TestType::num_dofs;
  const int size = 2 * lane_count + 3;
  const Pile<TestType> pile(size);
  const auto whole = pile.family(0, size);
  const Shift shift{0.7, 1.3, 2.1};
  const auto f = pile.by_element(whole.force_slots(), [&](const SweepState& s, double* out) { whole.forces(s, out); });
  const auto J = pile.by_element(whole.entry_slots(MatrixKind::tangent, whole.all()),
                                 [&](const SweepState& s, double* out) { whole.tangent(s, shift, whole.all(), out); });
  for (int e = 0; e < size; ++e) {
    INFO("element " << e);
    const auto one = pile.family(e, e + 1);
    const auto forces = [&](const SweepState& s, double* out) { one.forces(s, out); };
    CHECK(distance(pile.evaluate(D, forces), part(f, e, D)) < 1e-14);
    const auto tangent = [&](const SweepState& s, double* out) { one.tangent(s, shift, one.all(), out); };
    CHECK(distance(pile.evaluate(D * D, tangent), part(J, e, D * D)) < 1e-14);
  }
}

TEMPLATE_LIST_TEST_CASE("A sweep over solids gives the forces and the tangent of their structs", "[serial][device]", AllSolids) {
  constexpr int D = TestType::num_dofs;
  const int size = 2 * lane_count + 3;
  const Pile<TestType> pile(size);
  const auto whole = pile.family(0, size);
  const auto f = pile.by_element(whole.force_slots(), [&](const SweepState& s, double* out) { whole.forces(s, out); });
  const Shift shift{0.7, 1.3, 2.1};
  const auto J = pile.by_element(whole.entry_slots(MatrixKind::tangent, whole.all()),
                                 [&](const SweepState& s, double* out) { whole.tangent(s, shift, whole.all(), out); });
  for (std::size_t e = 0; e < pile.params.size(); ++e) {
    Environment env;
    env.gravity = Vec3<double>{{1, -2, 3}};
    const auto forces = forces_of<TestType>(pile.params[e], env, pile.states[e]);
    std::vector<double> expected;
    for (const auto& force : forces.f) expected.insert(expected.end(), force.data, force.data + 3);
    CHECK(distance(part(f, static_cast<int>(e), D), expected) < 1e-13);
    Matrix K = dual_tangent<TestType>(pile.params[e], pile.states[e], shift.q, shift.v);
    Mat<double, D, D> M;
    TestType::mass(pile.params[e], M);
    expected.clear();
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        expected.push_back(K[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] + shift.a * M(i, j));
    CHECK(distance(part(J, static_cast<int>(e), D * D), expected) < 1e-13);
  }
}

TEMPLATE_LIST_TEST_CASE("A team of threads, as on a device, finds the same tangent of a solid", "[serial][device]", AllSolids) {
  constexpr int D = TestType::num_dofs;
  const int size = 12;  // every kind of damping is among them
  const Pile<TestType> pile(size);
  const auto whole = pile.family(0, size);
  for (const Shift& shift : {Shift{0.7, 1.3, 2.1}, Shift{1, 0, 0}}) {
    const auto by_teams = [&](const SweepState& s, double* out) { whole.tangent_by_teams(s, shift, {2, size}, out); };
    const auto alone = [&](const SweepState& s, double* out) { whole.tangent(s, shift, {2, size}, out); };
    CHECK(distance(pile.evaluate(D * D * (size - 2), by_teams), pile.evaluate(D * D * (size - 2), alone)) < 1e-13);
  }
}

TEMPLATE_LIST_TEST_CASE("An undamped solid's tangent is symmetric, and rigid translations bear no force", "[serial]", AllSolids) {
  auto p = TestType::example(1);
  p.material.alpha = 0.3;
  const auto z = disturbed<typename TestType::States, TestType::N>(TestType::example_reference(p), 3, 0.05);
  const Matrix K = hand_tangent<TestType>(p, z, 1, 0);
  for (std::size_t i = 0; i < K.size(); ++i) {
    double sums[3] = {};
    for (std::size_t j = 0; j < K.size(); ++j) {
      sums[j % 3] += K[i][j];
      CHECK(std::abs(K[i][j] - K[j][i]) <= 1e-15 * largest(K));
    }
    for (const double sum : sums) CHECK(std::abs(sum) < 1e-14 * largest(K));
  }
}

TEMPLATE_LIST_TEST_CASE("The first solid at fault of a block is found, with what is wrong", "[serial][device]", AllSolids) {
  const int size = 3 * lane_count + 1;
  for (const int wrong : {0, lane_count - 1, lane_count, size - 1}) {
    Pile<TestType> pile(size);
    const auto family = pile.family(0, size);
    const auto find = [&] {
      Finding found;
      pile.evaluate(1, [&](const SweepState& s, double*) { found = family.check(s); });
      return found;
    };
    CHECK(find().verdict == Verdict::ok);
    auto& z = pile.states[static_cast<std::size_t>(wrong)];
    for (auto& x : z.x) x[0] = -x[0];
    CHECK(find().verdict == Verdict::inverted);
    CHECK(find().element == wrong);
    z.x[1][2] = std::numeric_limits<double>::quiet_NaN();
    CHECK(find().verdict == Verdict::not_finite);
    CHECK(find().element == wrong);
  }
}

}  // namespace sinew
