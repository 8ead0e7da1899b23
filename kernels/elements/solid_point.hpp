/// \file
/// What sensors find in a point of a solid element: where it is in the reference cell, stress and strain. Host code.
#pragma once

#include "kernels/elements/solid_enhanced.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sinew {

/// A place in the reference cell, and how far outside it lies there: 0 or less within.
struct CellPlace {
  Vec3<double> xi;
  double excess = 1e300;
};

/// The material in a point. Tensors as xx, yy, zz, xy, yz, xz, in the global frame.
struct MaterialPoint {
  double stress[6];  ///< Cauchy's without its viscous part, Pa
  double strain[6];  ///< Green and Lagrange's, (F^T F - I)/2; under a linear law the linear one
};

/// What the host asks of a registered solid about one of its points.
struct SolidPointEntry {
  std::string family;  ///< the name of the element
  int num_nodes = 0;
  /// Where a place is that the element has at the start; from its parameters.
  std::function<CellPlace(const double* params, const Vec3<double>& X)> locate;
  /// The shape functions there.
  std::function<std::vector<double>(const Vec3<double>& xi)> weights;
  /// From the parameters and the places of the nodes.
  std::function<MaterialPoint(const double* params, const Vec3<double>* x, const Vec3<double>& xi)> measure;
};

/// In the order of the solids.
const std::vector<SolidPointEntry>& registered_solid_points();

/// H = du/dX and det dX/dxi at a place of an element.
struct PointGradient {
  Mat3<double> H;
  double volume = 0;
  Mat3<double> dxi_dX;
};
template <class E>
PointGradient point_gradient(const typename E::Params& p, const typename E::States& z, const Vec3<double>& xi) {
  double dN[3][E::num_nodes];
  E::ShapeType::gradients(xi, dN);
  Mat3<double> J, U;
  for (int a = 0; a < E::num_nodes; ++a)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        J(i, k) += p.x[i][a] * dN[k][a];
        U(i, k) += (z.x[a][i] - p.x[i][a]) * dN[k][a];
      }
  PointGradient found;
  found.volume = determinant(J);
  found.dxi_dX = inverse(J, found.volume);
  found.H = U * found.dxi_dX;
  return found;
}

/// phi of an enhanced hexahedron (kernels/elements/enhanced_modes.hpp) between the points of the quadrature: the signs become xi,
/// eta, zeta and their products, which are +-1/sqrt(3) and +-1/3 there, and w_q the volume's measure in the place.
inline void functions_between(const EnhancedModes<double>& modes, const Vec3<double>& xi, double volume, double (&phi)[6]) {
  const double root = math::sqrt(3.0), size = 1 / math::sqrt(8 * volume);
  const double signs[6] = {root * xi[0], root * xi[1], root * xi[2], 3 * xi[1] * xi[2], 3 * xi[2] * xi[0], 3 * xi[0] * xi[1]};
  for (int k = 0; k < 6; ++k) phi[k] = signs[k] * size - modes.turn[k] * (size + modes.offset);
}

/// The strains that an enhanced hexahedron has of its own, in a place: their amplitudes follow from those at the points of the
/// quadrature, over which phi are orthonormal, int phi_k E~ dV and int phi_m tr E~ / 3 dV.
template <class E>
Mat3<double> own_strain(const typename E::Params& p, const typename E::States& z, const Vec3<double>& xi, double volume) {
  using Law = typename E::LawType;
  EnhancedState<Law, double, double> state;
  Mat3<double> plain[Hex8::num_stiffness_points];
  for (int q = 0; q < Hex8::num_stiffness_points; ++q) {
    double factor;
    const PointGradient at = point_gradient<E>(p, z, Hex8::stiffness_point(q, factor));
    state.set_point(q, p.modes, p.material.law, factor * at.volume, at.dxi_dX, at.H);
    plain[q] = Law::strain(at.H);
  }
  state.balance(p.modes, p.material.law, nullptr);
  EnhancedField<double> field;
  for (int q = 0; q < Hex8::num_stiffness_points; ++q) {
    const Mat3<double> own = state.strain(q, p.material.law) - plain[q];
    for (int k = 0; k < 3; ++k) {
      field.linear[k] = field.linear[k] + (state.weight[q] * state.phi[q][k]) * own;
      field.bilinear[k] += state.weight[q] * state.phi[q][3 + k] * trace(own) / 3;
    }
  }
  double phi[6];
  functions_between(p.modes, xi, volume, phi);
  return field.added_to(Mat3<double>{}, phi);
}

