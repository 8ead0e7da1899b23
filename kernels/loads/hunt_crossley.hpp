/// \file
/// Springs with damping that only push: what stops and contacts have in common.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "kernels/describe.hpp"

namespace sinew {

/// What is pressed by d > 0, going further at the rate d', pushes back with
///
///   F = k d^n (1 + c d')        and not at all where that is negative: it never pulls                     (N, or N m)
///
/// K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42 (1975). The
/// force is continuous where contact begins and ends. Energy stored k d^(n+1) / (n+1).
struct HuntCrossley {
  double stiffness = 0, damping = 0, exponent = 1;
};

/// Keys of the law, whose d is in m or rad.
constexpr std::array<FieldSpec, 3> hunt_crossley_fields(bool is_angle) {
  return {{{"stiffness", FieldType::number, is_angle ? "N m/rad^n" : "N/m^n", true, "", FieldCheck::positive,
            "force over the way that is pressed in, to the power n"},
           {"damping", FieldType::number, is_angle ? "s/rad" : "s/m", false, "0", FieldCheck::nonnegative,
            "Hunt and Crossley's factor: share by which the force grows with the rate of that way"},
           {"exponent", FieldType::number, "1", false, "1", FieldCheck::positive, "n, 1 or more: 1.5 for rounded bodies"}}};
}

/// The law from its keys. Throws std::invalid_argument where they do not fit together.
inline HuntCrossley make_hunt_crossley(const FieldValues& fields, const char* who) {
  const HuntCrossley law{fields.number("stiffness"), fields.number("damping", 0), fields.number("exponent", 1)};
  if (law.exponent < 1)
    throw std::invalid_argument(std::string("the `exponent` of a ") + who +
                                " is 1 or more: its stiffness is finite where it is touched");
  return law;
}

/// d^n for d > 0.
template <class S>
KOKKOS_INLINE_FUNCTION S power_of(const S& d, double n) {
  using math::exp, math::log;
  if (n == 1) return d;
  return exp(n * log(d));
}

/// F of what is pressed by d > 0 and ever further at the rate `rate`.
template <class S>
KOKKOS_INLINE_FUNCTION S push_back(const HuntCrossley& law, const S& d, const S& rate) {
  const S growth = 1.0 + law.damping * rate;
  return value_of(growth) > 0 ? S(law.stiffness * power_of(d, law.exponent) * growth) : S(0.0);
}

/// Energy stored at d, J.
KOKKOS_INLINE_FUNCTION double stored_by_push(const HuntCrossley& law, double d) {
  return d > 0 ? law.stiffness * power_of(d, law.exponent + 1) / (law.exponent + 1) : 0.0;
}

}  // namespace sinew
