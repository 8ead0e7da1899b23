#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

#include <string>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Entries of the pattern of the tangent of a model with these bodies and other items.
double tangent_entries(const std::string& items) {
  const TextModel built(MPI_COMM_SELF, "sinew: 1\ngravity: [0, 0, -10]\nanalysis: {end_time: 1, step: 0.01}\n" + items);
  MatInfo info;
  petsc(MatGetInfo(built.system->make_tangent_matrix(), MAT_GLOBAL_SUM, &info));
  return info.nz_used;
}

const char* const masses =
    "bodies:\n"
    "  a: {type: point-mass, mass: 2, position: [0, 0, 0]}\n"
    "  b: {type: point-mass, mass: 2, position: [1, 2, 3]}\n";

}  // namespace

TEST_CASE("declared entries are those of the matrix: a point mass has its diagonal", "[serial]") {
  CHECK(tangent_entries(masses) == 6);
}

TEST_CASE("entries that one family declares do not hinder those of another", "[serial]") {
  CHECK(tangent_entries(std::string(masses) + "forces: {spring: {type: spring-damper, connect: [a, b], stiffness: 7}}\n") == 36);
}

TEST_CASE("entries that random states show are those of the matrix: a rigid body turns apart from its motion", "[serial]") {
  CHECK(tangent_entries("bodies:\n  ball: {type: rigid, mass: 2, inertia: [0.4, 0.5, 0.6], position: [1, 0, 0]}\n") == 3 + 9);
}

TEST_CASE("joints of one node have the entries of the direction in which each of them holds it", "[serial]") {
  const auto held = [](const std::string& first, const std::string& second) {
    return tangent_entries(std::string(masses) + "joints:\n  one: {type: coordinate-fixed, connect: [ground, a], direction: " +
                           first + "}\n  two: {type: coordinate-fixed, connect: [ground, b], direction: " + second + "}\n");
  };
  const double along_axes = held("[1, 0, 0]", "[1, 0, 0]");
  CHECK(held("[1, 0, 0]", "[0, 1, 0]") == along_axes);
  CHECK(held("[1, 0, 0]", "[0, 1, 2]") == along_axes + 2);
}

TEST_CASE("what drives a joint of the ground couples its body with no other", "[serial]") {
  const std::string other = "bodies:\n  a: {type: point-mass, mass: 2, position: [0, 0, 0]}\n";
  const std::string driven =
      "  b: {type: rigid, mass: 2, inertia: [1, 2, 3], position: [1, 2, 3]}\n"
      "joints: {hinge: {type: revolute, connect: [ground, b], axis: [0, 0, 1]}}\n"
      "sensors: {hinge: {type: relative, of: hinge}}\n"
      "forces: {motor: {type: actuator, of: hinge, torque: -5*sensor.hinge.angle}}\n";
  CHECK(tangent_entries(other + driven) == tangent_entries("bodies:\n" + driven) + 3);
}
