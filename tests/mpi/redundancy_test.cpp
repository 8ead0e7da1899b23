#include "solve/redundancy.hpp"

#include "base/reduction.hpp"
#include "input/model_reader.hpp"
#include "solve/sigma_count.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/paths.hpp"
#include "tests/sarrus_stack.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// What is redundant at the model's start, made consistent. Collective.
Redundancy redundancy_of(const test::TextModel& built) { return settle_redundancy(*built.system, 0.0, true); }

std::string chain(int links, const std::string& more = "") {
  return "sinew: 1\nconstants: {N: " + std::to_string(links) + R"(}
bodies:
  "link{i}": {repeat: {i: 1..N}, type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [i-0.5, 0, 0],
              points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  hook: {type: spherical, connect: [ground, link1.a]}
  "pin{i}": {repeat: {i: 2..N}, type: spherical, connect: ["link{i-1}.b", "link{i}.a"]}
)" + more +
         "analysis: {end_time: 1, step: 0.01}\n";
}

}  // namespace

TEST_CASE("Bricard's mechanism has one redundant row, in all of its joints", "[mpi]") {
  const test::TextModel built(MPI_COMM_WORLD, read_model_file(test::source_path("tests/models/bricard.yaml")));
  const Redundancy found = redundancy_of(built);
  CHECK(found.rows == 1);
  CHECK_FALSE(found.has_more);
  CHECK(names_of(built.model, found.owners) == "'P0', 'P1', 'P2', 'P3', 'P4', 'P5'");
}

TEST_CASE("two revolutes on one axis hold five motions twice", "[mpi]") {
  const test::TextModel built(MPI_COMM_WORLD, R"(sinew: 1
bodies:
  door: {type: rigid, mass: 20, inertia: [7, 8, 1], position: [0.5, 0, 1], points: {low: [-0.5, 0, -0.8], high: [-0.5, 0, 0.8]}}
  bell: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [3, 0, 0]}
joints:
  low: {type: revolute, connect: [ground, door.low], axis: [0, 0, 1]}
  high: {type: revolute, connect: [ground, door.high], axis: [0, 0, 1]}
  rope: {type: spherical, connect: [[3, 0, 1], bell]}
analysis: {end_time: 1, step: 0.01}
)");
  const Redundancy found = redundancy_of(built);
  CHECK(found.rows == 5);
  CHECK(built.system->regularisation() > 0);
  CHECK(names_of(built.model, found.owners) == "'low', 'high'");
  const std::string warning = redundancy_warning(built.model, found);
  CHECK(warning.find("test.yaml:6:3: warning: 5 redundant constraints in the joints 'low', 'high'") == 0);
}

TEST_CASE("of a long chain nothing is redundant", "[mpi]") {
  for (const int links : {10, 1000}) {
    const test::TextModel built(MPI_COMM_WORLD, chain(links));
    const double before = built.system->regularisation();
    CHECK(redundancy_of(built).rows == 0);
    CHECK(built.system->regularisation() == before);
  }
}

TEST_CASE("a redundant joint at the end of a long chain is found", "[mpi]") {
  const test::TextModel built(MPI_COMM_WORLD, chain(1000, "  twice: {type: spherical, connect: [link999.b, link1000.a]}\n"));
  const Redundancy found = redundancy_of(built);
  CHECK(found.rows == 3);
  CHECK(names_of(built.model, found.owners) == "'pin1000', 'twice'");
}

TEST_CASE("a model without joints has nothing redundant", "[mpi]") {
  const test::TextModel built(
      MPI_COMM_WORLD,
      "sinew: 1\nbodies:\n  a: {type: point-mass, mass: 1, position: [0, 0, 0]}\n"
      "  b: {type: point-mass, mass: 1, position: [1, 0, 0]}\n  c: {type: point-mass, mass: 1, position: [2, 0, 0]}\n"
      "analysis: {end_time: 1, step: 0.01}\n");
  CHECK(redundancy_of(built).rows == 0);
}

