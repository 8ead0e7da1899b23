/// \file
/// What loads along beams and cables have in common.
///
/// A SPREAD LOAD (kernels/loads, the word SPREAD behind its line in kernels/CMakeLists.txt) is a force on one node; the model
/// file names a line, and the program makes one for each of its nodes (src/partition/expand_line.cpp). Beside the keys of the
/// model file `make` finds `weight` and `share`: see SpreadShare.
#pragma once

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

/// The share of one node as a load on a place, `Load`, that is w_a times as large. `Spread` has the names, the keys, `make` and
/// `at(share)`, the parameters of that load.
template <class Spread, class Load>
struct SpreadLoad {
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 3;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  using Params = SpreadShare;

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 1>& s, NodeForces<S, NodeKind::frame, 1>& f) {
    const T scaled[3] = {p.weight * signals[0], p.weight * signals[1], p.weight * signals[2]};
    Load::force(Spread::at(p), env, scaled, s, f);
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& env, const double* signals,
                                             const NodeStates<double, NodeKind::frame, 1>& s, double cq, double cv,
                                             Mat<double, 6>& J) {
    const double scaled[3] = {p.weight * signals[0], p.weight * signals[1], p.weight * signals[2]};
    Load::tangent(Spread::at(p), env, scaled, s, cq, cv, J);
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 1>& s, double* out) {
    const double scaled[3] = {p.resultant * signals[0], p.resultant * signals[1], p.resultant * signals[2]};
    Load::measure(Spread::at(p), scaled, s, out);
  }
};

}  // namespace sinew
