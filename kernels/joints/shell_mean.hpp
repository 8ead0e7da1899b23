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
    const Mat3<S> A = transpose(f[1].R) * f[0].R * p.start;
    const Vec3<S> turned{{A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)}};
    const Vec3<S> rotation = p.place * (cross(p.arm, transpose_times(f[1].R, d)) + (0.5 * p.turn) * turned);
    for (int i = 0; i < 3; ++i) {
      g[i] = p.weight * d[i];
      g[3 + i] = rotation[i];
    }
  }
};

}  // namespace sinew
