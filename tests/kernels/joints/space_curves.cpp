// The curve of a point-on-curve joint: its points, its order, its directions, its feet; the rows on it and their derivatives.
#include "tests/catch.hpp"

#include "kernels/joints/point_on_curve.hpp"
#include "kernels/sweep/joint_family.hpp"
#include "tests/kernels/joints/joint_checks.hpp"

#include <cmath>
#include <functional>
#include <numbers>

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr double pi = std::numbers::pi;

Vec3<double> on_helix(double a) { return {{2 * std::cos(a), 2 * std::sin(a), 0.3 * a}}; }
Vec3<double> on_ring(double a) { return {{2 * std::cos(a), 1.5 * std::sin(a), 0.4 * std::sin(2 * a)}}; }

SpaceCurve sampled(const std::function<Vec3<double>(double)>& line, double end, int pieces) {
  std::vector<double> rows;
  for (int k = 0; k <= pieces; ++k) {
    const Vec3<double> p = line(k < pieces || end != 2 * pi ? end * k / pieces : 0.0);
    rows.insert(rows.end(), p.data, p.data + 3);
  }
  return SpaceCurve::through(rows);
}

Vec3<double> value(const SpaceCurve& curve, double u) {
  double start = 0;
  const int k = curve.find_piece(u, start);
  return curve.piece_of(curve.line, k).value(u - start);
}

/// How far a helix is from the curve through its points, at most.
double helix_error(int pieces) {
  const SpaceCurve curve = sampled(on_helix, 4, pieces);
  double largest = 0;
  for (int i = 0; i <= 200; ++i) {
    const Vec3<double> x = on_helix(4.0 * i / 200);
    largest = std::max(largest, norm(x - value(curve, curve.nearest(x, curve.length() * i / 200))));
  }
  return largest;
}

}  // namespace

TEST_CASE("a curve in space passes its points, and does not jump there to its fourth derivative", "[serial]") {
  for (const SpaceCurve& curve : {sampled(on_helix, 4, 9), sampled(on_ring, 2 * pi, 12), sampled(on_helix, 1, 2)}) {
    const int last = curve.size() - 1;
    for (int k = 0; k <= last; ++k) {
      CHECK(norm(value(curve, curve.knot[k]) - curve.line.value[k]) < 1e-13);
      if (!curve.is_closed() && (k == 0 || k == last)) continue;
      const int before = k > 0 ? k - 1 : last - 1, behind = k < last ? k : 0;
      const auto a = curve.piece_of(curve.line, before), b = curve.piece_of(curve.line, behind);
      const double h = curve.knot[before + 1] - curve.knot[before];
      CHECK(norm(a.slope(h) - b.slope(0.0)) < 1e-12);
      CHECK(norm(a.bend(h) - b.bend(0)) < 1e-11);
      CHECK(norm(a.c[3] + (4 * h) * a.c[4] + (10 * h * h) * a.c[5] - b.c[3]) < 1e-9);
      CHECK(norm(a.c[4] + (5 * h) * a.c[5] - b.c[4]) < 1e-9);
    }
  }
  CHECK(sampled(on_ring, 2 * pi, 12).is_closed());
  CHECK_FALSE(sampled(on_helix, 4, 9).is_closed());
}

TEST_CASE("a curve comes to a helix with the sixth power of the points' distance, at its ends too", "[serial]") {
  const double coarse = helix_error(16), fine = helix_error(32);
  CHECK(fine < 1e-6);
  CHECK(std::log2(coarse / fine) > 5.5);
}

TEST_CASE("a line through two points is straight, a curve through three a parabola", "[serial]") {
  const SpaceCurve line = SpaceCurve::through({0, 0, 0, 2, 0, 0});
  CHECK(norm(value(line, 1.2) - Vec3<double>{{1.2, 0, 0}}) < 1e-14);
  CHECK(norm(value(line, -0.5) - Vec3<double>{{-0.5, 0, 0}}) < 1e-14);
  const SpaceCurve arch = SpaceCurve::through({-1, 0, 0, 0, 0, 1, 1, 0, 0});
  CHECK(value(arch, arch.length() / 4)[2] == Approx(0.75));
}

