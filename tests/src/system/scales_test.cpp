#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// A cable from (x, 0, 0) to (x + 3, 4, 0), hinged where it starts, and a mass on a spring 12 above its end.
std::string cable_and_mass(double x) {
  const auto at = [x](double dx) { return std::to_string(x + dx); };
  return "sinew: 1\ngravity: [0, 0, -10]\nanalysis: {end_time: 1, step: 0.01}\n"
         "materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}\n"
         "sections: {s: {shape: circle, diameter: 0.1}}\n"
         "bodies:\n  c: {type: cable, line: {from: [" +
         at(0) + ", 0, 0], to: [" + at(3) +
         ", 4, 0], elements: 2}, section: s, material: m}\n"
         "  bob: {type: point-mass, mass: 2, position: [" +
         at(3) +
         ", 4, 12]}\n"
         "joints: {pin: {type: spherical, connect: [ground, c.start]}}\n"
         "forces: {spring: {type: spring-damper, connect: [c.end, bob], stiffness: 7, length: 2}}\n";
}

}  // namespace

TEST_CASE("the extent of a model is the diagonal of its box, wherever it stands", "[serial]") {
  for (const double x : {0.0, 5e4}) {
    const TextModel built(MPI_COMM_WORLD, cable_and_mass(x));
    CHECK(built.system->extent() == Approx(13).epsilon(1e-12));
  }
}

TEST_CASE("displacements have the size of the extent, rotations and slopes that of 1", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, cable_and_mass(0));
  const VecHandle size = built.system->make_dof_vector();
  built.system->dof_sizes(size);
  const VecRead s(size);
  for (int i = 0; i < 18; ++i) CHECK(s[i] == Approx((i / 3) % 2 == 0 ? 13 : 1));  // position and slope of three nodes
  CHECK(s[18] == Approx(13));
}

TEST_CASE("forces at work add up where forces cancel", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, cable_and_mass(0));
  const State state = initial_state(*built.system);
  const VecHandle f = built.system->make_dof_vector(), work = built.system->make_dof_vector();
  const Stage stage{0, &state.q, state.z, state.lambda};
  built.system->forces(stage, f);
  built.system->force_magnitudes(stage, work);
  const VecRead sum(f), sizes(work);
  CHECK(sum[20] == Approx(-20 - 70));  // gravity, and the spring pulls down
  CHECK(sizes[20] == Approx(20 + 70));
  CHECK(sizes[14] >= sum[14]);  // the end of the cable: its own weight against the spring
  CHECK(sizes[14] > 70);
}

TEST_CASE("a rigid body alone is as large as its radius of gyration says", "[serial]") {
  const TextModel built(MPI_COMM_WORLD,
                        "sinew: 1\nanalysis: {end_time: 1, step: 0.01}\nbodies:\n"
                        "  ball: {type: rigid, mass: 2, inertia: [0.4, 0.4, 0.4], position: [100, 0, 0]}\n");
  CHECK(built.system->extent() == Approx(2 * std::sqrt(3.0) * std::sqrt(0.3)));
}
