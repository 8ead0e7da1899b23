#include "tests/catch.hpp"
#include "tests/paths.hpp"
#include "tests/physics/matrix_market.hpp"
#include "tests/physics/moving.hpp"
#include "tests/physics/stationary.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

using namespace sinew;
using namespace sinew::test;

namespace {

/// An empty folder, with a slash behind.
std::string folder(const std::string& name) {
  const std::string path = scratch_path("matrices-" + name);
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path + "/";
}

/// A damped cantilever with a bob on a string below its tip.
const std::string cantilever = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e8, damping: {alpha: 0.3}}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}, section: s, material: m}
  bob: {type: point-mass, mass: 0.2, position: [1, 0, -0.5]}
joints:
  wall: {type: clamp, connect: [ground, c.start]}
  string: {type: distance, connect: [c.end, bob]}
forces:
  push: {type: force, on: c.end, vector: [0, 0, 0]}
  s: {type: spring-damper, connect: [[1, 1, -0.5], bob], stiffness: 20, damping: 1}
sensors:
  tip: {type: point, of: c.end, record: [displacement, velocity]}
  wall: {type: joint, of: wall, record: [force]}
analysis: {type: modes}
)";

const std::string disc = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  wheel: {type: rigid, mass: 2, inertia: [0.125, 0.25, 0.125], position: [0, 0, 0.5], velocity: [2.5, 0, 0],
          angular_velocity: [0, 5, 0]}
joints:
  roll: {type: rolling-disc, connect: [[0, 0, 0], wheel], radius: 0.5, normal: [0, 0, 1], axis_local: [0, 1, 0]}
forces:
  lean: {type: torque, on: wheel, vector: [0, 0, 0]}
sensors:
  wheel: {type: point, of: wheel, record: [angular_velocity]}
analysis: {type: modes, about: motion}
)";

const std::string rotating_string = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e7}}
sections: {s: {area: 1e-4, iy: 1e-11, iz: 1e-11}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 6}, section: s, material: m, angular_velocity: [0, 0, 6]}
joints:
  pin: {type: spherical, connect: [ground, c.start]}
sensors:
  tip: {type: point, of: c.end, record: [position, velocity]}
analysis: {type: modes, about: motion}
)";

/// Steel that its load strains by a hundred-thousandth, with sensors that bend or break off within that.
const std::string stiff_block = R"(sinew: 1
materials: {m: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
bodies:
  q: {type: solid, box: {size: [1, 0.1, 0.1], elements: [5, 1, 1]}, material: m, points: {g: [0.3, 0.05, 0.095]}}
joints:
  wall: {type: clamp, connect: [ground, "q.x-"]}
forces:
  push: {type: force, on: "q.x+", vector: [0, 0, -1000]}
sensors:
  g: {type: point, of: q.g, record: [stress, von_mises]}
  e: {type: energy, record: [strain]}
analysis: {type: modes, about: static, newton: {tolerance: 1e-12}}
)";

/// A lever that rests on a stop, half a thousandth of a thousandth of a radian deep.
const std::string stopped_lever = R"(sinew: 1
bodies:
  lever: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}
joints:
  hinge: {type: revolute, connect: [ground, lever], axis: [0, 1, 0]}
forces:
  push: {type: torque, on: lever, vector: [0, 50, 0]}
  stop: {type: stop, of: hinge, upper: 0, stiffness: 1e8}
sensors:
  stop: {type: force, of: stop, record: [moment]}
analysis: {type: modes, about: static, newton: {tolerance: 1e-12}}
)";

