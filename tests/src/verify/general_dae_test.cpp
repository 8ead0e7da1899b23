#include "verify/general_dae.hpp"

#include "tests/catch.hpp"
#include "verify/problems/andrews.hpp"
#include "verify/problems/chaplygin_sleigh.hpp"
#include "verify/problems/driven_pendulum.hpp"
#include "verify/problems/jay_negrut.hpp"
#include "verify/problems/slider_crank_driven.hpp"
#include "verify/problems/stiff_pendulum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace sinew;
using Values = std::vector<double>;

namespace {

/// A moving support, a nonholonomic row that mixes everything, multipliers that enter as products; sizes of the object.
struct Mixed {
  int num_dofs = 3, num_position_rows = 1, num_velocity_rows = 1;

  template <class S>
  void mass(const S& t, const S* y, S* M) const {
    using math::cos;
    M[0] = 2.0 + cos(y[1]);
    M[1] = t * y[2];
    M[4] = 1.0 + y[0] * y[0];
    M[6] = 0.5;
    M[8] = 3.0;
  }
  template <class S>
  void force(const S& t, const S* y, const S* z, const S* lam, const S* psi, S* f) const {
    using math::exp, math::sin, math::tanh;
    f[0] = sin(t) * y[1] * z[2] - y[0] * lam[0] * psi[0];
    f[1] = exp(0.3 * y[0]) * z[0] * z[1] + lam[0] * lam[0] * z[2];
    f[2] = tanh(z[0]) * y[2] - psi[0] * lam[0] * y[1];
  }
  template <class S>
  void position(const S& t, const S* y, S* g) const {
    using math::sin;
    g[0] = y[0] * y[1] * y[2] + sin(y[0] - t) + t * t * y[1];
  }
  template <class S>
  void nonholonomic(const S& t, const S* y, const S* z, S* k) const {
    using math::cos;
    k[0] = cos(y[2]) * z[0] * z[1] + t * y[0] * z[2] * z[2] - y[1];
  }
};

/// Masses in a row on springs, as many as one likes, without constraints.
struct Chain {
  int num_dofs = 5;
  static constexpr int num_position_rows = 0, num_velocity_rows = 0;

