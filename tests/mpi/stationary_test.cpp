#include "tests/physics/stationary.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"
#include "tests/physics/matrix_market.hpp"
#include "tests/physics/moving.hpp"

#include "base/stop_signal.hpp"
#include "partition/exchange.hpp"
#include "solve/slepc.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Two cables with a rigid body between them, and a pendulum on it.
const std::string bridge = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e9, damping: {beta: 1e-4}}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  left: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 12}, section: s, material: m}
  hub: {type: rigid, mass: 0.5, inertia: [0.01, 0.02, 0.03], position: [1, 0, 0], points: {low: [0, 0, -0.1]}}
  right: {type: cable, line: {from: [1, 0, 0], to: [2, 0, 0], elements: 12}, section: s, material: m}
  bob: {type: point-mass, mass: 0.2, position: [1, 0.1, -0.6]}
joints:
  wall: {type: clamp, connect: [ground, left.start]}
  a: {type: spherical, connect: [left.end, hub]}
  b: {type: spherical, connect: [hub, right.start]}
  roller: {type: point-on-line, connect: [ground, right.end], axis: [1, 0, 0]}
  string: {type: distance, connect: [hub.low, bob]}
sensors:
  bob: {type: point, of: bob, record: [position]}
analysis: {type: static}
)";

const std::string pressed_column = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 16}, section: s, material: m}
joints:
  foot: {type: clamp, connect: [ground, c.start]}
forces:
  press: {type: force, on: c.end, vector: [0, 0, -2]}
analysis: {type: buckling}
)";

/// Links that bear the load by reactions alone.
const std::string pressed_links = R"(sinew: 1
bodies:
  "b{i}": {repeat: {i: 1..70}, type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, i-0.5],
           points: {h: [0, 0, -0.5], t: [0, 0, 0.5]}}
joints:
  foot: {type: revolute, connect: [ground, b1.h], axis: [0, 1, 0]}
  "r{i}": {repeat: {i: 1..69}, type: revolute, connect: ["b{i}.t", "b{i+1}.h"], axis: [0, 1, 0]}
forces:
  base: {type: torsional-spring, connect: [ground, b1], axis: [0, 1, 0], stiffness: 7}
  "k{i}": {repeat: {i: 1..69}, type: torsional-spring, connect: ["b{i}", "b{i+1}"], axis: [0, 1, 0], stiffness: 7}
  f: {type: force, on: b5.t, vector: [0, 0, -0.1]}
analysis: {type: buckling}
)";

/// A cable with a rotor at its end, both on a table that turns with 3 rad/s.
const std::string turning = R"(sinew: 1
gravity: [0, 0, -9.81]
constants: {W: 3}
materials: {m: {density: 1000, youngs_modulus: 1e7, damping: {beta: 1e-4}}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  hub: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], angular_velocity: [0, 0, W],
        points: {arm: [0.2, 0, 0]}}
  arm: {type: cable, line: {from: [0.2, 0, 0], to: [1.2, 0, 0], elements: 20}, section: s, material: m, velocity: [0, 0.2*W, 0],
        angular_velocity: [0, 0, W]}
  bob: {type: rigid, mass: 0.5, inertia: [0.001, 0.002, 0.002], position: [1.2, 0, -0.1], velocity: [0, 1.2*W, 0],
        angular_velocity: [0, 0, W], points: {top: [0, 0, 0.1]}}
joints:
  axis: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  drive: {type: motion, of: axis, angle: "W*t"}
  root: {type: spherical, connect: [hub.arm, arm.start]}
  hook: {type: spherical, connect: [arm.end, bob.top]}
sensors:
  bob: {type: point, of: bob, record: [position, velocity]}
analysis: {type: modes, about: motion}
)";

}  // namespace

