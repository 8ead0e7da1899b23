/// \file
/// One-sided springs with damping that limit a coordinate of a joint: what stops on distances and on angles have in common.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"
#include "kernels/loads/hunt_crossley.hpp"

#include <limits>

namespace sinew {

/// Beyond a limit by d > 0 a stop pushes back by HuntCrossley's law.
struct StopLaw {
  double lower = 0, upper = 0;  ///< infinite where there is none
  HuntCrossley push;
};

/// Keys of a stop on a coordinate in m or rad, whose joint has the axis.
constexpr std::array<FieldSpec, 6> stop_fields(bool is_angle) {
  const char* unit = is_angle ? "rad" : "m";
  const auto push = hunt_crossley_fields(is_angle);
  return {{axis_field("axis", is_angle ? "direction of the hinge" : "direction of sliding"),
           {"lower", FieldType::number, unit, false, "none", FieldCheck::any, "least value of the coordinate without contact"},
           {"upper", FieldType::number, unit, false, "none", FieldCheck::any, "largest value of the coordinate without contact"},
           push[0],
           push[1],
           push[2]}};
}

/// The law from its keys. Throws std::invalid_argument where they do not fit together.
inline StopLaw make_stop_law(const FieldValues& fields) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const StopLaw law{fields.number("lower", -none), fields.number("upper", none), make_hunt_crossley(fields, "stop")};
  if (!fields.has("lower") && !fields.has("upper"))
    throw std::invalid_argument("a stop has a limit: give `lower`, `upper` or both");
  if (!(law.lower < law.upper)) throw std::invalid_argument("`lower` of a stop must be below its `upper`");
  return law;
}

/// The force on the coordinate: positive from the lower stop, negative from the upper one, else zero.
template <class S>
KOKKOS_INLINE_FUNCTION S stop_force(const StopLaw& law, const S& coordinate, const S& rate) {
  const double value = value_of(coordinate);
  if (value > law.upper) return -push_back(law.push, S(coordinate - law.upper), rate);
  if (value < law.lower) return push_back(law.push, S(law.lower - coordinate), S(-rate));
  return S(0.0);
}

/// Where the law has kinks: both limits, and where the damping has used up the push.
inline constexpr int num_stop_kinks = 3;
KOKKOS_INLINE_FUNCTION void stop_kinks(const StopLaw& law, double coordinate, double rate, double* g) {
  g[0] = law.upper - coordinate;
  g[1] = coordinate - law.lower;
  g[2] = g[0] < 0 ? 1 + law.push.damping * rate : g[1] < 0 ? 1 - law.push.damping * rate : 1.0;
}

/// Energy stored, J.
KOKKOS_INLINE_FUNCTION double stop_energy(const StopLaw& law, double coordinate) {
  const double above = coordinate - law.upper, below = law.lower - coordinate, d = above > below ? above : below;
  return stored_by_push(law.push, d);
}

}  // namespace sinew
