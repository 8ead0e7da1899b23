// What every registered force must satisfy, whatever it is. A new force is covered by being registered.
#include "tests/catch.hpp"

#include "tests/kernels/generic/one_element.hpp"

#include <algorithm>

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr unsigned num_seeds = 3;

struct Specimen {
  OneElement element;
  ElementState state;
};

/// Runs the check for every force and several random specimens.
template <class Check>
void for_every_force(const Check& check) {
  REQUIRE(!registered_forces().empty());
  for (const ForceEntry& entry : registered_forces())
    for (unsigned seed = 0; seed < num_seeds; ++seed) {
      INFO("force " << entry.name << ", seed " << seed);
      const auto item = random_item(entry, seed, seed % 2 == 0);
      REQUIRE(item);
      check(entry, Specimen{OneElement(entry, item->params), random_state(entry, item->setup, seed)});
    }
}

/// Turns the signals that are vectors of the global frame; keys that end in _local are in the body's axes.
void turn_signals(const ForceEntry& entry, const Mat3<double>& R, ElementState& s) {
  std::size_t first = 0;
  for (const FieldSpec& field : entry.fields) {
    const std::string name = field.name;
    const bool local = name.size() > 6 && name.substr(name.size() - 6) == "_local";
    if (field.type == FieldType::signal3 && !local) {
      Vec3<double> value;
      for (int i = 0; i < 3; ++i) value[i] = s.signals[first + 3 * ElementState::index(i)];
      value = R * value;
      for (int i = 0; i < 3; ++i) s.signals[first + 3 * ElementState::index(i)] = value[i];
    }
    first += 3 * static_cast<std::size_t>(signals_of(field.type));
  }
}

/// Turns the multipliers of a joint whose first three rows are of the global frame: those that keep two places together.
void turn_multipliers(const ForceEntry& entry, const Mat3<double>& R, ElementState& s) {
  const auto is_in = [&](const char* joint) {
    return std::find(entry.joints.begin(), entry.joints.end(), joint) != entry.joints.end();
  };
  if (entry.shape.num_multipliers == 0 || !(is_in("revolute") || is_in("spherical") || is_in("universal"))) return;
  const Vec3<double> force = R * Vec3<double>{{s.multipliers[0], s.multipliers[1], s.multipliers[2]}};
  for (int i = 0; i < 3; ++i) s.multipliers[ElementState::index(i)] = force[i];
}

/// A wall that is given in the global frame stands still when all else moves.
bool has_wall(const ForceEntry& entry) {
  return std::any_of(entry.fields.begin(), entry.fields.end(), [](const FieldSpec& f) { return std::string(f.name) == "wall"; });
}

double power(ElementState s, const std::vector<double>& f) {
  double sum = 0;
  for (std::size_t j = 0; j < f.size(); ++j) sum += f[j] * s.velocity(static_cast<int>(j));
  return sum;
}

}  // namespace

TEST_CASE("the tangent of every force agrees with central differences", "[serial]") {
  for_every_force([](const ForceEntry&, const Specimen& it) {
    const int D = it.element.dofs();
    const auto J_q = it.element.tangent(it.state, {1, 0, 0}), J_v = it.element.tangent(it.state, {0, 1, 0});
    const auto J = it.element.tangent(it.state, {0.5, 0.25, 0});
    for (int j = 0; j < D; ++j) {
      const auto by_q = central_difference([&](double eps) { return it.element.forces(it.state.along(j, eps)); });
      const auto by_v = central_difference([&](double eps) {
        ElementState s = it.state;
        s.velocity(j) += eps;
        return it.element.forces(s);
      });
      std::vector<double> both(by_q.size()), minus_q(by_q.size()), minus_v(by_q.size());
      for (std::size_t i = 0; i < both.size(); ++i) {
        minus_q[i] = -by_q[i];
        minus_v[i] = -by_v[i];
        both[i] = 0.5 * minus_q[i] + 0.25 * minus_v[i];
      }
      CHECK(mismatch(column_of(J_q, D, j), minus_q) < 1e-7);
      CHECK(mismatch(column_of(J_v, D, j), minus_v) < 1e-7);
      CHECK(mismatch(column_of(J, D, j), both) < 1e-7);
    }
  });
}

