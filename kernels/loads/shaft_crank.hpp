/// \file
/// A slider-crank as the shaft that drives it feels it.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// A piston that a crank on a shaft moves through a massless rod: inertia that depends on the angle theta = phi + phi_0.
///   s = r cos theta + sqrt(l^2 - (r sin theta - e)^2)   place of the piston along its line, which passes the shaft at e
///   J(phi) = m (ds/dphi)^2,   ds/dphi = -r sin theta - (r sin theta - e) r cos theta / sqrt(l^2 - (r sin theta - e)^2)
/// T = 1/2 J phi'^2, so that the shaft feels J phi'' + 1/2 dJ/dphi phi'^2. The rotor's own inertia is the shaft's.
/// Source: e.g. F. Holzweissig, H. Dresig, Lehrbuch der Maschinendynamik, the rigid machine with one degree of freedom.
struct ShaftCrank {
  static constexpr const char* name = "shaft-crank";
  static constexpr const char* help = "a slider-crank on a shaft: the piston's inertia, which depends on the angle";
  static constexpr NodeKind node_kind = NodeKind::scalar;
  static constexpr int num_nodes = 1, num_signals = 0;
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }

  struct Params {
    double mass, crank, rod, offset, angle;
  };

  static constexpr std::array<FieldSpec, 5> fields() {
    return {{{"mass", FieldType::number, "kg", true, "", FieldCheck::positive, "of the piston and what moves with it"},
             {"crank", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the crank"},
             {"rod", FieldType::number, "m", true, "", FieldCheck::positive, "length of the connecting rod"},
             {"offset", FieldType::number, "m", false, "0", FieldCheck::any, "by which the piston's line passes the shaft"},
             {"angle", FieldType::number, "rad", false, "0", FieldCheck::any,
              "of the crank from the piston's line where the shaft's angle is 0"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    const FieldValues& f = setup.fields;
    const Params p{f.number("mass"), f.number("crank"), f.number("rod"), f.number("offset", 0.0), f.number("angle", 0.0)};
    if (!(p.rod > p.crank + math::fabs(p.offset)))
      throw std::invalid_argument("the rod of a shaft-crank must be longer than crank and offset together, or it cannot turn");
    return p;
  }

  /// Place of the piston, m, and how it changes with the angle, m/rad.
  template <class S>
  struct Piston {
    S place, slope;
  };
  template <class S>
  KOKKOS_INLINE_FUNCTION static Piston<S> piston(const Params& p, const S& phi) {
    using math::cos, math::sin, math::sqrt;
    const S theta = phi + p.angle;
    const S across = p.crank * sin(theta), along = p.crank * cos(theta), aside = across - p.offset;
    const S reach = sqrt(p.rod * p.rod - aside * aside);
    return {along + reach, -across - aside * along / reach};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void mass_at(const Params& p, const NodeStates<S, NodeKind::scalar, 1>& s, Mat<S, 1, 1>& M) {
    const S slope = piston(p, s.x[0]).slope;
    M(0, 0) += p.mass * slope * slope;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::scalar, 1>& /*s*/,
                                           NodeForces<S, NodeKind::scalar, 1>& /*f*/) {}

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"position", 1, "m", "of the piston from the shaft, along its line"},
             {"velocity", 1, "m/s", "of the piston"},
             {"inertia", 1, "kg m^2", "that the shaft feels of it"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::scalar, 1>& s, double* out) {
    const Piston<double> now = piston(p, s.x[0]);
    out[0] = now.place;
    out[1] = now.slope * s.v[0];
    out[2] = p.mass * now.slope * now.slope;
  }
};

}  // namespace sinew