const std::string loads_with_sensors = R"(sinew: 1
sections: {b: {stiffness: [1e6, 1e6, 1e6, 100, 100, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
materials: {m: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 2}, section: b}
  q: {type: solid, box: {size: [0.2, 0.3, 0.4], elements: [1, 1, 1]}, material: m, position: [0, 3, 0]}
  hub: {type: shaft, inertia: 1}
  wheel: {type: shaft, inertia: 1}
joints:
  wall: {type: fixed, connect: [ground, b.start]}
  floor: {type: clamp, connect: [ground, "q.z-"]}
forces:
  force: {type: force, on: b.end, vector: [0, 0, 0]}
  torque: {type: torque, on: b.end, vector: [0, 0, 0]}
  follower: {type: follower-force, on: b.end, vector_local: [0, 0, 0]}
  line: {type: line-load, on: b, vector: [0, 0, 0]}
  followers: {type: follower-line-load, on: b, vector_local: [0, 0, 0]}
  gas: {type: pressure, on: "q.x+", pressure: 0}
  wind: {type: traction, on: "q.x+", vector: [0, 0, 0]}
  motor: {type: shaft-torque, on: wheel, value: 0}
  shaft: {type: shaft-spring, connect: [hub, wheel], stiffness: 1}
sensors:
  force: {type: force, of: force}
  torque: {type: force, of: torque}
  follower: {type: force, of: follower}
  line: {type: force, of: line}
  followers: {type: force, of: followers}
  gas: {type: force, of: gas, record: [force]}
  wind: {type: force, of: wind, record: [force]}
  motor: {type: force, of: motor, record: [moment]}
analysis: {type: modes}
)";

/// The cantilever without the bob.
std::string beam_alone() {
  std::string text = cantilever;
  for (const char* name : {"  bob: {", "  string: {", "  s: {type: spring"}) {
    const std::size_t at = text.find(name);
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  return text;
}

/// What stands behind the numbers of a table.
std::vector<std::string> names(const std::string& file) {
  std::ifstream table(file);
  std::vector<std::string> list;
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) list.push_back(line.substr(line.find(',') + 1));
  return list;
}

/// The finite eigenvalues of lambda^2 M + lambda D + K with G w = 0, from the sparse files, as a pencil in (w, w', mu).
std::vector<std::complex<double>> pencil_eigenvalues(const std::string& path) {
  const Dense M = read_matrix(path + "matrix_M.mtx"), D = read_matrix(path + "matrix_D.mtx");
  const Dense K = read_matrix(path + "matrix_K.mtx"), G = read_matrix(path + "matrix_G.mtx");
  const int n = M.rows, m = G.rows;
  Dense A(2 * n + m, 2 * n + m), B(2 * n + m, 2 * n + m);
  for (int i = 0; i < n; ++i) {
    A(i, n + i) = B(i, i) = 1;
    for (int j = 0; j < n; ++j) {
      A(n + i, j) = -K(i, j);
      A(n + i, n + j) = -D(i, j);
      B(n + i, n + j) = M(i, j);
    }
    for (int r = 0; r < m; ++r) {
      A(n + i, 2 * n + r) = -G(r, i);
      A(2 * n + r, n + i) = G(r, i);  // G w' = 0
    }
  }
  return eigenvalues(A, &B);
}

}  // namespace

TEST_CASE("Eigenvalues of the written matrices are those of the modes", "[serial]") {
  const std::string path = folder("rest");
  Stationary model(MPI_COMM_SELF, cantilever);
  const std::vector<Mode> modes = model.modes(12);
  model.write_equations(path);
  const auto of_pencil = pencil_eigenvalues(path), of_state = eigenvalues(read_matrix(path + "state_A.mtx"));
  REQUIRE(modes.size() == 12);
  for (const Mode& m : modes) {
    const std::complex<double> lambda(m.real, m.imaginary);
    CHECK(distance(of_pencil, lambda) < 1e-6 * (m.omega() + 1));
    CHECK(distance(of_state, lambda) < 1e-6 * (m.omega() + 1));
  }
  const Dense T = read_matrix(path + "state_T.mtx"), G = read_matrix(path + "matrix_G.mtx");
  CHECK(T.rows == 2 * G.columns);
  CHECK(static_cast<std::size_t>(T.columns) == of_state.size());
}

TEST_CASE("Slow forces move the sensors by the static compliance, and reactions balance them", "[serial]") {
  const std::string path = folder("gain");
  Stationary model(MPI_COMM_SELF, beam_alone());
  model.write_equations(path);
  const Dense y = static_gain(path);
  const double E = 1e8, A = 4e-4, I = A * A / 12;
  REQUIRE(y.rows == 9);
  REQUIRE(y.columns == 3);
  CHECK(y(0, 0) == Approx(1 / (E * A)).epsilon(0.05));  // a clamp that holds the stretch at its end costs an order of convergence
  CHECK(y(1, 1) == Approx(1 / (3 * E * I)).epsilon(1e-6));
  CHECK(y(6, 0) == Approx(1).epsilon(1e-6));  // on the first place, the ground
  CHECK(y(3, 0) == Approx(0).margin(1e-9));
}

