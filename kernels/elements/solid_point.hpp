/// \file
/// What sensors find in a point of a solid element: stress and strain. Host code.
#pragma once

#include "kernels/elements/solid_enhanced.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sinew {

/// The material in a point. Tensors as xx, yy, zz, xy, yz, xz, in the global frame.
struct MaterialPoint {
  double stress[6];  ///< Cauchy's without its viscous part, Pa
  double strain[6];  ///< Green and Lagrange's, (F^T F - I)/2; under a linear law the linear one
};

/// What the host asks of a registered solid about one of its points.
struct SolidPointEntry {
  std::string family;  ///< the name of the element
  int num_nodes = 0;
  /// From the parameters, the places of the nodes and the place in the reference cell.
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

/// The gradient of what has these seven vectors in an enhanced hexahedron (kernels/elements/enhanced_geometry.hpp). `c`: the
/// coordinates times sqrt(3), which are signs in the points of the quadrature.
inline Mat3<double> gradient_between(const Vec3<double> (&f)[EnhancedVectors::count], const Mat3<double>& B,
                                     const Vec3<double>& c) {
  Mat3<double> base;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      base(i, k) = f[k][i] + c[l] * f[3 + m][i] + c[m] * f[3 + l][i] + c[l] * c[m] * f[EnhancedVectors::last][i];
    }
  return base * B;
}

/// The strains that an enhanced hexahedron has of its own (kernels/elements/enhanced_modes.hpp). Under Hooke's law each amplitude
/// follows by itself, D_k y_k = -mean(x_k S p_k), 3 (3 lambda + 2 mu) beta_m = -mean(phi_m tr S), S the stress without them;
/// under others the amplitudes are told by the strains that the element finds.
template <class E>
EnhancedField<double> own_strains(const typename E::Params& p, const double (&u)[3][E::num_nodes],
                                  const Vec3<double> (&f)[EnhancedVectors::count], const Mat3<double>& B) {
  using Law = typename E::LawType;
  using Modes = EnhancedModes<double>;
  constexpr int Q = Modes::Q;
  Modes modes;
  modes.set(B);
  const auto plain = [&](int q) {
    return Law::strain(gradient_between(f, B, {Modes::sign(q, 0), Modes::sign(q, 1), Modes::sign(q, 2)}));
  };
  EnhancedField<double> field;
  if constexpr (Law::energy_form == EnergyForm::hooke) {
    const double lambda = p.material.law.lambda, mu = p.material.law.mu;
    for (int q = 0; q < Q; ++q) Modes::add(q, hooke(p.material.law, plain(q)), field);
    EnhancedAmplitudes<double> a = modes.work(field);
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> along = ((lambda + mu) / (lambda + 2 * mu) * dot(modes.p[k], a.y[k])) * modes.p[k];
      a.y[k] = (-1 / (mu * Q)) * (a.y[k] - along);
      a.beta[k] *= -1 / (3 * (3 * lambda + 2 * mu) * Q);
    }
    return modes.strains(a);
  } else {
    EnhancedState<Law, double, double> state;
    state.set(p.geometry, B, p.material.law, u);
    for (int q = 0; q < Q; ++q) {
      const Mat3<double> own = state.strain(q) - plain(q);
      for (int k = 0; k < 3; ++k) {
        field.linear[k] = field.linear[k] + (Modes::sign(q, k) / Q) * own;
        field.bilinear[k] += Modes::sign(q, 3 + k) / Q * trace(own) / 3;
      }
    }
    return field;
  }
}

