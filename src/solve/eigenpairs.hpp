/// \file
/// Eigenvalues of linearised systems nearest to a shift, with their shapes: what find_modes chooses from. See eigenmodes.hpp.
#pragma once

#include "solve/linearised.hpp"

#include <slepceps.h>

#include <complex>
#include <vector>

namespace sinew {

class MotionSpace;

using Eigenvalue = std::complex<double>;

/// An eigenvalue with the displacements of its eigenvector.
struct Eigenpair {
  Eigenvalue lambda;
  VecHandle real, imaginary;
  double inaccuracy = 0;  ///< see Mode
};

/// omega^2 below this part of the largest is round-off.
inline constexpr double eigenvalue_noise = 1e-15;
/// What solutions leave of a row's own stiffness: some 24 entries of an element, and three solutions with them, of 1e-16 each.
inline constexpr double row_noise = 1e-14;
/// What turned axes mix of the stiffness of three directions: some three products, of 1e-16 each, and as many sums.
inline constexpr double axis_noise = 1e-15;
/// What a search for rest has left out of balance may be seen in an omega that is larger than round-off's by no more than this: a
/// light part of a heavy model may truly be slow beside what is left elsewhere.
inline constexpr double rest_noise = 10;
/// Eigenvalues beyond this multiple of the largest ratio K_ii / M_ii belong to multipliers.
inline constexpr double infinite_eigenvalue = 1e6;
/// A shift that is smaller than an omega^2 by this factor costs it digits.
inline constexpr double far = 100;
/// Of SLEPc, in omega^2: a residual that shows in no printed digit of a frequency.
inline constexpr double eigenvalue_tolerance = 1e-10;
/// Up to so many unknowns, a dense matrix of motions is cheap.
inline constexpr PetscInt most_dense_unknowns = 2000;
/// Up to so many eigenvalues, a dense matrix is cheap.
inline constexpr int dense_limit = 100;

/// What factors leave of omega^2 of a shape x (KKT layout): of every row a part of its own stiffness, which may be far below the
/// stiffest row's. A heavy body on a thin wire turns slowly, and has nothing of the shear of the wire's sections in it, but for
/// what turned axes mix. By |K_ij| <= sqrt(K_ii K_jj) the diagonal tells. Infinite where nothing has mass. Collective.
double roundoff_of_rows(const System&, const LinearisedSystem&, PetscVec x);

/// What w^T K w of a shape may have from forces that a search for rest has left: such a force F turns with what carries it, which
/// is a stiffness F/lever across it. Levers may be a tenth of the model's extent. Collective.
double stiffness_left(const System&, const LinearisedSystem&, PetscVec w);

/// K w = omega^2 M w nearest to sigma, multiple eigenvalues with all their copies. Collective.
std::vector<Eigenpair> undamped_pairs(const System&, const LinearisedSystem&, int count, double sigma);

/// (lambda^2 M + lambda D + K) w = 0 nearest to sigma > 0, of conjugate ones the upper. What is at rest up to round-off has
/// lambda = 0. Collective.
std::vector<Eigenpair> damped_pairs(const System&, const LinearisedSystem&, int count, double sigma);

/// Are there redundant rows, and so few unknowns that the motions that they leave are held as a dense matrix? The matrices are
/// regularised then, against the masses: joints of stiff members would be soft in them.
bool is_for_dense(const System&, const LinearisedSystem&);

/// The `count`-th smallest of the distances of eigenvalues from a shift; infinite where there are fewer.
double nth_nearest(std::vector<double> distances, int count);

/// The sizes of dofs as a KKT vector, 0 in the rows. Collective.
VecHandle kkt_sizes(const System&);

/// Coordinates in a space of motions as displacements.
VecHandle displacements(const System&, const MotionSpace&, const double* x);

}  // namespace sinew
