/// \file
/// Dead load on a face of a mesh: per area of the surface at the start, in directions that stay.
#pragma once

#include "kernels/loads/surface_load.hpp"

namespace sinew {

/// f_a = t(t) int N_a dA - p(t) int N_a n dA over the face at the start: a traction t in the global frame (Pa), and a pressure p
/// against the outward normals that the surface had then.
template <class Face>
struct Traction {
  static constexpr const char* load = "traction";
  static constexpr const char* name = surface_load_name<Face, Traction>.text;
  static constexpr const char* help = "load per area of a solid's surface at the start, in directions that stay";
  static constexpr NodeKind node_kind = NodeKind::point;
  static constexpr int N = Face::num_nodes;
  static constexpr int num_nodes = N, num_signals = 4;
  static constexpr bool frame_invariant = false;
  static constexpr bool is_load = true;
  static constexpr bool couples(int /*row*/, int /*column*/) { return false; }

  struct Params {
    double area[N];          ///< int N_a dA, m^2
    Vec3<double> normal[N];  ///< int N_a n dA, m^2
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{{"vector", FieldType::signal3, "Pa", false, "0", FieldCheck::any,
              "force per area in the global frame, expressions of t"},
             {"pressure", FieldType::signal, "Pa", false, "0", FieldCheck::any,
              "along the normals that the surface has at the start, into the body; an expression of t"}}};
  }

  static Params make(const Setup& setup) {
    Vec3<double> x[N];
    for (int a = 0; a < N; ++a) x[a] = setup.places.at(static_cast<std::size_t>(a)).position();
    Params p{};
    for (int q = 0; q < Face::num_points; ++q) {
      const FacePoint point = Face::point(q);
      const FaceTangents<Face, double> at(point, x);
      const Vec3<double> dA = (setup.fields.number("side", 1) * point.weight) * at.normal();
      for (int a = 0; a < N; ++a) {
        p.area[a] += at.N[a] * norm(dA);
        p.normal[a] += at.N[a] * dA;
      }
    }
    return p;
  }
  static Params example(unsigned seed) { return make(sample_face<Face>(seed)); }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* signals,
                                           const NodeStates<S, NodeKind::point, N>& /*s*/, NodeForces<S, NodeKind::point, N>& f) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) f.f[a][i] += p.area[a] * signals[i] - signals[3] * p.normal[a][i];
  }

  /// The force depends on no state.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                             const NodeStates<double, NodeKind::point, N>& /*s*/, double /*cq*/, double /*cv*/,
                                             Mat<double, 3 * N, 3 * N>& /*J*/) {}

  static constexpr std::array<MeasureSpec, 2> measures() {
    return {{{"force", 3, "N", "resultant, global frame"}, {"area", 1, "m^2", "of the surface at the start"}}};
  }

  static void measure(const Params& p, const double* signals, const NodeStates<double, NodeKind::point, N>& /*s*/, double* out) {
    for (int i = 0; i < 4; ++i) out[i] = 0;
    for (int a = 0; a < N; ++a) {
      for (int i = 0; i < 3; ++i) out[i] += p.area[a] * signals[i] - signals[3] * p.normal[a][i];
      out[3] += p.area[a];
    }
  }
};

}  // namespace sinew
