#include "solve/dense_pencil.hpp"

#include "base/petsc.hpp"

#include <slepceps.h>

#include <slepcblaslapack.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// What differences of tangents leave of symmetry. A part so small that is not symmetric moves the eigenvalues by its square.
constexpr double unsymmetric = 1e-6;
/// An imaginary part below this share of the real one is what rounding makes of a multiple eigenvalue.
constexpr double real_enough = 1e-4;

/// By Cholesky factors of B; false where B is not positive.
bool symmetric_pairs(Dense A, Dense B, std::vector<PencilPair>& pairs) {
  const PetscBLASInt kind = 1, n = A.rows, space = std::max(1, 64 * n);
  PetscBLASInt info = 0;
  std::vector<double> theta(static_cast<std::size_t>(n)), work(static_cast<std::size_t>(space));
  LAPACKsygv_(&kind, "V", "U", &n, A.values.data(), &n, B.values.data(), &n, theta.data(), work.data(), &space, &info);
  if (info != 0) return false;
  for (int j = 0; j < n; ++j)
    pairs.push_back({theta[static_cast<std::size_t>(j)], std::vector<double>(A.column(j), A.column(j) + n)});
  return true;
}

std::vector<PencilPair> general_pairs(Dense A, Dense B) {
  const PetscBLASInt n = A.rows, one = 1, space = std::max(1, 64 * n);
  const auto size = static_cast<std::size_t>(n);
  PetscBLASInt info = 0;
  std::vector<double> real(size), imaginary(size), beta(size), work(static_cast<std::size_t>(space));
  Dense X(n, n);
  double unused = 0;
  LAPACKggev_("N", "V", &n, A.values.data(), &n, B.values.data(), &n, real.data(), imaginary.data(), beta.data(), &unused, &one,
              X.values.data(), &n, work.data(), &space, &info);
  if (info != 0) throw SolveError("the eigenvalues of the reduced equations cannot be found (LAPACK's ggev does not converge)");
  std::vector<PencilPair> pairs;
  for (std::size_t j = 0; j < size; ++j) {
    const bool is_finite = std::abs(beta[j]) > std::numeric_limits<double>::epsilon() * std::abs(real[j]);
    if (!is_finite || std::abs(imaginary[j]) > real_enough * std::abs(real[j])) continue;
    // the columns of a pair that rounding has made complex span its two directions
    const double* x = X.column(static_cast<int>(j));
    pairs.push_back({real[j] / beta[j], std::vector<double>(x, x + n)});
  }
  return pairs;
}

/// 1/sqrt(|B_ii|); 1 where there is nothing. Places and rotations have units of their own: in these all are alike.
std::vector<double> sizes_of_unit_diagonal(const Dense& B) {
  std::vector<double> sizes(static_cast<std::size_t>(B.rows), 1.0);
  for (int i = 0; i < B.rows; ++i)
    if (const double diagonal = std::abs(B(i, i)); diagonal > 0) sizes[static_cast<std::size_t>(i)] = 1 / std::sqrt(diagonal);
  return sizes;
}

void scale(Dense& A, const std::vector<double>& sizes) {
  for (int j = 0; j < A.columns; ++j)
    for (int i = 0; i < A.rows; ++i) A(i, j) *= sizes[static_cast<std::size_t>(i)] * sizes[static_cast<std::size_t>(j)];
}

Dense symmetric_part(const Dense& A) {
  Dense S = sum(A, 1.0, transposed(A));
  for (double& value : S.values) value /= 2;
  return S;
}

}  // namespace

bool is_symmetric(const Dense& A, double tolerance) {
  double largest = 0, difference = 0;
  for (int j = 0; j < A.columns; ++j)
    for (int i = 0; i < A.rows; ++i) {
      largest = std::max(largest, std::abs(A(i, j)));
      difference = std::max(difference, std::abs(A(i, j) - A(j, i)));
    }
  return difference <= tolerance * largest;
}

std::vector<PencilPair> real_pairs(Dense A, Dense B) {
  std::vector<PencilPair> pairs;
  if (A.rows == 0) return pairs;
  const std::vector<double> sizes = sizes_of_unit_diagonal(B);
  scale(A, sizes);
  scale(B, sizes);
  const bool symmetric = is_symmetric(A, unsymmetric) && is_symmetric(B, unsymmetric);
  if (!symmetric || !symmetric_pairs(symmetric_part(A), symmetric_part(B), pairs)) pairs = general_pairs(A, B);
  for (PencilPair& pair : pairs)
    for (std::size_t i = 0; i < sizes.size(); ++i) pair.x[i] *= sizes[i];
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const PencilPair& a, const PencilPair& b) { return std::abs(a.theta) > std::abs(b.theta); });
  return pairs;
}

std::vector<ComplexPair> complex_pairs(Dense A) {
  std::vector<ComplexPair> pairs;
  const PetscBLASInt n = A.rows, one = 1, space = std::max(1, 64 * n);
  if (n == 0) return pairs;
  const auto size = static_cast<std::size_t>(n);
  PetscBLASInt info = 0;
  std::vector<double> real(size), imaginary(size), work(static_cast<std::size_t>(space));
  Dense X(n, n);
  double unused = 0;
  LAPACKgeev_("N", "V", &n, A.values.data(), &n, real.data(), imaginary.data(), &unused, &one, X.values.data(), &n, work.data(),
              &space, &info);
  if (info != 0) throw SolveError("the eigenvalues of the reduced equations cannot be found (LAPACK's geev does not converge)");
  for (int j = 0; j < n; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const std::vector<double> x(X.column(j), X.column(j) + n);
    if (imaginary[k] == 0) {
      pairs.push_back({real[k], x, std::vector<double>(size, 0.0)});
      continue;
    }
    // a conjugate pair stands in two columns
    const std::vector<double> y(X.column(j + 1), X.column(j + 1) + n);
    std::vector<double> minus = y;
    for (double& value : minus) value = -value;
    pairs.push_back({{real[k], imaginary[k]}, x, y});
    pairs.push_back({{real[k], -imaginary[k]}, x, minus});
    ++j;
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const ComplexPair& a, const ComplexPair& b) { return std::abs(a.theta) > std::abs(b.theta); });
  return pairs;
}

}  // namespace sinew