TEST_CASE("directions across a closed curve meet after a round", "[serial]") {
  const SpaceCurve ring = sampled(on_ring, 2 * pi, 12);
  CHECK(norm(ring.across.value[12] - ring.across.value[0]) < 1e-12);
  CHECK(norm(ring.across.slope[12] - ring.across.slope[0]) < 1e-12);
  double g[2];
  for (int i = 0; i < 50; ++i) {
    const double u = ring.length() * i / 50;
    ring.offsets(value(ring, u) + Vec3<double>{{0.02, -0.03, 0.01}}, ring.nearest(value(ring, u), u), g);
    CHECK(std::hypot(g[0], g[1]) < 0.04);
  }
}

TEST_CASE("the foot of a place is found from afar, round after round", "[serial]") {
  const SpaceCurve ring = sampled(on_ring, 2 * pi, 12);
  for (const double u : {0.1, 2.0, 5.5, 7.0})
    for (const double off : {-1.2, -0.4, 0.3, 1.1}) {
      CHECK(ring.nearest(value(ring, u), u + off) == Approx(u).epsilon(1e-12));
      CHECK(ring.nearest(value(ring, u + 3 * ring.length()), u + off - 2 * ring.length()) ==
            Approx(u - 2 * ring.length()).epsilon(1e-12));
    }
}

TEST_CASE("what makes no smooth curve is refused", "[serial]") {
  CHECK_THROWS_WITH(SpaceCurve::through({0, 0, 0}), Catch::Contains("from 2 to 64"));
  CHECK_THROWS_WITH(SpaceCurve::through({0, 0, 0, 1, 0, 0, 1, 0, 0}), Catch::Contains("points 2 and 3 coincide"));
  CHECK_THROWS_WITH(SpaceCurve::through({0, 0, 0, 1, 0, 0, 0, 0, 0}), Catch::Contains("needs three points"));
  CHECK_THROWS_WITH(SpaceCurve::through({0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0.01, 0, 0, 0.01, 0}), Catch::Contains("too sharply"));
}

TEST_CASE("the rows of a point on a curve have exact derivatives, on the curve and beside it", "[serial]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Sampler sample(seed);
    PointOnCurve::Params p;
    p.curve = seed % 2 == 0 ? sampled(on_helix, 4, 9) : sampled(on_ring, 2 * pi, 12);
    p.point2 = sample.vector(1);
    const double u = sample.uniform(0.1, 0.9) * p.curve.length();
    p.near = u + sample.uniform(-0.3, 0.3);
    Frame<double> f[2] = {random_frame(sample), random_frame(sample)};
    const double off = seed < 4 ? 0 : 0.3;
    f[1].x = f[0].x + f[0].R * (value(p.curve, u) + sample.vector(off)) - f[1].R * p.point2;
    const double none[1] = {}, lambda[2] = {sample.uniform(-2, 2), sample.uniform(-2, 2)};
    double g[2];
    PointOnCurve::position(p, f, none, g);
    if (seed < 4) CHECK(std::hypot(g[0], g[1]) < 1e-13);
    Mat<double, 2, 12> G;
    PointOnCurve::gradient(p, f, none, G);
    CHECK(largest_difference(G, dual_gradient<PointOnCurve>(p, f, none)) < 1e-12);
    Mat<double, 12> K;
    PointOnCurve::geometric_stiffness(p, f, none, lambda, K);
    CHECK(largest_difference(K, dual_stiffness<PointOnCurve>(p, f, none, lambda)) < 1e-11);
    for (int j = 0; j < 3; ++j) {  // the foot's own derivatives, against differences
      constexpr double h = 1e-5;
      double high[2], low[2];
      Frame<double> moved[2] = {f[0], f[1]};
      moved[1].x[j] += h;
      PointOnCurve::position(p, moved, none, high);
      moved[1].x[j] -= 2 * h;
      PointOnCurve::position(p, moved, none, low);
      for (int r = 0; r < 2; ++r) CHECK((high[r] - low[r]) / (2 * h) == Approx(G(r, 6 + j)).margin(1e-8));
    }
  }
}