  template <class S>
  void mass(const S&, const S*, S* M) const {
    for (int i = 0; i < num_dofs; ++i) M[i * num_dofs + i] = 1.0 + i;
  }
  template <class S>
  void force(const S&, const S* y, const S*, const S*, const S*, S* f) const {
    for (int i = 0; i + 1 < num_dofs; ++i) {
      f[i] += y[i + 1] - y[i];
      f[i + 1] -= y[i + 1] - y[i];
    }
  }
};

/// Announces a row that it has no callback for.
struct Forgetful {
  static constexpr int num_dofs = 1, num_position_rows = 1, num_velocity_rows = 0;
  template <class S>
  void mass(const S&, const S*, S* M) const {
    M[0] = 1.0;
  }
  template <class S>
  void force(const S&, const S*, const S*, const S*, const S*, S*) const {}
};

Values values(PetscVec v) {
  PetscInt n = 0;
  petsc(VecGetLocalSize(v, &n));
  const VecRead x(v);
  return {x.data(), x.data() + n};
}

void fill(PetscVec v, const Values& x) {
  VecWrite to(v);
  std::copy(x.begin(), x.end(), to.data());
}

double distance(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double size_of(const Values& a) { return distance(a, Values(a.size(), 0.0)); }

/// Calls the functions of a system with plain numbers.
class Probe {
 public:
  explicit Probe(const GeneralDae& dae) : dae_(dae), z_(dae.make_dof_vector()), lambda_(dae.make_row_vector()) {}

  /// All arguments in one: (t, y, z, lambda).
  struct Point {
    double t;
    Values y, z, lambda;
  };

  Values forces(const Point& p) {
    return with(p, dae_.make_dof_vector(), [&](const Stage& s, PetscVec out) { dae_.forces(s, out); });
  }
  Values position(const Point& p) {
    return with(p, dae_.make_row_vector(), [&](const Stage& s, PetscVec out) { dae_.constraints(s, out, nullptr); });
  }
  Values velocity(const Point& p) {
    return with(p, dae_.make_row_vector(), [&](const Stage& s, PetscVec out) { dae_.constraints(s, nullptr, out); });
  }
  Values drift(const Point& p) {
    return with(p, dae_.make_row_vector(), [&](const Stage& s, PetscVec out) { dae_.constraint_drift(s, out); });
  }
  Values mass_times(const Point& p, const Values& a) {
    VecHandle x = dae_.make_dof_vector();
    fill(x, a);
    return with(p, dae_.make_dof_vector(), [&](const Stage& s, PetscVec out) { dae_.mass_times(s, x, out); });
  }
  Values force_change(const Point& p, const Values& change) {
    VecHandle x = dae_.make_row_vector();
    fill(x, change);
    return with(p, dae_.make_dof_vector(), [&](const Stage& s, PetscVec out) { dae_.force_change(s, x, out); });
  }
  /// Column j of an assembled tangent.
  Values tangent(const Point& p, const TangentShift& shift, int j) {
    MatHandle A = dae_.make_tangent_matrix();
    with(p, dae_.make_dof_vector(), [&](const Stage& s, PetscVec) { dae_.assemble_tangent(s, shift, nullptr, A); });
    return column(A, j);
  }
  Values projection(const Point& p, int j) {
    MatHandle A = dae_.make_projection_matrix();
    with(p, dae_.make_dof_vector(), [&](const Stage& s, PetscVec) { dae_.assemble_projection(s, A); });
    return column(A, j);
  }

 private:
  template <class Call>
  Values with(const Point& p, VecHandle out, const Call& call) {
    const Configuration q = dae_.configuration(p.y);
    fill(z_, p.z);
    fill(lambda_, p.lambda);
    call(Stage{p.t, &q, z_, lambda_}, out);
    return values(out);
  }
  static Values column(PetscMat A, PetscInt j) {
    PetscInt n = 0;
    petsc(MatGetSize(A, &n, nullptr));
    Values c(n);
    for (PetscInt i = 0; i < n; ++i) petsc(MatGetValues(A, 1, &i, 1, &j, &c[i]));
    return c;
  }

  const GeneralDae& dae_;
  VecHandle z_, lambda_;
};

using Point = Probe::Point;

/// Central difference of fourth order along a direction of the arguments.
Values difference(const std::function<Values(const Point&)>& function, const Point& p, const Point& direction) {
  const double h = 1e-3;
  const auto at = [&](double s) {
    const auto moved = [s](Values x, const Values& d) {
      for (std::size_t i = 0; i < d.size(); ++i) x[i] += s * d[i];
      return x;
    };
    return function({p.t + s * direction.t, moved(p.y, direction.y), moved(p.z, direction.z), moved(p.lambda, direction.lambda)});
  };
  const Values a = at(-2 * h), b = at(-h), c = at(h), d = at(2 * h);
  Values result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * h);
  return result;
}

Values unit(std::size_t n, int j) {
  Values e(n, 0.0);
  e[j] = 1;
  return e;
}

Values scaled(Values x, double s) {
  for (double& v : x) v *= s;
  return x;
}

/// Smooth, different numbers around 1, off every constraint.
Point some_point(const GeneralDae& dae) {
  const auto numbers = [](int n, double phase) {
    Values x(n);
    for (int i = 0; i < n; ++i) x[i] = 0.8 + 0.5 * std::sin(phase + 1.7 * i);
    return x;
  };
  const int rows = dae.sizes().position_rows + dae.sizes().velocity_rows;
  return {0.4, numbers(dae.sizes().dofs, 0.1), numbers(dae.sizes().dofs + dae.sizes().states, 1.3), numbers(rows, 2.2)};
}

void check_near(const Values& found, const Values& expected) {
  CHECK(distance(found, expected) <= 1e-7 * (1 + size_of(expected)));
}

void check_momentum_rows(const GeneralDae& dae, Probe& probe, const Point& p) {
  const int n = dae.sizes().dofs, all = n + dae.sizes().states, rows = static_cast<int>(p.lambda.size());
  const TangentShift shift{0.3, 0.7, 1.9, 0, ConstraintRows::stage, 1.3, 0.4};
  const auto forces = [&](const Point& x) { return probe.forces(x); };
  probe.mass_times(p, unit(all, 0));
  for (int j = 0; j < all + rows; ++j) {
    Values column = probe.tangent(p, shift, j);
    column.resize(all);
    Values expected;
    if (j < all) {
      const bool is_state = j >= n;
      const Values y = is_state ? Values{} : scaled(unit(n, j), shift.q);
      const Values z = scaled(unit(all, j), is_state ? shift.v * shift.state_v : shift.v);
      expected = scaled(difference(forces, p, {0, y, z, {}}), -1);
      const Values mass = probe.mass_times(p, unit(all, j));
      for (int i = 0; i < all; ++i) expected[i] += shift.a * (is_state ? shift.state_a : 1.0) * mass[i];
    } else {
      expected = scaled(difference(forces, p, {0, {}, {}, unit(rows, j - all)}), -1);
    }
    check_near(column, expected);
  }
}

void check_constraint_rows(const GeneralDae& dae, Probe& probe, const Point& p) {
  const int n = dae.sizes().dofs, all = n + dae.sizes().states, m = dae.sizes().position_rows,
            rows = static_cast<int>(p.lambda.size());
  const double factor = 0.6;
  const auto position = [&](const Point& x) { return probe.position(x); };
  const auto velocity = [&](const Point& x) { return probe.velocity(x); };
  for (int j = 0; j < n; ++j) {
    const Values G = difference(position, p, {0, unit(n, j), {}, {}});
    const Values by_y = difference(velocity, p, {0, unit(n, j), {}, {}}), by_z = difference(velocity, p, {0, {}, unit(n, j), {}});
    for (const ConstraintRows kind :
         {ConstraintRows::stage, ConstraintRows::gradient, ConstraintRows::curvature, ConstraintRows::velocity}) {
      Values expected(rows), found = probe.tangent(p, {0.3, 0.7, 1.9, factor, kind}, j);
      found.erase(found.begin(), found.begin() + all);
      for (int i = 0; i < rows; ++i) {
        const double gradient = i < m ? G[i] : by_z[i];
        if (kind == ConstraintRows::stage) expected[i] = gradient + (i < m ? 0.0 : factor * by_y[i]);
        if (kind == ConstraintRows::gradient) expected[i] = gradient;
        if (kind == ConstraintRows::curvature) expected[i] = factor * by_y[i];
        if (kind == ConstraintRows::velocity) expected[i] = gradient + factor * by_y[i];
      }
      check_near(found, expected);
    }
    for (int i = 0; i < m; ++i) CHECK(by_z[i] == Approx(G[i]).margin(1e-7));
  }
  for (int j = n; j < all + rows; ++j) {
    Values found = probe.tangent(p, {0.3, 0.7, 1.9, factor, ConstraintRows::stage}, j);
    CHECK(size_of({found.begin() + all, found.end()}) == 0);
  }
}

void check_time_derivatives(Probe& probe, const Point& p, int position_rows) {
  const Point along{1, {p.z.begin(), p.z.begin() + static_cast<std::ptrdiff_t>(p.y.size())}, {}, {}};
  Values rate = difference([&](const Point& x) { return probe.position(x); }, p, along);
  Values velocity = probe.velocity(p);
  rate.resize(position_rows);
  velocity.resize(position_rows);
  check_near(velocity, rate);
  check_near(probe.drift(p), difference([&](const Point& x) { return probe.velocity(x); }, p, along));
}

void check_derivatives(const GeneralDae& dae) {
  Probe probe(dae);
  const Point p = some_point(dae);
  check_momentum_rows(dae, probe, p);
  check_constraint_rows(dae, probe, p);
  check_time_derivatives(probe, p, dae.sizes().position_rows);
}

}  // namespace

