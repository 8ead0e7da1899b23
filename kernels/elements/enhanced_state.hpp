/// \file
/// Strains and stresses at the points of an enhanced hexahedron, its own strains in balance: int phi_k S p_k dV = 0 and int phi_m
/// tr S dV =
/// 0, the derivatives of the energy by their amplitudes (kernels/elements/enhanced_modes.hpp). Forces are then those of nodes
/// alone, f_a = -int F S grad N_a dV, and the gradient of an energy of the nodes.
#pragma once

#include "kernels/elements/enhanced_newton.hpp"

namespace sinew {

/// Points are set one by one, then `balance` is called. P is the scalar of parameters, S that of the motion.
template <class Law, class P, class S>
class EnhancedState {
 public:
  static constexpr int Q = Hex8::num_stiffness_points;
  using Lame = LameConstantsOf<P>;
  using Modes = EnhancedModes<P>;

  P weight[Q];        ///< det dX/dxi
  P phi[Q][6];        ///< see EnhancedModes
  Mat3<P> B[Q];       ///< dxi/dX
  Mat3<S> F[Q];       ///< I without finite strain
  Mat3<S> rate[Q];    ///< dF/dt, where there is damping
  Mat3<S> strain[Q];  ///< with the element's own
  Mat3<S> stress[Q];  ///< second Piola stress, Pa, damping included

  /// A point where the gradients of displacement and velocity are H and `velocity`.
  KOKKOS_FORCEINLINE_FUNCTION void set_point(int q, const Modes& modes, const P& w, const Mat3<P>& dxi_dX, const Mat3<S>& H,
                                             const Mat3<S>& velocity) {
    weight[q] = w;
    B[q] = dxi_dX;
    modes.functions(q, phi[q]);
    F[q] = Law::finite_strain ? deformation_gradient(H) : identity<S, 3>();
    strain[q] = Law::strain(H);
    rate[q] = velocity;
  }

  /// Finds the element's own strains, and the stresses. `damping`: of which constants, or null.
  KOKKOS_INLINE_FUNCTION void balance(const Modes& modes, const Lame& law, const Lame* damping) {
    if constexpr (Law::is_quadratic) {
      const EnhancedAmplitudes<S> a = modes.relax(law, modes.work(hooke_sums(law)));
      const EnhancedField<S> strains = modes.strains(a);
      for (int q = 0; q < Q; ++q) {
        strain[q] = strains.added_to(strain[q], phi[q]);
        stress[q] = hooke(law, strain[q]);
      }
    } else {
      EnhancedNewton<Law, P, S> newton;
      newton.solve(modes, law, *this);
      const EnhancedField<S> strains = modes.strains(newton.amplitudes);
      for (int q = 0; q < Q; ++q) {
        strain[q] = strains.added_to(strain[q], phi[q]);
        stress[q] = Law::strain_moduli(law, strain[q]).S;
      }
    }
    if (damping != nullptr) add_damping(modes, law, *damping);
  }

 private:
  KOKKOS_INLINE_FUNCTION EnhancedField<S> hooke_sums(const Lame& law) const {
    EnhancedField<S> sums;
    for (int q = 0; q < Q; ++q) Modes::add(hooke(law, strain[q]), weight[q], phi[q], sums);
    return sums;
  }

  /// Damping knows the strains that Hooke's law would choose for the nodes' rates of strain, E' = Q E'(nodes) with a constant Q,
  /// and is the derivative of int E':C_d:E'/2 dV by the nodes' velocities: Q^T C_d Q E'.
  KOKKOS_INLINE_FUNCTION void add_damping(const Modes& modes, const Lame& law, const Lame& damping) {
    Mat3<S> T[Q];
    EnhancedField<S> sums;
    for (int q = 0; q < Q; ++q) {
      T[q] = symmetric_part(transpose(F[q]) * rate[q]);
      Modes::add(hooke(law, T[q]), weight[q], phi[q], sums);
    }
    const EnhancedField<S> strains = modes.strains(modes.relax(law, modes.work(sums)));
    sums = EnhancedField<S>{};
    for (int q = 0; q < Q; ++q) {
      T[q] = hooke(damping, strains.added_to(T[q], phi[q]));
      Modes::add(T[q], weight[q], phi[q], sums);
    }
    const EnhancedField<S> stresses = modes.stresses(law, modes.relax(law, modes.work(sums)));
    for (int q = 0; q < Q; ++q) stress[q] = stress[q] + stresses.added_to(T[q], phi[q]);
  }
};

}  // namespace sinew