namespace {

/// A planar scissor linkage of revolutes, whose loops hold motions out of their plane many times.
std::string scissor(int units) {
  return "sinew: 1\nconstants: {N: " + std::to_string(units) + R"(}
gravity: [0, 0, -9.81]
bodies:
  "a{i}": {repeat: {i: 1..N}, type: rigid, mass: 1, inertia: [0.17, 0.17, 0.17], position: [i, 0, 0],
           points: {l: [-0.5, 0, -0.5], r: [0.5, 0, 0.5]}}
  "b{i}": {repeat: {i: 1..N}, type: rigid, mass: 1, inertia: [0.17, 0.17, 0.17], position: [i, 0, 0],
           points: {l: [-0.5, 0, 0.5], r: [0.5, 0, -0.5]}}
joints:
  foot: {type: revolute, connect: [ground, a1.l], axis: [0, 1, 0]}
  slide: {type: point-on-line, connect: [[0.5, 0, 0.5], b1.l], axis: [0, 0, 1]}
  "c{i}": {repeat: {i: 1..N}, type: revolute, connect: ["a{i}", "b{i}"], axis: [0, 1, 0]}
  "u{i}": {repeat: {i: 2..N}, type: revolute, connect: ["a{i-1}.r", "b{i}.l"], axis: [0, 1, 0]}
  "d{i}": {repeat: {i: 2..N}, type: revolute, connect: ["b{i-1}.r", "a{i}.l"], axis: [0, 1, 0]}
analysis: {end_time: 1, step: 0.002}
)";
}

}  // namespace

TEST_CASE("a scissor linkage has redundant rows however many units it has, as many as its one motion leaves", "[mpi]") {
  // It moves by one motion, whatever its length.
  for (const int units : {10, 20, 60}) {
    INFO(units);
    const test::TextModel built(MPI_COMM_WORLD, scissor(units));
    const Redundancy found = redundancy_of(built);
    CHECK_FALSE(found.is_uncertain);
    CHECK(found.has_more);
    CHECK(built.system->redundant_rows() == built.system->global_rows() - built.system->global_dofs() + 1);
    CHECK(built.system->regularisation() > 0);
    const std::string warning = redundancy_warning(built.model, found);
    CHECK(warning.find("at least 24 redundant constraints in the joints") != std::string::npos);
    CHECK(warning.find("(the search ends with so many)") != std::string::npos);
  }
}

TEST_CASE("what determines the reactions of a long scissor linkage lies far below the stiffness of its own bending", "[mpi]") {
  // In a linkage of n scissors the smallest sigma of a row that counts falls like 1/n^4. A regularisation above it slows Newton's
  // method down; a search that stops too soon takes a part of such a row for a misfit.
  for (const int units : {60, 200}) {
    INFO(units);
    const test::TextModel built(MPI_COMM_WORLD, scissor(units));
    const Redundancy found = redundancy_of(built);
    CHECK(found.misfit == 0);
    CHECK(misfit_warning(built.model, found).empty());
    CHECK(built.system->regularisation() < 0.02 / std::pow(units, 4));
  }
}

TEST_CASE("the sway of a tall stack counts, however small its sigma, and is no misfit", "[mpi]") {
  // Of 340 storeys its sigma lies below null_sigma.
  for (const int storeys : {60, 340}) {
    INFO(storeys);
    const test::TextModel built(MPI_COMM_WORLD, test::sarrus_stack(storeys));
    const Redundancy found = redundancy_of(built);
    CHECK(found.misfit == 0);
    CHECK(misfit_warning(built.model, found).empty());
    CHECK(built.system->redundant_rows() == storeys);
    CHECK(built.system->regularisation() < 1e-4 / std::pow(storeys, 4));
  }
}

