/// \file
/// A differential-algebraic equation given by dense callbacks, for any multipliers and any mass matrix:
///
///   y' = z,   M(t,y) z' = f(t,y,z,s,lam,psi),   s' = r(t,y,z,s,lam,psi),   0 = g(t,y),   0 = k(t,y,z)
///
/// with first-order states s where a problem has some.
/// The callbacks are written once, as templates on the scalar; every derivative comes from (nested) dual numbers and is
/// exact. [M, -f_lam, -f_psi; g_y 0 0; k_z 0 0] must be regular. How to write a problem: docs/verify.md.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "system/dynamic_system.hpp"

#include <concepts>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

/// Numbers of unknowns y, of rows g, of rows k and of first-order states.
struct DaeSizes {
  int dofs = 0;
  int position_rows = 0;
  int velocity_rows = 0;
  int states = 0;
};

/// Arguments of the callbacks in scalars S: multipliers lam of the rows g, psi of the rows k.
template <class S>
struct DaePoint {
  S t;
  const S* y = nullptr;
  const S* z = nullptr;
  const S* lam = nullptr;
  const S* psi = nullptr;
  const S* s = nullptr;  ///< first-order states
};

/// Has first-order states: the member `num_states`, and then s stands after z in the arguments of `force`, and `rates(t, y, z, s,
/// lam, psi, r)` gives s'.
template <class P>
concept HasStates = requires(const P& p) {
  { p.num_states } -> std::convertible_to<int>;
};

/// Has the member `position(t, y, g)`: holonomic rows g(t,y).
template <class P>
concept HasPositionRows = requires(const P& p, const Dual2& t, const Dual2* y, Dual2* g) {
  p.position(t, y, g);
};

/// Has the member `nonholonomic(t, y, z, k)`: rows k(t,y,z).
template <class P>
concept HasVelocityRows = requires(const P& p, const Dual1& t, const Dual1* y, Dual1* k) {
  p.nonholonomic(t, y, y, k);
};

/// What a user writes: sizes (static or per object), `mass(t, y, M)` with M by rows, `force(t, y, z, lam, psi, f)`, and
/// `position`, `nonholonomic` where there are such rows. All are templates on the scalar; outputs come zeroed, so that
/// only what differs from zero need be set.
template <class P>
concept DaeProblem = requires(const P& p, double t, const double* y, double* out) {
  { p.num_dofs } -> std::convertible_to<int>;
  { p.num_position_rows } -> std::convertible_to<int>;
  { p.num_velocity_rows } -> std::convertible_to<int>;
  p.mass(t, y, out);
}
&&(requires(const P& p, double t, const double* y, double* out, const Dual1& td, const Dual1* yd, Dual1* outd) {
  p.force(t, y, y, y, y, out);
  p.force(td, yd, yd, yd, yd, outd);
} ||
   (HasStates<P> && requires(const P& p, double t, const double* y, double* out, const Dual1& td, const Dual1* yd, Dual1* outd) {
     p.force(t, y, y, y, y, y, out);
     p.force(td, yd, yd, yd, yd, yd, outd);
     p.rates(t, y, y, y, y, y, out);
     p.rates(td, yd, yd, yd, yd, yd, outd);
   }));

/// The callbacks of a problem with its type erased: the scalars that the derivatives need.
class DaeFunctions {
 public:
  virtual ~DaeFunctions() = default;
  virtual DaeSizes sizes() const = 0;
  virtual void mass(double t, const double* y, double* M) const = 0;
  virtual void force(const DaePoint<double>&, double* f) const = 0;
  virtual void force(const DaePoint<Dual1>&, Dual1* f) const = 0;
  virtual void rates(const DaePoint<double>&, double* r) const = 0;
  virtual void rates(const DaePoint<Dual1>&, Dual1* r) const = 0;
  virtual void position(const DaePoint<double>&, double* g) const = 0;
  virtual void position(const DaePoint<Dual1>&, Dual1* g) const = 0;
  virtual void position(const DaePoint<Dual2>&, Dual2* g) const = 0;
  virtual void nonholonomic(const DaePoint<double>&, double* k) const = 0;
  virtual void nonholonomic(const DaePoint<Dual1>&, Dual1* k) const = 0;
};

/// Erases the type of problem P. Throws InputError when P announces rows that it has no callback for.
template <DaeProblem P>
class DaeFunctionsOf final : public DaeFunctions {
 public:
  explicit DaeFunctionsOf(P problem) : problem_(std::move(problem)) {
    if (!HasPositionRows<P> && problem_.num_position_rows > 0)
      throw InputError("a problem with position rows needs a member position(t, y, g) that accepts every scalar");
    if (!HasVelocityRows<P> && problem_.num_velocity_rows > 0)
      throw InputError("a problem with velocity rows needs a member nonholonomic(t, y, z, k) that accepts every scalar");
  }

  DaeSizes sizes() const override {
    DaeSizes sizes{problem_.num_dofs, problem_.num_position_rows, problem_.num_velocity_rows};
    if constexpr (HasStates<P>) sizes.states = problem_.num_states;
    return sizes;
  }
  void mass(double t, const double* y, double* M) const override { problem_.mass(t, y, M); }
  void force(const DaePoint<double>& x, double* f) const override { force_of(x, f); }
  void force(const DaePoint<Dual1>& x, Dual1* f) const override { force_of(x, f); }
  void rates(const DaePoint<double>& x, double* r) const override { rates_of(x, r); }
  void rates(const DaePoint<Dual1>& x, Dual1* r) const override { rates_of(x, r); }
  void position(const DaePoint<double>& x, double* g) const override { position_of(x, g); }
  void position(const DaePoint<Dual1>& x, Dual1* g) const override { position_of(x, g); }
  void position(const DaePoint<Dual2>& x, Dual2* g) const override { position_of(x, g); }
  void nonholonomic(const DaePoint<double>& x, double* k) const override { nonholonomic_of(x, k); }
  void nonholonomic(const DaePoint<Dual1>& x, Dual1* k) const override { nonholonomic_of(x, k); }

