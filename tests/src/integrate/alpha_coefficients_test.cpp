#include "integrate/alpha_coefficients.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

/// The largest acceleration of a coordinate that is held at 0, in steps of size 1 after rest, where what closes its gap, 1 in
/// size, changes its sign in every step.
double largest_swing(const AlphaCoefficients& c, int steps) {
  double q = 0, z = 0, a = 0, largest = 0;
  for (int n = 0; n < steps; ++n) {
    const double gap = n % 2 == 0 ? c.beta : -c.beta;
    const double next = (gap - q - z - (0.5 - c.beta) * a) / c.beta;
    q = gap;
    z += (1 - c.gamma) * a + c.gamma * next;
    a = next;
    largest = std::max(largest, std::abs(a));
  }
  return largest;
}

}  // namespace

TEST_CASE("Gaps with alternating signs come to swings of the gain that is told", "[serial]") {
  for (const double rho : {0.0, 0.3, 0.5, 0.8, 0.95}) {
    INFO("rho_inf = " << rho);
    const AlphaCoefficients c = alpha_coefficients(rho);
    CHECK(c.swing_gain(1e6) == Approx(4 / (1 - rho) / (1 - rho)));
    CHECK(largest_swing(c, 2000) == Approx(c.swing_gain(1e6)));
  }
  const AlphaCoefficients damped = newmark_coefficients(0.3025, 0.6);
  CHECK(largest_swing(damped, 2000) == Approx(damped.swing_gain(1e6)));
}

TEST_CASE("Without damping the swings grow with the square of the number of steps", "[serial]") {
  for (const AlphaCoefficients& c : {alpha_coefficients(1), newmark_coefficients(0.25, 0.5)})
    CHECK(largest_swing(c, 1000) == Approx(c.swing_gain(1000)).epsilon(0.01));
}