namespace {

/// Two planetary gear sets, drawn exactly, one so far above the other. Gears hold angles alone, the bearings of planets places.
std::string planetary_sets(const std::string& apart, const std::string& more = "") {
  return "sinew: 1\nconstants: {D: " + apart + R"(}
bodies:
  "c{i}": {repeat: {i: 0..1}, type: rigid, mass: 5, inertia: [0.1, 0.1, 0.2], position: [0, 0, "D*i"],
           points: {p0: [0.2, 0, 0], p1: [-0.1, 0.17320508075688776, 0], p2: [-0.1, -0.17320508075688776, 0]}}
  "s{i}": {repeat: {i: 0..1}, type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, "D*i"]}
  "p0_{i}": {repeat: {i: 0..1}, type: rigid, mass: 1, inertia: [0.005, 0.005, 0.006],
            position: [0.2, 0, "D*i"]}
  "p1_{i}": {repeat: {i: 0..1}, type: rigid, mass: 1, inertia: [0.005, 0.005, 0.006],
            position: [-0.1, 0.17320508075688776, "D*i"]}
  "p2_{i}": {repeat: {i: 0..1}, type: rigid, mass: 1, inertia: [0.005, 0.005, 0.006],
            position: [-0.1, -0.17320508075688776, "D*i"]}
  "r{i}": {repeat: {i: 0..1}, type: rigid, mass: 20, inertia: [1, 1, 1], position: [0, 0, "D*i"]}
joints:
  "cb{i}": {repeat: {i: 0..1}, type: revolute, connect: [[0, 0, "D*i"], "c{i}"], axis: [0, 0, 1]}
  "sb{i}": {repeat: {i: 0..1}, type: revolute, connect: [[0, 0, "D*i"], "s{i}"], axis: [0, 0, 1]}
  "rf{i}": {repeat: {i: 0..1}, type: fixed, connect: [[0, 0, "D*i"], "r{i}"]}
  "pb{k}_{i}": {repeat: {i: 0..1, k: 0..2}, type: revolute, connect: ["c{i}.p{k}", "p{k}_{i}"], axis: [0, 0, 1]}
  "g{k}_{i}": {repeat: {i: 0..1, k: 0..2}, type: gear, connect: ["c{i}", "s{i}", "p{k}_{i}"], axis: [0, 0, 1], ratio: -1}
  "h{k}_{i}": {repeat: {i: 0..1, k: 0..2}, type: gear, connect: ["c{i}", "p{k}_{i}", "r{i}"], axis: [0, 0, 1], ratio: 3}
)" + more +
         "analysis: {end_time: 1, step: 0.01}\n";
}

/// Two doors so far from each other in a model that lies so far from the origin, in units of which a metre has so many. The first
/// has an upper hinge out of line by d and its axis by an angle a, in m and rad.
std::string doors(const std::string& constants) {
  return "sinew: 1\nconstants: {" + constants + R"yaml(}
bodies:
  "door{i}": {repeat: {i: 0..1}, type: rigid, mass: 20, inertia: ["7*m*m", "8*m*m", "m*m"], position: ["m*(F+0.5+D*i)", 0, "m"],
              points: {low: ["-0.5*m", 0, "-0.8*m"], high: ["m*(d*(1-i)-0.5)", 0, "0.8*m"]}}
joints:
  "low{i}": {repeat: {i: 0..1}, type: revolute, connect: [["m*(F+D*i)", 0, "0.2*m"], "door{i}.low"], axis: [0, 0, 1]}
  "high{i}": {repeat: {i: 0..1}, type: revolute, connect: [["m*(F+D*i+d*(1-i))", 0, "1.8*m"], "door{i}.high"],
             axis: [0, "a*(1-i)", 1]}
analysis: {end_time: 1, step: 0.01}
)yaml";
}

}  // namespace

