// Families over lists of nodes whose length is known at run time, and elements with numbers of their own.
#include "kernels/elements/sample.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/generic/node_crowd.hpp"
#include "tests/kernels/generic/open_elements.hpp"

#include <memory>

using namespace sinew;
using namespace sinew::trial;

namespace {

/// Elements of E with so many nodes each, on nodes of their own; the first of them from `first` on.
template <class E>
std::unique_ptr<Family> family_of(int nodes, int elements, int first = 0) {
  FamilyData data;
  data.size = elements;
  data.nodes_per_element = nodes;
  for (int e = first; e < first + elements; ++e) {
    for (int k = 0; k < nodes; ++k) data.nodes.push_back(nodes * e + k);
    const auto params = packed(E::example(static_cast<unsigned>(e)));
    const auto numbers = E::example_numbers(static_cast<unsigned>(e), nodes);
    data.params.insert(data.params.end(), params.begin(), params.end());
    data.params.insert(data.params.end(), numbers.begin(), numbers.end());
  }
  return make_element_entry<E>().build(std::move(data));
}

}  // namespace

TEST_CASE("a family over an open list has the shape of its elements", "[serial]") {
  for (const int nodes : {3, 4, 7}) {
    const auto ring = family_of<SpringRing>(nodes, 2);
    CHECK(ring->shape().is_open);
    CHECK(ring->shape().nodes_per_element == nodes);
    CHECK(ring->shape().dofs() == 3 * nodes);
    CHECK(ring->params_per_element() == 3 + nodes);
    CHECK_FALSE(ring->shape().has_turns());
    CHECK(ring->couplings(MatrixKind::tangent).size() == static_cast<std::size_t>(9 * nodes * nodes));
    const auto ball = family_of<ReducedBall>(nodes, 1);
    CHECK(ball->shape().dofs() == 6 + nodes - 1);
    CHECK(ball->shape().node_kind(0) == NodeKind::frame);
    CHECK(ball->shape().node_kind(nodes - 1) == NodeKind::scalar);
    CHECK(ball->shape().is_scalar(nodes - 1));
    CHECK(ball->shape().first_of_turn(5) == 3);
    CHECK(ball->shape().first_of_turn(6) == -1);
  }
  const auto nobody = make_element_entry<SpringRing>().build(FamilyData{});
  CHECK(nobody->shape().nodes_per_element == 3);
  FamilyData data;
  data.size = 1;
  data.nodes_per_element = 4;
  data.nodes = {0, 1, 2};
  CHECK_THROWS_AS(make_element_entry<SpringRing>().build(data), std::logic_error);
}

TEST_CASE("elements of one open list stand side by side as each would alone", "[serial]") {
  const int nodes = 5, elements = 4;
  const auto all = family_of<SpringRing>(nodes, elements);
  const NodeCrowd crowd(all->shape(), elements, 3);
  const auto f = crowd.forces(*all), J = crowd.tangent(*all, {0.7, 1.3, 0.4}), M = crowd.mass(*all);
  for (int e = 0; e < elements; ++e) {
    const auto one = family_of<SpringRing>(nodes, 1, e);
    const auto part = [e](const std::vector<double>& values, const std::vector<double>& own) {
      const auto size = static_cast<std::ptrdiff_t>(own.size());
      return std::equal(own.begin(), own.end(), values.begin() + e * size);
    };
    CHECK(part(f, crowd.forces(*one)));
    CHECK(part(J, crowd.tangent(*one, {0.7, 1.3, 0.4})));
    CHECK(part(M, crowd.mass(*one)));
  }
  const auto range = crowd.swept(2 * 225, [&](const SweepState& s, double* out) {
    all->tangent(s, {0.7, 1.3, 0.4}, {1, 3}, out);
  });
  CHECK(std::equal(range.begin(), range.end(), J.begin() + 225));
}

TEST_CASE("an element over an open list declares the entries that states show", "[serial]") {
  for (const int nodes : {3, 4, 6}) {
    const auto ring = family_of<SpringRing>(nodes, 1);
    const std::vector<char> declared = ring->declared_entries(MatrixKind::tangent);
    const auto seen = NodeCrowd(ring->shape(), 1, 5).tangent(*ring, {1, 1, 1});
    REQUIRE(declared.size() == seen.size());
    for (std::size_t k = 0; k < seen.size(); ++k) CHECK((declared[k] != 0) == (seen[k] != 0));
    CHECK(family_of<ReducedBall>(nodes, 1)->shows_pattern(MatrixKind::tangent));
  }
}

TEST_CASE("tangent operators multiply the rotations of an open list, whoever wrote the tangent", "[serial]") {
  const int nodes = 4, D = 9;
  const auto derived = family_of<ReducedBall>(nodes, 2), written = family_of<WrittenBall>(nodes, 2);
  const NodeCrowd crowd(derived->shape(), 2, 7);
  const auto plain = crowd.tangent(*derived, {0.7, 1.3, 0.4}), turned = crowd.tangent(*derived, {0.7, 1.3, 0.4}, true),
             mass = crowd.tangent(*derived, {0, 0, 0.4}), by_hand = crowd.tangent(*written, {0.7, 1.3, 0.4}, true);
  for (std::size_t k = 0; k < turned.size(); ++k) CHECK(by_hand[k] == Approx(turned[k]).margin(1e-13));
  for (int e = 0; e < 2; ++e)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const auto at = [&](int column) { return static_cast<std::size_t>((e * D + i) * D + column); };
        double expected = plain[at(j)];
        if (3 <= j && j < 6) {
          expected = mass[at(j)];
          for (int k = 0; k < 3; ++k)
            expected += (plain[at(3 + k)] - mass[at(3 + k)]) * crowd.operators[static_cast<std::size_t>(9 * e + 3 * k + j - 3)];
        }
        CHECK(turned[at(j)] == Approx(expected).margin(1e-13));
      }
}

TEST_CASE("an element over a list that is not open has numbers of its own as well", "[serial]") {
  for (const std::size_t degree : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    FamilyData data;
    data.size = 2;
    data.nodes = {0, 1, 2, 3};
    for (int e = 0; e < 2; ++e) {
      data.params.push_back(2.0 + e);
      for (std::size_t k = 0; k < degree; ++k) data.params.push_back(1.0 + static_cast<double>(k) + 0.5 * e);
    }
    const auto family = make_element_entry<PolynomialSpring>().build(data);
    const NodeCrowd crowd(family->shape(), 2, 11);
    const auto f = crowd.forces(*family);
    const auto J = crowd.tangent(*family, {1, 0, 0});
    for (std::size_t e = 0; e < 2; ++e) {
      const double stretch = crowd.config[2 * e + 1] - crowd.config[2 * e];
      double pull = 0, slope = 0;
      for (std::size_t k = 0; k < degree; ++k) {
        const double coefficient = 1.0 + static_cast<double>(k) + 0.5 * static_cast<double>(e);
        pull += coefficient * std::pow(stretch, k + 1);
        slope += coefficient * static_cast<double>(k + 1) * std::pow(stretch, k);
      }
      const double factor = 2.0 + static_cast<double>(e);
      CHECK(f[2 * e] == Approx(factor * pull).margin(1e-14));
      CHECK(f[2 * e + 1] == Approx(-factor * pull).margin(1e-14));
      CHECK(J[4 * e] == Approx(factor * slope).margin(1e-14));
      CHECK(J[4 * e + 1] == Approx(-factor * slope).margin(1e-14));
    }
  }
}
