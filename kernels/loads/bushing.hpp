/// \file
/// Elastic bushing: a linear 6 x 6 spring and damper between two bodies.
#pragma once

#include "kernels/algebra/symmetric.hpp"
#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// Axes A1 and A2 are those of the bushing at the start, global where none are given, and carried by the bodies. Deformation, in
/// A1: the displacement d = A1^T (p2 - p1) less its initial value and the rotation phi = 2 vec(q) with the unit quaternion q of C
/// = A1^T A2, which is the rotation vector for small angles and smooth up to half a turn. (F, M) = K (d, phi) + D (d', phi'); the
/// generalised forces are those of the power -F . d' - M . phi', so the strain energy (d, phi)^T K (d, phi) / 2 (J) is exact. The
/// force pair acts at the second place. A point has no orientation: with one of them phi is 0.
struct Bushing {
  static constexpr const char* name = "bushing";
  static constexpr const char* help = "linear spring and damper in all directions between two places";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr bool is_analytic = true;
  static constexpr const char* degenerate = "is turned by half a turn, where its angles end";
  static constexpr const char* outgrown =
      "has turned by more than half a turn, beyond which its moments turn round, which no mount does";

  struct Params {
    Vec3<double> point1, point2, start;  ///< the places in their nodes' axes; A1^T (p2 - p1) where the bushing is unloaded
    Mat3<double> axes1, axes2;           ///< A1, A2 in their nodes' axes
    Mat<double, 6> stiffness, damping;
    double turns = 1;               ///< 0: one of the places is a point
    double last[4] = {1, 0, 0, 0};  ///< the quaternion in the last state that was to be remembered
  };

