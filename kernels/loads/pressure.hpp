/// \file
/// Pressure on a face of a mesh, which follows it.
#pragma once

#include "kernels/loads/surface_load.hpp"

namespace sinew {

/// p(t) (Pa) against the outward normal of the face as it is deformed:
///   f_a = -p int N_a n da = -p side int N_a x,1 x x,2 dxi_1 dxi_2
/// Its tangent, -df_a/dx_b = p side int N_a ((x,1)~ N_b,2 - (x,2)~ N_b,1) dxi_1 dxi_2, is not symmetric; that of a closed surface
/// under an even pressure is, once all faces are added up: p dV has a potential.
/// Source: Bonet and Wood (2008), Nonlinear Continuum Mechanics for Finite Element Analysis, section 8.5.2.
template <class Face>
struct Pressure {
  static constexpr const char* load = "pressure";
  static constexpr const char* name = surface_load_name<Face, Pressure>.text;
  static constexpr const char* help = "pressure on a surface of a solid, against its normal as the surface is deformed";
  static constexpr NodeKind node_kind = NodeKind::point;
  static constexpr int N = Face::num_nodes;
  static constexpr int num_nodes = N, num_signals = 1;
  static constexpr bool is_analytic = true;
  static constexpr bool is_load = true;

  struct Params {
    double side;  ///< 1 or -1
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"pressure", FieldType::signal, "Pa", true, "", FieldCheck::any,
              "pushes into the body where it is positive, an expression of t"}}};
  }

  static Params make(const Setup& setup) { return {setup.fields.number("side", 1)}; }
  static Params example(unsigned seed) { return make(sample_face<Face>(seed)); }

  template <class S, class T>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const T* signals,
                                           const NodeStates<S, NodeKind::point, N>& s, NodeForces<S, NodeKind::point, N>& f) {
    const T push = -p.side * signals[0];
    for (int q = 0; q < Face::num_points; ++q) {
      const FacePoint point = Face::point(q);
      const FaceTangents<Face, S> at(point, s.x);
      const Vec3<S> da = point.weight * at.normal();
      for (int a = 0; a < N; ++a) f.f[a] += (at.N[a] * push) * da;
    }
  }

  /// Adds -cq df/dx.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* signals,
                                             const NodeStates<double, NodeKind::point, N>& s, double cq, double /*cv*/,
                                             Mat<double, 3 * N, 3 * N>& J) {
    for (int q = 0; q < Face::num_points; ++q) {
      const FacePoint point = Face::point(q);
      const FaceTangents<Face, double> at(point, s.x);
      const double factor = cq * p.side * signals[0] * point.weight;
      for (int b = 0; b < N; ++b) {
        const Vec3<double> turn = factor * (at.dN[1][b] * at.along[0] - at.dN[0][b] * at.along[1]);
        for (int a = 0; a < N; ++a)
          for (int i = 0; i < 3; ++i) {  // of the rows of turn~
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            J(3 * a + i, 3 * b + j) -= at.N[a] * turn[k];
            J(3 * a + i, 3 * b + k) += at.N[a] * turn[j];
          }
      }
    }
  }

  static constexpr std::array<MeasureSpec, 2> measures() {
    return {
        {{"force", 3, "N", "resultant of the pressure, global frame"}, {"area", 1, "m^2", "of the surface as it is deformed"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::point, N>& s, double* out) {
    Vec3<double> normal;
    double area = 0;
    for (int q = 0; q < Face::num_points; ++q) {
      const FacePoint point = Face::point(q);
      const Vec3<double> da = point.weight * FaceTangents<Face, double>(point, s.x).normal();
      normal += da;
      area += norm(da);
    }
    for (int i = 0; i < 3; ++i) out[i] = -p.side * signals[0] * normal[i];
    out[3] = area;
  }
};

}  // namespace sinew
