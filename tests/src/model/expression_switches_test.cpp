#include "model/expression_switches.hpp"

#include "kernels/algebra/dual.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

constexpr double pi = std::numbers::pi;
constexpr ExpressionOp op = ExpressionOp::atan2;

/// The direction of an angle, which turns at 1 rad/s.
std::array<Dual1, 2> direction(double angle) {
  return {Dual1(2 * std::sin(angle), 2 * std::cos(angle)), Dual1(2 * std::cos(angle), -2 * std::sin(angle))};
}

/// The value on a piece, and how far it is from being left.
struct Held {
  Dual1 value, argument;
  double margin = 0;
};

Held held(const SwitchPiece& piece, double angle) {
  const auto a = direction(angle);
  const Dual1 g = switch_argument(piece, op, a.data());
  return {value_on(piece, op, a.data()), g, margin_of(op, piece, g.value)};
}

/// The piece of a step that begins in a direction.
SwitchPiece piece_from(double angle) { return piece_at(op, held({}, angle).argument.value); }

}  // namespace

TEST_CASE("Held, an angle goes on steadily for half a turn either way, and is left at its cut alone", "[serial]") {
  for (const double begin : {3.0, 1.6, 0.2, 0.0, -0.2, -1.6, -3.0}) {
    const SwitchPiece piece = piece_from(begin);
    for (double way = -3.1; way < 3.11; way += 0.1) {
      const double angle = begin + way;
      INFO("from " << begin << " to " << angle);
      const Held now = held(piece, angle);
      CHECK(now.value.value == Approx(angle).margin(1e-14));
      CHECK(now.value.grad == Approx(1).epsilon(1e-14));
      CHECK(now.argument.grad == Approx(-1).epsilon(1e-14));
      CHECK((now.margin < 0) == (std::abs(angle) > pi));
    }
  }
}

TEST_CASE("An angle that is not beyond its cut is the plain one to the last bit", "[serial]") {
  for (double begin = -3.1; begin < 3.1; begin += 0.31)
    for (const double way : {-1e-9, 0.0, 1e-17, 0.5}) {
      const auto a = direction(begin + way);
      const Dual1 plain = math::atan2(a[0], a[1]);
      if (held(piece_from(begin), begin + way).margin < 0) continue;
      CHECK(held(piece_from(begin), begin + way).value.value == plain.value);
    }
}

TEST_CASE("Beyond the cut an angle goes over to the other end, and back", "[serial]") {
  const SwitchPiece upper = piece_from(3.1), lower = piece_beyond(op, upper, held(upper, 3.2).argument.value);
  CHECK(held(upper, 3.2).value.value == Approx(3.2));
  CHECK(held(lower, 3.2).value.value == Approx(3.2 - 2 * pi));
  CHECK(held(lower, 3.2).margin > 0);
  CHECK(held(lower, 3.1).margin < 0);
  const SwitchPiece again = piece_beyond(op, lower, held(lower, 3.1).argument.value);
  CHECK(held(again, 3.1).value.value == Approx(3.1));
}

TEST_CASE("The signs of zeros say on which side of the cut an angle is", "[serial]") {
  for (const double zero : {0.0, -0.0}) {
    const std::array<Dual1, 2> behind{Dual1(zero), Dual1(-1.0)}, ahead{Dual1(zero), Dual1(1.0)};
    for (const auto& a : {behind, ahead}) {
      const SwitchPiece piece = piece_at(op, switch_argument(SwitchPiece{}, op, a.data()).value);
      CHECK(value_on(piece, op, a.data()).value == std::atan2(a[0].value, a[1].value));
    }
  }
}

TEST_CASE("While it slides an angle has any value between those on both sides of its cut", "[serial]") {
  SwitchPiece piece = piece_at(op, 0);
  piece.slides = true;
  piece.center = 0.75;
  for (const double off : {1e-9, -1e-9}) CHECK(held(piece, pi + off).value.value == Approx(0.5 * pi));
  piece.steepness = 1e6;
  CHECK(held(piece, pi - 1e-7).value.value == Approx(0.5 * pi + 2 * pi * 0.1));
  CHECK(held(piece, pi - 1e-7).value.grad == Approx(1 - 2 * pi * 1e6));
}
