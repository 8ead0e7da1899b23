// What every registered force and element with a mass that depends on the configuration must satisfy: found through the registry.
// Beside them an element over nodes of two kinds, which only tests have.
#include "tests/catch.hpp"

#include "tests/kernels/generic/one_element.hpp"

#include <algorithm>

using namespace sinew;
using namespace sinew::trial;

namespace {

/// A bead on a rod that a body carries: at x + R (p + s e). Its mass ties both together.
struct Bead {
  static constexpr const char* name = "bead";
  using NodeList = MixedNodes<NodeKind::frame, NodeKind::scalar>;
  static constexpr int num_signals = 0;

  struct Params {
    double mass = 1.3;
    double foot[3] = {0.1, -0.2, 0.3}, along[3] = {0.6, 0, 0.8};
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static void mass_at(const Params& p, const NodeList::States<S>& s, Mat<S, 7, 7>& M) {
    const auto& body = node_at<0>(s);
    const S way = node_at<1>(s).x[0];
    Vec3<S> arm, rod;
    for (int i = 0; i < 3; ++i) {
      rod[i] = S(p.along[i]);
      arm[i] = p.foot[i] + way * p.along[i];
    }
    S J[3][7];  // v = J (v, omega, s')
    const Vec3<S> outwards = body.frame[0].R * rod;
    for (int j = 0; j < 3; ++j) {
      Vec3<S> unit;
      unit[j] = S(1.0);
      const Vec3<S> turned = body.frame[0].R * cross(unit, arm);
      for (int i = 0; i < 3; ++i) {
        J[i][j] = S(i == j ? 1.0 : 0.0);
        J[i][3 + j] = turned[i];
        J[i][6] = outwards[i];
      }
    }
    for (int a = 0; a < 7; ++a)
      for (int b = 0; b < 7; ++b)
        for (int i = 0; i < 3; ++i) M(a, b) += p.mass * J[i][a] * J[i][b];
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params&, const Environment&, const double*, const NodeList::States<S>&,
                                           NodeList::Forces<S>&) {}
  static Params example(unsigned seed) { return {1.0 + seed, {0.1, -0.2, 0.3}, {0.6, 0, 0.8}}; }
};

struct Specimen {
  OneElement element;
  ElementState state;

  int dofs() const { return element.dofs(); }
  std::vector<double> velocities() const {
    ElementState s = state;
    std::vector<double> v;
    for (int j = 0; j < dofs(); ++j) v.push_back(s.velocity(j));
    return v;
  }
  /// Those of inertia: what of the forces is quadratic in the velocities.
  std::vector<double> inertia_forces() const {
    ElementState rest = state, back = state;
    for (int j = 0; j < dofs(); ++j) {
      rest.velocity(j) = 0;
      back.velocity(j) *= -1;
    }
    std::vector<double> f = element.forces(state);
    const std::vector<double> at_rest = element.forces(rest), of_back = element.forces(back);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = 0.5 * (f[i] + of_back[i]) - at_rest[i];
    return f;
  }
  /// 1/2 v^T M(q) w.
  double half_product(const ElementState& at, const std::vector<double>& v, const std::vector<double>& w) const {
    const std::vector<double> M = element.projection(at);
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t j = 0; j < v.size(); ++j) sum += v[i] * M[i * v.size() + j] * w[j];
    return sum / 2;
  }
};

template <class Check>
void for_every_varying_mass(const Check& check) {
  int checked = 0;
  for (const ForceEntry& entry : registered_forces()) {
    if (!entry.shape.has_mass) continue;
    ++checked;
    for (unsigned seed = 0; seed < 4; ++seed) {
      INFO("force " << entry.name << ", seed " << seed);
      const auto item = random_item(entry, seed, seed % 2 == 0);
      REQUIRE(item);
      check(Specimen{OneElement(entry, item->params), random_state(entry, item->setup, seed)});
    }
  }
  REQUIRE(checked >= 2);
  std::vector<ElementEntry> elements = registered_elements();
  elements.push_back(make_element_entry<Bead>());
  for (const ElementEntry& entry : elements) {
    FamilyData none;
    none.nodes_per_element = entry.shape.nodes_per_element;
    if (dynamic_cast<const VariesMass*>(entry.build(none).get()) == nullptr) continue;
    for (unsigned seed = 0; seed < 4; ++seed) {
      INFO("element " << entry.name << ", seed " << seed);
      Setup setup;
      Sampler sample(seed);
      const ElementExample example = entry.example(seed);
      const int nodes = static_cast<int>(example.slope.size());
      for (int k = 0; k < nodes; ++k) {
        Place place;
        place.frame.x = sample.vector(1);
        setup.places.push_back(place);
      }
      check(Specimen{OneElement(entry, example.params, entry.shape.is_open ? nodes : 0), random_state(entry, setup, seed)});
    }
  }
}

}  // namespace

