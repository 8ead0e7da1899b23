/// \file
/// Three shafts of a planetary gear.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// Willis' equation of an epicyclic train: with the angles phi1 of the carrier, phi2 and phi3 of the two wheels, counted from the
/// start, and the ratio i that the wheels have seen from the carrier,
///   g = (phi2 - phi1) - i (phi3 - phi1) = (i - 1) phi1 + phi2 - i phi3
/// With a carrier that stands still this is the row of ShaftGear between the wheels.
/// lambda (N m): the first wheel is braked by lambda, the second driven by i lambda, the carrier braked by (i - 1) lambda. The
/// three torques add up to none: nothing else bears one.
/// Source: e.g. J. Looman, Zahnradgetriebe; R. Willis, Principles of Mechanism (1841).
struct ShaftPlanetary {
  static constexpr const char* name = "shaft-planetary";
  static constexpr const char* help = "a carrier and two wheels of a planetary gear or differential, three shafts";
  static constexpr int num_nodes = 3, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;
  static constexpr bool is_scalar(int /*node*/) { return true; }

  struct Params {
    double ratio;
    double start[3];  ///< the angles there
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"ratio", FieldType::number, "1", true, "", FieldCheck::any,
              "turns of the first wheel in one turn of the second, seen from the carrier; sun and ring: -z_ring/z_sun; bevel "
              "differential: -1"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 3, name);
    const double ratio = setup.fields.number("ratio");
    if (ratio == 0) throw std::invalid_argument("the ratio is zero: the first wheel would not turn against the carrier at all");
    const auto angle = [&](int k) { return setup.places[static_cast<std::size_t>(k)].frame.x[0]; };
    return {ratio, {angle(0), angle(1), angle(2)}};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[3], const S* /*signals*/, S (&g)[1]) {
    const S carrier = f[0].x[0] - p.start[0];
    g[0] = ((f[1].x[0] - p.start[1]) - carrier) - p.ratio * ((f[2].x[0] - p.start[2]) - carrier);
  }
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&)[3], const double* /*signals*/,
                                              Mat<double, 1, 18>& G) {
    for (int j = 0; j < 18; ++j) G(0, j) = 0;
    G(0, 0) = p.ratio - 1;
    G(0, 6) = 1;
    G(0, 12) = -p.ratio;
  }
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& /*p*/, const Frame<double> (&)[3],
                                                         const double* /*signals*/, const double (&)[1], Mat<double, 18>& /*K*/) {
  }
};

}  // namespace sinew
