#include "integrate/bdf_newton.hpp"

#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

TEST_CASE("Of a step of BDF a twentieth of the formula's error may be left, on any grid", "[serial]") {
  NewtonOptions options;
  options.is_automatic = true;
  // equal steps of order 2: b = 2 h/3, the furthest point 3 h away
  CHECK(formula_settings(options, 2 * 0.1 / 3, 0.3).share == Approx(0.05 * 2 / 9));
  options.is_automatic = false;
  CHECK(formula_settings(options, 2 * 0.1 / 3, 0.3).share == 0);
}

TEST_CASE("Parts of a start step leave less by what their sum makes of it, and no share of what Euler's step changes",
          "[serial]") {
  NewtonOptions options;
  options.tolerance = 1e-8;
  SECTION("Weights -1 and 2 of one and two parts make five times as much of what each leaves") {
    options.is_automatic = false;
    CHECK(start_settings(options, 2, 1e-3).tolerance == Approx(1e-8 / 5));
  }
  SECTION("Weights 1/2, -4, 9/2 make twenty-two times as much") {
    options.is_automatic = false;
    CHECK(start_settings(options, 3, 1e-3).tolerance == Approx(1e-8 / 22));
  }
  SECTION("The error of the formula, by the terms of the motion, is a bound beside the tolerance") {
    options.is_automatic = true;
    CHECK(start_settings(options, 2, 1e-6).tolerance == Approx(0.05 / 3 * 1e-9 / 5));
    CHECK(start_settings(options, 2, 1).tolerance == Approx(1e-8 / 5));
    CHECK(start_settings(options, 2, 1e-6).share == 0);
  }
  SECTION("Not less than round-off is asked for") {
    options.is_automatic = true;
    CHECK(start_settings(options, 6, 0).tolerance == Approx(1e-14));
  }
}
