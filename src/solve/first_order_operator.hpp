/// \file
/// Shift and invert for M w'' + D w' + K w + G^T mu = 0, G w = 0 as a first-order system in displacements and velocities alone.
#pragma once

#include "linear/exact_rows.hpp"
#include "solve/linearised.hpp"

#include <exception>
#include <optional>

namespace sinew {

/// The matrix B: (w0, u0) -> (w, u) whose eigenvalues are theta = 1 / (lambda - sigma), velocities being counted in units of
/// sigma, v = sigma u:
///
///   P(sigma) w + G^T mu = -(M v0 + (D + sigma M) w0),  G w = 0,  v = w0 + sigma w,  P(sigma) = K + sigma D + sigma^2 M.
///
/// Nonholonomic rows with rates, k_z w' + k_q w = 0, read (k_q + sigma k_z) w = -k_z w0.
///
/// The multipliers are solved for within every product and are no part of the vectors: the infinite eigenvalues that they bring,
/// in Jordan chains, do not appear among motions that fulfil the constraints.
class FirstOrderOperator {
 public:
  /// sigma > 0. The factorisation is made at the first product. System and matrices must outlive it. Collective.
  FirstOrderOperator(const System&, const LinearisedSystem&, double sigma);
  FirstOrderOperator(const FirstOrderOperator&) = delete;
  FirstOrderOperator& operator=(const FirstOrderOperator&) = delete;

  PetscMat matrix() const { return shell_; }
  /// y = B x. Throws SolveError where P(sigma) is singular, Stopped where a signal asks for it. Collective.
  void apply(PetscVec x, PetscVec y);
  /// A vector whose parts fulfil the constraints, another one for every number. Collective.
  VecHandle start_vector(int number);
  /// The displacements of a vector. Local.
  void displacements(PetscVec x, PetscVec w) const;
  /// The part of a solution that redundant rows leave open, see ExactRows. Local.
  double inaccuracy() const { return exact_->left(); }

 private:
  static PetscErrorCode multiply(PetscMat, PetscVec, PetscVec);
  void add_product(PetscMat, double factor, PetscVec dofs, PetscVec sum);
  void refine();

  const System& system_;
  const LinearisedSystem& linearised_;
  double sigma_;
  MatHandle P_, shell_;
  KspHandle ksp_;
  std::optional<ExactRows> exact_;
  VecHandle w_, u_, sum_, no_rows_, rows_, kkt_, product_;
  int solutions_ = 0;
  bool must_refine_ = false;
};

}  // namespace sinew
