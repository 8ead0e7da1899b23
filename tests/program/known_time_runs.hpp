/// \file
/// Runs of models whose laws change at known times.
#pragma once

#include "tests/program/switching_runs.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace sinew::test::known_time_runs {

inline constexpr double pi = std::numbers::pi;

using namespace switching_runs;

/// A mass of 1 kg that a force pushes.
inline constexpr const char* pushed = R"yaml(sinew: 1
bodies: {box: {type: point-mass, mass: 1, position: [0, 0, 0]}}
sensors: {box: {type: point, of: box, record: [position.x, velocity.x, acceleration.x]}}
forces: {push: {type: force, on: box, vector: ["LAW", 0, 0]}}
analysis: {end_time: 0.3}
)yaml";

inline constexpr double end = 0.3;

/// A force, the times between which it is smooth, and how exactly its impulse is to come out.
struct Law {
  std::string text;
  std::function<double(double)> value;
  std::vector<double> pieces;
  double part = 1e-9;
};

struct Motion {
  double position = 0, velocity = 0;
};

/// By Gauss' rule of three points in the quarters of every piece.
inline Motion exact(const Law& law) {
  std::vector<double> times{0};
  for (const double t : law.pieces)
    if (t > 0 && t < end) times.push_back(t);
  times.push_back(end);
  Motion sum;
  for (std::size_t i = 1; i < times.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      const double half = (times[i] - times[i - 1]) / 8, middle = times[i - 1] + (2 * k + 1) * half;
      for (int point = -1; point <= 1; ++point) {
        const double t = middle + point * std::sqrt(0.6) * half, weight = half * (point == 0 ? 8 : 5) / 9.0;
        sum.velocity += weight * law.value(t);
        sum.position += weight * law.value(t) * (end - t);
      }
    }
  return sum;
}

}  // namespace sinew::test::known_time_runs
