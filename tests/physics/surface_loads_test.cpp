// Pressure and tractions on surfaces of solids, and stress and strain in their points, against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/curved_mesh.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A mesh beside the tests, by its path.
std::string written(const std::string& name, const FileMesh& mesh) {
  return write_scratch(name, gmsh_bytes(mesh, {false, false})).string();
}

/// The largest component of a tensor's difference from a multiple of the unit tensor.
double off_spherical(const std::map<std::string, double>& v, const std::string& name, double value) {
  double largest = 0;
  for (const char* c : {"xx", "yy", "zz"}) largest = std::max(largest, std::abs(v.at(name + "." + c) - value));
  for (const char* c : {"xy", "yz", "xz"}) largest = std::max(largest, std::abs(v.at(name + "." + c)));
  return largest;
}

}  // namespace

TEST_CASE("A thick cylinder under inner pressure has the displacements and stresses of Lame", "[serial]") {
  const double a = 1, b = 2, E = 1e7, nu = 0.3, p = 100, r = 1.4;
  const std::string mesh = written("thick_cylinder.msh", ring(CellShape::hex27, {16, 1, 3}, a, b, 0.25));
  Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}}}
bodies:
  tube: {{type: solid, mesh: {}, material: m, points: {{wall: [1.4, 0, 0.125], far: [0, 1.4, 0.125]}}}}
joints:
  hold: {{type: fixed, connect: [ground, tube.v-]}}
forces:
  p: {{type: pressure, on: tube.w-, pressure: 100}}
sensors:
  p: {{type: force, of: p}}
  wall: {{type: point, of: tube.wall, record: [displacement, stress, von_mises]}}
  far: {{type: point, of: tube.far, record: [displacement, stress]}}
analysis: {{type: static}}
)",
                                              mesh));
  model.find_rest();
  const auto v = model.values();
  const double c = p * a * a / (b * b - a * a);
  const double u = c / E * ((1 - nu) * r + (1 + nu) * b * b / r), radial = c * (1 - b * b / (r * r)),
               hoop = c * (1 + b * b / (r * r));
  CHECK(v.at("wall.displacement.x") == Approx(u).epsilon(1e-3));
  CHECK(v.at("far.displacement.y") == Approx(u).epsilon(1e-3));
  CHECK(v.at("wall.stress.xx") == Approx(radial).margin(0.01 * hoop));
  CHECK(v.at("wall.stress.yy") == Approx(hoop).epsilon(0.01));
  CHECK(v.at("wall.stress.zz") == Approx(0).margin(0.01 * hoop));
  CHECK(v.at("far.stress.xx") == Approx(hoop).epsilon(0.01));
  CHECK(v.at("wall.von_mises") == Approx(std::sqrt(radial * radial - radial * hoop + hoop * hoop)).epsilon(0.01));
  CHECK(v.at("p.area") == Approx(2 * std::acos(-1.0) * a * 0.25).epsilon(1e-3));
  CHECK(norm(Vec3<double>{{v.at("p.force.x"), v.at("p.force.y"), v.at("p.force.z")}}) < 1e-9);
}

TEST_CASE("A body that is pressed from all sides shrinks evenly, however its mesh is distorted", "[serial]") {
  const double lambda = 0.9, J = lambda * lambda * lambda, E = 1e6, nu = 0.3;
  const double mu = E / (2 * (1 + nu)), lame = E * nu / ((1 + nu) * (1 - 2 * nu));
  const double p = -(mu * (lambda * lambda - 1) + lame * std::log(J)) / J;  // of the neo-Hookean law
  const auto bump = [](double u, double v, double w) {
    const double much = u * (1 - u) * v * (1 - v) * w * (1 - w);
    return std::array<double, 3>{u + 3 * much, v - 2 * much, w + much};
  };
  using enum CellShape;
  for (const auto& [shape, mixed] : {std::pair{hex8, false},
                                     {hex20, false},
                                     {hex27, false},
                                     {prism6, false},
                                     {prism15, false},
                                     {prism18, false},
                                     {prism6, true},
                                     {prism15, true},
                                     {prism18, true}}) {
    CAPTURE(shape_info(shape).name, mixed);
    const std::string mesh = written("pressed_cube.msh", bent_box(shape, {2, 2, 2}, false, bump, mixed));
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, law: neo-hookean}}}}
bodies:
  cube: {{type: solid, mesh: {}, material: m, points: {{p: [0.3, 0.6, 0.2]}}}}
