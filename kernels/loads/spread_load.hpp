/// \file
/// What loads along beams and cables have in common.
///
/// A SPREAD LOAD (kernels/loads, the word SPREAD behind its line in kernels/CMakeLists.txt) is a force on one node; the model
/// file names a line, and the program makes one for each of its nodes (src/partition/expand_line.cpp). Beside the keys of the
/// model file `make` finds `weight` and `share`: see SpreadShare.
#pragma once

#include "kernels/elements/sample.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// What falls to one node of a line whose places are x(S) = sum N_a(S) x_a: a load q per length does the virtual work
/// q . sum w_a dx_a, with w_a = int N_a f dS, f the profile of the load.
struct SpreadShare {
  double weight;     ///< w_a, m; of the slope of a cable m^2
  double resultant;  ///< what counts in the resultant: w_a, and 0 of a slope, which is no place
  Vec3<double> arm;  ///< from the node to where the load acts, node's axes, m
};

constexpr FieldSpec profile_field() {
  return {"profile",
          FieldType::table,
          "1",
          false,
          "[[0, 1], [1, 1]]",
          FieldCheck::any,
          "rows of a part of the length, 0 to 1, and a factor there; straight between them, no load outside"};
}
constexpr FieldSpec offset_field() {
  return {"offset",
          FieldType::vector,
          "m",
          false,
          "0",
          FieldCheck::any,
          "where it acts, from the beam's line, in the axes of the section: along the line, axis 2, axis 3"};
}

inline SpreadShare spread_share(const Setup& setup, const char* who) {
  require_places(setup, 1, who);
  const Place& node = setup.places[0];
  const bool is_offset = setup.fields.has("offset");
  if (is_offset && !node.can_turn)
    throw std::invalid_argument(
        "a cable has no sections that turn, so that nothing can act beside its line: leave `offset` out, or take type: beam");
  const double weight = setup.fields.number("weight", 1);
  return {weight, weight * setup.fields.number("share", 1), is_offset ? node.point + setup.fields.vector("offset") : node.point};
}

}  // namespace sinew
