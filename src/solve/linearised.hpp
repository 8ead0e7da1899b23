/// \file
/// The equations of motion linearised about a state of rest.
#pragma once

#include "system/system.hpp"

namespace sinew {

/// M w'' + D w' + K w + G^T mu = 0, G w = 0 for small motions q = q0 o exp(w), as matrices over KKT vectors (w, mu). K holds the
/// geometric stiffness of internal forces, of loads and, with lambda, of the constraints. First-order states s count among the w:
/// D has their s', K the rest of s' = f_s, M nothing.
struct LinearisedSystem {
  MatHandle K;                ///< [K G^T; G 0]
  MatHandle D;                ///< [D 0; 0 0]
  MatHandle M;                ///< [M 0; 0 0]
  bool is_damped = false;     ///< D is not zero
  bool is_symmetric = false;  ///< K and D are symmetric
  double scale = 1;           ///< largest K_ii / M_ii, (rad/s)^2: the highest frequencies are of its order
  double fastest = 1;         ///< rad/s: what is far beyond it is no motion's eigenvalue; by stiffness, damping and turns
  double rate = 0;            ///< about a motion: the largest angular velocity of frame and bodies, rad/s
  /// D has rows k_z: nonholonomic constraints hold as k_z w' + k_q w = 0 and not as k_z w = 0.
  bool has_rates = false;
  bool has_states = false;  ///< first-order states
  VecHandle state_sizes;    ///< where there are some: a KKT vector of their sizes, 1 in all other entries
  double left = 0;          ///< the largest force or moment that a search for the state of rest has left out of balance
  /// How the entries of D and M lie relative to those of K.
  MatStructure structure = SAME_NONZERO_PATTERN;
};

/// Sets `is_damped`, `is_symmetric`, `scale` and `fastest` from the matrices and `rate`. Collective.
void classify(const System&, LinearisedSystem&);

/// At rest in q under the loads that the system holds, with multipliers lambda. `rest`: velocities, zero but for first-order
/// states; may be null where there are none. Collective.
LinearisedSystem linearise(const System&, const Configuration& q, PetscVec lambda, PetscVec rest = nullptr);

/// The same with states over their sizes, s = S y, and their equations so: eigenvalues stay, and neither matrices nor vectors mix
/// units of states that nobody knows. Displacements are those of before, in the states they are y. Collective.
LinearisedSystem with_states_over_sizes(const System&, const LinearisedSystem&);

/// K - sigma M, with what its unknowns are. Collective.
MatHandle shifted(const LinearisedSystem&, double sigma);

/// [K G^T; G 0] alone. Collective.
MatHandle stiffness(const System&, const Configuration& q, PetscVec lambda);

/// Motions that the constraints leave, at least 1.
int freedoms(const System&);

/// Eigenvalues of the first-order form: two for every motion that the constraints leave, one where only its rate is constrained,
/// one for every first-order state. Collective.
int num_eigenvalues(const System&, const LinearisedSystem&);

/// Is A_ij = A_ji, up to round-off and what an equilibrium leaves? Every entry is judged by the largest of its rows: of a long
/// thin beam the follower force at its end changes few entries, and by little beside its stiffness against stretching, and yet
/// decides whether it flutters. Collective.
bool is_symmetric(PetscMat);

/// (A + A^T) / 2. Collective.
MatHandle symmetric_part(PetscMat A);

}  // namespace sinew