joints:
  hold: {{type: fixed, connect: [ground, cube.u-]}}
forces:
  a: {{type: pressure, on: cube.u-, pressure: {p}}}
  b: {{type: pressure, on: cube.u+, pressure: {p}}}
  c: {{type: pressure, on: cube.v-, pressure: {p}}}
  d: {{type: pressure, on: cube.v+, pressure: {p}}}
  e: {{type: pressure, on: cube.w-, pressure: {p}}}
  f: {{type: pressure, on: cube.w+, pressure: {p}}}
sensors:
  top: {{type: force, of: f}}
  end: {{type: point, of: cube.u+, record: displacement}}
  inner: {{type: point, of: cube.p, record: [displacement, stress, strain, von_mises]}}
  hold: {{type: joint, of: hold, record: force}}
analysis: {{type: static, newton: {{tolerance: 1e-12}}}}
)",
                                                mesh, fmt::arg("p", p)));
    model.find_rest();
    const auto v = model.values();
    CHECK(v.at("end.displacement.x") == Approx(lambda - 1).epsilon(1e-9));
    CHECK(v.at("inner.displacement.x") == Approx(0.3 * (lambda - 1)).epsilon(1e-9));
    CHECK(v.at("inner.displacement.z") == Approx((0.2 - 0.5) * (lambda - 1)).epsilon(1e-9));
    CHECK(off_spherical(v, "inner.stress", -p) < 1e-8 * p);
    CHECK(off_spherical(v, "inner.strain", (lambda * lambda - 1) / 2) < 1e-9);
    CHECK(v.at("inner.von_mises") < 1e-8 * p);
    CHECK(v.at("top.area") == Approx(lambda * lambda));
    CHECK(v.at("top.force.z") == Approx(-p * lambda * lambda));
    CHECK(std::abs(v.at("hold.force.x")) < 1e-8 * p);
  }
}

TEST_CASE("A bar under a traction is strained evenly, far beyond small strains", "[serial]") {
  const double E = 1e6, nu = 0.3, stretch = 1.3, green = (stretch * stretch - 1) / 2, t = stretch * E * green;
  for (const char* element : {"hex8", "hex20", "hex27"}) {
    CAPTURE(element);
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}}}
bodies:
  bar: {{type: solid, box: {{size: [1, 0.2, 0.3], elements: [3, 1, 2], element: {}}}, material: m,
        points: {{p: [0.4, 0.05, 0.1]}}}}
joints:
  hold: {{type: fixed, connect: [ground, bar.x-]}}
forces:
  pull: {{type: traction, on: bar.x+, vector: [{}, 0, 0]}}
sensors:
  pull: {{type: force, of: pull}}
  p: {{type: point, of: bar.p, record: [stress, strain, displacement.x]}}
analysis: {{type: static, newton: {{tolerance: 1e-11}}}}
)",
                                                element, t));
    model.find_rest();
    const auto v = model.values();
    CHECK(v.at("p.strain.xx") == Approx(green).epsilon(1e-8));
    CHECK(v.at("p.strain.yy") == Approx(-nu * green).epsilon(1e-8));
    CHECK(v.at("p.strain.xz") == Approx(0).margin(1e-9));
    CHECK(v.at("p.stress.xx") == Approx(t / (1 - 2 * nu * green)).epsilon(1e-8));  // over the strained section
    CHECK(v.at("p.stress.zz") == Approx(0).margin(1e-4));
    CHECK(v.at("p.displacement.x") == Approx(0.4 * (stretch - 1)).epsilon(1e-8));
    CHECK(v.at("pull.force.x") == Approx(0.06 * t));
    CHECK(v.at("pull.area") == Approx(0.06));
  }
}

