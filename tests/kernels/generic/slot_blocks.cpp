// Elements in blocks of slots, as on a GPU: the same numbers as element by element, in the places that the layout says.

#include "kernels/elements/cable.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "kernels/joints/revolute.hpp"
#include "kernels/joints/rolling_disc.hpp"
#include "kernels/loads/bushing.hpp"
#include "kernels/loads/friction_revolute.hpp"
#include "kernels/loads/spring_damper.hpp"
#include "kernels/sweep/force_family.hpp"
#include "kernels/sweep/joint_family.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/generic/node_crowd.hpp"
#include "tests/kernels/generic/one_element.hpp"

#include <algorithm>
#include <set>

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr int block = 32;
constexpr int size = 2 * block + 7;  // the last block is not full

/// Different elements of a kind, on nodes of their own.
FamilyData elements_of(const FamilyEntry& entry) {
  FamilyData data;
  data.size = size;
  for (unsigned e = 0; e < size; ++e) {
    const std::vector<double> params = entry.make_params ? random_item(entry, e, false)->params : entry.example(e).params;
    data.params.insert(data.params.end(), params.begin(), params.end());
    if (entry.shape.coupled_rows() > 0) data.rows.push_back(static_cast<int>(e) * entry.shape.coupled_rows());
  }
  for (int k = 0; k < size * entry.shape.nodes_per_element; ++k) data.nodes.push_back(k);
  return data;
}

/// What a sweep of a family writes, element by element; the slots behind stay as they are.
template <class Sweep>
std::vector<double> by_element(const NodeCrowd& crowd, const SlotLayout& layout, const Sweep& sweep) {
  constexpr std::size_t behind = 3;
  const auto slots = crowd.swept(layout.size() + behind, sweep, true);
  CHECK(std::all_of(slots.end() - behind, slots.end(), [](double x) { return x == 0; }));
  return layout.by_element(slots.data());
}

/// The matrices of some elements.
std::vector<double> matrices(const NodeCrowd& crowd, const Family& family, ElementRange range) {
  auto all = by_element(crowd, family.entry_slots(MatrixKind::tangent, range), [&](const SweepState& s, double* out) {
    family.tangent(s, {0.7, 1.3, 0.4, 0.9, 1.1, 0.6}, range, out);
  });
  const auto append = [&all](const std::vector<double>& more) { all.insert(all.end(), more.begin(), more.end()); };
  append(by_element(crowd, family.entry_slots(MatrixKind::projection, range),
                    [&](const SweepState& s, double* out) { family.projection(s, range, out); }));
  append(by_element(crowd, family.curvature_slots(range),
                    [&](const SweepState& s, double* out) { family.constraint_curvature(s, range, out); }));
  return all;
}

/// Forces and what constraints give.
std::vector<double> vectors(const NodeCrowd& crowd, const Family& family) {
  auto all = by_element(crowd, family.force_slots(), [&](const SweepState& s, double* out) { family.forces(s, out); });
  const auto append = [&](const auto& sweep) {
    const std::vector<double> more = by_element(crowd, family.row_slots(), sweep);
    all.insert(all.end(), more.begin(), more.end());
  };
  append([&](const SweepState& s, double* out) { family.constraints(s, out, nullptr); });
  append([&](const SweepState& s, double* out) { family.constraints(s, nullptr, out); });
  append([&](const SweepState& s, double* out) { family.constraint_drift(s, out); });
  return all;
}

/// To rounding: compilers contract products and sums here and there as they like.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return !a.empty() && a.size() == b.size() && mismatch(a, b) < 1e-13;
}

void check_blocks(const FamilyData& data, const Family& in_blocks, const Family& one_by_one) {
  const NodeCrowd crowd(one_by_one.shape(), data.size, 3);
  CHECK(same(vectors(crowd, in_blocks), vectors(crowd, one_by_one)));
  for (const ElementRange range : {in_blocks.all(), ElementRange{3, 50}, ElementRange{7, 8}}) {
    INFO(range.first << " to " << range.last);
    CHECK(same(matrices(crowd, in_blocks, range), matrices(crowd, one_by_one, range)));
  }
}

template <class E>
void check_element(const FamilyEntry& entry) {
  const FamilyData data = elements_of(entry);
  check_blocks(data, ElementFamily<E, block>(E::name, data), ElementFamily<E, 1>(E::name, data));
}

template <class J>
void check_joint() {
  const FamilyData data = elements_of(make_joint_entry<J>());
  check_blocks(data, JointFamily<J, block>(J::name, data), JointFamily<J, 1>(J::name, data));
}

}  // namespace

TEST_CASE("in a block number after number stands for all its elements", "[serial]") {
  const SlotLayout layout{70, 5, 32};
  std::set<std::ptrdiff_t> places;
  for (int e = 0; e < layout.count; ++e)
    for (int i = 0; i < layout.width; ++i) places.insert(layout.place(e, i));
  CHECK(places.size() == layout.size());  // none twice, none left empty
  CHECK(*places.begin() == 0);
  CHECK(*places.rbegin() == static_cast<std::ptrdiff_t>(layout.size()) - 1);
  CHECK(layout.place(1, 0) == 1);
  CHECK(layout.place(0, 1) == 32);
  CHECK(layout.place(33, 2) == 32 * 5 + 2 * 32 + 1);
  CHECK(layout.place(65, 2) == 64 * 5 + 2 * 6 + 1);
  const SlotLayout plain{70, 5, 1};
  CHECK(plain.place(33, 2) == 33 * 5 + 2);
}

TEST_CASE("elements write the same numbers in blocks", "[serial][device]") {
  check_element<Cable>(make_element_entry<Cable>());
  check_element<RigidBody>(make_element_entry<RigidBody>());
}

TEST_CASE("forces write the same tangents column by column", "[serial][device]") {
  check_element<Bushing>(make_force_entry<Bushing>());
  check_element<SpringDamper>(make_force_entry<SpringDamper>());
  check_element<FrictionRevolute>(make_force_entry<FrictionRevolute>());
}

TEST_CASE("joints write the same numbers in blocks", "[serial][device]") {
  check_joint<Revolute>();
  check_joint<RollingDisc>();
}

TEST_CASE("one element's slots are the same in a block and out of it", "[serial]") {
  const SlotLayout alone{1, 7, 32};
  for (int i = 0; i < alone.width; ++i) CHECK(alone.place(0, i) == i);
}
