// Bars of recorded numbers, from series whose errors are known.
#include "observe/error_bars.hpp"
#include "tests/catch.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace sinew;

namespace {

constexpr int rows = 400;
constexpr double duration = 10;

/// cos(t), wrong by error(t) of a run with this part of the coarsest steps.
SensorSeries series(const std::function<double(double)>& error) {
  SensorSeries result(MPI_COMM_SELF, {});
  for (int k = 0; k <= rows; ++k) {
    const double t = duration * k / rows;
    result.add(t, {std::cos(t) + error(t)});
  }
  return result;
}

struct Found {
  double below = 0;   ///< part of the rows whose error is at most its bar
  double median = 0;  ///< of bar over the amplitude of the error
};

/// Runs with steps of 1, 1/2, 1/4: errors(t, part) each. `quotients`: bar over error, row by row.
Found compare(const std::function<double(double, double)>& errors, std::vector<double>* quotients = nullptr) {
  const auto of = [&](double part) { return series([&](double t) { return errors(t, part); }); };
  const SensorSeries coarsest = of(1), other = of(0.5), judged = of(0.25);
  ErrorBars bars({"x"}, ErrorRule{});
  bars.compare(judged, other, &coarsest, {1, 2, 4});
  Found found;
  std::vector<double> sizes;
  for (int k = 0; k <= rows; ++k) {
    const double t = judged.times()[static_cast<std::size_t>(k)], bar = bars.at(t)[0];
    found.below += std::abs(errors(t, 0.25)) <= bar ? 1.0 / (rows + 1) : 0.0;
    if (quotients && errors(t, 0.25) != 0) quotients->push_back(bar / std::abs(errors(t, 0.25)));
    sizes.push_back(bar);
  }
  std::sort(sizes.begin(), sizes.end());
  found.median = sizes[sizes.size() / 2];
  return found;
}

}  // namespace

TEST_CASE("Bars of errors that fall with h^2 row by row are 1.25 times as large", "[serial]") {
  const auto error = [](double t, double part) { return 1e-3 * part * part * std::sin(0.7 * t); };
  const Found found = compare(error);
  CHECK(found.below > 0.99);
  const Found alike = compare([](double, double part) { return 1e-3 * part * part; });
  CHECK(alike.median == Approx(1.25 * 1e-3 / 16).epsilon(1e-6));
}

TEST_CASE("Where errors fall with h^2 in the mean only, out of phase from run to run, bars are cautious and hold", "[serial]") {
  // A vibration a quarter of a turn later in each run: differences fall by 4, and the first is at right angles to the second.
  const auto error = [](double t, double part) {
    return 1e-3 * part * part * std::sin(10 * t + std::acos(0.0) * std::log2(part));
  };
  CHECK(compare(error).below >= 0.95);
}

TEST_CASE("A vibration out of phase beside errors that fall with h^2 widens the bars by what it is", "[serial]") {
  // A fifth of the error of the finest run, as large in the others, and later in each of them.
  const auto vibration = [](double t, double part) { return 1.25e-5 * std::sin(10 * t + 2 * std::log2(part)); };
  const auto error = [&](double t, double part) { return 1e-3 * part * part * std::sin(0.7 * t) + vibration(t, part); };
  const Found found = compare(error);
  CHECK(found.below >= 0.95);  // 0.70 by the differences of two runs alone
  CHECK(found.median < 1.5e-3 / 16);
}

TEST_CASE("A vibration of which coarser runs lose the phase has bars by its amplitude, and no cautious ones", "[serial]") {
  // Late by 5, 1.2 and 0.3 rad at the end, as a frequency that is wrong by h^2 makes it: the first run says nothing any more.
  const auto error = [](double t, double part) { return 1e-3 * (std::sin(20 * t + 0.48 * part * part * t) - std::sin(20 * t)); };
  std::vector<double> quotients;
  const Found found = compare(error, &quotients);
  CHECK(found.below >= 0.95);
  std::sort(quotients.begin(), quotients.end());
  CHECK(quotients[quotients.size() / 2] < 4.5);  // 5.8 by three times what an order of 1.55 says
}

