/// \file
/// Dead load along a beam or a cable: per unstressed length, in a direction that stays.
#pragma once

#include "kernels/loads/force.hpp"
#include "kernels/loads/spread_load.hpp"

namespace sinew {

/// The share of one node: the force w q(t), global frame, at x + R a, a its arm. On a node of a beam the moment is
/// a x R^T (w q) about the node, in its axes; a slope of a cable takes w q as it is.
struct LineLoad : SpreadLoad<LineLoad, Force> {
  static constexpr const char* name = "line-load";
  static constexpr const char* help = "load per unstressed length of a beam or a cable, in the global frame";

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"vector", FieldType::signal3, "N/m", true, "", FieldCheck::any,
              "force per unstressed length in the global frame, expressions of t"},
             profile_field(),
             offset_field()}};
  }

  static SpreadShare make(const Setup& setup) { return spread_share(setup, name); }

  KOKKOS_INLINE_FUNCTION static Force::Params at(const SpreadShare& p) { return {p.arm}; }

  static constexpr std::array<MeasureSpec, 1> measures() { return {{{"force", 3, "N", "resultant, global frame"}}}; }
};

}  // namespace sinew
