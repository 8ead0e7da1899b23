/// \file
/// Two shafts that turn in proportion.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// With the angles phi1 and phi2 of two shafts, counted from the start, and the ratio i,
///   g = phi1 - i phi2
/// lambda (N m): the first shaft is braked by lambda, the second driven by i lambda.
struct ShaftGear {
  static constexpr const char* name = "shaft-gear";
  static constexpr const char* help = "two shafts turn in proportion";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;
  static constexpr bool is_scalar(int /*node*/) { return true; }

  struct Params {
    double ratio;
    double start[2];  ///< the angles there
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"ratio", FieldType::number, "1", true, "", FieldCheck::any,
              "turns of the first shaft in one turn of the second; teeth outside: negative"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    const double ratio = setup.fields.number("ratio");
    if (ratio == 0) throw std::invalid_argument("the ratio is zero: the first shaft would not turn at all");
    return {ratio, {setup.places[0].frame.x[0], setup.places[1].frame.x[0]}};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[1]) {
    g[0] = (f[0].x[0] - p.start[0]) - p.ratio * (f[1].x[0] - p.start[1]);
  }
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&)[2], const double* /*signals*/,
                                              Mat<double, 1, 12>& G) {
    for (int j = 0; j < 12; ++j) G(0, j) = 0;
    G(0, 0) = 1;
    G(0, 6) = -p.ratio;
  }
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& /*p*/, const Frame<double> (&)[2],
                                                         const double* /*signals*/, const double (&)[1], Mat<double, 12>& /*K*/) {
  }
};

}  // namespace sinew
