#include "integrate/step_controller.hpp"

#include "integrate/stop_times.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <vector>

using namespace sinew;

namespace {

constexpr double far = 1e9;

}  // namespace

TEST_CASE("Steps grow by no more than a factor of two and never beyond the longest", "[serial]") {
  StepController controller({1e-3, 1e-9, 5e-3}, 3);
  double h = controller.next(far);
  CHECK(h == 1e-3);
  for (int n = 0; n < 10; ++n) {
    controller.accept(0);
    const double next = controller.next(far);
    CHECK(next <= 2 * h);
    CHECK(next >= std::min(1.7 * h, 5e-3));
    h = next;
  }
  CHECK(h == Approx(5e-3));
}

TEST_CASE("Steps settle where the error is below the tolerance but of its order", "[serial]") {
  for (const int order : {2, 3}) {
    StepController controller({1e-4, 1e-9, 1}, order);
    int rejected = 0;
    double error = 0;
    for (int i = 0; i < 100; ++i) {
      error = std::pow(controller.next(far) / 1e-2, order);  // 1 at a step of 1e-2
      if (error > 1) {
        controller.reject(error);
        ++rejected;
      } else {
        controller.accept(error);
      }
    }
    CHECK(rejected <= 1);
    // Half a power of 2^(1/8) up or down is what the filter asks for here, (e^2)^(-1/(8 k)) with e the error over 0.5.
    CHECK(std::abs(std::log2(error / 0.5)) <= order / 4.0);
  }
}

TEST_CASE("Errors that rise and fall like those of a vibration cost few attempts in vain", "[serial]") {
  for (const int order : {2, 3}) {
    StepController controller({1e-3, 1e-9, 1}, order);
    int rejected = 0, accepted = 0;
    for (double time = 0; time < 4;) {
      const double h = controller.next(far), error = std::pow(h / 1e-2, order) * std::abs(std::sin(10 * time));
      if (error > 1) {
        controller.reject(error);
        ++rejected;
        continue;
      }
      controller.accept(error);
      time += h;
      ++accepted;
    }
    CHECK(rejected < 0.15 * accepted);
  }
}

TEST_CASE("Large errors of the first steps are soon forgotten", "[serial]") {
  StepController controller({1e-3, 1e-9, 1}, 2);
  for (int n = 0; n < 3; ++n) {
    controller.next(far);
    controller.accept(0.9);
  }
  const double before = controller.next(far);
  for (int n = 0; n < 7; ++n) {
    controller.next(far);
    controller.accept(0.01);
  }
  CHECK(controller.next(far) > 5 * before);
}

TEST_CASE("Steps do not notice the last digits of errors", "[serial]") {
  const auto steps_with = [](double noise) {
    StepController controller({1e-3, 1e-9, 1}, 2);
    std::vector<double> steps;
    double sign = 1, time = 0;
    for (int n = 0; n < 300; ++n, sign = -sign) {
      const double h = controller.next(far), error = std::pow(h / 1e-2, 2) * (0.6 + std::sin(10 * time)) * (1 + sign * noise);
      steps.push_back(h);
      if (std::abs(error) > 1) {
        controller.reject(std::abs(error));
      } else {
        controller.accept(std::abs(error));
        time += h;
      }
    }
    return steps;
  };
  CHECK(steps_with(1e-9) == steps_with(0));
}

TEST_CASE("A rejected step is repeated with a smaller one and does not grow at once", "[serial]") {
  StepController controller({1e-3, 1e-9, 1}, 3);
  controller.next(far);
  controller.reject(8);
  const double repeated = std::exp2(-11.0 / 8) * 1e-3;  // next to (8/0.5)^(-1/3)
  CHECK(controller.next(far) == Approx(repeated));
  controller.accept(0.01);
  CHECK(controller.next(far) == Approx(repeated));
  controller.fail();
  CHECK(controller.next(far) == Approx(repeated / 4));
}

