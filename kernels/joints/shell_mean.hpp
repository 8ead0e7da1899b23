/// \file
/// Attachment of a frame to nodes of a shell: it follows their mean motion.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// One node of the group (first place; x_i, R_i) and the reference frame (second place; x, R), which starts in the weighted mean
/// of the nodes. All nodes of a group share 6 rows, to which each adds its part:
///   rows 0-2: w (x_i - x)                                              (m)   the frame sits in the weighted mean (sum w = 1)
///   rows 3-5: J^-1 w (X_i x R^T (x_i - x) + r^2 axial(R^T R_i B^T))        (1)   no mean rotation of the nodes against the frame
/// with X_i the node's initial place in the frame's axes, B = R^T R_i at the start, axial(A) = 1/2 (A32 - A23, A13 - A31,
/// A21 - A12), r the radius of gyration of the shell's section, t/sqrt(12), and J = sum w (|X_i|^2 I - X_i X_i^T + r^2 I). Per
/// node r^2 stands for what the mass about it turns with, as the rotary inertia of the element does: the mean motion is that of
/// the momenta of a body of these weights.
/// A straight edge turns about itself with its nodes, about other axes as their places do. lambda: force on the frame (N, global)
/// and moment on it (N m, its axes).
struct ShellMean {
  static constexpr const char* name = "shell-mean";
  static constexpr const char* help = "a frame follows the weighted mean position and rotation of nodes of a shell";
  static constexpr int num_nodes = 2, num_position_rows = 6, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    double weight;       ///< w
    Vec3<double> arm;    ///< X_i
    Mat3<double> place;  ///< w J^-1
    double turn;         ///< r^2
    Mat3<double> start;  ///< B^T
  };

  static constexpr std::array<FieldSpec, 3> fields() {
    return {
        {{"weight", FieldType::number, "1", true, "", FieldCheck::any, "share of the node in the mean; all shares add up to 1"},
         {"inertia", FieldType::inertia, "m^2", true, "", FieldCheck::any, "J"},
         {"gyration_radius", FieldType::number, "m", true, "", FieldCheck::positive, "r"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    const Place &node = setup.places[0], &reference = setup.places[1];
    const double w = setup.fields.number("weight"), r = setup.fields.number("gyration_radius");
    const std::vector<double>& numbers = setup.fields.at("inertia");
    Mat3<double> J;
    for (int i = 0; i < 9; ++i) J(i / 3, i % 3) = numbers[static_cast<std::size_t>(i)];
    return {w, reference.local(node.frame.x - reference.frame.x), w * inverse(J, determinant(J)), r * r,
            transpose(node.frame.R) * reference.frame.R};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[6]) {
    const Vec3<S> d = f[0].x - f[1].x;
    const Vec3<S> turned = twice_axial(transpose(f[1].R) * f[0].R * p.start);
    const Vec3<S> rotation = p.place * (cross(p.arm, transpose_times(f[1].R, d)) + (0.5 * p.turn) * turned);
    for (int i = 0; i < 3; ++i) {
      g[i] = p.weight * d[i];
      g[3 + i] = rotation[i];
    }
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> twice_axial(const Mat3<S>& A) {
    return {{A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)}};
  }
  /// tr(A) I - A
  KOKKOS_INLINE_FUNCTION static Mat3<double> less_trace(const Mat3<double>& A) {
    Mat3<double> B = -1.0 * A;
    for (int i = 0; i < 3; ++i) B(i, i) += A(0, 0) + A(1, 1) + A(2, 2);
    return B;
  }

  /// With X the arm, y = R^T (x_i - x), P = w J^-1, c = r^2/2, A = R^T R_i B^T and t(A) = 2 axial(A), where
  /// t(A u~) = (tr(A) I - A^T) u and t(u~ A) = (tr(A) I - A) u:
  ///   G = [w I, 0, -w I, 0; P X~ R^T, c P (tr(A) I - A^T) B, -P X~ R^T, P (X~ y~ - c (tr(A) I - A))].
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                              Mat<double, 6, 12>& G) {
    const Vec3<double> y = transpose_times(f[1].R, f[0].x - f[1].x);
    const Mat3<double> A = transpose(f[1].R) * f[0].R * p.start;
    const Mat3<double> shift = p.place * transpose(times_skew(f[1].R, p.arm));  // -P X~ R^T
    const double c = 0.5 * p.turn;
    G = Mat<double, 6, 12>{};
    for (int i = 0; i < 3; ++i) {
      G(i, i) = p.weight;
      G(i, 6 + i) = -p.weight;
    }
    add_block(G, 3, 0, -1.0 * shift);
    add_block(G, 3, 3, c * (p.place * less_trace(transpose(A)) * transpose(p.start)));
    add_block(G, 3, 6, shift);
    add_block(G, 3, 9, p.place * (skew_skew(p.arm, y) - c * less_trace(A)));
  }

  /// With mu = P^T (lambda of rows 3-5) and m = X x mu: G^T lambda has the parts -R m, c B^T (tr(A) mu - A mu), R m and
  /// y x m - c (tr(A) mu - A^T mu); tr(A u~) = -t(A).u.
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                                         const double (&lambda)[6], Mat<double, 12>& K) {
    const Vec3<double> y = transpose_times(f[1].R, f[0].x - f[1].x);
    const Mat3<double> A = transpose(f[1].R) * f[0].R * p.start;
    const Vec3<double> mu = transpose_times(p.place, Vec3<double>{{lambda[3], lambda[4], lambda[5]}}), m = cross(p.arm, mu);
    const Mat3<double> turned = times_skew(f[1].R, m);  // R m~
    add_block(K, 0, 9, turned);
    add_block(K, 6, 9, -1.0 * turned);
    add_block(K, 9, 0, transpose(turned));
    add_block(K, 9, 6, -1.0 * transpose(turned));
    add_block(K, 9, 9, -1.0 * skew_skew(m, y));
    const double c = 0.5 * p.turn;
    const Mat3<double> along = outer(mu, twice_axial(A));
    const Mat3<double> of_both = c * (p.start * (along - skew(A * mu)));
    add_block(K, 3, 3, c * (p.start * (times_skew(A, mu) - along)) * transpose(p.start));
    add_block(K, 3, 9, of_both);
    add_block(K, 9, 3, transpose(of_both));
    add_block(K, 9, 9, (-c) * (along + times_skew(transpose(A), mu)));
  }
};

}  // namespace sinew
