/// \file
/// One-sided springs with damping that limit a coordinate of a joint: what stops on distances and on angles have in common.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

#include <limits>

namespace sinew {

/// Beyond a limit by d > 0, going further at the rate d', a stop pushes back with
///
///   F = k d^n (1 + c d')        and not at all where that is negative: it never pulls                     (N, or N m)
///
/// K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42 (1975). The
/// force is continuous where contact begins and ends. Energy stored k d^(n+1) / (n+1).
struct StopLaw {
  double lower = 0, upper = 0;  ///< infinite where there is none
  double stiffness = 0, damping = 0, exponent = 1;
};

/// Keys of a stop on a coordinate in m or rad, whose joint has the axis.
constexpr std::array<FieldSpec, 6> stop_fields(bool is_angle) {
  const char* unit = is_angle ? "rad" : "m";
  return {{axis_field("axis", is_angle ? "direction of the hinge" : "direction of sliding"),
           {"lower", FieldType::number, unit, false, "none", FieldCheck::any, "least value of the coordinate without contact"},
           {"upper", FieldType::number, unit, false, "none", FieldCheck::any, "largest value of the coordinate without contact"},
           {"stiffness", FieldType::number, is_angle ? "N m/rad^n" : "N/m^n", true, "", FieldCheck::positive,
            "of the stop: force over the way beyond the limit to the power n"},
           {"damping", FieldType::number, is_angle ? "s/rad" : "s/m", false, "0", FieldCheck::nonnegative,
            "Hunt and Crossley's factor: share by which the force grows with the rate of the way beyond the limit"},
           {"exponent", FieldType::number, "1", false, "1", FieldCheck::positive, "n, 1 or more: 1.5 for rounded bodies"}}};
}

/// The law from its keys. Throws std::invalid_argument where they do not fit together.
inline StopLaw make_stop_law(const FieldValues& fields) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const StopLaw law{fields.number("lower", -none), fields.number("upper", none), fields.number("stiffness"),
                    fields.number("damping", 0), fields.number("exponent", 1)};
  if (!fields.has("lower") && !fields.has("upper"))
    throw std::invalid_argument("a stop has a limit: give `lower`, `upper` or both");
  if (!(law.lower < law.upper)) throw std::invalid_argument("`lower` of a stop must be below its `upper`");
  if (law.exponent < 1)
    throw std::invalid_argument("the `exponent` of a stop is 1 or more: its stiffness is finite where it is touched");
  return law;
}

/// d^n for d > 0.
template <class S>
KOKKOS_INLINE_FUNCTION S power_of(const S& d, double n) {
  using math::exp, math::log;
  if (n == 1) return d;
  return exp(n * log(d));
}

/// F of a stop that is pressed by d > 0 and ever further at the rate `rate`.
template <class S>
KOKKOS_INLINE_FUNCTION S push_back(const StopLaw& law, const S& d, const S& rate) {
  const S growth = 1.0 + law.damping * rate;
  return value_of(growth) > 0 ? S(law.stiffness * power_of(d, law.exponent) * growth) : S(0.0);
}

/// The force on the coordinate: positive from the lower stop, negative from the upper one, else zero.
template <class S>
KOKKOS_INLINE_FUNCTION S stop_force(const StopLaw& law, const S& coordinate, const S& rate) {
  const double value = value_of(coordinate);
  if (value > law.upper) return -push_back(law, S(coordinate - law.upper), rate);
  if (value < law.lower) return push_back(law, S(law.lower - coordinate), S(-rate));
  return S(0.0);
}

/// Where the law has kinks: both limits, and where the damping has used up the push.
inline constexpr int num_stop_kinks = 3;
KOKKOS_INLINE_FUNCTION void stop_kinks(const StopLaw& law, double coordinate, double rate, double* g) {
  g[0] = law.upper - coordinate;
  g[1] = coordinate - law.lower;
  g[2] = g[0] < 0 ? 1 + law.damping * rate : g[1] < 0 ? 1 - law.damping * rate : 1.0;
}

/// Energy stored, J.
KOKKOS_INLINE_FUNCTION double stop_energy(const StopLaw& law, double coordinate) {
  const double above = coordinate - law.upper, below = law.lower - coordinate, d = above > below ? above : below;
  return d > 0 ? law.stiffness * power_of(d, law.exponent + 1) / (law.exponent + 1) : 0.0;
}

}  // namespace sinew
