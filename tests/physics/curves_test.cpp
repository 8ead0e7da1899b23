// Points on curves: a bead on a track against its equation, a straight rail against a line, a ring, and the end of a track.
#include "kernels/joints/space_curve.hpp"
#include "tests/physics/order_study.hpp"
#include "tests/physics/reference_solution.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double mass = 0.7;
const Vec3<double> weight{{0, 0, -9.81}};

/// Points of a track that falls, turns and rises again.
std::vector<double> track_points(int pieces) {
  std::vector<double> rows;
  for (int k = 0; k <= pieces; ++k) {
    const double a = 3.0 * k / pieces;
    for (const double x : {1.2 * a, 0.4 * std::sin(1.5 * a), 0.9 * std::pow(a - 1.6, 2) / 2.56}) rows.push_back(x);
  }
  return rows;
}

std::string text_of(const std::vector<double>& rows) {
  std::string text;
  for (std::size_t k = 0; k < rows.size(); k += 3)
    text += fmt::format("{}[{:.17g}, {:.17g}, {:.17g}]", k > 0 ? ", " : "", rows[k], rows[k + 1], rows[k + 2]);
  return "[" + text + "]";
}

/// A bead without friction on the curve c(u): |c'|^2 u'' + c' . c'' u'^2 = c' . g.
class Bead {
 public:
  explicit Bead(const SpaceCurve& curve, double start) : curve_(curve), motion_({start, 0}, rate(curve), 1e-4) {}

  Values operator()(double t) {
    const auto y = motion_.at(t);
    const double acceleration = motion_.derivative()[1];
    double start = 0;
    const auto piece = curve_.piece_of(curve_.line, curve_.find_piece(y[0], start));
    const double d = y[0] - start;
    const Vec3<double> x = piece.value(d), v = y[1] * piece.slope(d),
                       a = acceleration * piece.slope(d) + (y[1] * y[1]) * piece.bend(d), f = mass * (weight - a);
    Values values;
    for (int c = 0; c < 3; ++c) {
      const std::string component(1, "xyz"[c]);
      values["bead.position." + component] = x[c];
      values["bead.velocity." + component] = v[c];
      values["bead.acceleration." + component] = a[c];
      values["track.force." + component] = f[c];
    }
    return values;
  }

 private:
  static ReferenceSolution::Derivative rate(const SpaceCurve& curve) {
    return [curve](const std::vector<double>& y) {
      double start = 0;
      const auto piece = curve.piece_of(curve.line, curve.find_piece(y[0], start));
      const Vec3<double> t = piece.slope(y[0] - start), b = piece.bend(y[0] - start);
      return std::vector<double>{y[1], (dot(t, weight) - dot(t, b) * y[1] * y[1]) / dot(t, t)};
    };
  }
  SpaceCurve curve_;
  ReferenceSolution motion_;
};

/// The bead starts at rest from a point of the track, number 2.
KnownMotion bead_on_track(int pieces) {
  const std::vector<double> rows = track_points(pieces);
  const SpaceCurve curve = SpaceCurve::through(rows);
  return {fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bead: {{type: point-mass, mass: 0.7, position: [{:.17g}, {:.17g}, {:.17g}]}}
joints:
  track: {{type: point-on-curve, connect: [ground, bead], points: {}}}
sensors:
  bead: {{type: point, of: bead, record: [position, velocity, acceleration]}}
  track: {{type: joint, of: track, record: [force]}}
)yaml",
                      rows[6], rows[7], rows[8], text_of(rows)),
          [curve] { return Exact(Bead(curve, curve.knot[2])); },
          {vector_quantity("position", "bead.position"), vector_quantity("velocity", "bead.velocity"),
           vector_quantity("acceleration", "bead.acceleration"), vector_quantity("reaction", "track.force")}};
}

/// Runs a bead on a track with what stands in braces behind `position`.
Trajectory run_bead(const std::string& bead, const std::string& joint, const std::string& analysis) {
  return run_model(MPI_COMM_SELF, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  bead: {type: point-mass, mass: 0.7, position: " +
                                      bead + "}\njoints:\n  track: {" + joint +
                                      "}\nsensors:\n  bead: {type: point, of: bead, record: [position, velocity]}\n"
                                      "  e: {type: energy}\n  drift: {type: constraint}\nanalysis: {" +
                                      analysis + "}\n");
}

}  // namespace

TEST_CASE("a bead slides along a track with order 2, its reaction included", "[serial]") {
  StudyChoices choices;
  choices.end_time = 1.5;
  choices.counts = {150, 300, 600};
  check_orders(bead_on_track(30), choices);
  choices.alternating = true;
  check_orders(bead_on_track(30), choices);
}

TEST_CASE("a straight curve on a body that turns is a line", "[serial]") {
  const auto run = [](const std::string& rail) {
    return run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  arm: {type: rigid, mass: 2, inertia: [0.1, 0.3, 0.3], position: [0.5, 0, 0], points: {hub: [-0.5, 0, 0]}}
  bob: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.02], position: [0.3, 0.1, 0.2], velocity: [0.2, 0, 0],
        points: {shoe: [0.1, -0.1, -0.2]}}
