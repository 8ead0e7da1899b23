#include "integrate/vibration_filter.hpp"

#include "system/general_dae.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// Two masses that nothing moves: what is tested needs their layout alone.
struct TwoMasses {
  static constexpr int num_dofs = 2, num_position_rows = 0, num_velocity_rows = 0;
  template <class S>
  void mass(const S&, const S*, S* M) const {
    M[0] = M[3] = 1.0;
  }
  template <class S>
  void force(const S&, const S*, const S*, const S*, const S*, S*) const {}
};

constexpr double c = -0.1, T = 10;

/// Filters the local errors c h^3 j of a rate of the acceleration j(t), in metres per unit of time.
class Filtered {
 public:
  Filtered() : dae_(make_general_dae(TwoMasses{})), weights_(*dae_, {1, 0, true, T}), e_(dae_->make_dof_vector()) {
    weights_.set(make_state(*dae_));
    filter_.emplace(weights_, e_);
  }
  double attempt(double h, double j) {
    {
      VecWrite e(e_);
      e[1] = c * h * h * h * j;
    }
    return filter_->measure(e_, c, h, 1);
  }
  /// Mean of the results over the last half of so many steps.
  template <class Rate>
  double mean(double h, int steps, Rate j) {
    double sum = 0;
    for (int n = 0; n < steps; ++n) {
      const double result = attempt(h, j(n * h));
      accept();
      if (2 * n >= steps) sum += result / (steps - steps / 2);
    }
    return sum;
  }
  void accept() { filter_->accept(); }

 private:
  std::unique_ptr<GeneralDae> dae_;
  ErrorWeights weights_;
  VecHandle e_;
  std::optional<VibrationFilter> filter_;
};

}  // namespace

TEST_CASE("Errors of a steady motion add up for the whole time", "[serial]") {
  const double h = 0.01;
  CHECK(Filtered().mean(h, 100, [](double) { return 3.0; }) == Approx(std::abs(c) * h * h * 3 * T));
}

TEST_CASE("A small vibration leaves the rest of the tolerance to what persists, however badly it is resolved", "[serial]") {
  const double h = 0.01, steady = 300, amplitude = 0.05, added_up = std::abs(c) * h * h * steady * T;
  for (const double angle : {0.3, 0.6, 1.0}) {
    const double w = angle / h;
    const double amount = Filtered().mean(h, 2000, [&](double t) { return steady + amplitude * w * w * w * std::sin(w * t); });
    INFO(angle << " rad a step: " << amount / added_up);
    CHECK(amount > 1.03 * added_up);
    CHECK(amount < 2 * added_up);
  }
}

TEST_CASE("A vibration beyond the tolerance counts with what its errors add up to", "[serial]") {
  const double amplitude = 3, w = 10, h = 1e-3;
  const double amount = Filtered().mean(h, 5000, [&](double t) { return amplitude * w * w * w * std::sin(w * t); });
  CHECK(amount == Approx(1.6 * 2 / M_PI * std::abs(c) * h * h * amplitude * w * w * w * T).epsilon(0.1));
}

TEST_CASE("What is filtered in an attempt that is not accepted leaves no trace", "[serial]") {
  Filtered once, twice;
  for (int n = 0; n < 50; ++n) {
    const double j = 1 + std::sin(0.7 * n);
    twice.attempt(0.02, 17);
    CHECK(once.attempt(0.01, j) == twice.attempt(0.01, j));
    once.accept();
    twice.accept();
  }
}
