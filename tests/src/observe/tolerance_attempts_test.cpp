#include "observe/tolerance_attempts.hpp"

#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// How attempts at d go on a problem whose errors, that of the last of three runs, are level/16 of the tolerance of the steps to
/// a power: the tolerance that meets d, and how many attempts it took.
struct Search {
  double tolerance = 0;
  int attempts = 0;
  double error = 0;
};

/// Those of control per unit step with a method of order 2.
long steps(double tolerance) { return std::lround(100 / std::sqrt(tolerance)); }

Search search(double d, double level, double power = 1, bool looks = false) {
  ToleranceAttempts attempts(d, 2, 1);
  if (looks) attempts.look();
  Search found;
  for (found.attempts = 1; found.attempts < 20; ++found.attempts) {
    found.tolerance = attempts.tolerance();
    found.error = level / 16 * std::pow(attempts.tolerance(), power);
    if (found.error > d)
      attempts.missed_by(found.error, found.error / d, steps(attempts.tolerance()));
    else if (!attempts.loosen(found.error / d, steps(attempts.tolerance())))
      break;
  }
  return found;
}

}  // namespace

TEST_CASE("Attempts begin with a sixteenth of the tolerance, or where that takes many steps with a look at looser ones",
          "[serial]") {
  ToleranceAttempts plain(1e-3, 2, 1);
  CHECK(plain.tolerance() == Approx(0.016));
  CHECK(std::isfinite(plain.most_steps()));
  CHECK(search(1e-3, 0.9).attempts == 1);
  ToleranceAttempts attempts(1e-3, 2, 1);
  attempts.look();
  CHECK(attempts.tolerance() == Approx(0.16));
  CHECK(std::isinf(attempts.most_steps()));
  CHECK(attempts.of_one_step() == Approx(0.016));  // however loose they are
  ToleranceAttempts loose(1e-1, 2, 1);
  loose.look();
  CHECK(loose.tolerance() == Approx(1));
  const Search usual = search(1e-3, 5, 1, true);  // the look errs by 0.05, and tells what is needed: less than the usual steps
  CHECK(usual.attempts == 3);
  const Search between = search(1e-3, 0.15, 1, true);
  CHECK(between.attempts == 2);
  CHECK(between.error == Approx(0.49e-3));
  CHECK(between.tolerance > 0.016);
  ToleranceAttempts blind(1e-3, 2, 1), failed(1e-3, 2, 1);
  blind.look();
  blind.missed_by(0.5, 500, 10);  // differences of half a size say nothing
  CHECK(blind.tolerance() == Approx(0.016));
  failed.look();
  failed.failed();
  CHECK(failed.tolerance() == Approx(0.016));
}

TEST_CASE("Steps that are far too short by what the look says become longer, once", "[serial]") {
  const Search easy = search(1e-3, 1e-4, 1, true);
  CHECK(easy.attempts == 2);
  CHECK(easy.error == Approx(0.7e-3));
  CHECK(search(1e-3, 0.05, 1, true).attempts == 1);  // there the quarters cost less than another attempt
  ToleranceAttempts attempts(1e-3, 2, 1);
  CHECK_FALSE(attempts.loosen(1e-6, 1000));  // without a look nothing does
  attempts.look();
  CHECK_FALSE(attempts.loosen(0, 3));  // so few steps are no cost
  REQUIRE(attempts.loosen(0, 1000));
  CHECK(attempts.tolerance() == Approx(0.16e6));
  CHECK_FALSE(attempts.loosen(1e-6, 1000));
  CHECK_FALSE(attempts.is_chance(2.2));
  CHECK(attempts.is_chance(6.9));
  CHECK(attempts.tolerance() == Approx(0.016));
  CHECK_FALSE(attempts.is_chance(6.9));  // with usual steps it is what it was ever
}

TEST_CASE("Attempts that gain less than expected go on by what the last two show", "[serial]") {
  for (const double power : {0.7, 1.0, 1.5}) {
    const Search found = search(1e-4, 30, power);
    CHECK(found.attempts <= 4);
    CHECK(found.error <= 1e-4);
    CHECK(found.error > 1e-6);
  }
}

TEST_CASE("Where the tolerance has no say in the steps their length is limited", "[serial]") {
  ToleranceAttempts attempts(1e-3, 2, 5);
  attempts.missed_by(0.05, 50, 10);
  CHECK(std::isinf(attempts.longest_step()));
  attempts.missed_by(0.05, 50, 10);
  CHECK(std::isinf(attempts.longest_step()));  // the tenth of a run may be the longest step for several tolerances
  const double tolerance = attempts.tolerance();
  attempts.missed_by(0.05, 50, 10);
  CHECK(attempts.tolerance() == tolerance);
  CHECK(attempts.longest_step() == Approx(5 / 10. * std::sqrt(0.7 / 50)));
  attempts.missed_by(2e-3, 2, 90);
  CHECK(attempts.longest_step() == Approx(5 / 90. * std::sqrt(0.7 / 2)));
}
