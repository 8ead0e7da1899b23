/// \file
/// Attachment of a frame to a point inside an element of a mesh: it follows the place and the rotation of the material there.
#pragma once

#include "kernels/joints/surface_mean.hpp"

namespace sinew {

/// One node of the element (first place) and the frame (second place; x, R), which starts in the point X, unturned against the
/// body. All nodes of the element share 6 rows, to which each adds its part:
///   rows 0-2: N_i(X) (x_i - x)                           (m)       the frame sits where the shape functions take the point
///   rows 3-5: (dN_i/dX)(X) x R^T (x_i - x)               (1)       R^T F is symmetric, F = sum x_i (dN_i/dX)^T
/// The second is what the polar decomposition F = R U of the deformation gradient asks of R (M. Gurtin, An Introduction to
/// Continuum Mechanics, 1981, section 2): the frame turns as the material does. It holds as well for an R half a turn off about a
/// principal axis of U. lambda: force on the frame (N, global), which the nodes take in shares N_i; rows 3-5 load the frame with
/// the moment (tr(U) I - U) lambda (N m, its axes). The rows are those of a mean over nodes with N_i as weights and dN_i/dX as
/// arms, so that both are computed alike; in Params `turn` is 1.
struct InnerFrame : SurfaceMean {
  static constexpr const char* name = "inner-frame";
  static constexpr const char* help = "a frame follows place and rotation of the material in a point of an element";

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"weight", FieldType::number, "1", true, "", FieldCheck::any, "shape function of the node in the point"},
             {"gradient", FieldType::vector, "1/m", true, "", FieldCheck::any,
              "its derivative by the place at the start, in the frame's axes"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    return {setup.fields.number("weight"), 1.0, setup.fields.vector("gradient"), 0};
  }

  static constexpr const char* fault = "has turned over: the frame there points away from the material";

  /// Seen from the frame, nodes stay where they were but for the strain of a step; about a principal axis turned over, those
  /// beside the axis lie opposite. A node in the point itself tells nothing.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[2], const Frame<double> (&now)[2],
                                              const double*) {
    constexpr double rounding = 1e-18;  // square of 1e-9 of an element
    const Vec3<double> was = transpose_times(before[1].R, before[0].x - before[1].x),
                       is = transpose_times(now[1].R, now[0].x - now[1].x);
    if (dot(p.arm, p.arm) * dot(was, was) < rounding) return Verdict::ok;
    return dot(was, is) > 0 ? Verdict::ok : Verdict::other_branch;
  }
};

}  // namespace sinew