joints:
  hinge: {type: revolute, connect: [ground, arm.hub], axis: [0, 1, 0]}
  rail: {)yaml" + rail + R"yaml(}
sensors:
  bob: {type: point, of: bob, record: [position, velocity, orientation]}
  hinge: {type: joint, of: hinge}
analysis: {end_time: 1, step: 0.01, newton: {tolerance: 1e-12}}
)yaml");
  };
  const Trajectory line = run("type: point-on-line, connect: [arm, bob.shoe], axis: [1, 0, 0]"),
                   curve = run("type: point-on-curve, connect: [arm, bob.shoe], points: [[-3, 0, 0], [1, 0, 0], [9, 0, 0]]");
  for (const auto& [name, value] : line.values.back()) {
    INFO(name);
    CHECK(curve.values.back().at(name) == Approx(value).margin(1e-8));
  }
}

TEST_CASE("a bead goes round a closed ring for many rounds", "[serial]") {
  constexpr int pieces = 48;
  std::vector<double> rows;
  for (int k = 0; k <= pieces; ++k) {
    const double a = 2 * std::acos(-1.0) * (k % pieces) / pieces;
    for (const double x : {0.5 * std::cos(a), 0.0, 0.5 * std::sin(a)}) rows.push_back(x);
  }
  const Trajectory run =
      run_bead("[0, 0, -0.5], velocity: [6, 0, 0]", "type: point-on-curve, connect: [ground, bead], points: " + text_of(rows),
               "end_time: 4, step: 2e-3, rho_inf: 1, newton: {tolerance: 1e-12}");
  const double start = run.values.front().at("e.total");
  for (const Values& v : run.values) {
    CHECK(std::hypot(v.at("bead.position.x"), v.at("bead.position.z")) == Approx(0.5).epsilon(1e-5));
    CHECK(v.at("e.total") == Approx(start).margin(0.01));
    CHECK(v.at("drift.position") < 1e-10);
    CHECK(v.at("drift.velocity") < 1e-9);
  }
}

TEST_CASE("what starts beside its curve is projected onto it", "[serial]") {
  const Trajectory run = run_bead("[1, 0.1, 0], velocity: [1, 1, 0]",
                                  "type: point-on-curve, connect: [ground, bead], points: [[0, 0, 0], [1, 0, 0], [2, 0, 0]]",
                                  "end_time: 0.1, step: 0.01");
  CHECK(run.values.front().at("bead.position.y") == Approx(0).margin(1e-10));
  CHECK(run.values.back().at("bead.position.x") == Approx(1.1));
}

TEST_CASE("a run ends where something comes to the end of its curve", "[serial]") {
  const std::string joint = "type: point-on-curve, connect: [ground, bead], points: [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]]";
  CHECK_NOTHROW(run_bead("[0, 0, 0], velocity: [1, 0, 0]", joint, "end_time: 0.99, step: 0.03"));
  CHECK_THROWS_WITH(run_bead("[0, 0, 0], velocity: [1, 0, 0]", joint, "end_time: 1.2, step: 0.03"),
                    Catch::Contains("track") && Catch::Contains("come to an end of its curve"));
}

// A light follower leaves the cam's energy what it is, so that nothing else speaks up: with steps of 1.8 rad its rows hold as
// well on the far side of the cam.
TEST_CASE("a follower stays on its side of a cam that is driven by long steps", "[serial]") {
  constexpr double eccentricity = 0.04, radius = 0.1, speed = 20;
  constexpr int pieces = 62;
  std::vector<double> rows;
  for (int k = 0; k <= pieces; ++k) {
    const double a = 2 * std::acos(-1.0) * (k % pieces) / pieces;
    for (const double x : {eccentricity + radius * std::cos(a), radius * std::sin(a), 0.0}) rows.push_back(x);
  }
  const auto height = [&](double t) {
    return eccentricity * std::sin(speed * t) + std::sqrt(radius * radius - std::pow(eccentricity * std::cos(speed * t), 2));
  };
  const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
gravity: [0, -9.81, 0]
bodies:
  cam: {{type: rigid, mass: 100, inertia: [10, 10, 20], position: [0, 0, 0]}}
  follower: {{type: rigid, mass: 5e-4, inertia: [0.03, 0.03, 0.04], position: [0, {:.17g}, 0]}}
joints:
  shaft: {{type: revolute, connect: [ground, cam], axis: [0, 0, 1]}}
  drive: {{type: motion, of: shaft, angle: "{} * t"}}
  guide: {{type: prismatic, connect: [ground, follower], axis: [0, 1, 0]}}
  face: {{type: point-on-curve, connect: [cam, follower], points: {}}}
sensors:
  follower: {{type: point, of: follower, record: [position]}}
analysis: {{end_time: 6, step: 0.09}}
)yaml",
                                                              height(0), speed, text_of(rows)));
  for (std::size_t k = 0; k < run.time.size(); ++k)
    CHECK(run.values[k].at("follower.position.y") == Approx(height(run.time[k])).margin(1e-6));
}