TEST_CASE("how every force in a joint depends on its multipliers agrees with central differences", "[serial]") {
  int checked = 0;
  for_every_force([&](const ForceEntry& entry, const Specimen& it) {
    const int D = it.element.dofs(), L = it.element.multipliers();
    if (L == 0) return;
    ++checked;
    CHECK(entry.joints.size() == 1);
    const auto tangent = it.element.whole_tangent(it.state, {0.5, 0.25, 0}), projection = it.element.projection(it.state);
    const std::vector<double> behind(tangent.begin() + static_cast<std::ptrdiff_t>(D) * D, tangent.end());
    CHECK(behind == projection);  // -df/dlambda has no shift and no tangent operator
    const std::vector<double> J(behind.begin(), behind.begin() + static_cast<std::ptrdiff_t>(D) * L);
    CHECK(largest(J) > 0);
    for (int r = 0; r < L; ++r) {
      auto by_lambda = central_difference([&](double eps) {
        ElementState s = it.state;
        s.multipliers[ElementState::index(r)] += eps;
        return it.element.forces(s);
      });
      for (double& value : by_lambda) value = -value;
      CHECK(mismatch(column_of(J, L, r), by_lambda) < 1e-7);
    }
    CHECK(largest({behind.begin() + static_cast<std::ptrdiff_t>(D) * L, behind.end()}) ==
          0);  // rows of constraints are the joint's
    CHECK(largest(it.element.projection_alone(it.state)) == 0);
    ElementState unloaded = it.state;
    for (double& value : unloaded.multipliers) value = 0;
    CHECK(std::isfinite(largest(it.element.whole_tangent(unloaded, {0.5, 0.25, 0}))));
    for (auto& twist : unloaded.z) twist = {};
    CHECK(std::isfinite(largest(it.element.whole_tangent(unloaded, {0.5, 0.25, 0}))));
  });
  CHECK(checked > 0);
}

TEST_CASE("every force turns with a rigid motion of everything", "[serial]") {
  for_every_force([](const ForceEntry& entry, const Specimen& it) {
    if (has_wall(entry)) return;
    Sampler sample(77);
    const Quaternion Q = random_quaternion(sample);
    ElementState after = it.state.carried(Q, sample.vector(2));
    turn_signals(entry, rotation_matrix(Q), after);
    turn_multipliers(entry, rotation_matrix(Q), after);
    const auto f_before = it.element.forces(it.state), f_after = it.element.forces(after);
    for (int k = 0; k < after.nodes(); ++k) {
      const auto w_before = global_wrench(it.state, f_before, k), w_after = global_wrench(after, f_after, k);
      CHECK(norm(turn_of(it.state, k, Q) * w_before.force - w_after.force) < 1e-12 * (1 + norm(w_before.force)));
      CHECK(norm(turn_of(it.state, k, Q) * w_before.moment - w_after.moment) < 1e-12 * (1 + norm(w_before.moment)));
    }
    CHECK(it.element.strain_energy(after) == Approx(it.element.strain_energy(it.state)).epsilon(1e-12));
  });
}

TEST_CASE("every force between bodies acts on both alike", "[serial]") {
  for_every_force([](const ForceEntry& entry, const Specimen& it) {
    if (entry.shape.nodes_per_element < 2) return;
    const auto f = it.element.forces(it.state);
    const auto sum = resultant(it.state, f);
    CHECK(norm(sum.force) < 1e-12 * (1 + largest(f)));
    CHECK(norm(sum.moment) < 1e-12 * (1 + largest(f)));
  });
}

TEST_CASE("a force with a strain energy is its gradient at rest and dissipates in motion", "[serial]") {
  for_every_force([](const ForceEntry& entry, const Specimen& it) {
    if (entry.shape.nodes_per_element < 2 || entry.shape.num_signals > 0) return;  // what is fed has work done on it
    ElementState rest = it.state;
    for (auto& twist : rest.z) twist = {};
    const auto f_rest = it.element.forces(rest);
    for (int j = 0; j < it.element.dofs(); ++j) {
      const double slope =
          central_difference([&](double eps) { return std::vector<double>{it.element.strain_energy(rest.along(j, eps))}; })[0];
      CHECK(std::abs(slope + f_rest[ElementState::index(j)]) < 1e-7 * (1 + largest(f_rest)));
    }
    CHECK(power(it.state, it.element.forces(it.state)) <= power(it.state, f_rest) + 1e-12);
  });
}

TEST_CASE("the keys of every force are described", "[serial]") {
  for (const ForceEntry& entry : registered_forces()) {
    INFO("force " << entry.name);
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
