/// \file
/// How firmly redundant constraints hold where the matrix is one of stiffness.
#pragma once

#include "system/system.hpp"

namespace sinew {

/// Redundant rows are held by a regularisation R in proportion to the masses (see System::regularise), which says nothing where
/// the rest of the matrix A is a stiffness: beside members that are far stiffer than heavy they would be soft springs.
///   R_r := min(R_r, delta (sum g^2 s^2)^2 / sum g^2 s^4 |A_jj|)            g: the row's entries, s: the sizes of its dofs
/// a small part of what the rows' own members give way; delta = 1e-6. Does nothing where nothing is redundant. Collective.
void hold_beside_stiffness(const System&, PetscMat A);

/// Where masses stand in A with a factor, K + square M, R is one in proportion to them as they stand there at most:
///   R_r := min(R_r, eps (G D^-1 G^T)_rr / square)            eps, D: see System::regularise
/// Beside masses that are shaken by 1e6 rad/s what serves those that move by themselves would hold nothing. Rows that miss each
/// other (G^T v = d) hold by d d^T / R what they shall not hold, the more the smaller R is: models that have such keep theirs.
/// `rates`: the factor of nonholonomic rows in A. Does nothing where nothing is redundant. Collective.
void hold_beside_masses(const System&, PetscMat A, double square, double rates = 1);

/// What is subtracted from the diagonal of A in constraint rows, 0 elsewhere, as a KKT vector; nothing where none are redundant.
/// The rows of the equations themselves have nothing there. Collective.
VecHandle regularised_rows(const System&, PetscMat A);

}  // namespace sinew
