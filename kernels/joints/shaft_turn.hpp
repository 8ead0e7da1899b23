/// \file
/// A shaft that turns with a body.
#pragma once

#include "kernels/joints/motion_angle.hpp"

namespace sinew {

/// Three places: the body that carries the bearings, the body that turns in them, and a shaft. With the angle theta by which the
/// second body has turned against the first about the axis, and the shaft's angle phi,
///   g = i (theta - (phi - phi_0)/i)
/// where what is in brackets is the angle in (-pi, pi] that is left of the turn less that of the shaft, as of a motion
/// (MotionAngle): the shaft's angle has all turns, so that those of the body need not be counted, and steps may be as long as
/// they like. lambda (N m): the shaft is driven by lambda, the second body by -i lambda about the axis, the first by i lambda.
struct ShaftTurn {
  static constexpr const char* name = "shaft-turn";
  static constexpr const char* help = "a shaft's angle follows the turn of a body about an axis of another";
  static constexpr int num_nodes = 3, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true, shows_turns = true;
  static constexpr bool is_scalar(int node) { return node == 2; }

  struct Params {
    MotionAngle::Params turn;
    double ratio, start;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "axis of the turn, carried by both bodies"),
             {"ratio", FieldType::number, "1", false, "1", FieldCheck::any, "turns of the shaft in one turn of the body"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 3, name);
    for (int k = 0; k < 2; ++k)
      if (!has_axes(setup.places[static_cast<std::size_t>(k)]))
        throw std::invalid_argument("a shaft follows the turn of a body: a point has no angle");
    const double ratio = setup.fields.has("ratio") ? setup.fields.number("ratio") : 1.0;
    if (ratio == 0) throw std::invalid_argument("the ratio is zero: the shaft would not turn at all");
    return {MotionAngle::between(setup.places[0], setup.places[1], setup.fields.vector("axis")), ratio,
            setup.places[2].frame.x[0]};
  }

  template <class S>
  struct Pair {
    Frame<S> f[2];
    KOKKOS_INLINE_FUNCTION explicit Pair(const Frame<S> (&all)[3]) : f{all[0], all[1]} {}
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[3], const S* /*signals*/, S (&g)[1]) {
    using math::atan2;
    const TurnAcross<S> less = MotionAngle::across(p.turn, Pair<S>(f).f).less((f[2].x[0] - p.start) / p.ratio);
    g[0] = p.ratio * atan2(less.y(), less.x());
  }
};

}  // namespace sinew
