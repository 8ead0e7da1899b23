/// \file
/// Attachment of a frame to a mesh surface: the frame follows the mean motion of the surface's nodes.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// One node of the surface (first place) and the reference frame (second place; x, R), which starts in the weighted mean of the
/// nodes. All nodes of a surface share 6 rows, to which each adds its part:
///   rows 0-2: w (x_i - x)                                (m)       the frame sits in the weighted mean of the nodes (sum w = 1)
///   rows 3-5: (1 / l^2) m x R^T (x_i - x)                (1)       no mean rotation of the nodes against the frame
/// with w = int N_i dA / A and m = int N_i X dA / A, N_i the node's shape function on the surface, X initial places in the
/// frame's axes: a moment arrives as tractions that are linear over the surface. With w X_i in place of m, as where m is not
/// known, corners of quad8 (w = -1/12) and tri6 (w = 0) get none of their share: slender bars of hex20 are the softer the finer
/// they are, by a tenth with 80 elements. l: the radius of gyration, l^2 = sum w |X_i|^2. lambda: force on the frame (N, global);
/// rows 3-5 load the frame with the moment (J / l^2) lambda (N m, its axes), J = sum (m . X_i) I - m X_i^T, as long as the
/// surface keeps its shape.
struct SurfaceMean {
  static constexpr const char* name = "surface-mean";
  static constexpr const char* help = "a frame follows the weighted mean position and rotation of a surface's nodes";
  static constexpr int num_nodes = 2, num_position_rows = 6, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    double weight, turn;  ///< w; w / l^2, where w is 0 1 / l^2
    Vec3<double> arm;     ///< m / w, where w is 0 m
    double tells = 0;     ///< whether the mean is turned over: 1 or 0
  };

  static constexpr std::array<FieldSpec, 3> fields() {
    return {
        {{"weight", FieldType::number, "1", true, "", FieldCheck::any, "share of the node in the mean; all shares add up to 1"},
         {"moment", FieldType::vector, "m", false, "w X", FieldCheck::any, "m, in the frame's axes"},
         {"gyration_radius", FieldType::number, "m", true, "", FieldCheck::positive, "sqrt(sum w |X|^2) over the surface"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    const Place &node = setup.places[0], &reference = setup.places[1];
    const double w = setup.fields.number("weight"), l = setup.fields.number("gyration_radius");
    const Vec3<double> X = reference.local(node.frame.x - reference.frame.x);
    Params p{w, 1 / (l * l), setup.fields.has("moment") ? setup.fields.vector("moment") : w * X};
    if (w == 0) return p;
    p.turn = w / (l * l);
    p.arm = (1 / w) * p.arm;
    const double square = dot(X, X), along = dot(p.arm, X);
    p.tells = w > 0 && square >= l * l && along > 0 && along < longest_arm * square ? 1 : 0;
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[6]) {
    const Vec3<S> d = f[0].x - f[1].x;
    const Vec3<S> rotation = cross(p.arm, transpose_times(f[1].R, d));
    for (int i = 0; i < 3; ++i) {
      g[i] = p.weight * d[i];
      g[3 + i] = p.turn * rotation[i];
    }
  }

  /// With X the arm, c the turn, y = R^T (x_i - x): G = [w I, 0, -w I, 0; c X~ R^T, 0, -c X~ R^T, c X~ y~].
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                              Mat<double, 6, 12>& G) {
    const Vec3<double> y = transpose_times(f[1].R, f[0].x - f[1].x);
    const Vec3<double> X = p.turn * p.arm;
    const Mat3<double> turning = transpose(times_skew(f[1].R, X));  // -c X~ R^T
    G = Mat<double, 6, 12>{};
    for (int i = 0; i < 3; ++i) {
      G(i, i) = p.weight;
      G(i, 6 + i) = -p.weight;
    }
    add_block(G, 3, 0, -1.0 * turning);
    add_block(G, 3, 6, turning);
    add_block(G, 3, 9, skew_skew(X, y));
  }

  /// With m = c X x (lambda of rows 3-5): G^T lambda has the parts -R m, R m and y x m.
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                                         const double (&lambda)[6], Mat<double, 12>& K) {
    const Vec3<double> y = transpose_times(f[1].R, f[0].x - f[1].x);
    const Vec3<double> m = p.turn * cross(p.arm, Vec3<double>{{lambda[3], lambda[4], lambda[5]}});
    const Mat3<double> A = times_skew(f[1].R, m);  // R m~
    const Mat3<double> A_T = transpose(A);
    add_block(K, 0, 9, A);
    add_block(K, 6, 9, -1.0 * A);
    add_block(K, 9, 0, A_T);
    add_block(K, 9, 6, -1.0 * A_T);
    add_block(K, 9, 9, -1.0 * skew_skew(m, y));
  }

  static constexpr const char* fault = "has turned over: the mean of the surface points away from its nodes";

  /// A mean rotation half a turn off fulfils the rows as well. Nodes with a share, no nearer to the centre than the radius of
  /// gyration, tell it: |X| >= l. Corners of flat tri6 have no share but for rounding, and endless arms that point anywhere.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&)[2], const Frame<double> (&f)[2],
                                              const double*) {
    if (p.tells == 0) return Verdict::ok;
    return dot(p.arm, transpose_times(f[1].R, f[0].x - f[1].x)) > 0 ? Verdict::ok : Verdict::other_branch;
  }

 private:
  /// The longest arm, beside X, of a node that has a share: the mean of X about a node lies beside it.
  static constexpr double longest_arm = 4;
};

}  // namespace sinew