TEST_CASE("Errors of a lower order are no vibrations out of phase, whatever else errs", "[serial]") {
  // By 3 times what their order says.
  const Found first = compare([](double, double part) { return 1e-3 * part; });
  CHECK(first.median == Approx(3e-3 / 4).epsilon(1e-6));
  const auto mixture = [](double t, double part) {
    return 1e-3 * (part * part * std::sin(0.7 * t) + 0.5 * part * std::cos(1.9 * t));
  };
  CHECK(compare(mixture).below >= 0.95);
}

namespace {

/// Runs of a force that jumps from 1 to -1 at 5.02 - late(part) and is wrong by `error` beside that, and of a place.
ErrorVerdict compare_jumps(const std::function<double(double)>& late, const std::function<double(double, double)>& error,
                           bool says_when, ErrorBars& bars) {
  const auto of = [&](double part) {
    SensorSeries result(MPI_COMM_SELF, {});
    const double change = 5.02 - late(part);
    for (int k = 0; k <= rows / part / 4; ++k) {
      const double t = duration * k / (rows / part / 4);
      result.add(t, {(t < change ? 1.0 : -1.0) + error(t, part), std::cos(t)});
    }
    if (says_when) result.add_switch(change);
    return result;
  };
  const SensorSeries coarsest = of(1), other = of(0.5), judged = of(0.25);
  return bars.compare(judged, other, &coarsest, {1, 2, 4});
}

}  // namespace

TEST_CASE("Rows between the times at which runs change a switch are not compared, and have the jump for a bar", "[serial]") {
  // The first run has jumped before the row at 5, which no other has.
  const auto late = [](double part) { return 0.06 * part * part; };
  const auto error = [](double t, double part) { return 1e-3 * part * part * std::sin(0.7 * t); };
  ErrorBars bars({"f.force", "b.place"}, ErrorRule{});
  const ErrorVerdict verdict = compare_jumps(late, error, true, bars);
  CHECK(verdict.worst < 1e-3);
  CHECK(verdict.doubts.empty());
  CHECK(verdict.order == Approx(2).epsilon(0.05));
  ErrorBars blind({"f.force", "b.place"}, ErrorRule{});
  CHECK(compare_jumps(late, error, false, blind).worst > 0.1);  // the same rows where nothing says that a switch has changed

  // A row between the changes of the two runs that are compared: the jump is its bar, and only there.
  const auto later = [](double part) { return part < 0.4 ? 1e-3 : part < 0.8 ? 0.05 : 0.09; };
  ErrorBars between({"f.force", "b.place"}, ErrorRule{});
  CHECK(compare_jumps(later, error, true, between).worst < 1e-3);
  CHECK(between.at(5)[0] == Approx(2).epsilon(1e-3));
  CHECK(between.at(5)[1] < 1e-6);
  CHECK(between.at(4.5)[0] < 1e-3);
  CHECK(between.at(5.5)[0] < 1e-3);
}

TEST_CASE("A row between the true change of a switch and those of all runs has the jump for a bar", "[serial]") {
  // All runs change behind the row at 5.05, and what they differ by allows for a change before it.
  const auto late = [](double part) { return part < 0.4 ? -0.031 : part < 0.8 ? -0.05 : -0.07; };
  const auto none = [](double, double) { return 0.0; };
  ErrorBars bars({"f.force", "b.place"}, ErrorRule{});
  const ErrorVerdict verdict = compare_jumps(late, none, true, bars);
  CHECK(verdict.worst < 1e-3);
  CHECK(bars.at(5.05)[0] == Approx(2).epsilon(1e-3));
  CHECK(bars.at(5.05)[1] < 1e-4);  // what does not jump
  CHECK(bars.at(5.0)[0] < 1e-3);
  CHECK(bars.at(5.1)[0] < 1e-3);
}

TEST_CASE("A true difference beside a switch is found, and so is a change of a switch at another time altogether", "[serial]") {
  const auto late = [](double part) { return 0.06 * part * part; };
  // A force that is wrong for three steps of the first run after the change.
  const auto wrong = [](double t, double part) { return t > 5 && t < 5.3 ? 0.1 * part : 0.0; };
  ErrorBars bars({"f.force", "b.place"}, ErrorRule{});
  const ErrorVerdict verdict = compare_jumps(late, wrong, true, bars);
  CHECK(verdict.worst > 0.025);
  CHECK(bars.at(5.15)[0] > 0.025);
  const auto none = [](double, double) { return 0.0; };
  const auto too_late = [](double part) { return 4 * part; };  // by many steps
  ErrorBars others({"f.force", "b.place"}, ErrorRule{});
  CHECK(compare_jumps(too_late, none, true, others).worst > 1);
}