 private:
  template <class S>
  void force_of(const DaePoint<S>& x, S* f) const {
    if constexpr (HasStates<P>)
      problem_.force(x.t, x.y, x.z, x.s, x.lam, x.psi, f);
    else
      problem_.force(x.t, x.y, x.z, x.lam, x.psi, f);
  }
  template <class S>
  void rates_of(const DaePoint<S>& x, S* r) const {
    if constexpr (HasStates<P>) problem_.rates(x.t, x.y, x.z, x.s, x.lam, x.psi, r);
  }
  template <class S>
  void position_of(const DaePoint<S>& x, S* g) const {
    if constexpr (HasPositionRows<P>) problem_.position(x.t, x.y, g);
  }
  template <class S>
  void nonholonomic_of(const DaePoint<S>& x, S* k) const {
    if constexpr (HasVelocityRows<P>) problem_.nonholonomic(x.t, x.y, x.z, k);
  }

  P problem_;
};

/// The dense system of such callbacks, on one rank (MPI_COMM_SELF). Rows: g first, then k; a row vector is (lam, psi), a dof
/// vector (z, s), respectively (z', s').
/// The group is R^n: retract adds, T is the unit matrix.
///
/// M(t,y) may change and need be neither symmetric nor regular by itself. The integrators evaluate it at a predicted
/// configuration and hold it constant during a step; therefore assemble_tangent uses, in its term a M, the matrix of the
/// last call of mass_times (that of its own stage where there was no such call).
/// Not for concurrent use by two integrators.
class GeneralDae final : public DynamicSystem {
 public:
  explicit GeneralDae(std::unique_ptr<const DaeFunctions> functions);

  const Layout& layout() const override { return layout_; }
  bool is_mechanical() const override { return false; }
  bool mass_varies() const override { return true; }
  bool has_rotations() const override { return false; }

  VecHandle make_dof_vector() const override;
  VecHandle make_row_vector() const override;
  Configuration make_configuration() const override;
  void retract(const Configuration& q0, PetscVec w, Configuration& q1) const override;
  void difference(const Configuration& q0, const Configuration& q1, PetscVec w) const override;
  void chart_step(PetscVec base, double b, PetscVec z, PetscVec w) const override;
  void commutator(PetscVec u, PetscVec v, PetscVec out) const override;
  /// max |y|
  double largest_coordinate(const Configuration&) const override;
  /// Coordinates of general equations have no length in common: every one counts by itself.
  double extent() const override { return 1; }
  void dof_sizes_with(double /*length*/, PetscVec out) const override { petsc(VecSet(out, 1.0)); }
  /// |y|, |z| and |s|, component by component.
  void error_sizes(const Configuration& q, PetscVec z, PetscVec q_size, PetscVec z_size) const override;

  void mass_times(const Stage&, PetscVec a, PetscVec out) const override;
  void forces(const Stage&, PetscVec out) const override;
  void row_sizes(PetscVec out) const override { petsc(VecSet(out, 1.0)); }
  /// |f|: callbacks do not say what it is made of.
  void force_magnitudes(const Stage&, PetscVec out) const override;
  void force_change(const Stage&, PetscVec change, PetscVec out) const override;
  void constraints(const Stage&, PetscVec position, PetscVec velocity) const override;
  void constraint_drift(const Stage&, PetscVec drift) const override;

  MatHandle make_tangent_matrix() const override;
  void assemble_tangent(const Stage&, const TangentShift&, PetscVec w, PetscMat) const override;
  /// [I G^T; G 0]: M need not be symmetric, so a projection makes the least change in the Euclidean norm.
  MatHandle make_projection_matrix() const override;
  void assemble_projection(const Stage&, PetscMat) const override;

  /// The configuration y. Throws InputError when the number of values is wrong.
  Configuration configuration(std::span<const double> y) const;
  /// y of a configuration.
  std::vector<double> values(const Configuration&) const;
  const DaeSizes& sizes() const { return sizes_; }

 private:
  struct Numbers;
  Numbers numbers(const Stage&) const;
  template <class S>
  void all_forces(const DaePoint<S>&, S* f) const;
  void add_momentum_rows(const Numbers&, const TangentShift&, std::vector<double>& A) const;
  void add_gradient_rows(const Numbers&, double velocity_row_q, std::vector<double>& A) const;
  void add_curvature_rows(const Numbers&, double velocity_row_q, std::vector<double>& A) const;
  void set_values(const std::vector<double>& A, PetscMat) const;

  std::unique_ptr<const DaeFunctions> functions_;
  DaeSizes sizes_;
  Layout layout_;
  mutable std::vector<double> last_mass_;  ///< by rows; empty before the first call of mass_times
};

/// A system from a problem's callbacks, which are copied.
template <DaeProblem P>
std::unique_ptr<GeneralDae> make_general_dae(P problem) {
  return std::make_unique<GeneralDae>(std::make_unique<const DaeFunctionsOf<P>>(std::move(problem)));
}

}  // namespace sinew
