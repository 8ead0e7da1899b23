/// \file
/// Forces of an enhanced hexahedron whose own strains have a closed form: under Hooke's law (kernels/elements/enhanced_hooke.hpp)
/// and the neo-Hookean one (enhanced_neo_hooke.hpp), and those of damping under all laws.
#pragma once

#include "kernels/elements/enhanced_hooke.hpp"
#include "kernels/elements/enhanced_neo_hooke.hpp"

#include <type_traits>

namespace sinew {

/// Vectors, stresses and resultants of an element: those of the law where it has a closed form, and those of damping. P is the
/// scalar of parameters, S that of the motion.
template <class Law, class P, class S>
class EnhancedClosed {
 public:
  static constexpr int N = Hex8::num_nodes, count = EnhancedVectors::count;
  static constexpr bool curved = Law::finite_strain;
  static constexpr bool is_hooke = Law::energy_form == EnergyForm::hooke,
                        is_neo_hooke = Law::energy_form == EnergyForm::neo_hooke;
  /// Without finite strain the undeformed vectors, of which h and H are zero, stand in forces and tangents.
  static constexpr int num_deformed = curved ? count : 3;
  using Lame = LameConstantsOf<P>;
  using Constants = EnhancedConstants<P>;

  EnhancedMetric<P> metric;      ///< of the undeformed body, for Hooke's law and damping
  Vec3<S> f[count];              ///< of the deformed body
  Vec3<S> rate[count];           ///< where there is damping
  EnhancedMoments<S> strain;     ///< of the nodes
  EnhancedResultants<S> forces;  ///< N_AB of the mean stress, Pa
  struct Nothing {};
  std::conditional_t<is_neo_hooke, EnhancedNeoHooke<P, S>, Nothing> neo_hooke;

  /// From displacements and, where `damping` is not null, velocities; `axis`: the columns of J_0.
  [[gnu::flatten]] KOKKOS_INLINE_FUNCTION void set(const EnhancedGeometry<P>& geometry, const Vec3<P> (&axis)[3], const Lame& law,
                                                   const Lame* damping, const S (&u)[3][N], const S (&v)[3][N]) {
    if (is_hooke || damping != nullptr) metric.set(axis);
    Vec3<S> d[count];
    geometry.gather(u, d);
    // E(f) = strains((f_0 + f)/2, f - f_0): small strains keep their digits.
    for (int A = 0; A < count; ++A)
      for (int i = 0; i < 3; ++i) f[A][i] = (A < 3 ? S(axis[A < 3 ? A : 0][i]) : S(0.0)) + (curved ? 0.5 : 0.0) * d[A][i];
    if constexpr (is_hooke || is_neo_hooke) strain = enhanced_strains<curved>(f, d);
    for (int A = 0; curved && A < count; ++A)
      for (int i = 0; i < 3; ++i) f[A][i] = f[A][i] + 0.5 * d[A][i];
    if constexpr (is_neo_hooke) {
      P G[6];
      for (int m = 0; m < 6; ++m) G[m] = dot(axis[EnhancedPlaces::row(m)], axis[EnhancedPlaces::column(m)]);
      neo_hooke.set(G, strain, law);
    }
    if (damping != nullptr) {
      geometry.gather(v, rate);
      EnhancedMoments<S> stress =
          response(metric, Constants::make(law, law), Constants::make(*damping, law), strain, enhanced_strains<curved>(f, rate));
      if constexpr (is_neo_hooke) stress.add(neo_hooke.stress);
      forces.set(stress);
    } else if constexpr (is_neo_hooke) {
      forces.set(neo_hooke.stress);
    } else {
      forces.set(response(Constants::make(law, law)));
    }
  }

  /// t_A = sum_B N_AB f_B, times `factor`.
  KOKKOS_FORCEINLINE_FUNCTION void tractions(const P& factor, Vec3<S> (&t)[count]) const {
    for (int A = 0; A < count; ++A)
      for (int i = 0; i < 3; ++i) {
        S sum = forces(A, 0) * f[0][i];
        for (int B = 1; B < num_deformed; ++B) sum = sum + forces(A, B) * f[B][i];
        t[A][i] = factor * sum;
      }
  }

  /// Of the law, per volume, J/m^3, where there is no damping.
  KOKKOS_INLINE_FUNCTION S energy_density(const Lame& law) const {
    if constexpr (is_neo_hooke) return neo_hooke.energy;
    const EnhancedMoments<S> T = response(Constants::make(law, law));
    S sum = 0.0;
    for (int n = 0; n < 6; ++n) sum = sum + T.mean[n] * strain.mean[n];
    for (int k = 0; k < 3; ++k) {
      for (int n = 0; n < 3; ++n) sum = sum + T.plane[k][n] * strain.plane[k][n];
      for (int n = 0; n < 4; ++n) sum = sum + T.mixed[k][n] * strain.mixed[k][n];
      sum = sum + T.last[k] * strain.last[k];
    }
    return 0.5 * sum;
  }

  /// Stresses of the law, where it is Hooke's, with constants m and strains E, and of damping with d and R.
  KOKKOS_FORCEINLINE_FUNCTION static EnhancedMoments<S> response(const EnhancedMetric<P>& metric, const Constants& m,
                                                                 const Constants& d, const EnhancedMoments<S>& E,
                                                                 const EnhancedMoments<S>& R) {
    EnhancedResponse<P, S> response(metric);
    respond(response, E, R, [&](const S& e, const S& r) {
      if constexpr (is_hooke)
        return Strain{m.mu * e + d.mu * r, m.lambda * e + d.lambda * r, m.plane_lambda * e + d.plane_lambda * r};
      else
        return Strain{d.mu * r, d.lambda * r, d.plane_lambda * r};
    });
    return response.stress;
  }

 private:
  using Strain = typename EnhancedResponse<P, S>::Strain;

  /// The stresses of the law.
  KOKKOS_FORCEINLINE_FUNCTION EnhancedMoments<S> response(const Constants& m) const {
    EnhancedResponse<P, S> response(metric);
    respond(response, strain, strain, [&](const S& E, const S&) { return Strain{m.mu * E, m.lambda * E, m.plane_lambda * E}; });
    return response.stress;
  }
};

}  // namespace sinew