TEST_CASE("a point on a curve is told when it comes to the end or loses its place", "[serial]") {
  PointOnCurve::Params p;
  p.curve = sampled(on_helix, 4, 9);
  const auto at = [&](double u) {
    Frame<double> f;
    f.x = value(p.curve, u);
    return f;
  };
  const auto verdict = [&](double before, double now) {
    const Frame<double> was[2] = {{}, at(before)}, is[2] = {{}, at(now)};
    return PointOnCurve::check(p, was, is, nullptr);
  };
  p.near = 1;
  CHECK(verdict(0.9, 1.3) == Verdict::ok);
  p.near = 0.1;
  CHECK(verdict(0.05, 0) == Verdict::ok);
  CHECK(verdict(0.05, -0.01) == Verdict::singular);
  p.near = p.curve.length();
  CHECK(verdict(p.curve.length() - 0.1, p.curve.length() + 1e-3) == Verdict::singular);
}

TEST_CASE("a family reads each joint's curve where it lies, and remembers feet there", "[serial][device]") {
  static_assert(JointFamily<PointOnCurve>::in_place);
  PointOnCurve::Params joints[2];
  joints[0].curve = sampled(on_helix, 4, 9);
  joints[1].curve = sampled(on_ring, 2 * pi, 12);
  constexpr double near[2] = {1, 3}, now[2] = {1.05, 5};  // the second foot has moved by so much that it is due
  FamilyData data;
  data.size = 2;
  std::vector<double> config, expected;
  for (int e = 0; e < 2; ++e) {
    PointOnCurve::Params& p = joints[e];
    p.near = near[e];
    Frame<double> f[2];
    f[1].x = value(p.curve, now[e]) + Vec3<double>{{0.02, -0.01, 0.03}};
    const double none[1] = {};
    double g[2];
    PointOnCurve::position(p, f, none, g);
    expected.insert(expected.end(), g, g + 2);
    for (const Frame<double>& frame : f) {
      data.nodes.push_back(static_cast<int>(config.size()) / 7);
      config.insert(config.end(), {frame.x[0], frame.x[1], frame.x[2], 1, 0, 0, 0});
    }
    const std::vector<double> words = packed(p);
    data.params.insert(data.params.end(), words.begin(), words.end());
    data.rows.push_back(2 * e);
  }
  JointFamily<PointOnCurve> family("curves", data);
  SweepState s;
  const NodeArrays arrays{to_device_array("config", std::vector<int>{0, 7, 14, 21}),
                          to_device_array("dof", std::vector<int>{-1, 0, -1, 6}),
                          to_device_array("frame", std::vector<int>{0, 1, 2, 3})};
  s.nodes = arrays;
  const auto q = to_device_array("q", config);
  s.config = q.data();
  const auto rows = [&] {
    const DeviceArray<double> g("g", 4);
    family.constraints(s, g.data(), nullptr);
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), g);
    return family.row_slots().by_element(host.data());
  };
  const auto foot = [&](int e) { return family.params_of(e)[sizeof(SpaceCurve) / sizeof(double) + 3]; };
  const auto check_rows = [&] {
    const std::vector<double> found = rows();
    for (std::size_t i = 0; i < 4; ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-12));
  };
  check_rows();
  family.commit(s);
  CHECK(foot(0) == near[0]);
  CHECK(foot(1) == Approx(now[1]).epsilon(0.01));
  check_rows();
  family.forget();
  CHECK(foot(1) == near[1]);
  check_rows();
}