TEST_CASE("A traction along the first normals pulls as pressure does while nothing moves much", "[serial]") {
  const auto reaction = [](const std::string& load) {
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3}}}}
bodies:
  bar: {{type: solid, box: {{size: [1, 0.2, 0.3], elements: [3, 1, 2]}}, material: m}}
joints:
  hold: {{type: fixed, connect: [ground, bar.x-]}}
forces:
  load: {{type: {}, on: bar.z+, pressure: 1000}}
sensors:
  hold: {{type: joint, of: hold}}
analysis: {{type: static}}
)",
                                                load));
    model.find_rest();
    return model.values();
  };
  const auto dead = reaction("traction"), follows = reaction("pressure");
  CHECK(dead.at("hold.force.z") == Approx(-200));  // on the ground
  CHECK(dead.at("hold.moment.y") == Approx(100).epsilon(1e-4));
  CHECK(follows.at("hold.force.z") == Approx(-200).epsilon(1e-4));
}

TEST_CASE("A bent bar of single enhanced hexahedra has the stresses of a beam in all of its points", "[serial]") {
  const double M = 1e-2, inertia = 1e-4 / 12, E = 1e7, nu = 0.3;
  for (const char* law : {"linear-elastic", "st-venant-kirchhoff", "neo-hookean"}) {
    CAPTURE(law);
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3, law: {}}}}}
bodies:
  bar: {{type: solid, box: {{size: [1, 0.1, 0.1], elements: [5, 1, 1]}}, material: m,
        points: {{high: [0.47, 0.02, 0.09], low: [0.55, 0.05, 0.02], middle: [0.5, 0.05, 0.05]}}}}
joints:
  hold: {{type: fixed, connect: [ground, bar.x-]}}
forces:
  turn: {{type: torque, on: bar.x+, vector: [0, 0.01, 0]}}
sensors:
  high: {{type: point, of: bar.high, record: [stress, strain]}}
  low: {{type: point, of: bar.low, record: [stress, strain]}}
  middle: {{type: point, of: bar.middle, record: [stress, strain]}}
analysis: {{type: static, newton: {{tolerance: 1e-11}}}}
)",
                                                law));
    model.find_rest();
    const auto v = model.values();
    const double close = std::string(law) == "linear-elastic" ? 1e-5 : 1e-3;
    for (const auto& [point, z] : {std::pair{"high", 0.04}, {"low", -0.03}, {"middle", 0.0}}) {
      CAPTURE(point);
      const std::string name = point;
      const double stress = M * z / inertia, size = M * 0.05 / inertia;
      CHECK(v.at(name + ".stress.xx") == Approx(stress).margin(close * size));
      for (const char* c : {"yy", "zz", "xy", "yz", "xz"}) CHECK(std::abs(v.at(name + ".stress." + c)) < close * size);
      CHECK(v.at(name + ".strain.xx") == Approx(stress / E).margin(close * size / E));
      CHECK(v.at(name + ".strain.zz") == Approx(-nu * stress / E).margin(close * size / E));
    }
  }
}

TEST_CASE("A bar under changing pressure moves with second order of the step, and its work is its energy", "[serial]") {
  const auto run = [](int steps, const char* element) {
    return run_model(MPI_COMM_SELF,
                     fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, damping: {{beta: 5e-3}}}}}}
bodies:
  bar: {{type: solid, box: {{size: [1, 0.2, 0.2], elements: [4, 1, 1], element: {}}}, material: m,
        points: {{p: [0.9, 0.1, 0.15]}}}}
joints:
  wall: {{type: clamp, connect: [ground, bar.x-]}}
