// Elements whose partners change during a run: the pattern follows them, on any number of ranks.
#include "tests/catch.hpp"
#include "tests/kernels/generic/changing_partners.hpp"
#include "tests/physics/trajectory.hpp"

#include <cmath>
#include <stdexcept>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A ball that flies past three posts, which give way. That its owner knows the posts is what the actuator is for.
const char* const passage = R"yaml(sinew: 1
bodies:
  ball: {type: point-mass, mass: 1, position: [0, 0.3, 0], velocity: [2, 0, 0.1]}
  post1: {type: point-mass, mass: 1, position: [1, 0, 0]}
  post2: {type: point-mass, mass: 1.4, position: [2.5, 0.5, 0.1]}
  post3: {type: point-mass, mass: 0.8, position: [4, 0.3, 0.2], velocity: [0.05, 0, 0]}
forces:
  nothing: {type: actuator, on: ball, direction: [1, 0, 0],
            force: "0*(sensor.p1.position.x + sensor.p2.position.x + sensor.p3.position.x)"}
sensors:
  ball: {type: point, of: ball, record: [position, velocity]}
  p1: {type: point, of: post1, record: [position, velocity]}
  p2: {type: point, of: post2, record: [position, velocity]}
  p3: {type: point, of: post3, record: [position, velocity]}
  e: {type: energy, record: total}
analysis: {end_time: 2.4, step: 2e-3, newton: {tolerance: 1e-11}}
)yaml";
constexpr double stiffness = 2, reach = 0.6;
constexpr std::int64_t num_balls = 4;  // the ball and the posts, in the order of their natural numbers

/// The element goes to the first rank that knows all nodes; the others have the family without elements. Collective.
LocalModel with_nearest_point(LocalModel local) {
  LocalFamily family;
  family.unregistered = &trial::nearest_point();
  bool knows_all = true;
  std::vector<int> nodes;
  for (std::int64_t n = 0; n < num_balls; ++n) {
    nodes.push_back(local.local_node(n));
    knows_all = knows_all && nodes.back() >= 0;
  }
  int first = knows_all ? comm_rank(local.comm) : comm_size(local.comm);
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, local.comm);
  REQUIRE(first < comm_size(local.comm));
  family.data.nodes_per_element = static_cast<int>(num_balls);
  if (first == comm_rank(local.comm)) {
    family.data.size = 1;
    family.data.nodes = nodes;
    family.data.params = packed(trial::NearestPoint::Params{stiffness, reach});
    family.origins.push_back({OriginKind::body, 0, 0});
  }
  local.families.push_back(std::move(family));
  return local;
}

struct Passage {
  Passage(MPI_Comm comm, const std::string& text = passage)
      : model(read_model_text(text, "test.yaml", registered_catalogue())),
        meshes(read_solid_meshes(comm, model)),
        numbering(model, meshes),
        system(model, with_nearest_point(distribute(comm, model, meshes, numbering))) {}

  Trajectory run() {
    const Sensors sensors(model, meshes, numbering, system);
    const auto integrator = make_integrator(system, model.analysis);
    Simulation simulation(system, *integrator, simulation_options(model.analysis, model.output));
    State state = make_state(system);
    system.initial_state(state.q, state.z);
    simulation.start(state);
    Trajectory trajectory;
    test::detail::Collector collector(sensors, trajectory, true);
    trajectory.summary = simulation.run(state, {&collector});
    return trajectory;
  }

  Model model;
  SolidMeshes meshes;
  Numbering numbering;
  System system;
};

/// The x of owned nodes by their natural numbers, elsewhere 0.
void set_moves(const System& system, const double (&x)[num_balls], PetscVec w) {
  petsc(VecSet(w, 0.0));
  VecWrite move(w);
  const LocalModel& local = system.local();
  for (int n = 0; n < local.num_owned_nodes; ++n)
    move[local.dof[static_cast<std::size_t>(n)]] = x[local.node_id[static_cast<std::size_t>(n)]];
}