TEST_CASE("Steps that are kept are so for order + 1 of them behind a rejected one, and grow by the largest of their errors",
          "[serial]") {
  StepController controller({1e-3, 1e-9, 1, true}, 3);
  controller.next(far);
  controller.reject(4);
  const double h = controller.next(far);
  CHECK(h < 1e-3);
  for (const double error : {1e-6, 0.4, 1e-6}) {
    controller.accept(error);
    CHECK(controller.next(far) == h);
  }
  controller.accept(1e-6);
  CHECK(controller.next(far) == h);  // by 0.4
  controller.accept(1e-6);
  CHECK(controller.next(far) > 1.5 * h);
}

TEST_CASE("A step below the smallest one ends the patience", "[serial]") {
  StepController controller({1e-3, 1e-4, 1}, 3);
  controller.next(far);
  controller.fail();
  CHECK(!controller.is_exhausted());
  controller.next(far);
  controller.fail();
  CHECK(controller.is_exhausted());
}

TEST_CASE("The last steps before a time to be met are alike, and the one after it is as long as those before", "[serial]") {
  StepController controller({1, 1e-9, 10}, 3);
  double left = 3.3;
  std::vector<double> steps;
  while (left > 0) {
    const double h = controller.next(left);
    controller.accept(std::pow(h, 3) * 0.5);
    steps.push_back(h);
    left = h == left ? 0 : left - h;
  }
  REQUIRE(steps.size() == 4);
  CHECK(steps[2] == Approx(0.65));
  CHECK(steps[3] == Approx(0.65));
  CHECK(controller.next(far) > 0.9);
}

namespace {

/// As a system finds them.
StopTimes::Breakpoints among(std::vector<Breakpoint> all) {
  return [all = std::move(all)](double from, double to, double) {
    std::vector<Breakpoint> found;
    for (const Breakpoint& b : all)
      if (b.after > from && b.before < to) found.push_back(b);
    return found;
  };
}

}  // namespace

TEST_CASE("Stop times are multiples of all intervals, breakpoints and the end, whatever the steps", "[serial]") {
  const double before = 0.3, after = std::nextafter(0.3, 1.0);
  for (const double h : {1e-3, 0.02, 1.0}) {
    StopTimes stops(0, 1, {0.25, 0.4}, among({{before, after}, {0.5, std::nextafter(0.5, 1.0)}}));
    std::vector<double> times;
    for (double t = 0; t < 1;) {
      const double next = stops.next(t, h);
      t = std::min(t + h, next);
      if (t == next) times.push_back(next);
      if (t == before) {
        REQUIRE(stops.breakpoint_at(before) != nullptr);
        CHECK(stops.breakpoint_at(before)->after == after);
      }
      if (t == 0.4) CHECK(stops.breakpoint_at(0.4) == nullptr);
    }
    CHECK(times == std::vector<double>{0.25, 0.3, 0.4, 0.5, 0.75, 0.8, 1});
  }
}

TEST_CASE("Stop times within rounding count once", "[serial]") {
  StopTimes stops(0, 0.3, {0.1}, among({{0.2 - 1e-16, 0.2}}));
  CHECK(stops.next(0.1, 0.1) == Approx(0.2));
  CHECK(stops.next(0.2, 0.1) == 0.3);
  CHECK(stops.next(0.1 + 1e-15, 0.1) == Approx(0.2));
}

TEST_CASE("Stop times look again when steps grow: more is short beside them", "[serial]") {
  std::vector<double> asked;
  StopTimes stops(0, 1, {}, [&](double from, double to, double step) {
    asked.push_back(step);
    CHECK(to <= 1);
    CHECK(to - from <= 16.001 * step);
    return std::vector<Breakpoint>{};
  });
  stops.next(0, 1e-3);
  stops.next(1e-3, 1.5e-3);
  CHECK(asked == std::vector<double>{1e-3});
  stops.next(2.5e-3, 3e-3);
  CHECK(asked == std::vector<double>{1e-3, 3e-3});
  for (double t = 0; t < 0.5; t += 3e-3) stops.next(t, 3e-3);
  CHECK(asked.size() < 16);
}

TEST_CASE("A breakpoint at the end is the end", "[serial]") {
  const double end = 0.7, before = std::nextafter(end, 0.0);
  StopTimes stops(0, end, {0.1}, among({{before, end}}));
  CHECK(stops.next(0.65, 0.1) == before);
  CHECK(stops.is_end(before));
  CHECK_FALSE(stops.is_end(0.6999));
}