forces:
  top: {{type: pressure, on: bar.z+, pressure: "4000*sin(20*t)^2"}}
  end: {{type: pressure, on: bar.x+, pressure: "-3e4*sin(25*t)^2"}}
  side: {{type: traction, on: bar.y+, vector: [0, "300*sin(15*t)^2", 0]}}
sensors:
  top: {{type: force, of: top, record: [work, force]}}
  end: {{type: force, of: end, record: work}}
  side: {{type: force, of: side, record: work}}
  p: {{type: point, of: bar.p, record: [position, velocity, acceleration, stress.xx]}}
  e: {{type: energy, record: [total, work, dissipated]}}
analysis: {{end_time: 0.1, step: {:.17g}, rho_inf: 0.6, newton: {{tolerance: 1e-11}}}}
)",
                                 element, 0.1 / steps),
                     {.at_every_step = false, .overrides = {}})
        .values.back();
  };
  for (const char* element : {"hex8", "hex27"}) {
    const std::vector<int> counts = std::string(element) == "hex8" ? std::vector<int>{50, 100, 200} : std::vector<int>{50, 100};
    const Values exact = run(counts.back() * 4, element);
    std::map<std::string, double> before;  // damping keeps what no step resolves out of the errors
    double lost = 0;
    for (const int steps : counts) {
      const Values v = run(steps, element);
      for (const char* column : {"p.position.x", "p.position.z", "p.velocity.z", "p.stress.xx", "top.work", "end.work"}) {
        CAPTURE(element, steps, column);
        const double error = std::abs(v.at(column) - exact.at(column));
        if (before.count(column) > 0) CHECK(std::log2(before[column] / error) == Approx(2).margin(0.35));
        before[column] = error;
        if (std::getenv("SINEW_SHOW_STUDIES")) fmt::print("  {} {} {}: {:.3e}\n", element, steps, column, error);
      }
      CHECK(v.at("top.work") + v.at("end.work") + v.at("side.work") == Approx(v.at("e.work")).epsilon(1e-10));
      const double left = std::abs(v.at("e.total") + v.at("e.dissipated") - v.at("e.work"));
      if (lost > 0) CHECK(std::log2(lost / left) > 1.6);
      lost = left;
    }
    CHECK(exact.at("e.work") > 1);
    CHECK(std::abs(exact.at("top.work")) > 0.1);
  }
}

TEST_CASE("A ring under outer pressure buckles at 3 EI/R^3 where the pressure follows it, at 4 EI/R^3 where it does not",
          "[serial]") {
  // Half of the load on either side, so that none works on the turns of sections. Without Poisson's effect. Timoshenko and Gere
  // (1961), Theory of Elastic Stability, section 7.3.
  const double R = 1, h = 0.04, width = 0.2, E = 1e9, EI = E * width * h * h * h / 12;
  const std::string mesh = written("slim_ring.msh", ring(CellShape::hex27, {64, 1, 1}, R - h / 2, R + h / 2, width));
  const auto factor = [&](const std::string& load) {
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e9, poissons_ratio: 0}}}}
bodies: {{ring: {{type: solid, mesh: {}, material: m}}}}
joints: {{hold: {{type: fixed, connect: [ground, ring.v-]}}}}
forces:
  push: {{type: {}, on: ring.w+, pressure: 50}}
  pull: {{type: {}, on: ring.w-, pressure: -50}}
analysis: {{type: buckling}}
)",
                                                mesh, load, load));
    const std::vector<double> factors = model.buckling(2);
    CHECK(factors[1] == Approx(factors[0]).epsilon(1e-3));  // two lobes, anywhere round the ring
    return 100 * factors[0] * width * R * R * R / EI;
  };
  const double follows = factor("pressure"), dead = factor("traction");
  CHECK(follows == Approx(3).epsilon(0.03));  // quadratic elements are a little stiff round the bend
  CHECK(dead / follows == Approx(4.0 / 3).epsilon(0.03));
}