/// Stress and strain in a place.
template <class E>
MaterialPoint material_point(const typename E::Params& p, const typename E::States& z, const Vec3<double>& xi) {
  using Law = typename E::LawType;
  const PointGradient at = point_gradient<E>(p, z, xi);
  Mat3<double> strain = Law::strain(at.H), stress;
  const Mat3<double> F = deformation_gradient(at.H);
  if constexpr (requires { p.modes; }) {
    strain = strain + own_strain<E>(p, z, xi, at.volume);
    Mat3<double> S;
    if constexpr (Law::is_quadratic)
      S = hooke(p.material.law, strain);
    else
      S = Law::strain_moduli(p.material.law, strain).S;
    stress = Law::finite_strain ? cauchy_stress(F * S, F) : S;
  } else {
    const Mat3<double> P = Law::stress(p.material.law, at.H);
    stress = Law::finite_strain ? cauchy_stress(P, F) : P;
  }
  MaterialPoint found;
  six_components(stress, found.stress);
  six_components(strain, found.strain);
  return found;
}

/// Newton's method for X(xi) = X from the centre; far outside where it finds nothing.
template <class E>
CellPlace locate_in_cell(const typename E::Params& p, const Vec3<double>& X) {
  using Shape = typename E::ShapeType;
  constexpr int most_iterations = 50;
  constexpr double close = 1e-13;  // in the reference cell, of size 1 or 2
  typename E::States z;
  for (int a = 0; a < E::num_nodes; ++a)
    for (int i = 0; i < 3; ++i) z.x[a][i] = p.x[i][a];
  CellPlace place{Shape::centre(), 1e300};
  for (int n = 0; n < most_iterations; ++n) {
    double N[E::num_nodes];
    Shape::values(place.xi, N);
    Vec3<double> left = X;
    for (int a = 0; a < E::num_nodes; ++a) left -= N[a] * z.x[a];
    const PointGradient at = point_gradient<E>(p, z, place.xi);
    const Vec3<double> step = at.dxi_dX * left;
    place.xi += step;
    if (!(norm(place.xi) < 10)) return place;  // of an element far away, or not a number
    if (norm(step) > close && n + 1 < most_iterations) continue;
    const Vec3<double>& xi = place.xi;
    place.excess = std::max({math::fabs(xi[0]), math::fabs(xi[1]), math::fabs(xi[2])}) - 1;
    if (Shape::name[0] == 't') place.excess = std::max({-xi[0], -xi[1], -xi[2], xi[0] + xi[1] + xi[2] - 1});
    if (norm(step) > 1e-6) place.excess = 1e300;
    return place;
  }
  return place;
}

template <class E>
SolidPointEntry make_solid_point_entry() {
  const auto unpack = [](const double* words) {
    typename E::Params p;
    std::memcpy(static_cast<void*>(&p), words, sizeof p);
    return p;
  };
  SolidPointEntry entry;
  entry.family = E::name;
  entry.num_nodes = E::num_nodes;
  entry.locate = [unpack](const double* params, const Vec3<double>& X) { return locate_in_cell<E>(unpack(params), X); };
  entry.weights = [](const Vec3<double>& xi) {
    double N[E::num_nodes];
    E::ShapeType::values(xi, N);
    return std::vector<double>(N, N + E::num_nodes);
  };
  entry.measure = [unpack](const double* params, const Vec3<double>* x, const Vec3<double>& xi) {
    typename E::States z;
    for (int a = 0; a < E::num_nodes; ++a) z.x[a] = x[a];
    return material_point<E>(unpack(params), z, xi);
  };
  return entry;
}

}  // namespace sinew