TEST_CASE("mechanisms that are drawn exactly fit, however far from each other they are", "[mpi]") {
  const std::string shaft = "  shaft: {type: cylindrical, connect: [c0, s1], axis: [0, 0, 1]}\n";  // one long mechanism
  for (const char* apart : {"0", "1000", "1e5"})
    for (const std::string& more : {std::string(), shaft}) {
      INFO(apart << " m apart" << (more.empty() ? "" : ", on one shaft"));
      const test::TextModel built(MPI_COMM_WORLD, planetary_sets(apart, more));
      const Redundancy found = redundancy_of(built);
      CHECK(found.rows == (more.empty() ? 4 : 8));
      CHECK(found.misfit == 0);
      CHECK(misfit_warning(built.model, found).empty());
    }
}

TEST_CASE("how far hinges are out of line is measured by their own door, however far away the next one is", "[mpi]") {
  for (const std::string fault : {"d: 1e-6, a: 0", "d: 0, a: 1e-6", "d: 1e-4, a: 0"}) {
    const test::TextModel near(MPI_COMM_WORLD, doors("F: 0, m: 1, D: 1, " + fault));
    const Redundancy close = redundancy_of(near);
    CHECK(close.gap + close.near_miss > 0);
    for (const auto& [where, unit] : {std::pair{"F: 0, m: 1, D: 1000, ", 1.0}, std::pair{"F: 1000, m: 1, D: 1000, ", 1.0},
                                      std::pair{"F: 0, m: 1000, D: 1000, ", 1000.0}}) {
      INFO(fault << ", " << where);
      const test::TextModel built(MPI_COMM_WORLD, doors(where + fault));
      const Redundancy found = redundancy_of(built);
      CHECK(found.rows == close.rows);
      CHECK(found.gap == Approx(unit * close.gap).epsilon(0.01).margin(unit * 1e-9));
      CHECK(found.near_miss == Approx(unit * close.near_miss).epsilon(0.01));
      CHECK(names_of(built.model, found.near_owners) == names_of(near.model, close.near_owners));
      CHECK_FALSE(misfit_warning(built.model, found).empty());
    }
  }
}

TEST_CASE("the size of a mechanism is that of what joints hold together, on whatever ranks it is", "[mpi]") {
  std::string text = chain(40, R"(  rope: {type: distance, connect: [[0, 500, -3], far]}
forces:
  spring: {type: spring-damper, connect: [link1, far], stiffness: 1, damping: 1}
)");
  text.insert(text.find("joints:"), "  far: {type: point-mass, mass: 1, position: [0, 500, 0]}\n");
  const test::TextModel built(MPI_COMM_WORLD, text);
  const System& system = *built.system;
  const Configuration q = system.make_configuration();
  const VecHandle z = system.make_dof_vector(), lambda = system.make_row_vector();
  const MechanismSizes sizes = system.mechanism_sizes({0.0, &q, z, lambda});
  const VecRead extents(sizes.extents);
  // The chain reaches from its hook to the middle of the last link, and around all links as far as their radius of gyration.
  const double r = std::sqrt(0.15), chain_extent = std::hypot(39.5 + r, 2 * r, 2 * r);
  double worst = 0;
  for (int n = 0; n < system.local().num_owned_nodes; ++n) {
    const bool is_far = system.local().config[static_cast<std::size_t>(system.local().config_offset[n]) + 1] > 1;
    worst = std::max(worst, std::abs(extents[system.local().dof[n]] - (is_far ? 3 : chain_extent)));
  }
  CHECK(largest_of_all(MPI_COMM_WORLD, worst) < 1e-12);
}

namespace {

/// A box of 2 x 2 x 8 elements, with one clamp more than the face x- has, and what holds in the two.
std::string clamped_box(const std::string& second_face, const std::string& one = "ground", const std::string& other = "ground") {
  return R"(sinew: 1
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  box: {type: solid, box: {size: [1, 0.2, 0.2], elements: [2, 2, 8]}, material: rubber}
  hub: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [-1, 0, 0.3]}
  cap: {type: rigid, mass: 3, inertia: [0.3, 0.2, 0.3], position: [-1, 1, 0]}
joints:
  wall: {type: clamp, connect: [)" +
         one + R"(, box.x-]}
  second: {type: clamp, connect: [)" +
         other + ", box." + second_face + R"(]}
analysis: {end_time: 1, step: 0.01}
)";
}

}  // namespace

