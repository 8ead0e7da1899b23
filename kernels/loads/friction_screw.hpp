/// \file
/// Friction in a screw joint.
#pragma once

#include "kernels/loads/friction_cylindrical.hpp"

#include <numbers>

namespace sinew {

/// A thread of mean radius r, pitch p and flank angle beta on a bar: its surface slips with (v, r w) along and around the axis,
/// as that of FrictionCylindrical does. With the helix angle alpha, tan alpha = p / (2 pi r), the normal of the thread has the
/// parts (1, tan alpha, tan beta) along the axis, around it and across it. Of the reactions (kernels/joints/screw.hpp), forces
/// lambda_0, lambda_1 and moments lambda_2, lambda_3 across the axis and the moment lambda_4 about it, with which a force
/// (2 pi / p) lambda_4 goes along the axis, comes the normal force
///
///   N = |(lambda_0, lambda_1)| + (2 / length) |(lambda_2, lambda_3)|
///       + |(2 pi / p) lambda_4| sqrt(1 + tan(alpha)^2 + tan(beta)^2)                                                       (N)
///
/// FrictionLaw of N and the size of the slip acts against it, along the thread.
struct FrictionScrew {
  static constexpr const char* name = "friction-screw";
  static constexpr const char* help = "dry friction in the thread of a screw joint, proportional to its reactions";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0, num_multipliers = 5;
  static constexpr std::array<const char*, 1> joints() { return {"screw"}; }
  static constexpr bool couples(int row, int column) { return couples_all(row, column); }

  struct Params {
    FrictionCylindrical::Params bar;
    double by_thread;  ///< N over lambda_4, 1/m
  };

  static constexpr auto fields() {
    return friction_fields<5>({{axis_field("axis", "common axis"),
                                {"pitch", FieldType::number, "m", true, "", FieldCheck::any, "way along the axis in one turn"},
                                {"radius", FieldType::number, "m", true, "", FieldCheck::positive, "mean radius of the thread"},
                                {"flank_angle", FieldType::number, "rad", false, "0, a square thread", FieldCheck::nonnegative,
                                 "half of the angle between the flanks of the thread"},
                                {"length", FieldType::number, "m", false, "moments across the axis do not count",
                                 FieldCheck::positive, "length of the nut, over which it takes moments across its axis"}}});
  }

  static Params make(const Setup& setup) {
    const double pitch = setup.fields.number("pitch"), radius = setup.fields.number("radius");
    const double beta = setup.fields.number("flank_angle", 0), per_turn = 2 * std::numbers::pi / pitch;
    if (!(beta < std::numbers::pi / 2))
      throw std::invalid_argument(
          "the flank of a thread leans by less than a right angle: `flank_angle` is half of the angle "
          "between two flanks, rad");
    if (!(math::fabs(per_turn) < 1e300)) throw std::invalid_argument("the pitch is zero");
    const double helix = 1 / (per_turn * radius), flank = math::tan(beta);
    return {FrictionCylindrical::make(setup), math::fabs(per_turn) * math::sqrt(1 + helix * helix + flank * flank)};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static S normal_force(const Params& p, const S* lambda) {
    return FrictionCylindrical::normal_force(p.bar, lambda) + p.by_thread * size_from_square(lambda[4] * lambda[4]);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
    FrictionCylindrical::rub(p.bar, s, normal_force(p, lambda), f);
  }

  static constexpr auto measures() { return FrictionCylindrical::measures(); }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s,
                      const double* lambda, double* out) {
    FrictionCylindrical::measure_slip(p.bar, s, normal_force(p, lambda), out);
  }
};

}  // namespace sinew
