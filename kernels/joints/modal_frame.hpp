/// \file
/// Attachment of a frame to a body of a few shapes: what the body's own frame does to it.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// The body's frame (first place; x, R) and the attached one (second place; x_a, R_a), which starts at X in the body's axes,
/// turned by B against these. Both, and every shape of the body by a ModalShare, share six rows in the body's axes:
///   rows 0-2: R^T (x_a - x) - X - sum u_j eta_j              (m)
///   rows 3-5: axial(R^T R_a B^T) - sum theta_j eta_j         (1)
/// with u_j, theta_j what shape j displaces and turns it by, and axial(A) = 1/2 (A32 - A23, A13 - A31, A21 - A12): to first order
/// in the deformation its rotation vector. lambda: force and moment on the attached frame, in the body's axes (N, N m).
struct ModalFrame {
  static constexpr const char* name = "modal-frame";
  static constexpr const char* help = "a frame follows a place of a body of a few shapes";
  static constexpr int num_nodes = 2, num_position_rows = 6, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> place;  ///< X
    Mat3<double> start;  ///< B^T
  };

  static constexpr std::array<FieldSpec, 0> fields() { return {}; }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    const Place &body = setup.places[0], &attached = setup.places[1];
    return {body.local(attached.frame.x - body.frame.x), transpose(attached.frame.R) * body.frame.R};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[6]) {
    const Vec3<S> d = transpose_times(f[0].R, f[1].x - f[0].x) - p.place;
    const Mat3<S> A = transpose(f[0].R) * f[1].R * p.start;
    for (int i = 0; i < 3; ++i) g[i] = d[i];
    g[3] = 0.5 * (A(2, 1) - A(1, 2));
    g[4] = 0.5 * (A(0, 2) - A(2, 0));
    g[5] = 0.5 * (A(1, 0) - A(0, 1));
  }

  static constexpr const char* fault = "has turned over: a place of the body points away from where it was";

  /// The rows hold half a turn off as well.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&)[2], const Frame<double> (&f)[2],
                                              const double*) {
    const Mat3<double> A = transpose(f[0].R) * f[1].R * p.start;
    return A(0, 0) + A(1, 1) + A(2, 2) > 1 ? Verdict::ok : Verdict::other_branch;  // turned by less than a quarter
  }
};

}  // namespace sinew