TEST_CASE("what surfaces have in common is redundant where both are clamped, and counted however much it is", "[mpi]") {
  // Faces x- and y- share nine nodes, x- has 27 of three dofs each; frames of surfaces have no mass.
  const std::pair<const char*, int> faces[] = {{"y-", 3 * 9}, {"x-", 3 * 27}};
  for (const auto& [face, redundant] : faces) {
    INFO(face);
    const test::TextModel built(MPI_COMM_WORLD, clamped_box(face));
    const Redundancy found = redundancy_of(built);
    CHECK(found.has_more);
    CHECK(built.system->redundant_rows() == redundant);
    CHECK(names_of(built.model, found.owners) == "'wall', 'second'");
  }
}

TEST_CASE("what two clamps hold to one body, or to two, is redundant as far as they share nodes", "[mpi]") {
  // The second of two bodies on the face x- is held by six rows; all that its nodes say beyond these is redundant.
  const struct {
    const char *face, *other;
    int redundant;
  } cases[] = {{"y-", "hub", 3 * 9}, {"x-", "hub", 3 * 27}, {"x-", "cap", 3 * 27 - 6}, {"x+", "hub", 0}, {"x+", "cap", 0}};
  for (const auto& [face, other, redundant] : cases) {
    INFO(face << " to " << other);
    const test::TextModel built(MPI_COMM_WORLD, clamped_box(face, "hub", other));
    const Redundancy found = redundancy_of(built);
    CHECK(found.has_more == (redundant > 0));
    CHECK(built.system->redundant_rows() == redundant);
    if (redundant > 0) CHECK(names_of(built.model, found.owners) == "'wall', 'second'");
  }
}

namespace {

/// A plate on parallel cranks: a hub whose redundant rows all meet in it.
std::string plate_on_cranks(int cranks) {
  std::string points;
  for (int i = 0; i < cranks; ++i) {
    const double y = static_cast<double>(i) * i / cranks;
    points += (i > 0 ? ", g" : "g") + std::to_string(i) + ": [" + std::to_string(i) + ", " + std::to_string(y) + ", 0]";
  }
  return "sinew: 1\nconstants: {N: " + std::to_string(cranks) + R"(}
bodies:
  "c{i}": {repeat: {i: 0..N-1}, type: rigid, mass: 1, inertia: [0.08, 0.08, 0.01], position: [i, i*i/N, -0.5],
           points: {a: [0, 0, 0.5], b: [0, 0, -0.5]}}
  plate: {type: rigid, mass: 50, inertia: [1000, 1000, 1000], position: [0, 0, -1], points: {)" +
         points + R"(}}
joints:
  "a{i}": {repeat: {i: 0..N-1}, type: revolute, connect: [ground, "c{i}.a"], axis: [0, 1, 0]}
  "b{i}": {repeat: {i: 0..N-1}, type: revolute, connect: ["c{i}.b", "plate.g{i}"], axis: [0, 1, 0]}
analysis: {end_time: 1, step: 0.01}
)";
}

}  // namespace

TEST_CASE("redundant rows that all meet in one body are counted on any number of ranks, at every level", "[mpi]") {
  const test::TextModel built(MPI_COMM_WORLD, plate_on_cranks(200));
  const System& system = *built.system;
  Configuration q = system.make_configuration();
  VecHandle z = system.make_dof_vector(), lambda = system.make_row_vector();
  system.given_values(q, z);
  const SigmaCount count(system, {0.0, &q, z, lambda});
  for (const double sigma : {1e-8, 1e-10, 1e-12, 1e-13}) {
    INFO(sigma);
    CHECK(count.below(sigma) == system.global_rows() - system.global_dofs() + 1);
  }
}