TEST_CASE("Modes about a motion are the same on any number of ranks", "[mpi]") {
  Moving shared(MPI_COMM_WORLD, turning), alone(MPI_COMM_SELF, turning);
  const MotionModes found = shared.modes(6), own = alone.modes(6);
  CHECK(found.angular_velocity[2] == Approx(3).epsilon(1e-9));
  CHECK(found.variation < 1e-6);
  CHECK(found.unsteadiness < 1e-8);
  const auto values = shared.values(), own_values = alone.values();
  if (comm_rank(MPI_COMM_WORLD) == 0)
    for (const auto& [name, value] : values) CHECK(value == Approx(own_values.at(name)).margin(1e-7));
  REQUIRE(found.modes.size() == own.modes.size());
  for (std::size_t i = 0; i < found.modes.size(); ++i) {
    CHECK(found.modes[i].real == Approx(own.modes[i].real).margin(1e-6 * own.modes[i].omega()));
    CHECK(found.modes[i].imaginary == Approx(own.modes[i].imaginary).margin(1e-6 * own.modes[i].omega()));
  }
}

TEST_CASE("The frame of a straight blade in a soft bearing is the same on any number of ranks", "[mpi]") {
  const std::string model = R"(sinew: 1
constants: {push: 0}
sections: {b: {stiffness: [1e5, 5e4, 5e4, 50, 100, 300], inertia: [0.5, 0.5, 0.5, 1e-4, 5e-5, 5e-5]}}
bodies:
  hub: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], angular_velocity: [0, 0, 12]}
  blade: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 5}, section: b, angular_velocity: [0, 0, 12]}
joints: {root: {type: fixed, connect: [hub, blade.start]}}
forces:
  bearing: {type: bushing, connect: [ground, hub], stiffness: [4e4, 4e4, 4e4, 3e3, 3e3, 0]}
  push: {type: follower-force, on: blade.end, vector_local: [0, 0, push]}
analysis: {type: modes, about: motion}
)";
  // gravity decides it, or where there is none what turns least
  for (const char* load : {"gravity=[0, 0, -9.81]", "constants.push=0.7"}) {
    INFO(load);
    Moving shared(MPI_COMM_WORLD, model, {load}), alone(MPI_COMM_SELF, model, {load});
    const MotionModes found = shared.modes(4), own = alone.modes(4);
    CHECK(norm(found.angular_velocity - Vec3<double>{{0, 0, 12}}) < 1e-8);
    REQUIRE(found.modes.size() == own.modes.size());
    for (std::size_t k = 0; k < found.modes.size(); ++k)
      CHECK(found.modes[k].omega() == Approx(own.modes[k].omega()).epsilon(1e-6).margin(1e-3));
  }
}

TEST_CASE("Rest and modes are the same on any number of ranks", "[mpi]") {
  Stationary shared(MPI_COMM_WORLD, bridge), alone(MPI_COMM_SELF, bridge);
  shared.find_rest();
  alone.find_rest();
  const auto values = shared.values(), own_values = alone.values();
  const std::vector<Mode> modes = shared.modes(6), own_modes = alone.modes(6);
  if (comm_rank(MPI_COMM_WORLD) == 0)
    for (const auto& [name, value] : values) CHECK(value == Approx(own_values.at(name)).margin(1e-7));
  CHECK(modes.size() == own_modes.size());
  for (std::size_t i = 0; i < std::min(modes.size(), own_modes.size()); ++i) {
    CHECK(modes[i].real == Approx(own_modes[i].real).margin(1e-6 * own_modes[i].omega()));
    CHECK(modes[i].imaginary == Approx(own_modes[i].imaginary).margin(1e-6 * own_modes[i].omega()));
  }
}

