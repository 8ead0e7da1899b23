// Elements in blocks, one in each lane: the same numbers as each element alone, to the last bit.

#include "kernels/elements/cable.hpp"
#include "kernels/sweep/element_family.hpp"
#include "kernels/sweep/registry.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <limits>

namespace sinew {
namespace {

/// A bent line of cables with parameters of their own, fixed at its start.
struct Line {
  explicit Line(int size) {
    Sampler sample(7);
    for (int e = 0; e < size; ++e) {
      const Cable::Params p = Cable::example(static_cast<unsigned>(e));
      params.push_back(p);
      if (e % 3 == 0) params.back().alpha = 0.3;
    }
    for (int node = 0; node < 2 * size + 2; ++node) {
      const bool is_slope = node % 2 == 1;
      offset.push_back(3 * node);
      dof.push_back(node == 0 ? -1 : 3 * (node - 1));
      frame.push_back(-1);
      for (int c = 0; c < 3; ++c) {
        config.push_back((c == 0 ? (is_slope ? 1.0 : 0.5 * node) : 0.0) + sample.uniform(-0.1, 0.1));
        velocity.push_back(sample.uniform(-1, 1));
      }
    }
  }

  /// Elements first ... last - 1.
  ElementFamily<Cable> family(int first, int last) const {
    FamilyData data;
    data.size = last - first;
    for (int e = first; e < last; ++e) {
      for (int k = 0; k < 4; ++k) data.nodes.push_back(2 * e + k);
      const auto words = packed(params[static_cast<std::size_t>(e)]);
      data.params.insert(data.params.end(), words.begin(), words.end());
    }
    return ElementFamily<Cable>("cable", data);
  }

  /// What a sweep of a family writes: `count` numbers.
  template <class Sweep>
  std::vector<double> evaluate(std::size_t count, Sweep sweep) const {
    SweepState s;
    const NodeArrays arrays{to_device_array("offset", offset), to_device_array("dof", dof), to_device_array("frame", frame)};
    s.nodes = arrays;
    const auto q = to_device_array("config", config), v = to_device_array("velocity", velocity);
    s.config = q.data();
    s.velocity = v.data();
    s.environment.gravity = Vec3<double>{{1, -2, 3}};
    DeviceArray<double> out("out", count);
    sweep(s, out.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), out);
    return std::vector<double>(host.data(), host.data() + count);
  }

  std::vector<Cable::Params> params;
  std::vector<int> offset, dof, frame;
  std::vector<double> config, velocity;
};

/// Equal to the last bit, NaN like NaN.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("an element's forces and tangent do not depend on the block that it stands in", "[serial][device]") {
  const int size = 2 * lane_count + 3;
  const Line line(size);
  const auto whole = line.family(0, size);
  const auto count = static_cast<std::size_t>(size);
  const Shift shift{0.7, 1.3, 2.1};
  const auto forces = line.evaluate(12 * count, [&](const SweepState& s, double* out) { whole.forces(s, out); });
  const auto tangents =
      line.evaluate(144 * count, [&](const SweepState& s, double* out) { whole.tangent(s, shift, whole.all(), out); });
  const auto f = whole.force_slots().by_element(forces.data());
  const auto J = whole.entry_slots(MatrixKind::tangent, whole.all()).by_element(tangents.data());
  for (int e = 0; e < size; ++e) {
    INFO("element " << e);
    const auto one = line.family(e, e + 1);
    const auto slice = [e](const std::vector<double>& all, int width) {
      return std::vector<double>(all.begin() + e * width, all.begin() + (e + 1) * width);
    };
    CHECK(same(line.evaluate(12, [&](const SweepState& s, double* out) { one.forces(s, out); }), slice(f, 12)));
    const auto tangent = [&](const SweepState& s, double* out) { one.tangent(s, shift, one.all(), out); };
    CHECK(same(line.evaluate(144, tangent), slice(J, 144)));
    const auto part = [&](const SweepState& s, double* out) { whole.tangent(s, shift, {e, e + 1}, out); };
    CHECK(same(line.evaluate(144, part), slice(J, 144)));
  }
}

TEST_CASE("a block writes nothing beyond its elements", "[serial][device]") {
  const int size = lane_count + 1;
  const Line line(size);
  const auto family = line.family(0, size);
  const auto count = static_cast<std::size_t>(12 * size);
  const auto out = line.evaluate(count + 144, [&](const SweepState& s, double* to) { family.forces(s, to); });
  CHECK(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), [](double x) { return x == 0; }));
}

TEST_CASE("the first element at fault of a block is found, with what is wrong", "[serial][device]") {
  const int size = 3 * lane_count + 1;
  for (const int wrong : {0, lane_count - 1, lane_count, size - 1}) {
    Line line(size);
    const auto family = line.family(0, size);
    const auto find = [&] {
      Finding found;
      line.evaluate(1, [&](const SweepState& s, double*) { found = family.check(s); });
      return found;
    };
    CHECK(find().verdict == Verdict::ok);
    const auto last = static_cast<std::size_t>(3 * (2 * wrong + 2));  // its second place: the next element has it too
    line.config[last] = std::numeric_limits<double>::quiet_NaN();
    CHECK(find().verdict == Verdict::not_finite);
    CHECK(find().element == wrong);
  }
}

TEST_CASE("logarithms in lanes are those of single numbers to the last place, and none below zero", "[serial]") {
  Sampler sample(3);
  const auto log_in_lane = [](double x) {
    double values[lane_count];
    log(Lanes(x)).store(values);
    return values[lane_count - 1];
  };
  for (int k = 0; k < 20000; ++k) {
    const double x = k % 2 == 0 ? std::exp(sample.uniform(-600, 600)) : 1 + std::pow(10, sample.uniform(-15, 0)) * (k % 4 - 2);
    if (x <= 0) continue;
    CAPTURE(x);
    REQUIRE(std::fabs(log_in_lane(x) - std::log(x)) <= 3e-16 * std::fabs(std::log(x)));
  }
  CHECK(log_in_lane(1) == 0);
  for (const double x : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK(std::isnan(log_in_lane(x)));
}

TEST_CASE("numbers of a square change places between lanes", "[serial]") {
  Lanes square[lane_count];
  double row[lane_count];
  for (int r = 0; r < lane_count; ++r) {
    for (int l = 0; l < lane_count; ++l) row[l] = 100 * r + l;
    square[r] = Lanes(row);
  }
  transpose_lanes(square);
  for (int r = 0; r < lane_count; ++r) {
    square[r].store(row);
    for (int l = 0; l < lane_count; ++l) CHECK(row[l] == 100 * l + r);
  }
}

}  // namespace sinew
