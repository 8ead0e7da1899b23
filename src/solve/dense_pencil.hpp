/// \file
/// Eigenvalues of small dense pencils and matrices, by LAPACK.
#pragma once

#include "solve/dense.hpp"

#include <complex>
#include <vector>

namespace sinew {

/// A x = theta B x.
struct PencilPair {
  double theta = 0;
  std::vector<double> x;
};

/// Is A = A^T, up to `tolerance` of its largest entry?
bool is_symmetric(const Dense& A, double tolerance);

/// The pairs with a real eigenvalue of square matrices, by falling |theta|; infinite ones are left out. Where A and B are
/// symmetric and B is positive all of them, also those of multiple eigenvalues, orthogonal in B. Throws SolveError where LAPACK
/// finds none. Serial.
std::vector<PencilPair> real_pairs(Dense A, Dense B);

/// A x = theta x.
struct ComplexPair {
  std::complex<double> theta;
  std::vector<double> real, imaginary;  ///< of x
};

/// All of them, by falling |theta|. Throws SolveError where LAPACK finds none. Serial.
std::vector<ComplexPair> complex_pairs(Dense A);

}  // namespace sinew