TEST_CASE("Shapes of symmetric models have the same sign on any number of ranks", "[mpi]") {
  // antisymmetric shapes have several components that are largest but for rounding
  const std::string plate = R"(sinew: 1
materials: {m: {density: 2700, youngs_modulus: 7e8, poissons_ratio: 0.33}}
bodies:
  p: {type: shell, plate: {size: [1, 0.5], elements: [4, 2]}, thickness: 0.01, material: m}
joints:
  wall: {type: clamp, connect: [ground, p.x-]}
forces:
  press: {type: force, on: p.x+, vector: [-1, 0, 0]}
analysis: {type: modes}
)";
  Stationary shared(MPI_COMM_WORLD, plate), alone(MPI_COMM_SELF, plate);
  const auto check = [&](PetscVec found, PetscVec own) {
    const std::vector<double> together = shared.in_order(found), expected = alone.in_order(own);
    REQUIRE(together.size() == expected.size());
    const double largest = *std::max_element(expected.begin(), expected.end()),
                 lowest = *std::min_element(expected.begin(), expected.end());
    CHECK(std::max(largest, -lowest) == Approx(1).epsilon(1e-12));
    const auto leading = std::find_if(expected.begin(), expected.end(), [](double x) { return std::abs(x) >= 0.99; });
    CHECK(*leading > 0);
    double difference = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) difference = std::max(difference, std::abs(together[i] - expected[i]));
    CHECK(difference < 1e-5);
  };
  const std::vector<Mode> modes = shared.modes(6), own = alone.modes(6);
  REQUIRE(modes.size() == own.size());
  for (std::size_t k = 0; k < modes.size(); ++k) check(modes[k].shape, own[k].shape);
  const std::vector<BucklingMode> loads = shared.buckling_modes(3), own_loads = alone.buckling_modes(3);
  REQUIRE(loads.size() == own_loads.size());
  for (std::size_t k = 0; k < loads.size(); ++k) check(loads[k].shape, own_loads[k].shape);
}

TEST_CASE("A signal to one rank ends searches for rest and for modes on all of them", "[mpi]") {
  Stationary model(MPI_COMM_WORLD, bridge);
  const bool is_last = comm_rank(MPI_COMM_WORLD) == comm_size(MPI_COMM_WORLD) - 1;
  const auto stops = [&](const auto& work) {
    const StopSignals caught;
    if (is_last) std::raise(SIGTERM);
    int signal = 0;
    try {
      work();
    } catch (const Stopped& stop) {
      signal = stop.signal;
    }
    int least = 0;
    MPI_Allreduce(&signal, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return least == SIGTERM;
  };
  CHECK(stops([&] { model.find_rest(); }));
  CHECK(stops([&] { model.modes(6); }));
  CHECK(model.modes(6).size() == 6);  // nobody is left waiting
}

TEST_CASE("A signal between a search and the fetching of its shapes, which are solved for then, is a stop as well", "[mpi]") {
  constexpr int count = 40;
  start_slepc();
  const auto diagonal = [](double first, double step) {
    MatHandle A;
    petsc(MatCreateAIJ(MPI_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, count, count, 1, nullptr, 0, nullptr, A.address()));
    PetscInt begin = 0, end = 0;
    petsc(MatGetOwnershipRange(A, &begin, &end));
    for (PetscInt i = begin; i < end; ++i) petsc(MatSetValue(A, i, i, first + step * static_cast<double>(i), INSERT_VALUES));
    petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    return A;
  };
  const MatHandle K = diagonal(1, 1), M = diagonal(2, 0);
  const EpsHandle eps = make_inverting_solver("sinew_modes_", K, M, {EPS_GHEP, 0.0, 4, count, 1e-9, true});
  const StopSignals caught;
  petsc(solve(eps));
  REQUIRE(num_converged(eps) >= 4);
  VecHandle shape;
  petsc(MatCreateVecs(K, shape.address(), nullptr));
  PetscScalar square = 0;
  if (comm_rank(MPI_COMM_WORLD) == 0) std::raise(SIGUSR1);
  CHECK_THROWS_AS(quietly([&] { return EPSGetEigenpair(eps, 0, &square, nullptr, shape, nullptr); }), Stopped);
}

TEST_CASE("Solids of every kind bend and vibrate alike on any number of ranks", "[mpi]") {
  for (const char* kind : {"hex8, formulation: enhanced", "hex8, formulation: displacement", "hex20", "hex27"}) {
    const std::string cell(kind, std::strcspn(kind, ",")), rest = kind + cell.size();
    const std::string text = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 2e7, poissons_ratio: 0.4, law: neo-hookean, damping: {beta: 1e-4}}}
bodies:
  b: {type: solid, box: {size: [1, 0.2, 0.1], elements: [6, 2, 1], element: )" +
                             cell + "}" + rest + R"(, material: m}
joints:
  wall: {type: clamp, connect: [ground, b.x-]}
forces:
  push: {type: force, on: b.x+, vector: [0, 0, 150]}
sensors:
  end: {type: point, of: b.x+, record: [displacement]}
  wall: {type: joint, of: wall, record: [force]}
analysis: {type: modes, about: static}
)";
    Stationary shared(MPI_COMM_WORLD, text), alone(MPI_COMM_SELF, text);
    shared.find_rest();
    alone.find_rest();
    const auto values = shared.values(), own_values = alone.values();
    const auto modes = shared.frequencies(3), own_modes = alone.frequencies(3);
    CHECK(modes.size() == own_modes.size());
    for (std::size_t i = 0; i < std::min(modes.size(), own_modes.size()); ++i)
      CHECK(modes[i] == Approx(own_modes[i]).epsilon(1e-7));
    if (comm_rank(MPI_COMM_WORLD) > 0) continue;
    CHECK(own_values.at("end.displacement.z") > 0.05);
    for (const auto& [name, value] : values) CHECK(value == Approx(own_values.at(name)).epsilon(1e-7).margin(1e-7));
  }
}

