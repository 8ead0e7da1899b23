/// \file
/// Dead torque along a beam: per unstressed length, in a direction that stays.
#pragma once

#include "kernels/loads/spread_load.hpp"
#include "kernels/loads/torque.hpp"

namespace sinew {

/// The share of one node: the moment w R^T m(t) about it, in its axes; m in the global frame. Taken at the nodes, by Lobatto's
/// rule.
struct LineTorque : SpreadLoad<LineTorque, Torque> {
  static constexpr const char* name = "line-torque";
  static constexpr const char* help = "torque per unstressed length of a beam, in the global frame; not of cables";

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"vector", FieldType::signal3, "N", true, "", FieldCheck::any,
              "torque per unstressed length in the global frame, N m/m, expressions of t"},
             profile_field()}};
  }

  static SpreadShare make(const Setup& setup) {
    require_places(setup, 1, name);
    if (!setup.places[0].can_turn)
      throw std::invalid_argument("a line-torque turns sections, and a cable has none that turn: take type: beam");
    return spread_share(setup, name);
  }

  KOKKOS_INLINE_FUNCTION static Torque::Params at(const SpreadShare& /*p*/) { return {1.0}; }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"moment", 3, "N m", "sum of the torques, global frame"}}}; }
};

}  // namespace sinew