/// |J d - D f| / |D f| along the motion of all nodes, by differences of the forces. Collective.
double tangent_error(const System& system, const Configuration& q, PetscMat J) {
  VecHandle z = system.make_dof_vector(), lambda = system.make_row_vector(), d = system.make_dof_vector();
  system.assemble_tangent({0.0, &q, z, lambda}, {1, 0, 0}, nullptr, J);
  set_moves(system, {0.3, -0.7, 0.5, 0.9}, d);
  const auto forces = [&](double step) {
    VecHandle w = duplicate(d), f = system.make_dof_vector();
    petsc(VecCopy(d, w));
    petsc(VecScale(w, step));
    Configuration moved = system.make_configuration();
    system.retract(q, w, moved);
    system.forces({0.0, &moved, z, lambda}, f);
    return f;
  };
  constexpr double h = 1e-6;
  VecHandle change = forces(-h);
  petsc(VecAXPY(change, -1.0, forces(h)));
  petsc(VecScale(change, 1 / (2 * h)));
  VecHandle x = make_kkt_vector(system.layout()), y = make_kkt_vector(system.layout()), product = duplicate(d);
  join_kkt(d, lambda, x);
  petsc(MatMult(J, x, y));
  split_kkt(y, product, lambda);
  petsc(VecAXPY(product, -1.0, change));
  double error = 0, size = 0;
  petsc(VecNorm(product, NORM_2, &error));
  petsc(VecNorm(change, NORM_2, &size));
  return size > 0.1 ? error / size : 1.0;
}

}  // namespace

TEST_CASE("where partners change the forces are those of the new ones, and so is the tangent", "[mpi]") {
  Passage passage_of(MPI_COMM_WORLD);
  System& system = passage_of.system;
  Configuration start, q = system.make_configuration();
  VecHandle z = system.make_dof_vector(), w = system.make_dof_vector(), f = system.make_dof_vector();
  system.given_values(start, z);
  petsc(VecSet(z, 0.0));
  MatHandle before;
  // next to each post in turn, and back at the first one
  const double beside[] = {0.7, 2.3, 3.7, 0.8};
  for (const double x : beside) {
    INFO("the ball at " << x);
    set_moves(system, {x, 0, 0, 0}, w);
    system.retract(start, w, q);
    const Stage stage{0.0, &q, z, nullptr};
    const bool is_other = system.renew_partners(stage);
    CHECK(is_other == (x != 0.7));  // the first post is the nearest one at the start, too
    CHECK_FALSE(system.renew_partners(stage));
    if (is_other) CHECK_THROWS_AS(system.assemble_tangent(stage, {1, 0, 0}, nullptr, before), std::logic_error);
    MatHandle J = system.make_tangent_matrix();
    CHECK(tangent_error(system, q, J) < 1e-7);
    before = std::move(J);

    // Forces: the nearest post and the ball push each other, nothing else is pushed.
    system.forces(stage, f);
    double sum[4] = {}, all = 0;
    {
      const VecRead force(f);
      const LocalModel& local = system.local();
      for (int n = 0; n < local.num_owned_nodes; ++n)
        for (int i = 0; i < 3; ++i) {
          const double value = force[local.dof[static_cast<std::size_t>(n)] + i];
          sum[i] += value;
          sum[3] += value * value;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i) CHECK(sum[i] == Approx(0).margin(1e-12));
    const double places[3][3] = {{1, 0, 0}, {2.5, 0.5, 0.1}, {4, 0.3, 0.2}};
    double nearest = 10;
    for (const auto& p : places) nearest = std::min(nearest, std::hypot(p[0] - x, p[1] - 0.3, p[2]));
    all = stiffness * (reach - nearest);
    CHECK(std::sqrt(sum[3] / 2) == Approx(all));
  }
}

TEST_CASE("a ball flies past posts of which only the nearest one pushes it as past posts with springs of their own", "[mpi]") {
  // The posts are further apart than twice the reach, so that never two of them push.
  std::string springs = passage;
  for (const char* post : {"1", "2", "3"})
    springs.insert(springs.find("sensors:"), std::string("  push") + post + ": {type: spring-damper, connect: [ball, post" +
                                                 post + "], force: \"-2*max(0, 0.6 - length)\"}\n");
  const Trajectory found = Passage(MPI_COMM_WORLD).run();
  const Trajectory expected = run_model(MPI_COMM_WORLD, springs);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  REQUIRE(found.values.back().size() == expected.values.back().size());
  for (const auto& [column, value] : expected.values.back()) {
    INFO(column);
    // The springs' kinks are met by steps, the element's are stepped over: h^2 times the jump of the acceleration's rate.
    CHECK(found.values.back().at(column) == Approx(value).epsilon(0).margin(1e-5));
  }
  // It has met all three of them, and lost energy to no one.
  for (const char* post : {"p1", "p2", "p3"}) {
    double fastest = 0;
    for (const Values& now : found.values) fastest = std::max(fastest, std::abs(now.at(std::string(post) + ".velocity.y")));
    CHECK(fastest > 0.05);
  }
  CHECK(found.values.back().at("e.total") == Approx(found.values.front().at("e.total")).epsilon(1e-6));
}