TEST_CASE("a mass that varies is symmetric, no motion has less than none, and it is that of the tangent", "[serial]") {
  for_every_varying_mass([](const Specimen& it) {
    const auto D = static_cast<std::size_t>(it.dofs());
    const std::vector<double> M = it.element.projection(it.state), J = it.element.tangent(it.state, {0, 0, 1});
    CHECK(mismatch(J, M) < 1e-14);
    Sampler sample(5);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> v(D);
      for (double& x : v) x = sample.uniform(-1, 1);
      CHECK(it.half_product(it.state, v, v) >= -1e-14 * largest(M));
    }
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t j = 0; j < i; ++j) CHECK(M[i * D + j] == Approx(M[j * D + i]).margin(1e-14 * largest(M)));
  });
}

TEST_CASE("the forces of a mass that varies do the work by which it changes the kinetic energy", "[serial]") {
  for_every_varying_mass([](const Specimen& it) {
    const std::vector<double> v = it.velocities(), f = it.inertia_forces();
    const double rate =
        central_difference([&](double eps) { return std::vector<double>{it.half_product(it.state.later(eps), v, v)}; })[0];
    double power = 0;
    for (std::size_t i = 0; i < v.size(); ++i) power += f[i] * v[i];
    CHECK(power == Approx(-rate).epsilon(1e-7).margin(1e-7));
  });
}

TEST_CASE("the forces of a mass that varies are those of Lagrange's equations by differences", "[serial]") {
  for_every_varying_mass([](const Specimen& it) {
    const std::vector<double> v = it.velocities(), f = it.inertia_forces();
    const auto D = v.size();
    for (int k = 0; k < it.dofs(); ++k) {
      std::vector<double> unit(D, 0.0);
      unit[static_cast<std::size_t>(k)] = 1;
      // of translations and angles; what rotations in body axes add is -omega x L
      const double along = central_difference(
          [&](double eps) { return std::vector<double>{2 * it.half_product(it.state.later(eps), unit, v)}; })[0];
      const double slope =
          central_difference([&](double eps) { return std::vector<double>{it.half_product(it.state.along(k, eps), v, v)}; })[0];
      double expected = slope - along;
      if (D >= 6 && k >= 3 && k < 6) {
        Vec3<double> L, omega;
        for (int i = 0; i < 3; ++i) {
          std::vector<double> axis(D, 0.0);
          axis[static_cast<std::size_t>(3 + i)] = 1;
          L[i] = 2 * it.half_product(it.state, axis, v);
          omega[i] = v[static_cast<std::size_t>(3 + i)];
        }
        expected -= cross(omega, L)[k - 3];
      }
      CHECK(f[static_cast<std::size_t>(k)] == Approx(expected).epsilon(1e-7).margin(1e-7 * (1 + largest(f))));
    }
  });
}

TEST_CASE("what a mass that varies makes of given accelerations changes as differences do", "[serial]") {
  for_every_varying_mass([](const Specimen& it) {
    const std::vector<double> a = it.velocities(), change = it.element.mass_change(it.state);
    const auto D = a.size();
    std::vector<double> expected(D * D);
    for (int k = 0; k < it.dofs(); ++k) {
      const std::vector<double> column = central_difference([&](double eps) {
        const std::vector<double> M = it.element.projection(it.state.along(k, eps));
        std::vector<double> Ma(D, 0.0);
        for (std::size_t i = 0; i < D; ++i)
          for (std::size_t j = 0; j < D; ++j) Ma[i] += M[i * D + j] * a[j];
        return Ma;
      });
      for (std::size_t i = 0; i < D; ++i) expected[i * D + static_cast<std::size_t>(k)] = column[i];
    }
    CHECK(mismatch(change, expected) < 1e-8);
  });
}
