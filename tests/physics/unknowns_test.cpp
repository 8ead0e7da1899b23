#include "integrate/step_solver.hpp"
#include "solve/acceleration_solver.hpp"
#include "solve/consistent.hpp"
#include "tests/catch.hpp"
#include "verify/convergence.hpp"
#include "verify/problems/driven_pendulum.hpp"

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using verify::DrivenPendulum;

namespace {

constexpr int n = 4;  // x, y, torque, multiplier
using Column = std::array<double, n>;
using Square = std::array<Column, n>;  // by rows

/// A^-1 by elimination with pivots.
Square inverse(Square A) {
  Square B{};
  for (int i = 0; i < n; ++i) B[i][i] = 1;
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i][k]) > std::abs(A[p][k])) p = i;
    std::swap(A[k], A[p]);
    std::swap(B[k], B[p]);
    const double pivot = A[k][k];
    for (int j = 0; j < n; ++j) {
      A[k][j] /= pivot;
      B[k][j] /= pivot;
    }
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i][k];
      for (int j = 0; j < n; ++j) {
        A[i][j] -= factor * A[k][j];
        B[i][j] -= factor * B[k][j];
      }
    }
  }
  return B;
}

double norm(const Square& A) {
  double largest = 0;
  for (const Column& row : A) {
    double sum = 0;
    for (const double a : row) sum += std::abs(a);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// A consistent state with velocity: half a second after the start.
State moving(const verify::TestProblem& problem) {
  State s = verify::integrate(problem, verify::study_options(0.8, StartMethod::derivative), {0.01}, 50).state;
  project_onto_constraints(*problem.system, s.t, s.q, s.z);
  AccelerationSolver(*problem.system).solve(s.t, s.q, s.z, s.a, s.lambda);
  return s;
}

std::array<double, 3> three(PetscVec v) {
  const VecRead x(v);
  return {x[0], x[1], x[2]};
}

/// One index-3 step from aA = a0 in the unknowns (q1, s1, lambda1): a1 and s1' follow from them. Newton's method with a matrix of
/// differences.
Column displacement_step(const GeneralDae& system, const State& s, const AlphaCoefficients& c, double h) {
  const DrivenPendulum problem;
  const std::vector<double> q0 = system.values(s.q);
  const std::array<double, 3> z0 = three(s.z), a0 = three(s.a);
  const double gs = 0.5;
  const auto residual = [&](const Column& x) {
    double a1[2], z1[2], f[2] = {}, r[1] = {}, g[1] = {};
    for (int i = 0; i < 2; ++i) {
      a1[i] = (x[i] - q0[i] - h * z0[i] - h * h * (0.5 - c.beta) * a0[i]) / (c.beta * h * h);
      z1[i] = z0[i] + h * (1 - c.gamma) * a0[i] + h * c.gamma * a1[i];
    }
    const double rate = (x[2] - z0[2] - h * (1 - gs) * a0[2]) / (h * gs), t1 = s.t + h;
    problem.force(t1, x.data(), z1, &x[2], &x[3], static_cast<const double*>(nullptr), f);
    problem.rates(t1, x.data(), z1, &x[2], &x[3], static_cast<const double*>(nullptr), r);
    problem.position(t1, x.data(), g);
    Column out{};
    for (int i = 0; i < 2; ++i) out[i] = c.beta * h * h * (c.m() * a1[i] + c.am * a0[i] - c.th() * f[i] - c.af * a0[i]);
    out[2] = h * gs * (rate - r[0]);
    out[3] = g[0];
    return out;
  };
  Column x{q0[0] + h * z0[0], q0[1] + h * z0[1], z0[2] + h * a0[2], VecRead(s.lambda)[0]};
  for (int iteration = 0; iteration < 12; ++iteration) {
    const Column r = residual(x);
    Square J;
    for (int j = 0; j < n; ++j) {
      const double e = 1e-5;
      Column up = x, down = x;
      up[j] += e;
      down[j] -= e;
      const Column rise = residual(up), fall = residual(down);
      for (int i = 0; i < n; ++i) J[i][j] = (rise[i] - fall[i]) / (2 * e);
    }
    const Square B = inverse(J);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) x[i] -= B[i][j] * r[j];
  }
  return x;
}

}  // namespace

