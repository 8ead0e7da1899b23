// What every registered joint and force must satisfy that remembers something of the past. A new one is covered by being registered.
#include "tests/catch.hpp"
#include "tests/kernels/generic/one_element.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// Runs the check for all that have a memory; at least one does.
template <class Check>
void for_all_that_remember(const Check& check) {
  int checked = 0;
  for (const auto* entries : {&registered_joints(), &registered_forces()})
    for (const FamilyEntry& entry : *entries) {
      if (!entry.shape.has_history) continue;
      for (unsigned seed = 0; seed < 3; ++seed) {
        INFO(entry.name << ", seed " << seed);
        const auto item = random_item(entry, seed, seed % 2 == 0);
        REQUIRE(item);
        OneElement element(entry, item->params);
        check(element, random_state(entry, item->setup, seed));
      }
      ++checked;
    }
  CHECK(checked > 0);
}

/// Forces, and rows where it has any.
std::vector<double> answers(const OneElement& element, const ElementState& s) {
  std::vector<double> all = element.forces(s);
  if (element.rows() == 0) return all;
  for (const std::vector<double>& rows : {element.position(s), element.velocity(s)})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace

TEST_CASE("what everything remembers of a state is no other answer in it", "[serial]") {
  for_all_that_remember([](OneElement& element, const ElementState& state) {
    const std::vector<double> before = answers(element, state);
    element.commit(state);
    CHECK(mismatch(answers(element, state), before) < 1e-9);
    element.commit(state);
    CHECK(mismatch(answers(element, state), before) < 1e-9);
  });
}

TEST_CASE("what forgets its past answers as it did before, to the last bit", "[serial]") {
  for_all_that_remember([](OneElement& element, const ElementState& state) {
    const std::vector<double> before = answers(element, state);
    ElementState on_its_way = state;
    for (int k = 0; k < 12; ++k) {
      on_its_way = on_its_way.later(0.3);
      element.commit(on_its_way);
    }
    element.forget();
    CHECK(answers(element, state) == before);
  });
}
