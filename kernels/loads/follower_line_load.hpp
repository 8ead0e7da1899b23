/// \file
/// Load along a beam that turns with its sections.
#pragma once

#include "kernels/loads/follower_force.hpp"
#include "kernels/loads/spread_load.hpp"

namespace sinew {

/// The share of one node: the force w R q(t), q in the axes of the section there, at x + R a, a its arm; the moment about the
/// node is a x w q, in its axes. R is that of the nodes (Lobatto's rule, of the order that their lines have); the length is the
/// unstressed one. It has no potential, so its tangent is not symmetric.
struct FollowerLineLoad : SpreadLoad<FollowerLineLoad, FollowerForce> {
  static constexpr const char* name = "follower-line-load";
  static constexpr const char* help = "load per unstressed length of a beam, in the axes of its sections; not of cables";

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"vector_local", FieldType::signal3, "N/m", true, "", FieldCheck::any,
              "force per unstressed length along the line's tangent, axis 2 and axis 3 of the section, expressions of t"},
             profile_field(),
             offset_field()}};
  }

  static SpreadShare make(const Setup& setup) {
    require_places(setup, 1, name);
    if (!setup.places[0].can_turn)
      throw std::invalid_argument(
          "a follower-line-load turns with sections, and a cable has none that turn: use `line-load`, or take type: beam");
    return spread_share(setup, name);
  }

  KOKKOS_INLINE_FUNCTION static FollowerForce::Params at(const SpreadShare& p) { return {p.arm}; }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"force", 3, "N", "resultant, global frame"}}}; }
};

}  // namespace sinew
