// Which entries of an element's matrix the pattern keeps: what structs declare, what random states show, and what must not be
// left to them.
#include "tests/catch.hpp"

#include "kernels/elements/point_mass.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "kernels/sweep/element_family.hpp"
#include "tests/kernels/generic/one_element.hpp"

#include <algorithm>
#include <concepts>
#include <memory>

using namespace sinew;
using namespace sinew::trial;

namespace {

/// A stop: from x1 = `gap` on the body is pushed back, in proportion. In half of all states it does nothing.
struct OneSided {
  static constexpr const char* name = "one-sided";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 0;

  struct Params {
    double gap = 0, stiffness = 1;
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const S depth = s.frame[0].x[0] - p.gap;
    if (depth > 0) f.f[0].force[0] -= p.stiffness * depth;
  }
};

/// The same, and says so.
struct DeclaredOneSided : OneSided {
  static constexpr bool couples(int row, int column) { return row == 0 && column == 0; }
};

/// Something that couples with a rotation about one axis, which the tangent operator carries to the others.
struct OneAngle : OneSided {
  static constexpr bool couples(int row, int column) { return row == 0 && column == 4; }
};

/// A spring that says more than it knows: nothing of it lies outside these entries, but one of them is left out.
struct ForgetfulSpring : OneSided {
  static constexpr bool couples(int row, int column) { return row == 1 && column == 1; }
};

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Entries of the tangent, in the order of Family::couplings, that are not zero in one of the states.
std::vector<char> seen_entries(const FamilyEntry& entry, const Setup& setup, const std::vector<double>& params, unsigned first,
                               unsigned number) {
  const OneElement element(entry, params);
  const int D = element.dofs(), R = entry.shape.coupled_rows();
  std::vector<char> seen(index(D * D + 2 * D * R), 0);
  for (unsigned seed = first; seed < first + number; ++seed) {
    const std::vector<double> values = element.whole_tangent(random_state(entry, setup, seed), {1, 1, 1, 1, 1, 1});
    REQUIRE(values.size() == seen.size());
    for (std::size_t k = 0; k < seen.size(); ++k)
      if (values[k] != 0) seen[k] = 1;
  }
  return seen;
}

std::unique_ptr<Family> empty_family(const FamilyEntry& entry) { return entry.build(FamilyData{}); }

template <class E>
FamilyEntry entry_of() {
  FamilyEntry entry;
  entry.name = E::name;
  entry.shape = ElementFamily<E>::make_shape();
  entry.build = [](FamilyData data) -> std::unique_ptr<Family> {
    return std::make_unique<ElementFamily<E>>(E::name, std::move(data));
  };
  return entry;
}

/// One free frame at the origin.
Setup one_place() {
  Setup setup;
  setup.places.push_back(Place{});
  return setup;
}

/// How many of the entries that these states show the family does not declare.
int undeclared(const FamilyEntry& entry, const std::vector<char>& seen) {
  const std::vector<char> declared = empty_family(entry)->declared_entries(MatrixKind::tangent);
  int count = 0;
  for (std::size_t k = 0; k < seen.size() && !declared.empty(); ++k) count += seen[k] && !declared[k] ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a force with a branch that random states do not see keeps its entries", "[serial]") {
  const FamilyEntry entry = entry_of<OneSided>();
  const std::vector<double> far = packed(OneSided::Params{5.0, 1.0}), touching = packed(OneSided::Params{-5.0, 1.0});
  const std::vector<char> open = seen_entries(entry, one_place(), far, 0, 3),
                          closed = seen_entries(entry, one_place(), touching, 0, 1);
  CHECK(std::count(open.begin(), open.end(), 1) == 0);      // three states: as if it had no entry
  CHECK(std::count(closed.begin(), closed.end(), 1) == 1);  // but it has
  const auto family = empty_family(entry);
  CHECK_FALSE(family->shows_pattern(MatrixKind::tangent));
  CHECK(family->declared_entries(MatrixKind::tangent).empty());  // all of them stay
}

TEST_CASE("declared entries are those of the pattern, and a missing one is noticed", "[serial]") {
  const std::vector<double> touching = packed(OneSided::Params{-5.0, 1.0});
  const FamilyEntry declared = entry_of<DeclaredOneSided>(), forgetful = entry_of<ForgetfulSpring>();
  const auto family = empty_family(declared);
  CHECK_FALSE(family->shows_pattern(MatrixKind::tangent));
  const std::vector<char> entries = family->declared_entries(MatrixKind::tangent);
  REQUIRE(entries.size() == 36);
  CHECK(entries[0] == 1);
  CHECK(std::count(entries.begin(), entries.end(), 1) == 1);
  CHECK(undeclared(declared, seen_entries(declared, one_place(), touching, 0, 3)) == 0);
  CHECK(undeclared(forgetful, seen_entries(forgetful, one_place(), touching, 0, 3)) == 1);
}

TEST_CASE("with a declared column of a rotation the other two are", "[serial]") {
  const std::vector<char> entries = empty_family(entry_of<OneAngle>())->declared_entries(MatrixKind::tangent);
  REQUIRE(entries.size() == 36);
  CHECK(std::vector<char>(entries.begin(), entries.begin() + 6) == std::vector<char>{0, 0, 0, 1, 1, 1});
  CHECK(std::count(entries.begin(), entries.end(), 1) == 3);
}

TEST_CASE("every joint and every force shows or declares its pattern, and shows it in three states", "[serial]") {
  for (const auto* entries : {&registered_joints(), &registered_forces()})
    for (const FamilyEntry& entry : *entries) {
      INFO(entry.name);
      const auto family = empty_family(entry);
      const bool shows = family->shows_pattern(MatrixKind::tangent);
      CHECK((shows || entry.shape.declares_couplings()));  // a fuller pattern costs time: declare it if it must not be probed
      for (unsigned seed = 0; seed < 3; ++seed) {
        const auto item = random_item(entry, seed, seed % 2 == 0);
        REQUIRE(item);
        const std::vector<char> few = seen_entries(entry, item->setup, item->params, 0, 3),
                                many = seen_entries(entry, item->setup, item->params, 3, 30);
        if (shows) CHECK(few == many);
        if (entry.shape.couples != nullptr) CHECK(undeclared(entry, many) == 0);
      }
    }
}

TEST_CASE("the tangents of points are full unless they are declared, and masses are looked at", "[serial]") {
  for (const ElementEntry& entry : registered_elements()) {
    INFO(entry.name);
    const auto family = empty_family(entry);
    CHECK(family->shows_pattern(MatrixKind::projection));
    CHECK(family->shows_pattern(MatrixKind::tangent) == entry.shape.is_analytic);
    CHECK(family->declared_entries(MatrixKind::tangent).empty() ==
          !(entry.shape.is_analytic || entry.shape.declares_couplings()));
  }
  CHECK(empty_family(*find_entry(registered_elements(), RigidBody::name))->shows_pattern(MatrixKind::tangent));
  const std::vector<char> entries =
      empty_family(*find_entry(registered_elements(), PointMass::name))->declared_entries(MatrixKind::tangent);
  CHECK(entries == std::vector<char>{1, 0, 0, 0, 1, 0, 0, 0, 1});
}

template <class S>
concept Ordered = requires(S a) {
  a < a;
}
|| requires(S a) { a > 0.0; }
|| requires(S a) { a == a; }
|| requires(S a) { a != 0.0; }
|| requires(S a) { a ? 1 : 0; };

template <class S>
concept HasValue = requires(S a) {
  value_of(a);
}
|| requires(S a) { math::fabs(a); }
|| std::convertible_to<S, double>;

TEST_CASE("an uncompared number has neither order nor value", "[serial]") {
  STATIC_REQUIRE(Ordered<double>);
  STATIC_REQUIRE(Ordered<Dual1>);
  STATIC_REQUIRE(HasValue<Dual1>);
  STATIC_REQUIRE_FALSE(Ordered<Uncompared>);
  STATIC_REQUIRE_FALSE(HasValue<Uncompared>);
}