namespace {

/// A force that jumps at 5 and sets off a stiff decay there, of which every row is wrong by 5, 5/4, 5/16 of its part of the run,
/// beside a smooth error; a row in ten is recorded.
SensorSeries stiff_behind_jump(double part, bool says_when, int every) {
  SensorSeries result(MPI_COMM_SELF, {});
  for (int k = 0; k <= rows; ++k) {
    const double t = duration * k / rows, behind = t > 5 ? std::exp(-(t - 5) / 0.02) : 0.0;
    const double error = part * part * (1e-3 * std::sin(0.7 * t) + 5 * behind) + (t > 5 ? 2 * part * behind : 0.0);
    result.add(t, {std::cos(t) + 3 * behind + error}, k % every == 0);
  }
  if (says_when) result.add_break(5);
  return result;
}

ErrorVerdict compare_stiff(bool says_when, int every, ErrorBars& bars) {
  const SensorSeries coarsest = stiff_behind_jump(1, says_when, every), other = stiff_behind_jump(0.5, says_when, every),
                     judged = stiff_behind_jump(0.25, says_when, every);
  return bars.compare(judged, other, &coarsest, {1, 2, 4});
}

}  // namespace

TEST_CASE("What no recorded row shows has no say, and the last row before a jump knows nothing of what is behind it",
          "[serial]") {
  ErrorBars found({"x"}, ErrorRule{});
  const ErrorVerdict verdict = compare_stiff(true, 10, found);
  CHECK(verdict.worst < 1e-4);
  CHECK(verdict.order == Approx(2).epsilon(0.02));
  CHECK(verdict.doubts.empty());
  CHECK(found.at(5)[0] < 1e-4);
  CHECK(found.at(5.025)[0] > 0.05);  // as wrong as it is, wherever one looks
  CHECK(found.columns()[0].size < 1.1);
  CHECK(found.recorded().size() == rows / 10 + 1);

  ErrorBars of_all({"x"}, ErrorRule{});
  CHECK(compare_stiff(true, 1, of_all).worst > 0.05);  // where every row is recorded all of them are judged
  CHECK(of_all.at(5)[0] < 1e-3);
  ErrorBars blind({"x"}, ErrorRule{});
  CHECK(compare_stiff(false, 10, blind).worst > 0.05);  // the same rows where nothing says that something jumps
}

TEST_CASE("A vibration has its size and its order between recorded rows too, at whatever phase they meet it", "[serial]") {
  // A row a period, where the vibration is 0: its size is 1 all the same.
  const auto of = [](double part) {
    SensorSeries result(MPI_COMM_SELF, {});
    for (int k = 0; k <= rows; ++k) {
      const double t = duration * k / rows, phase = 4 * std::acos(0.0) * t;
      result.add(t, {std::sin(phase) + 1e-3 * part * part * std::sin(phase + 0.3)}, k % (rows / 10) == 0);
    }
    return result;
  };
  const SensorSeries coarsest = of(1), other = of(0.5), judged = of(0.25);
  ErrorBars bars({"x"}, ErrorRule{});
  const ErrorVerdict verdict = bars.compare(judged, other, &coarsest, {1, 2, 4});
  CHECK(bars.columns()[0].size > 0.9);
  CHECK(verdict.worst < 1.3e-3 / 16);
  CHECK(verdict.order == Approx(2).epsilon(1e-6));
}

TEST_CASE("Bars of moments that are rounding of forces are not doubted, those of others are", "[serial]") {
  const auto doubts = [](double moment) {
    const auto of = [&](double part) {
      SensorSeries result(MPI_COMM_SELF, {});
      for (int k = 0; k <= rows; ++k) {
        const double t = duration * k / rows;
        result.add(t, {52 * std::cos(t) + 1e-3 * part * part, moment * std::sin(13 * t / part)});
      }
      return result;
    };
    const SensorSeries coarsest = of(1), other = of(0.5), judged = of(0.25);
    ErrorRule rule;
    rule.extent = 0.5;
    ErrorBars bars({"j.force", "j.moment"}, rule);
    return bars.compare(judged, other, &coarsest, {1, 2, 4}).doubts;
  };
  CHECK(doubts(3e-11).empty());
  CHECK(doubts(3e-3) == std::vector<std::string>{"j.moment"});
}

