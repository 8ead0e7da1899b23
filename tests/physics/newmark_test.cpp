#include "integrate/integrator.hpp"
#include "integrate/make_integrator.hpp"
#include "tests/physics/known_motions.hpp"
#include "tests/physics/trajectory.hpp"
#include "verify/convergence.hpp"
#include "verify/general_dae.hpp"
#include "verify/problems/pendulum.hpp"

#include <fmt/format.h>

#include <array>

using namespace sinew;
using namespace sinew::test;

namespace {

struct Oscillator {
  static constexpr int num_dofs = 1, num_position_rows = 0, num_velocity_rows = 0;
  double omega = 1;
  template <class S>
  void mass(const S&, const S*, S* M) const {
    M[0] = 1.0;
  }
  template <class S>
  void force(const S&, const S* y, const S*, const S*, const S*, S* f) const {
    f[0] = -omega * omega * y[0];
  }
};

using Column = std::array<double, 3>;

/// One step of h = 1 from (q, z, a), in units of omega; a belongs to t + alpha h.
Column advance(const GeneralDae& system, const AlphaOptions& options, double omega, const Column& x) {
  State s = make_state(system);
  s.q = system.configuration(std::array<double, 1>{x[0]});
  s.h_old = 1;
  const auto set = [](PetscVec v, double value) { petsc(VecSet(v, value)); };
  set(s.z, omega * x[1]);
  for (const PetscVec v : {s.a.get(), s.Ma.get(), s.a_used.get(), s.Ma_used.get()}) set(v, omega * omega * x[2]);
  set(s.f, -omega * omega * x[0]);
  const auto integrator = make_alpha_integrator(system, options);
  REQUIRE(integrator->step(s, 1).accepted);
  const VecRead z(s.z), a(s.a);
  return {system.values(s.q)[0], z[0] / omega, a[0] / (omega * omega)};
}

using Real = long double;
using Matrix = std::array<std::array<Real, 3>, 3>;

/// 1 - |largest eigenvalue|, from the roots of the characteristic polynomial.
double one_less_radius(const Matrix& a) {
  const Real trace = a[0][0] + a[1][1] + a[2][2];
  const auto minor = [&](int i, int j) { return a[i][i] * a[j][j] - a[i][j] * a[j][i]; };
  const Real minors = minor(0, 1) + minor(0, 2) + minor(1, 2);
  const Real det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                   a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  Real low = -1.5L, high = 1.5L;  // holds a real root: the only one, or one of three
  for (int i = 0; i < 200; ++i) {
    const Real x = (low + high) / 2;
    (((x - trace) * x + minors) * x - det < 0 ? low : high) = x;
  }
  const Real real = (low + high) / 2, sum = trace - real;
  const Real product = std::abs(real) > 1e-12L ? det / real : minors - real * sum, D = sum * sum / 4 - product;
  const Real pair = D < 0 ? std::sqrt(product) : std::abs(sum / 2) + std::sqrt(D);
  return static_cast<double>(1 - std::max(std::abs(real), pair));
}

double omega_of(double steps_per_period) { return 2 * std::acos(-1.0) * steps_per_period; }

/// Of the integrator's own steps.
double damping(const AlphaOptions& options, double steps_per_period) {
  const double omega = omega_of(steps_per_period);
  const auto system = make_general_dae(Oscillator{omega});
  Matrix A;
  for (int j = 0; j < 3; ++j) {
    Column e{};
    e[j] = 1;
    const Column to = advance(*system, options, omega, e);
    for (int i = 0; i < 3; ++i) A[i][j] = to[i];
  }
  return one_less_radius(A);
}

/// Of the method's matrix: (1 - am + (1 - af) beta w^2) a1 = -am a - af w^2 q - (1 - af) w^2 (q + z + (1/2 - beta) a), h = 1.
double exact_damping(const AlphaCoefficients& c, double steps_per_period) {
  const Real w = omega_of(steps_per_period), w2 = w * w, th = 1 - static_cast<Real>(c.af), beta = c.beta, gamma = c.gamma;
  const Real inverse = 1 / (1 - static_cast<Real>(c.am) + th * beta * w2);
  const std::array<Real, 3> a1{-w2 * inverse, -th * w2 * inverse, -(c.am + th * w2 * (0.5L - beta)) * inverse};
  Matrix A;
  for (int j = 0; j < 3; ++j) {
    const std::array<Real, 3> unit{j == 0 ? 1.0L : 0.0L, j == 1 ? 1.0L : 0.0L, j == 2 ? 1.0L : 0.0L};
    A[0][j] = unit[0] + unit[1] + (0.5L - beta) * unit[2] + beta * a1[j];
    A[1][j] = unit[1] + (1 - gamma) * unit[2] + gamma * a1[j];
    A[2][j] = a1[j];
  }
  // in units of omega, as above
  const std::array<Real, 3> scale{1, w, w2};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A[i][j] *= scale[j] / scale[i];
  return one_less_radius(A);
}

AlphaOptions oscillator_options(double rho_inf) {
  AlphaOptions o;
  o.method = Method::index3;
  o.rho_inf = rho_inf;
  o.newton.tolerance = 1e-12;
  o.newton.jacobian = NewtonJacobian::full;
  return o;
}

}  // namespace