TEST_CASE("Accelerations and displacements as unknowns give the same step", "[serial]") {
  const verify::TestProblem problem = verify::make_test_problem(DrivenPendulum{});
  for (const bool is_trapezoid : {false, true})
    for (const double h : {0.05, 0.01}) {
      AlphaOptions options = verify::study_options(0.6, StartMethod::a0);
      options.method = Method::index3;
      options.newton.tolerance = 1e-15;
      if (is_trapezoid) options.coefficients = newmark_coefficients(0.25, 0.5);
      const AlphaCoefficients c = options.coefficients.value_or(alpha_coefficients(options.rho_inf));
      State s = moving(problem);
      const auto integrator = make_alpha_integrator(*problem.system, options);
      integrator->start(s, h);
      const Column expected = displacement_step(*problem.system, s, c, h);
      REQUIRE(integrator->step(s, h).accepted);
      const std::vector<double> q1 = problem.system->values(s.q);
      CHECK(std::abs(q1[0] - expected[0]) < 1e-12);
      CHECK(std::abs(q1[1] - expected[1]) < 1e-12);
      CHECK(std::abs(three(s.z)[2] - expected[2]) < 1e-12 * (1 + std::abs(expected[2])));
      // the multiplier carries the round-off of the positions over beta h^2
      CHECK(std::abs(VecRead(s.lambda)[0] - expected[3]) < 1e-12 / (c.beta * h * h));
    }
}

TEST_CASE("The matrix of a step keeps its condition as the step goes to zero, first-order states included", "[serial]") {
  const verify::TestProblem problem = verify::make_test_problem(DrivenPendulum{});
  const State s = moving(problem);
  const auto condition = [&](double h) {
    StageEquations equations(*problem.system, alpha_coefficients(0.6));
    const auto solver = make_block_solver(equations, Method::index3);
    VecHandle Ma = problem.system->make_dof_vector();
    problem.system->mass_times({s.t, &s.q, s.z, s.lambda}, s.a, Ma);
    StepResult result;
    for (VecHandle* v : {&result.a1, &result.z1, &result.Ma1, &result.f1}) *v = problem.system->make_dof_vector();
    result.lambda1 = duplicate(s.lambda);
    petsc(VecCopy(s.a, result.a1));
    petsc(VecCopy(s.lambda, result.lambda1));
    equations.begin(s, h, s.a, Ma);
    NewtonSettings settings;
    settings.refresh = TangentRefresh::every_iteration;
    REQUIRE(solver->solve(result, settings).converged);
    PetscMat A = nullptr;
    petsc(KSPGetOperators(solver->ksp(), &A, nullptr));
    Square dense;
    for (PetscInt i = 0; i < n; ++i)
      for (PetscInt j = 0; j < n; ++j) petsc(MatGetValues(A, 1, &i, 1, &j, &dense[i][j]));
    return norm(dense) * norm(inverse(dense));
  };
  const double limit = condition(1e-9);
  CHECK(limit < 30);
  for (const double h : {1e-2, 1e-4, 1e-6, 1e-8}) CHECK(condition(h) == Approx(limit).epsilon(50 * h + 1e-6));
}

TEST_CASE("The first accelerations and rates are those of the equations", "[serial]") {
  const verify::TestProblem problem = verify::make_test_problem(DrivenPendulum{});
  State s = moving(problem);
  petsc(VecSet(s.a, 0.0));
  petsc(VecSet(s.lambda, 0.0));
  make_alpha_integrator(*problem.system, {})->start(s, 0.01);
  const std::vector<double> q = problem.system->values(s.q);
  const std::array<double, 3> z = three(s.z), a = three(s.a);
  const double lambda = VecRead(s.lambda)[0], speed2 = z[0] * z[0] + z[1] * z[1], g = DrivenPendulum::gravity;
  // the position row differentiated twice: q . a + v . v = 0; along the rod v^2 = 2 lambda + g y; the rate of the torque
  CHECK(q[0] * a[0] + q[1] * a[1] + speed2 == Approx(0).margin(1e-12));
  CHECK(lambda == Approx((speed2 - g * q[1]) / 2).epsilon(1e-10));
  CHECK(-q[1] * a[0] + q[0] * a[1] == Approx(z[2] - g * q[0]).epsilon(1e-10));
  const DrivenPendulum p;
  CHECK(a[2] == Approx((p.gain * q[0] - z[2] + p.tension * lambda) / p.tau).epsilon(1e-12));
}
