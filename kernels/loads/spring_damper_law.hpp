/// \file
/// Spring and damper along the line between two places, the tension by an expression.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/loads/actuator_line.hpp"

namespace sinew {

/// The tension T (N), the signal, pulls the places together: an actuator along the line that pushes with -T.
struct SpringDamperLaw {
  static constexpr const char* name = "spring-damper-law";
  static constexpr const char* help = "spring and damper by an expression, along the line between two places";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr const char* degenerate = ActuatorLine::degenerate;

  using Params = ActuatorLine::Params;

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"force", FieldType::feedback, "N", true, "", FieldCheck::any,
              "tension: of `length` (the distance of the places), `rate` (of the length) and what stands there"}}};
  }

  /// What the expression may call `length` and `rate`.
  static constexpr std::array<const char*, 1> coordinate_names() { return {"length"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup&) { return {RelativeCoordinate{}}; }

  static Params make(const Setup& setup) {
    initial_length(setup, name, refusal_of_spring);
    return {setup.places[0].point, setup.places[1].point};
  }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const T* signals,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const T push[1] = {-signals[0]};
    ActuatorLine::force(p, env, push, s, f);
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return ActuatorLine::check(p, s);
  }

  static constexpr std::array<MeasureSpec, 3> measures() { return spring_measures(); }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    ActuatorLine::measure(p, signals, s, out);
  }
};

}  // namespace sinew