TEST_CASE("Every derivative of a general DAE agrees with differences", "[serial]") {
  SECTION("time, nonlinear multipliers, sizes of the object") { check_derivatives(*make_general_dae(Mixed{})); }
  SECTION("the problem of Jay and Negrut") { check_derivatives(*make_general_dae(verify::JayNegrut{})); }
  SECTION("Andrews' mechanism") { check_derivatives(*make_general_dae(verify::Andrews{})); }
  SECTION("a rheonomic slider-crank") { check_derivatives(*make_general_dae(verify::SliderCrankDriven{})); }
  SECTION("a sleigh") { check_derivatives(*make_general_dae(verify::ChaplyginSleigh{})); }
  SECTION("a stiff pendulum") { check_derivatives(*make_general_dae(verify::StiffPendulum{})); }
  SECTION("a first-order state") { check_derivatives(*make_general_dae(verify::DrivenPendulum{})); }
  SECTION("no constraints at all") { check_derivatives(*make_general_dae(Chain{7})); }
}

TEST_CASE("The exact solution of Jay and Negrut's problem satisfies every equation of the consistent start", "[serial]") {
  const verify::JayNegrut problem;
  const auto dae = make_general_dae(problem);
  Probe probe(*dae);
  for (const double t : {0.0, 0.35, 1.0}) {
    const verify::Solution s = problem.exact(t);
    const Point p{t, s.y, s.z, s.lambda};
    CHECK(distance(probe.mass_times(p, s.a), probe.forces(p)) < 1e-13 * size_of(probe.forces(p)));
    CHECK(size_of(probe.position(p)) < 1e-14);
    CHECK(size_of(probe.velocity(p)) < 1e-14);
    Values acceleration = probe.drift(p);
    for (int j = 0; j < 2; ++j) {
      const Values column = probe.tangent(p, {0, 0, 1, 0, ConstraintRows::gradient}, j);
      for (int i = 0; i < 2; ++i) acceleration[i] += column[2 + i] * s.a[j];
    }
    CHECK(size_of(acceleration) < 2e-14 * size_of(probe.drift(p)));
  }
}