TEST_CASE("The damping of an oscillator is that of the exact eigenvalues", "[serial]") {
  struct Row {
    double rho;
    double damping[4];  // at h/T = .01, .1, 1, 100, from eigenvalues with 40 digits
  };
  const std::vector<Row> rows{{0.9, {1.1349649e-9, 1.0299225e-5, 7.9501267e-3, 9.1027971e-2}},
                              {0.6, {1.2152889e-7, 1.0166095e-3, 1.7220536e-1, 3.8898442e-1}},
                              {0.2, {2.2916175e-6, 1.3026970e-2, 5.0918884e-1, 7.9105603e-1}},
                              {0.0, {7.6717260e-6, 3.0291833e-2, 6.6077419e-1, 9.8624497e-1}}};
  const double ratios[4] = {0.01, 0.1, 1, 100};
  for (const Row& row : rows)
    for (int i = 0; i < 4; ++i) {
      const double found = damping(oscillator_options(row.rho), ratios[i]);
      INFO("rho " << row.rho << ", h/T " << ratios[i] << ": " << found << " instead of " << row.damping[i]);
      CHECK(std::abs(found - row.damping[i]) <= 5e-8 * row.damping[i] + 1e-15);  // the figures have eight digits
      const double exact = exact_damping(alpha_coefficients(row.rho), ratios[i]);
      CHECK(std::abs(found - exact) <= 1e-8 * exact + 1e-15);
    }
}

TEST_CASE("The trapezoidal rule does not damp, and gamma above one half does", "[serial]") {
  AlphaOptions o = oscillator_options(0);
  for (const double ratio : {0.01, 0.1, 1.0, 100.0}) {
    o.coefficients = newmark_coefficients(0.25, 0.5);
    CHECK(std::abs(damping(o, ratio)) < 1e-13);
    o.coefficients = newmark_coefficients(0.3025, 0.6);
    CHECK(damping(o, ratio) > 1e-6);
  }
}

TEST_CASE("Newmark's method and the trapezoidal rule are of order 2", "[serial]") {
  StudyChoices c;
  c.counts = {200, 400, 800};
  for (const std::string integrator : {"newmark", "trapezoid"}) {
    c.integrator = integrator;
    c.end_time = 5;
    check_orders(precession(), c);
    c.end_time = 1;
    KnownMotion motion = pendulum();
    motion.quantities.resize(2);  // position and velocity: undamped multipliers of index 3 oscillate
    check_orders(motion, c);
  }
  c.integrator = "trapezoid";
  c.more = ", constraints: velocity";
  check_orders(pendulum(), c);
  check_orders(revolute_pendulum(), c);
}

TEST_CASE("Newmark's method with gamma above one half is of order 1", "[serial]") {
  StudyChoices c;
  c.end_time = 5;
  c.counts = {400, 800};
  c.integrator = "newmark";
  c.more = ", beta: 0.3025, gamma: 0.6";
  check_orders(precession(), c, 0.9, 1.1);
}

TEST_CASE("The trapezoidal rule at velocity level keeps the velocities on the constraints, and positions to second order",
          "[serial]") {
  const auto drift = [](int count, const std::string& sensor) {
    const Trajectory run = run_model(
        MPI_COMM_SELF,
        double_pendulum().model + fmt::format("analysis: {{end_time: 1, step: {}, integrator: trapezoid, constraints: velocity, "
                                              "newton: {{tolerance: 1e-12}}}}\n",
                                              1.0 / count));
    double largest = 0;
    for (const Values& v : run.values) largest = std::max(largest, v.at(sensor));
    return largest;
  };
  CHECK(drift(200, "drift.velocity") < 2e-10);
  const double coarse = drift(200, "drift.position"), fine = drift(400, "drift.position");
  CHECK(coarse / fine == Approx(4).margin(0.3));
}

TEST_CASE("The trapezoidal rule at velocity level swings a rigid pendulum for long, and its reactions are of order 2",
          "[serial]") {
  // With constraints at position level the motion is ruined before 10 s, whatever the step.
  const double inertia = 1.1, g = 9.81;
  const auto worst = [&](double h) {
    const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], points: {{top: [-1, 0, 0]}}}}
joints: {{hinge: {{type: revolute, connect: [ground, rod.top], axis: [0, -1, 0]}}}}
sensors:
  rod: {{type: point, of: rod, record: [position]}}
  hinge: {{type: joint, of: hinge, record: [force]}}
analysis: {{end_time: 10, step: {}, integrator: trapezoid, constraints: velocity}}
)",
                                                                h));
    // Reactions follow from the angle alone: w^2 = -2 m g sin(angle)/J from rest at angle 0.
    double error = 0;
    for (const Values& v : run.values) {
      const double c = v.at("rod.position.x"), s = v.at("rod.position.z"), speed2 = -2 * g * s / inertia;
      const double exact = g - g * c * c / inertia - speed2 * s;
      error = std::max(error, std::abs(std::abs(v.at("hinge.force.z")) - std::abs(exact)));
    }
    return error;
  };
  const double coarse = worst(5e-3), fine = worst(1.25e-3);
  CHECK(coarse < 0.05);  // of 27.6 N
  CHECK(coarse / fine > 14);
}

TEST_CASE("Newmark's method also integrates general equations", "[serial]") {
  const verify::TestProblem problem = verify::make_test_problem(verify::Pendulum{});
  verify::StudyPlan plan;
  plan.counts = {200, 400, 800};
  plan.options = verify::study_options(1, StartMethod::a0);
  plan.options.method = Method::index3;
  plan.options.coefficients = newmark_coefficients(0.25, 0.5);
  plan.demands = verify::demand_order({"y", "z"});
  CHECK(verify::run_study(problem, plan).passed());
}
