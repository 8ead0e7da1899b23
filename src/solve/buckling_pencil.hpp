/// \file
/// The two matrices of linear buckling: the stiffness before the loads that are multiplied act, and what these take from it.
#pragma once

#include "solve/linearised.hpp"

namespace sinew {

/// Of load factors: shapes are as good as its root, 3e-5, as they are drawn. The base state is one of rest up to it.
inline constexpr double buckling_tolerance = 1e-9;

/// The state of the model under the loads that are kept, none as a rule: its configuration, and the multipliers that hold it.
struct BaseState {
  const Configuration& q;
  PetscVec lambda;
};

/// Along which axes rotations are counted where the model has been displaced: those of its nodes, which turn with it, or those of
/// the base state.
enum class Axes { turning, fixed };

/// K and -dK/ds as KKT matrices, see `BucklingMode`; no loads on constraint rows.
struct BucklingPencil {
  MatHandle K, S;
  VecHandle w;  ///< displacements under the loads
  Axes axes = Axes::turning;
  double rounding = 0;                 ///< relative to the diagonal of K, what of S is rounding
  bool is_symmetric = false;           ///< S is
  bool follows_displacements = false;  ///< a part of S does, by first order
};

/// What the loads that are multiplied add to the forces at q; leaves the system held without them. Throws InputError where there
/// are none. Collective.
VecHandle buckling_loads(System&, const Configuration& q);

/// The multipliers of the base state at rest (of springs under tension between joints, say). Collective.
VecHandle base_multipliers(System&, const Configuration& q);

/// Both matrices, S by stresses, reactions and displacements of the linear solution under the loads. Throws
/// SolveError where something is not held. Collective.
BucklingPencil make_buckling_pencil(System&, const BaseState&, PetscVec loads, Axes);

/// Twice the term of second order in the displacements, for w as the loads alone make it, of those parts of K that follow
/// displacements; null where none do. Collective.
MatHandle second_difference(System&, const BaseState&, const BucklingPencil&);

/// The KKT vector with zero in place of multipliers.
VecHandle motion_of(const System&, PetscVec kkt);

}  // namespace sinew
