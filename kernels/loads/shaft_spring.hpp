/// \file
/// Spring and damper between two shafts.
#pragma once

#include "kernels/joints/places.hpp"

namespace sinew {

/// theta: angle of the second shaft less that of the first, zero at the start; moment k (theta - theta0) + c theta' (N m) on the
/// first shaft, its opposite on the second.
struct ShaftSpring {
  static constexpr const char* name = "shaft-spring";
  static constexpr const char* help = "linear spring and damper between two shafts";
  static constexpr NodeKind node_kind = NodeKind::scalar;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    double stiffness, damping;
    double rest;  ///< difference of the angles without moment
  };

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{{"stiffness", FieldType::number, "N m/rad", false, "0", FieldCheck::nonnegative, "stiffness of the spring"},
             {"damping", FieldType::number, "N m s/rad", false, "0", FieldCheck::nonnegative, "viscosity of the damper"},
             {"angle", FieldType::number, "rad", false, "0", FieldCheck::any, "angle without moment, from the start"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    return {setup.fields.number("stiffness", 0), setup.fields.number("damping", 0),
            setup.places[1].frame.x[0] - setup.places[0].frame.x[0] + setup.fields.number("angle", 0)};
  }

  template <class S>
  using States = NodeStates<S, NodeKind::scalar, 2>;

  template <class S>
  KOKKOS_INLINE_FUNCTION static S moment(const Params& p, const States<S>& s) {
    return p.stiffness * (s.x[1] - s.x[0] - p.rest) + p.damping * (s.v[1] - s.v[0]);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const States<S>& s, NodeForces<S, NodeKind::scalar, 2>& f) {
    const S m = moment(p, s);
    f.f[0] += m;
    f.f[1] -= m;
  }

  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                             const States<double>& /*s*/, double cq, double cv, Mat<double, 2>& J) {
    const double slope = cq * p.stiffness + cv * p.damping;
    J(0, 0) += slope;
    J(1, 1) += slope;
    J(0, 1) -= slope;
    J(1, 0) -= slope;
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"moment", 1, "N m", "on the first shaft: positive where it turns the second one back"},
             {"angle", 1, "rad", "of the second shaft against the first, from where there is no moment"},
             {"rate", 1, "rad/s", "rate of the angle"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const States<double>& s, double* out) {
    out[0] = moment(p, s);
    out[1] = s.x[1] - s.x[0] - p.rest;
    out[2] = s.v[1] - s.v[0];
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States<double>& s) {
    const double twist = s.x[1] - s.x[0] - p.rest;
    return 0.5 * p.stiffness * twist * twist;
  }
};

}  // namespace sinew
