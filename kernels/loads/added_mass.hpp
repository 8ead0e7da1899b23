/// \file
/// The fluid that a sphere near a wall drags along.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// A sphere of radius a around a place p = x + R s, in a fluid of density rho at rest beside a plane wall with the unit normal n,
/// at the distance h = n . (p - w):
///   T = 1/2 u^T m(h) u,   m = m_0 ((1 + 3/8 (a/h)^3) n n^T + (1 + 3/16 (a/h)^3) (I - n n^T)),   m_0 = 2/3 pi rho a^3
/// with u the velocity of p. The first terms of a series in a/h. The sphere does not turn the fluid, and buoyancy is not in it.
/// Source: H. Lamb, Hydrodynamics, 6th ed., art. 137.
struct AddedMass {
  static constexpr const char* name = "added-mass";
  static constexpr const char* help = "the fluid that a sphere drags along, more of it near a wall";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 1, num_signals = 0;
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }
  static constexpr const char* degenerate = "has its centre nearer to the wall than its radius";

  struct Params {
    Vec3<double> point, wall, normal;
    double radius, free_mass;  ///< m_0
  };

  static constexpr std::array<FieldSpec, 4> fields() {
    return {{{"radius", FieldType::number, "m", true, "", FieldCheck::positive, "of the sphere"},
             {"density", FieldType::number, "kg/m^3", true, "", FieldCheck::positive, "of the fluid"},
             {"wall", FieldType::vector, "m", true, "", FieldCheck::any, "a point of the wall, global"},
             {"normal", FieldType::direction, "1", true, "", FieldCheck::any, "of the wall, into the fluid, global"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 1, name);
    const FieldValues& f = setup.fields;
    const double a = f.number("radius"), pi = 3.14159265358979323846;
    const Params p{setup.places[0].point, f.vector("wall"), f.vector("normal"), a,
                   2.0 / 3.0 * pi * f.number("density") * a * a * a};
    if (!(dot(p.normal, setup.places[0].position() - p.wall) > a))
      throw std::invalid_argument(std::string("this added-mass ") + degenerate + " (the normal points into the fluid)");
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static S distance(const Params& p, const Frame<S>& f) {
    return dot(p.normal, f.x + f.R * p.point - p.wall);
  }

  /// J^T m J with u = J (v, omega) = v - R s~ omega.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void mass_at(const Params& p, const NodeStates<S, NodeKind::frame, 1>& s, Mat<S, 6, 6>& M) {
    const S near = p.radius / distance(p, s.frame[0]), cube = near * near * near;
    const S along = p.free_mass * (1.0 + 3.0 / 16.0 * cube), more = (3.0 / 16.0 * p.free_mass) * cube;
    const Mat3<S> arm = s.frame[0].R * skew(p.point);
    S J[3][6] = {};
    S normal[6] = {};
    for (int i = 0; i < 3; ++i) {
      J[i][i] = S(1.0);
      for (int j = 0; j < 3; ++j) J[i][3 + j] = -arm(i, j);
    }
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 3; ++i) normal[j] += p.normal[i] * J[i][j];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        S sum(0.0);
        for (int k = 0; k < 3; ++k) sum += J[k][i] * J[k][j];
        M(i, j) += along * sum + more * normal[i] * normal[j];
      }
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& /*p*/, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 1>& /*s*/,
                                           NodeForces<S, NodeKind::frame, 1>& /*f*/) {}

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const NodeStates<double, NodeKind::frame, 1>& s) {
    return distance(p, s.frame[0]) > p.radius ? Verdict::ok : Verdict::degenerate;
  }

  static constexpr std::array<MeasureSpec, 2> measures() {
    return {{{"distance", 1, "m", "of the centre from the wall"}, {"mass", 1, "kg", "that motions across the wall feel"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 1>& s, double* out) {
    const double h = distance(p, s.frame[0]), near = p.radius / h;
    out[0] = h;
    out[1] = p.free_mass * (1 + 3.0 / 8.0 * near * near * near);
  }
};

}  // namespace sinew