/// The strain of a neo-Hookean enhanced hexahedron and its own (kernels/elements/enhanced_neo_hooke.hpp) at c, sqrt(3) times
/// the coordinates. Of x_k it has the stress of a plane without stress across, T, in the metric g of the mean strain, and so e =
/// g w g, 2 mu w = T - lambda tr(eps) A; of yz, zx, xy no change of volume.
template <class E>
Mat3<double> neo_hookean_strain(const typename E::Params& p, const double (&u)[3][E::num_nodes], const Mat3<double>& B,
                                const Vec3<double>& c) {
  using Closed = EnhancedClosed<typename E::LawType, double, double>;
  using At = EnhancedPlaces;
  const LameConstants& law = p.material.law;
  Vec3<double> axis[3];
  EnhancedGeometry<double>::axes(p.x, axis);
  Closed closed;
  closed.set(p.geometry, axis, law, nullptr, u, u);
  const EnhancedMoments<double>& e = closed.strain;
  const auto& state = closed.neo_hooke;
  Mat3<double> mean, g, A;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      mean(i, j) = (i == j ? 1.0 : 0.5) * e.mean[At::of(i, j)];
      g(i, j) = dot(axis[i], axis[j]) + 2 * mean(i, j);
      A(i, j) = state.metric.inverse[At::of(i, j)];
    }
  Mat3<double> sum = mean;
  const auto add = [&sum](int place, double x) {
    sum(At::row(place), At::column(place)) += place < 3 ? x : 0.5 * x;
    if (place >= 3) sum(At::column(place), At::row(place)) += 0.5 * x;
  };
  for (int k = 0; k < 3; ++k) {
    const double product = c[(k + 1) % 3] * c[(k + 2) % 3], t = (1 - state.across) * state.t_plane[k];
    for (int m = 0; m < 4; ++m) add(At::mixed(k, m), product * e.mixed[k][m]);
    sum = sum - (product * state.t_mixed[k] / 3) * g;
    add(3 + k, c[0] * c[1] * c[2] * e.last[k]);
    Mat3<double> w = (-law.lambda * t / (2 * law.mu)) * A;
    for (int m = 0; m < 3; ++m) {
      const int place = At::plane(k, m), i = At::row(place), j = At::column(place);
      const double T = 2 * law.mu * state.w_plane[k][m] + law.lambda * t * state.metric.plane[k][m];
      w(i, j) += T / (2 * law.mu);
      if (i != j) w(j, i) += T / (2 * law.mu);
    }
    sum = sum + c[k] * (g * w * g);
  }
  return transpose(B) * sum * B;
}

/// What an element finds in a place: du/dX, and the strain of its law.
struct PointMotion {
  Mat3<double> H, strain;
};
template <class E>
PointMotion point_motion(const typename E::Params& p, const typename E::States& z, const Vec3<double>& xi) {
  using Law = typename E::LawType;
  PointMotion found;
  if constexpr (requires { p.geometry; }) {
    double u[3][E::num_nodes];
    for (int a = 0; a < E::num_nodes; ++a)
      for (int i = 0; i < 3; ++i) u[i][a] = z.x[a][i] - p.x[i][a];
    Vec3<double> f[EnhancedVectors::count];
    p.geometry.gather(u, f);
    const Mat3<double> B = point_gradient<E>(p, z, Hex8::centre()).dxi_dX;
    const Vec3<double> c = math::sqrt(3.0) * xi;
    found.H = gradient_between(f, B, c);
    if constexpr (Law::energy_form == EnergyForm::neo_hooke) {
      found.strain = neo_hookean_strain<E>(p, u, B, c);
    } else {
      found.strain = Law::strain(found.H);
      const EnhancedField<double> own = own_strains<E>(p, u, f, B);
      for (int k = 0; k < 3; ++k) {
        found.strain = found.strain + c[k] * own.linear[k];
        for (int i = 0; i < 3; ++i) found.strain(i, i) += c[(k + 1) % 3] * c[(k + 2) % 3] * own.bilinear[k];
      }
    }
  } else {
    found.H = point_gradient<E>(p, z, xi).H;
    found.strain = Law::strain(found.H);
  }
  return found;
}

/// Stress and strain in a place.
template <class E>
MaterialPoint material_point(const typename E::Params& p, const typename E::States& z, const Vec3<double>& xi) {
  using Law = typename E::LawType;
  const PointMotion at = point_motion<E>(p, z, xi);
  const Mat3<double> F = deformation_gradient(at.H);
  Mat3<double> stress;
  if constexpr (requires { p.geometry; }) {
    Mat3<double> S;
    if constexpr (Law::energy_form == EnergyForm::hooke)
      S = hooke(p.material.law, at.strain);
    else
      S = Law::strain_moduli(p.material.law, at.strain).S;
    stress = Law::finite_strain ? cauchy_stress(F * S, F) : S;
  } else {
    const Mat3<double> P = Law::stress(p.material.law, at.H);
    stress = Law::finite_strain ? cauchy_stress(P, F) : P;
  }
  MaterialPoint found;
  six_components(stress, found.stress);
  six_components(at.strain, found.strain);
  return found;
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
  entry.measure = [unpack](const double* params, const Vec3<double>* x, const Vec3<double>& xi) {
    typename E::States z;
    for (int a = 0; a < E::num_nodes; ++a) z.x[a] = x[a];
    return material_point<E>(unpack(params), z, xi);
  };
  return entry;
}

}  // namespace sinew