TEST_CASE("Outputs that bend within the strains of a stiff model have the slopes of its states of rest", "[serial]") {
  struct Case {
    std::string text, load;
    double value, change;
  };
  const Case cases[] = {{stiff_block, "forces.push.vector.2", -1000, 10}, {stopped_lever, "forces.push.vector.1", 50, 1}};
  for (const Case& c : cases) {
    const std::string path = folder("strains");
    Stationary model(MPI_COMM_SELF, c.text);
    model.find_rest();
    model.write_equations(path);
    const Dense y = static_gain(path);
    const auto at_rest = [&c](double value) {
      Stationary loaded(MPI_COMM_SELF, c.text, {c.load + "=" + std::to_string(value)});
      loaded.find_rest();
      return loaded.values();
    };
    const auto above = at_rest(c.value + c.change), below = at_rest(c.value - c.change);
    const std::vector<std::string> outputs = model.outputs();
    const int input = c.load.back() - '0';
    for (int k = 0; k < y.rows; ++k) {
      const std::string& name = outputs[static_cast<std::size_t>(k)];
      INFO(name);
      const double slope = (above.at(name) - below.at(name)) / (2 * c.change);
      CHECK(y(k, input) == Approx(slope).epsilon(1e-5).margin(1e-4));
    }
  }
}

TEST_CASE("Sensors of loads show a change of the load at once", "[serial]") {
  const std::string path = folder("loads");
  Stationary model(MPI_COMM_SELF, loads_with_sensors);
  model.write_equations(path);
  const Dense D = read_matrix(path + "state_D.mtx");
  const auto inputs = names(path + "state_inputs.csv"), outputs = names(path + "state_outputs.csv");
  const double length = 2, area = 0.3 * 0.4;
  std::map<std::string, double> wanted = {
      {"gas.pressure gas.force.x", -area}, {"wind.pressure wind.force.x", -area}, {"motor.value motor.moment", 1}};
  for (const std::string axis : {"x", "y", "z"}) {
    wanted["torque." + axis + " torque.moment." + axis] = 1;
    for (const std::string load : {"force", "follower"}) wanted[load + "." + axis + " " + load + ".force." + axis] = 1;
    for (const std::string load : {"line", "followers"}) wanted[load + "." + axis + " " + load + ".force." + axis] = length;
    wanted["wind." + axis + " wind.force." + axis] = area;
  }
  REQUIRE(static_cast<std::size_t>(D.rows) == outputs.size());
  REQUIRE(static_cast<std::size_t>(D.columns) == inputs.size());
  std::size_t found = 0;
  for (int i = 0; i < D.rows; ++i)
    for (int j = 0; j < D.columns; ++j) {
      const std::string pair = inputs[static_cast<std::size_t>(j)] + " " + outputs[static_cast<std::size_t>(i)];
      INFO(pair);
      const auto at = wanted.find(pair);
      CHECK(D(i, j) == Approx(at == wanted.end() ? 0.0 : at->second).margin(1e-9));
      found += at == wanted.end() ? 0 : 1;
    }
  CHECK(found == wanted.size());
}

TEST_CASE("The state-space form about a motion has the eigenvalues of its modes", "[serial]") {
  for (const std::string& text : {rotating_string, disc}) {
    const std::string path = folder("motion");
    Moving model(MPI_COMM_SELF, text);
    const MotionModes found = model.modes(10);
    model.write_equations(path, found);
    const auto of_state = eigenvalues(read_matrix(path + "state_A.mtx"));
    for (const Mode& m : found.modes)
      if (m.omega() > 0) CHECK(distance(of_state, {m.real, m.imaginary}) < 1e-6 * m.omega());
  }
}

TEST_CASE("Tables name what is numbered", "[serial]") {
  const std::string path = folder("names");
  Stationary model(MPI_COMM_SELF, cantilever);
  model.write_equations(path);
  const auto lines = [&path](const std::string& name) {
    std::ifstream file(path + name);
    std::vector<std::string> list;
    for (std::string line; std::getline(file, line);) list.push_back(line);
    return list;
  };
  const auto dofs = lines("matrix_dofs.csv"), rows = lines("matrix_rows.csv"), inputs = lines("state_inputs.csv");
  REQUIRE(dofs.size() == 34);
  CHECK(dofs[1] == "1,c,0,x");
  CHECK(dofs[6] == "6,c,0,slope z");
  CHECK(dofs[33] == "33,bob,0,z");
  REQUIRE(rows.size() == 8);
  CHECK(rows[7] == "7,string,0,position");
  REQUIRE(inputs.size() == 4);
  CHECK(inputs[3] == "3,push.z");
  CHECK(lines("state_outputs.csv").at(1) == "1,tip.displacement.x");
}
