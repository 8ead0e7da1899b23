/// \file
/// Strains and stresses at the points of an enhanced hexahedron, its own strains in balance: int phi_k S p_k dV = 0 and int phi_m
/// tr S dV =
/// 0, the derivatives of the energy by their amplitudes (kernels/elements/enhanced_modes.hpp). Forces are then those of nodes
/// alone, f_a = -int F S grad N_a dV, and the gradient of an energy of the nodes.
#pragma once

#include "kernels/elements/enhanced_newton.hpp"

namespace sinew {

/// The numbers of a 3 x 3 matrix, of all or of the upper triangle, where Mat3's zeros at the start would cost time.
template <class S>
struct StoredMatrix {
  S data[3][3];
  KOKKOS_FORCEINLINE_FUNCTION void set(const Mat3<S>& A) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) data[i][j] = A(i, j);
  }
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> get() const {
    Mat3<S> A;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A(i, j) = data[i][j];
    return A;
  }
};
template <class S>
struct StoredSymmetric {
  S data[6];  ///< 00 11 22 01 12 02
  KOKKOS_FORCEINLINE_FUNCTION void set(const Mat3<S>& A) {
    for (int i = 0; i < 3; ++i) data[i] = A(i, i);
    data[3] = A(0, 1);
    data[4] = A(1, 2);
    data[5] = A(0, 2);
  }
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> get() const {
    Mat3<S> A;
    for (int i = 0; i < 3; ++i) A(i, i) = data[i];
    A(0, 1) = A(1, 0) = data[3];
    A(1, 2) = A(2, 1) = data[4];
    A(0, 2) = A(2, 0) = data[5];
    return A;
  }
};

/// Points are set one by one, then `balance` is called, then stresses and strains are asked for. P is the scalar of parameters, S
/// that of the motion.
template <class Law, class P, class S>
class EnhancedState {
 public:
  static constexpr int Q = Hex8::num_stiffness_points;
  using Lame = LameConstantsOf<P>;
  using Modes = EnhancedModes<P>;

  P weight[Q];  ///< det dX/dxi
  P phi[Q][6];  ///< see EnhancedModes
  StoredMatrix<P> dxi_dX[Q];
  StoredMatrix<S> velocity_gradient[Q];  ///< dF/dt, where there is damping

  /// A point where the gradient of the displacement is H.
  KOKKOS_FORCEINLINE_FUNCTION void set_point(int q, const Modes& modes, const Lame& law, const P& w, const Mat3<P>& B,
                                             const Mat3<S>& H) {
    weight[q] = w;
    dxi_dX[q].set(B);
    modes.functions(q, phi[q]);
    if constexpr (Law::finite_strain) F_[q].set(deformation_gradient(H));
    const Mat3<S> E = Law::strain(H);
    if constexpr (Law::is_quadratic)
      stress_[q].set(hooke(law, E));
    else
      strain_[q].set(E);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_velocity(int q, const Mat3<S>& rate) { velocity_gradient[q].set(rate); }

  /// I without finite strain.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> F(int q) const {
    if constexpr (Law::finite_strain) return F_[q].get();
    return identity<S, 3>();
  }
  /// The second Piola stress, Pa, damping included.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> stress(int q) const {
    if constexpr (Law::is_quadratic) return own_.added_to(stress_[q].get(), phi[q]);
    return stress_[q].get();
  }
  /// With the element's own; without damping.
  KOKKOS_INLINE_FUNCTION Mat3<S> strain(int q, const Lame& law) const {
    if constexpr (Law::is_quadratic) return hooke_strain(law, stress(q));
    return strain_[q].get();
  }

  /// Finds the element's own strains, and the stresses. `damping`: of which constants, or null.
  KOKKOS_INLINE_FUNCTION void balance(const Modes& modes, const Lame& law, const Lame* damping) {
    if constexpr (!Law::is_quadratic) {
      EnhancedNewton<Law, P, S> newton;
      newton.solve(modes, law, *this);
      const EnhancedField<S> strains = modes.strains(newton.amplitudes);
      for (int q = 0; q < Q; ++q) {
        const Mat3<S> E = strains.added_to(strain_[q].get(), phi[q]);
        strain_[q].set(E);
        stress_[q].set(Law::strain_moduli(law, E).S);
      }
    }
    if (damping != nullptr) add_damping(modes, law, *damping);
    if constexpr (Law::is_quadratic) own_ = relaxing(modes, law, stress_);
  }

  /// Of the nodes' motion, until `balance` has been called.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> raw_strain(int q) const { return strain_[q].get(); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION EnhancedField<S> sums(const StoredSymmetric<S> (&T)[Q]) const {
    EnhancedField<S> sums;
    for (int q = 0; q < Q; ++q) Modes::add(T[q].get(), weight[q], phi[q], sums);
    return sums;
  }
  /// The stresses by which Hooke's law answers T: those of the element's own strains.
  KOKKOS_FORCEINLINE_FUNCTION EnhancedField<S> relaxing(const Modes& modes, const Lame& law,
                                                        const StoredSymmetric<S> (&T)[Q]) const {
    return modes.stresses(law, modes.relax(law, modes.work(sums(T))));
  }

  /// Damping knows the strains that Hooke's law would choose for the nodes' rates of strain, E' = R E'(nodes) with a constant R,
  /// and is the derivative of int E':C_d:E'/2 dV by the nodes' velocities: R^T C_d R E'. R^T is left to `balance` where all of
  /// the stress takes part in it.
  KOKKOS_INLINE_FUNCTION void add_damping(const Modes& modes, const Lame& law, const Lame& damping) {
    StoredSymmetric<S> T[Q];
    for (int q = 0; q < Q; ++q) T[q].set(hooke(law, symmetric_part(transpose(F(q)) * velocity_gradient[q].get())));
    const EnhancedField<S> elastic = relaxing(modes, law, T);
    for (int q = 0; q < Q; ++q) T[q].set(hooke(damping, hooke_strain(law, elastic.added_to(T[q].get(), phi[q]))));
    if constexpr (Law::is_quadratic) {
      for (int q = 0; q < Q; ++q) stress_[q].set(stress_[q].get() + T[q].get());
    } else {
      const EnhancedField<S> own = relaxing(modes, law, T);
      for (int q = 0; q < Q; ++q) stress_[q].set(stress_[q].get() + own.added_to(T[q].get(), phi[q]));
    }
  }

  StoredMatrix<S> F_[Law::finite_strain ? Q : 1];
  StoredSymmetric<S> stress_[Q];  // of Hooke's law without the element's own
  StoredSymmetric<S> strain_[Law::is_quadratic ? 1 : Q];
  EnhancedField<S> own_;  // stresses
};

}  // namespace sinew