TEST_CASE("A way out of an unstable state is found alike on any number of ranks", "[mpi]") {
  // a soft bar whose end is pressed by three tenths of its length: straight it is at rest, and leaves that for a bow
  const std::string pressed = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 2e7, poissons_ratio: 0.3, law: neo-hookean}}
bodies:
  b: {type: solid, box: {size: [1, 0.1, 0.1], elements: [12, 1, 1], order: 1}, material: m}
joints:
  wall: {type: clamp, connect: [ground, b.x-]}
  push: {type: motion, connect: [ground, b.x+], axis: [1, 0, 0], displacement: -0.3}
  side: {type: coordinate-fixed, connect: [ground, b.x+], direction: [0, 1, 0]}
sensors:
  end: {type: point, of: b.x+, record: [displacement]}
  wall: {type: joint, of: wall, record: [force]}
analysis: {type: static}
)";
  Stationary shared(MPI_COMM_WORLD, pressed), alone(MPI_COMM_SELF, pressed);
  CHECK(shared.find_rest().escapes == alone.find_rest().escapes);
  CHECK(shared.is_stable());
  const auto values = shared.values(), own_values = alone.values();
  if (comm_rank(MPI_COMM_WORLD) > 0) return;
  CHECK(std::abs(own_values.at("end.displacement.z")) > 0.3);
  for (const auto& [name, value] : values) {
    INFO(name);
    CHECK(std::abs(value) == Approx(std::abs(own_values.at(name))).epsilon(1e-6).margin(1e-6));
  }
}

TEST_CASE("Load factors are the same on any number of ranks", "[mpi]") {
  for (const std::string& text : {pressed_column, pressed_links}) {
    Stationary shared(MPI_COMM_WORLD, text), alone(MPI_COMM_SELF, text);
    const std::vector<double> factors = shared.buckling(4), own_factors = alone.buckling(4);
    CHECK(factors.size() == 4);
    CHECK(factors.size() == own_factors.size());
    for (std::size_t i = 0; i < std::min(factors.size(), own_factors.size()); ++i)
      CHECK(factors[i] == Approx(own_factors[i]).epsilon(1e-7));
  }
}

