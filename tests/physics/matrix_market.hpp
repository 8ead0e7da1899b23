/// \file
/// Reads Matrix Market files and finds eigenvalues of what stands in them.
#pragma once

#include "solve/dense.hpp"
#include "solve/slepc.hpp"

#include <algorithm>
#include <complex>
#include <fstream>
#include <string>
#include <vector>

namespace sinew::test {

/// A file in coordinates or an array, as a dense matrix.
inline Dense read_matrix(const std::string& path) {
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  int rows = 0, columns = 0;
  file >> rows >> columns;
  Dense A(rows, columns);
  if (header.find("coordinate") != std::string::npos) {
    long count = 0;
    file >> count;
    for (long k = 0; k < count; ++k) {
      int i = 0, j = 0;
      file >> i >> j;
      file >> A(i - 1, j - 1);
    }
  } else {
    for (double& value : A.values) file >> value;
  }
  if (!file) throw std::runtime_error("cannot read " + path);
  return A;
}

/// Eigenvalues of A x = lambda B x, or of A x = lambda x where B is null. B may be singular: theta = 1/(lambda - 1) of (A - B)^-1
/// B x = theta x are finite, and those that are zero belong to no lambda (quotients of rounding in their place make SLEPc read
/// beyond its arrays).
inline std::vector<std::complex<double>> eigenvalues(const Dense& A, const Dense* B = nullptr) {
  constexpr double shift = 1, zero = 1e-13;
  start_slepc();
  const auto matrix = [](const Dense& values) {
    MatHandle M;
    petsc(MatCreateSeqDense(PETSC_COMM_SELF, values.rows, values.columns, nullptr, M.address()));
    for (int j = 0; j < values.columns; ++j)
      for (int i = 0; i < values.rows; ++i) petsc(MatSetValue(M, i, j, values(i, j), INSERT_VALUES));
    petsc(MatAssemblyBegin(M, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(M, MAT_FINAL_ASSEMBLY));
    return M;
  };
  MatHandle standard = matrix(A);
  if (B) {
    MatHandle shifted = std::move(standard), right = matrix(*B);
    petsc(MatAXPY(shifted, -shift, right, SAME_NONZERO_PATTERN));
    petsc(MatLUFactor(shifted, nullptr, nullptr, nullptr));
    standard = matrix(*B);
    petsc(MatMatSolve(shifted, right, standard));
  }
  EpsHandle eps;
  petsc(EPSCreate(PETSC_COMM_SELF, eps.address()));
  petsc(EPSSetOperators(eps, standard, nullptr));
  petsc(EPSSetProblemType(eps, EPS_NHEP));
  petsc(EPSSetType(eps, EPSLAPACK));
  petsc(EPSSolve(eps));
  PetscInt found = 0;
  petsc(EPSGetConverged(eps, &found));
  std::vector<std::complex<double>> list;
  for (PetscInt k = 0; k < found; ++k) {
    PetscScalar real = 0, imaginary = 0;
    petsc(EPSGetEigenvalue(eps, k, &real, &imaginary));
    const std::complex<double> value(real, imaginary);
    if (!B) list.push_back(value);
    if (B && std::abs(value) > zero) list.push_back(shift + 1.0 / value);
  }
  return list;
}

/// The distance of a number to the nearest one of a list.
inline double distance(const std::vector<std::complex<double>>& list, std::complex<double> wanted) {
  double least = 1e300;
  for (const std::complex<double>& value : list) least = std::min(least, std::abs(value - wanted));
  return least;
}

/// y of A x + B u = 0, y = C x + D u: what the outputs come to under constant inputs. Of the files in a folder.
inline Dense static_gain(const std::string& path) {
  const Dense A = read_matrix(path + "state_A.mtx"), B = read_matrix(path + "state_B.mtx");
  const Dense C = read_matrix(path + "state_C.mtx"), D = read_matrix(path + "state_D.mtx");
  return sum(D, -1.0, product(C, solution(A, B, "A")));
}

}  // namespace sinew::test