  static constexpr std::array<FieldSpec, 5> fields() {
    return {{{"stiffness", FieldType::matrix6, "N/m, N, N m/rad", true, "", FieldCheck::any,
              "6 diagonal entries or 6x6, symmetric; x y z, then rotations about x y z"},
             {"damping", FieldType::matrix6, "N s/m, N s, N m s/rad", false, "0", FieldCheck::any, "viscosity, likewise"},
             {"offset", FieldType::vector, "m", false, "0", FieldCheck::any,
              "displacement of the second place from where it is drawn at which the bushing is unloaded, in its axes"},
             {"axis", FieldType::direction, "1", false, "[0, 0, 1]", FieldCheck::any,
              "direction of the bushing's z axis at the start, global"},
             {"x_axis", FieldType::direction, "1", false, "global x, y if the axis is nearer to that", FieldCheck::any,
              "direction to which its x axis, across `axis`, is as near as it can be"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    const Place &first = setup.places[0], &second = setup.places[1];
    Params p;
    p.turns = has_axes(first) && has_axes(second) ? 1 : 0;
    p.point1 = first.point;
    p.point2 = second.point;
    const Mat3<double> axes = axes_at_start(setup.fields);
    p.start = transpose_times(axes, second.position() - first.position()) +
              (setup.fields.has("offset") ? setup.fields.vector("offset") : Vec3<double>{});
    p.axes1 = transpose(first.frame.R) * axes;
    p.axes2 = transpose(second.frame.R) * axes;
    p.stiffness = symmetric(setup.fields.at("stiffness"), "stiffness");
    if (setup.fields.has("damping")) p.damping = symmetric(setup.fields.at("damping"), "damping");
    require_dissipation(p.damping);
    if (p.turns == 0 && feels_rotations(p))
      throw std::invalid_argument(
          "a point has no orientation: of a bushing that holds one entries 4 to 6, rotations, are 0: [kx, ky, kz, 0, 0, 0]");
    return p;
  }

  /// Deformation (d, phi) and what its rate needs: A1, A2, C, the quaternion's scalar and vector part.
  template <class S>
  struct Deformation {
    Vec<S, 6> e;
    Mat3<S> A1, A2, C;
    S scalar;
    Vec3<S> vector;
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static Deformation<S> deformation(const Params& p, const Frame<S> (&f)[2]) {
    using math::sqrt;
    Deformation<S> b;
    b.A1 = f[0].R * p.axes1;
    b.A2 = f[1].R * p.axes2;
    if (p.turns == 0) b.A2 = b.A1;
    b.C = transpose(b.A1) * b.A2;
    b.scalar = 0.5 * sqrt(1.0 + b.C(0, 0) + b.C(1, 1) + b.C(2, 2));
    const S factor = 0.25 / b.scalar;
    b.vector[0] = factor * (b.C(2, 1) - b.C(1, 2));
    b.vector[1] = factor * (b.C(0, 2) - b.C(2, 0));
    b.vector[2] = factor * (b.C(1, 0) - b.C(0, 1));
    const Vec3<S> d = transpose_times(b.A1, place_of(f[1], p.point2) - place_of(f[0], p.point1)) - p.start;
    for (int i = 0; i < 3; ++i) {
      b.e[i] = d[i];
      b.e[3 + i] = 2.0 * b.vector[i];
    }
    return b;
  }

  /// (d', phi').
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec<S, 6> deformation_rate(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s,
                                                           const Deformation<S>& b) {
    const Vec3<S> p2 = place_of(s.frame[1], p.point2);
    const Vec3<S> d_rate =
        transpose_times(b.A1, place_velocity(s.frame[1], s.twist[1], p.point2) - velocity_at(s.frame[0], s.twist[0], p2));
    const Vec3<S> spin =
        transpose_times(p.axes2, s.twist[1].omega) - transpose_times(b.C, transpose_times(p.axes1, s.twist[0].omega));
    const Vec3<S> phi_rate = p.turns * (b.scalar * spin + cross(b.vector, spin));
    Vec<S, 6> rate;
    for (int i = 0; i < 3; ++i) {
      rate[i] = d_rate[i];
      rate[3 + i] = phi_rate[i];
    }
    return rate;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const Deformation<S> b = deformation(p, s.frame);
    const Vec3<S> p2 = place_of(s.frame[1], p.point2);
    const Vec<S, 6> stress = p.stiffness * b.e + p.damping * deformation_rate(p, s, b);
    const Vec3<S> F = b.A1 * Vec3<S>{{stress[0], stress[1], stress[2]}};
    const Vec3<S> M{{stress[3], stress[4], stress[5]}};
    const Vec3<S> N = b.scalar * M - cross(b.vector, M);  // pairs with the relative spin, in A2
    f.f[0].force += F;
    f.f[0].moment += transpose_times(s.frame[0].R, cross(p2 - s.frame[0].x, F)) + p.axes1 * (b.C * N);
    add_force_at(s.frame[1], p.point2, -F, f.f[1]);
    f.f[1].moment -= p.axes2 * N;
  }

  static constexpr std::array<MeasureSpec, 6> measures() {
    return {{{"force", 3, "N", "what the bushing exerts on its first place, global frame"},
             {"moment", 3, "N m", "likewise, about that place"},
             {"displacement", 3, "m", "of the second place against the first body, 0 unloaded, in the axes of the bushing"},
             {"rotation", 3, "rad", "of the second body against the first, likewise"},
             {"displacement_rate", 3, "m/s", "rate of the displacement"},
             {"rotation_rate", 3, "rad/s", "rate of the rotation"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    const Deformation<double> b = deformation(p, s.frame);
    const Vec<double, 6> rate = deformation_rate(p, s, b);
    const Vec<double, 6> stress = p.stiffness * b.e + p.damping * rate;
    const Vec3<double> F = b.A1 * Vec3<double>{{stress[0], stress[1], stress[2]}}, M{{stress[3], stress[4], stress[5]}};
    const Vec3<double> arm = place_of(s.frame[1], p.point2) - place_of(s.frame[0], p.point1);
    const Vec3<double> moment = cross(arm, F) + b.A2 * (b.scalar * M - cross(b.vector, M));
    for (int i = 0; i < 3; ++i) {
      out[i] = F[i];
      out[3 + i] = moment[i];
    }
    for (int i = 0; i < 6; ++i) {
      out[6 + i] = b.e[i];
      out[12 + i] = rate[i];
    }
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const Vec<double, 6> e = deformation(p, s.frame).e;
    return 0.5 * dot(e, p.stiffness * e);
  }

  /// Cosine of half the rotation from the remembered quaternion to that of the state. Of the two quaternions of a rotation the
  /// bushing takes the one with a scalar above 0: below 0 the cosine says that this no longer continues the remembered one, which
  /// is so when half a turn has been passed.
  KOKKOS_INLINE_FUNCTION static double continuation(const Params& p, const Deformation<double>& b) {
    return b.scalar * p.last[0] + b.vector[0] * p.last[1] + b.vector[1] * p.last[2] + b.vector[2] * p.last[3];
  }

  KOKKOS_INLINE_FUNCTION static bool outgrew(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return feels_rotations(p) && continuation(p, deformation(p, s.frame)) < 0;
  }

  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const Deformation<double> b = deformation(p, s.frame);
    if (continuation(p, b) > math::cos(0.5 * memorable_turn)) return false;
    p.last[0] = b.scalar;
    for (int i = 0; i < 3; ++i) p.last[1 + i] = b.vector[i];
    return true;
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const Deformation<double> b = deformation(p, s.frame);
    if (!(math::fabs(b.C(0, 0) + b.C(1, 1) + b.C(2, 2) + b.e[0] + b.e[1] + b.e[2]) < 1e300)) return Verdict::not_finite;
    return b.scalar > 1e-6 ? Verdict::ok : Verdict::degenerate;  // the root of a negative number is none either
  }

 private:
  /// A bearing that only holds a shaft's place may turn for ever.
  KOKKOS_INLINE_FUNCTION static bool feels_rotations(const Params& p) {
    double sum = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = 3; j < 6; ++j) sum += math::fabs(p.stiffness(i, j)) + math::fabs(p.damping(i, j));
    return sum > 0;
  }

  /// By columns.
  static Mat3<double> axes_at_start(const FieldValues& fields) {
    constexpr double near = 0.9, parallel = 1e-6;
    const Vec3<double> z = fields.has("axis") ? fields.vector("axis") : Vec3<double>{{0, 0, 1}};
    const Vec3<double> given = fields.has("x_axis")      ? fields.vector("x_axis")
                               : math::fabs(z[0]) > near ? Vec3<double>{{0, 1, 0}}
                                                         : Vec3<double>{{1, 0, 0}};
    const Vec3<double> across = given - dot(given, z) * z;
    if (!(norm(across) > parallel))
      throw std::invalid_argument("`x_axis` of a bushing lies across its `axis`, but this one is parallel to it");
    const Vec3<double> x = (1 / norm(across)) * across, y = cross(z, x);
    Mat3<double> axes;
    for (int i = 0; i < 3; ++i) {
      axes(i, 0) = x[i];
      axes(i, 1) = y[i];
      axes(i, 2) = z[i];
    }
    return axes;
  }

  static Mat<double, 6> symmetric(const std::vector<double>& entries, const char* what) {
    Mat<double, 6> A;
    double scale = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        A(i, j) = entries.at(static_cast<std::size_t>(6 * i + j));
        scale = math::fabs(A(i, j)) > scale ? math::fabs(A(i, j)) : scale;
      }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j)
        if (!(math::fabs(A(i, j) - A(j, i)) <= 1e-9 * scale))
          throw std::invalid_argument(std::string("the ") + what + " of a bushing is symmetric, but this matrix is not");
    return A;
  }

  /// Throws where w^T D w < 0 for some rate w, beyond rounding.
  static void require_dissipation(Mat<double, 6> D) {
    constexpr double rounding = 1e-9, next_to_nothing = 1e-100;
    for (int i = 0; i < 6; ++i) D(i, i) = D(i, i) == 0 ? next_to_nothing : (1 + rounding) * D(i, i);
    if (!is_positive_definite(D))
      throw std::invalid_argument(
          "the damping of a bushing takes energy, but this matrix adds some: it has a negative eigenvalue");
  }
};

}  // namespace sinew