TEST_CASE("Reactions that are rounding are measured by what the joints hold, recorded or not", "[serial]") {
  // 26 N m of reactions about an extent of 0.5 m, of which one column alone is recorded
  const auto worst = [](const std::string& column, double size, double held) {
    const auto of = [&](double part) {
      SensorSeries result(MPI_COMM_SELF, {});
      for (int k = 0; k <= rows; ++k) result.add(duration * k / rows, {size * std::sin(13 * k / part)});
      result.set_largest_reaction(held);
      return result.chosen({0});
    };
    const SensorSeries other = of(1), judged = of(0.5);
    ErrorRule rule;
    rule.extent = 0.5;
    ErrorBars bars({column}, rule);
    return bars.compare(judged, other, nullptr, {1, 2, 4}).worst;
  };
  for (const char* column : {"j.moment", "j.force", "j.torque"}) {
    INFO(column);
    CHECK(worst(column, 1e-14, 26) < 1e-4);
    CHECK(worst(column, 1e-3, 26) > 0.1);
    CHECK(worst(column, 1e-14, 0) > 0.1);  // where no joint holds anything it is measured by itself
  }
}

TEST_CASE("What is rounding alone is measured by what it might be in the model", "[serial]") {
  // beside a place that goes round with 50 rad/s, and 3 J
  const auto worst = [](const std::string& column, double size) {
    const auto of = [&](double part) {
      SensorSeries result(MPI_COMM_SELF, {});
      for (int k = 0; k <= rows; ++k) result.add(duration * k / rows, {size * std::sin(13 * k / part), 50, 3});
      return result;
    };
    const SensorSeries other = of(1), judged = of(0.5);
    ErrorRule rule;
    rule.extent = 0.5;
    rule.duration = duration;
    ErrorBars bars({column, "a.angular_velocity.z", "e.kinetic"}, rule);
    return bars.compare(judged, other, nullptr, {1, 2, 4}).worst;
  };
  for (const char* column :
       {"j.distance", "j.angle2", "j.rate.distance", "j.rate.angle", "p.position", "f.length", "p.velocity",
        "b.displacement_rate", "b.rotation_rate", "p.acceleration", "p.angular_acceleration", "f.dissipated"}) {
    INFO(column);
    CHECK(worst(column, 1e-16) < 1e-4);
    CHECK(worst(column, 1e-3) > 0.1);
  }
}

TEST_CASE("An acceleration that is in no run like in another is what Newton's method leaves of velocities", "[serial]") {
  // steps of 1 ms, beside a place that goes round with 50 rad/s: 1e-10 of 25 m/s is 2.5e-6 m/s^2 in a step
  constexpr double length = 0.4;
  const auto worst = [](double size, double noise, double turning) {
    const auto of = [&](double part) {
      SensorSeries result(MPI_COMM_SELF, {});
      for (int k = 0; k <= rows; ++k)
        result.add(length * k / rows, {size * (std::cos(0.1 * k) + noise * std::sin(13 * k / part)), turning});
      return result;
    };
    const SensorSeries other = of(1), judged = of(0.5);
    ErrorRule rule;
    rule.extent = 0.5;
    rule.duration = length;
    ErrorBars bars({"p.acceleration", "a.angular_velocity.z"}, rule);
    const double found = bars.compare(judged, other, nullptr, {1, 2, 4}).worst;
    CHECK(bars.at(length / 2)[0] > 0);  // which the bars say all the same
    return found;
  };
  CHECK(worst(1e-6, 1, 50) == 0);
  CHECK(worst(1e-4, 1, 50) > 0.5);
  // what runs have in common to a digit is an acceleration, however small: beside 1 rad/s, 5e-8 m/s^2 in a step
  CHECK(worst(3e-8, 1, 1) == 0);
  CHECK(worst(3e-8, 0.01, 1) > 0.005);
}