TEST_CASE("A tangent holds the mass matrix of the last product, not that of its own stage", "[serial]") {
  const auto dae = make_general_dae(Mixed{});
  Probe probe(*dae);
  const Point here = some_point(*dae);
  Point there = here;
  there.y = {-0.3, 2.0, 0.1};
  const TangentShift mass_only{0, 0, 1, 0, ConstraintRows::gradient};
  const auto column = [&] {
    Values c = probe.tangent(there, mass_only, 0);
    c.resize(3);
    return c;
  };
  const Values before_any_product = column();
  const Values own = probe.mass_times(there, {1, 0, 0});
  CHECK(distance(before_any_product, own) == 0);
  const Values predicted = probe.mass_times(here, {1, 0, 0});
  CHECK(distance(own, predicted) > 0.1);
  CHECK(distance(column(), predicted) == 0);
}

TEST_CASE("A change of multipliers changes the forces by the exact difference", "[serial]") {
  const auto dae = make_general_dae(Mixed{});
  Probe probe(*dae);
  const Point p = some_point(*dae);
  Point q = p;
  q.lambda = {p.lambda[0] + 0.4, p.lambda[1] - 1.1};
  Values expected = probe.forces(q);
  const Values before = probe.forces(p);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= before[i];
  CHECK(distance(probe.force_change(p, {0.4, -1.1}), expected) < 1e-15);
}

TEST_CASE("The projection matrix of a general DAE is symmetric with unit metric and the gradients", "[serial]") {
  const auto dae = make_general_dae(Mixed{});
  Probe probe(*dae);
  const Point p = some_point(*dae);
  for (int j = 0; j < 5; ++j) {
    const Values c = probe.projection(p, j), gradient = probe.tangent(p, {0, 0, 1, 0, ConstraintRows::gradient}, j);
    for (int i = 0; i < 5; ++i) {
      if (i < 3 && j < 3) CHECK(c[i] == (i == j ? 1.0 : 0.0));
      if (i >= 3 && j < 3) CHECK(c[i] == gradient[i]);
      if (i >= 3 && j >= 3) CHECK(c[i] == 0.0);
      CHECK(c[i] == probe.projection(p, i)[j]);
    }
  }
}

TEST_CASE("The layout of a general DAE has the holonomic rows first", "[serial]") {
  const auto dae = make_general_dae(Mixed{});
  CHECK(dae->layout().num_dofs == 3);
  CHECK(dae->layout().num_rows == 2);
  CHECK(dae->layout().row_is_velocity == std::vector<char>{0, 1});
  CHECK_FALSE(dae->is_mechanical());
  CHECK_FALSE(dae->has_rotations());
  CHECK(dae->values(dae->configuration(Values{3, -7, 1})) == Values{3, -7, 1});
  CHECK(dae->configuration_norm(dae->configuration(Values{3, -7, 1})) == 7);
  VecHandle w = dae->make_dof_vector();
  fill(w, {1, 2, 3});
  Configuration moved = dae->make_configuration();
  dae->retract(dae->configuration(Values{3, -7, 1}), w, moved);
  CHECK(dae->values(moved) == Values{4, -5, 4});
}

TEST_CASE("A problem without the callback for its rows and a configuration of the wrong size are refused", "[serial]") {
  CHECK_THROWS_AS(make_general_dae(Forgetful{}), InputError);
  CHECK_THROWS_AS(make_general_dae(Chain{0}), InputError);
  CHECK_THROWS_AS(make_general_dae(Mixed{})->configuration(Values{1, 2}), InputError);
}