TEST_CASE("Load factors of what bears a load already are the same on any number of ranks", "[mpi]") {
  std::string text = pressed_column;
  text.replace(text.find("analysis:"), std::string::npos,
               "  ballast: {type: force, on: c.end, vector: [0.1, 0, -3]}\nanalysis: {type: buckling, kept: [ballast]}\n");
  Stationary shared(MPI_COMM_WORLD, text), alone(MPI_COMM_SELF, text);
  const std::vector<double> factors = shared.buckling_under_kept_loads(3), own_factors = alone.buckling_under_kept_loads(3);
  REQUIRE(factors.size() == own_factors.size());
  for (std::size_t i = 0; i < factors.size(); ++i) CHECK(factors[i] == Approx(own_factors[i]).epsilon(1e-7));
}

TEST_CASE("The linearised equations are written alike by any number of ranks", "[mpi]") {
  const int rank = comm_rank(MPI_COMM_WORLD), size = comm_size(MPI_COMM_WORLD);
  const std::string together = scratch_path("equations-" + std::to_string(size)) + "/";
  const std::string apart = scratch_path("equations-" + std::to_string(size) + "-" + std::to_string(rank)) + "/";
  std::filesystem::create_directories(together);
  std::filesystem::create_directories(apart);
  Moving shared(MPI_COMM_WORLD, turning), alone(MPI_COMM_SELF, turning);
  const MotionModes found = shared.modes(3), own = alone.modes(3);
  shared.write_equations(together, found);
  alone.write_equations(apart, own);
  if (rank > 0) return;
  for (const char* name : {"matrix_M", "matrix_D", "matrix_K", "matrix_G", "state_C"}) {
    INFO(name);
    const Dense A = read_matrix(together + name + ".mtx"), B = read_matrix(apart + name + ".mtx");
    REQUIRE(A.rows == B.rows);
    REQUIRE(A.columns == B.columns);
    if (std::string(name) == "state_C") continue;
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < A.values.size(); ++k) {
      largest = std::max(largest, std::abs(B.values[k]));
      difference = std::max(difference, std::abs(A.values[k] - B.values[k]));
    }
    CHECK(difference < 1e-7 * largest);
  }
}

TEST_CASE("Sensors have the same gains on any number of ranks", "[mpi]") {
  const std::string text = R"(sinew: 1
materials: {m: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
bodies:
  q: {type: solid, box: {size: [1, 0.1, 0.1], elements: [8, 1, 1]}, material: m, points: {g: [0.8, 0.05, 0.095]}}
joints:
  wall: {type: clamp, connect: [ground, "q.x-"]}
forces:
  push: {type: force, on: "q.x+", vector: [0, 0, -1000]}
  gas: {type: pressure, on: "q.z+", pressure: 10}
sensors:
  g: {type: point, of: q.g, record: [position, von_mises]}
  gas: {type: force, of: gas}
  wall: {type: joint, of: wall, record: [force]}
analysis: {type: modes, about: static}
)";
  const int rank = comm_rank(MPI_COMM_WORLD), size = comm_size(MPI_COMM_WORLD);
  const std::string together = scratch_path("gains-" + std::to_string(size)) + "/";
  const std::string apart = scratch_path("gains-" + std::to_string(size) + "-" + std::to_string(rank)) + "/";
  std::filesystem::create_directories(together);
  std::filesystem::create_directories(apart);
  Stationary shared(MPI_COMM_WORLD, text), alone(MPI_COMM_SELF, text);
  shared.find_rest();
  alone.find_rest();
  shared.write_equations(together);
  alone.write_equations(apart);
  if (rank > 0) return;
  const Dense A = static_gain(together), B = static_gain(apart);
  REQUIRE(A.rows == 11);
  REQUIRE(A.columns == 4);
  REQUIRE(A.values.size() == B.values.size());
  for (int i = 0; i < A.rows; ++i) {
    double largest = 0, difference = 0;
    for (int j = 0; j < A.columns; ++j) {
      largest = std::max(largest, std::abs(B(i, j)));
      difference = std::max(difference, std::abs(A(i, j) - B(i, j)));
    }
    INFO(shared.outputs()[static_cast<std::size_t>(i)]);
    CHECK(largest > 0);
    CHECK(difference < 1e-5 * largest);
  }
}
