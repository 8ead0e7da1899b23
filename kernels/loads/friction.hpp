/// \file
/// Dry friction between two surfaces that a reaction presses together: what the kinds of joint have in common.
#pragma once

#include "kernels/algebra/size.hpp"
#include "kernels/loads/joint_forces.hpp"

namespace sinew {

/// Coulomb's law with Stribeck's fall from the static to the kinetic coefficient, and with sticking as slow creep. A surface that
/// slips with the speed v under the normal force N (N) is held back by
///
///   F = (mu(v) N tanh(v / v_t) + d v)     mu(v) = mu_k + (mu_s - mu_k) exp(-(v / v_s)^2)                                 (N)
///
/// Stribeck's curve as in B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit, A survey of models, analysis tools and
/// compensation methods for the control of machines with friction, Automatica 30 (1994), with the exponent 2, and its sign(v)
/// smoothed. Under a load T below mu_s N the surfaces creep with v_t atanh(T / (mu_s N)); above some v_t the law is
/// Coulomb's to rounding.
struct FrictionLaw {
  double kinetic = 0, excess = 0;      ///< mu_k and mu_s - mu_k
  double rate = 0, inverse_speed = 0;  ///< 1 / v_s (0 without Stribeck's fall) and 1 / v_t, s/m
  double viscosity = 0;                ///< d, N s/m
};

/// Keys of what friction is in proportion to the normal force.
inline constexpr std::array<FieldSpec, 4> coulomb_fields{
    {{"coefficient", FieldType::number, "1", true, "", FieldCheck::nonnegative, "friction coefficient of surfaces that slip"},
     {"transition_speed", FieldType::number, "m/s", true, "", FieldCheck::positive,
      "slip speed about which creep, which stands for sticking, goes over into slip"},
     {"static_coefficient", FieldType::number, "1", false, "`coefficient`", FieldCheck::nonnegative,
      "friction coefficient of surfaces that hardly slip"},
     {"stribeck_speed", FieldType::number, "m/s", false, "none without `static_coefficient`", FieldCheck::positive,
      "slip speed over which the coefficient falls from static to kinetic"}}};

/// The keys that friction has in every joint, behind those of its own.
template <std::size_t N>
constexpr std::array<FieldSpec, N + 5> friction_fields(const std::array<FieldSpec, N>& own) {
  std::array<FieldSpec, N + 5> all{};
  for (std::size_t i = 0; i < N; ++i) all[i] = own[i];
  for (std::size_t i = 0; i < 4; ++i) all[N + i] = coulomb_fields[i];
  all[N + 4] = {"damping", FieldType::number, "N s/m", false, "0", FieldCheck::nonnegative, "viscosity, of the slip speed"};
  return all;
}

/// The law from its keys, without viscosity. Throws std::invalid_argument where they do not fit together.
inline FrictionLaw make_coulomb_law(const FieldValues& fields) {
  FrictionLaw law;
  law.kinetic = fields.number("coefficient");
  law.inverse_speed = 1 / fields.number("transition_speed");
  law.excess = fields.number("static_coefficient", law.kinetic) - law.kinetic;
  if (law.excess < 0)
    throw std::invalid_argument("friction holds at least as much as it resists: `static_coefficient` is below `coefficient`");
  if (fields.has("static_coefficient") != fields.has("stribeck_speed"))
    throw std::invalid_argument("`static_coefficient` and `stribeck_speed`, over which friction falls from it, go together");
  if (fields.has("stribeck_speed")) law.rate = 1 / fields.number("stribeck_speed");
  return law;
}

/// One of coulomb_fields where none of them need be there.
constexpr FieldSpec optional_coulomb_field(std::size_t k) {
  FieldSpec field = coulomb_fields[k];
  if (!field.required) return field;
  field.required = false;
  field.default_text = k == 0 ? "no friction" : "required with `coefficient`";
  return field;
}

/// The law from such keys. Throws std::invalid_argument as make_coulomb_law does, and where others stand without a coefficient.
inline FrictionLaw make_optional_coulomb_law(const FieldValues& fields) {
  for (const char* key : {"transition_speed", "static_coefficient", "stribeck_speed"})
    if (fields.has(key) && !fields.has("coefficient"))
      throw std::invalid_argument(std::string("`") + key +
                                  "` is of friction, which has a `coefficient`: give it, or leave this out");
  if (!fields.has("coefficient")) return {};
  if (!fields.has("transition_speed"))
    throw std::invalid_argument(
        "friction takes a `transition_speed`, about which creep, which stands for sticking, becomes slip");
  return make_coulomb_law(fields);
}

/// The law of friction in a joint.
inline FrictionLaw make_friction_law(const FieldValues& fields) {
  FrictionLaw law = make_coulomb_law(fields);
  law.viscosity = fields.number("damping", 0);
  return law;
}

/// F / v of the law, N s/m, for the slip speed v >= 0 as size_from_square makes it: friction is this times the slip velocity,
/// against it.
template <class S>
KOKKOS_INLINE_FUNCTION S resistance(const FrictionLaw& law, const S& normal, const S& speed) {
  using math::exp, math::tanh;
  const S part = law.rate * speed;
  const S coefficient = law.kinetic + law.excess * exp(-(part * part));
  return coefficient * normal * tanh(law.inverse_speed * speed) / speed + law.viscosity;
}

/// 2 / length: what a moment between surfaces that guide each other over a length, by a couple of forces at its ends, adds to the
/// normal force; 0 where the key is not given.
inline double couple_of_moment(const FieldValues& fields, const char* key) {
  return fields.has(key) ? 2 / fields.number(key) : 0;
}

}  // namespace sinew
