/// \file
/// What Sinew calls of NVIDIA's cuDSS, 1.0, with dense LU on the host behind it: for machines without a GPU. It insists on the
/// order of calls that the library asks for, and fails where that is not kept. Names and arguments are those of the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

enum cudssStatus_t { CUDSS_STATUS_SUCCESS, CUDSS_STATUS_INVALID_VALUE, CUDSS_STATUS_EXECUTION_FAILED };
enum cudaDataType_t { CUDA_R_64F, CUDA_R_32I, CUDA_R_64I };
enum cudssLayout_t { CUDSS_LAYOUT_COL_MAJOR };
enum cudssMatrixType_t { CUDSS_MTYPE_GENERAL };
enum cudssMatrixViewType_t { CUDSS_MVIEW_FULL };
enum cudssIndexBase_t { CUDSS_BASE_ZERO };
enum cudssDataParam_t { CUDSS_DATA_INFO, CUDSS_DATA_LU_NNZ, CUDSS_DATA_NPIVOTS };
enum cudssPhase_t {
  CUDSS_PHASE_ANALYSIS = 3,
  CUDSS_PHASE_FACTORIZATION = 4,
  CUDSS_PHASE_REFACTORIZATION = 8,
  CUDSS_PHASE_SOLVE = 16
};

namespace cudss_stand_in {

/// How often each phase ran, for tests to look at.
struct Calls {
  int analyses = 0, factorisations = 0, refactorisations = 0, solutions = 0, objects = 0;
};
inline Calls calls;

struct Matrix {
  std::int64_t n = 0, columns = 0;
  double* values = nullptr;
  const void *starts = nullptr, *places = nullptr;
  bool is_wide = false;
  std::int64_t start(std::int64_t i) const { return number(starts, i); }
  std::int64_t place(std::int64_t k) const { return number(places, k); }

 private:
  std::int64_t number(const void* list, std::int64_t i) const {
    return is_wide ? static_cast<const std::int64_t*>(list)[i] : static_cast<const std::int32_t*>(list)[i];
  }
};

/// Factors by columns, with rows exchanged.
struct Factors {
  bool is_analysed = false, is_factorised = false;
  std::vector<double> lu;
  std::vector<std::int64_t> order;
  double& at(std::int64_t i, std::int64_t j) {
    return lu[static_cast<std::size_t>(j * static_cast<std::int64_t>(order.size()) + i)];
  }

  bool factorise(const Matrix& A) {
    lu.assign(static_cast<std::size_t>(A.n * A.n), 0.0);
    order.assign(static_cast<std::size_t>(A.n), 0);
    for (std::int64_t i = 0; i < A.n; ++i) {
      order[static_cast<std::size_t>(i)] = i;
      for (std::int64_t k = A.start(i); k < A.start(i + 1); ++k) at(i, A.place(k)) = A.values[k];
    }
    for (std::int64_t k = 0; k < A.n; ++k) {
      std::int64_t pivot = k;
      for (std::int64_t i = k; i < A.n; ++i)
        if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
      if (at(pivot, k) == 0) return false;
      for (std::int64_t j = 0; j < A.n; ++j) std::swap(at(k, j), at(pivot, j));
      std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(pivot)]);
      for (std::int64_t i = k + 1; i < A.n; ++i) at(i, k) /= at(k, k);
      for (std::int64_t j = k + 1; j < A.n; ++j)
        for (std::int64_t i = k + 1; i < A.n; ++i) at(i, j) -= at(i, k) * at(k, j);
    }
    return true;
  }

  void solve(const double* b, double* x) {
    const auto n = static_cast<std::int64_t>(order.size());
    for (std::int64_t i = 0; i < n; ++i) x[i] = b[order[static_cast<std::size_t>(i)]];
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = j + 1; i < n; ++i) x[i] -= at(i, j) * x[j];
    for (std::int64_t j = n - 1; j >= 0; --j) {
      x[j] /= at(j, j);
      for (std::int64_t i = 0; i < j; ++i) x[i] -= at(i, j) * x[j];
    }
  }
};

template <class T>
cudssStatus_t make(T** object) {
  *object = new T();
  ++calls.objects;
  return CUDSS_STATUS_SUCCESS;
}
template <class T>
cudssStatus_t destroy(T* object) {
  delete object;
  --calls.objects;
  return CUDSS_STATUS_SUCCESS;
}

struct Nothing {};

}  // namespace cudss_stand_in

using cudssHandle_t = cudss_stand_in::Nothing*;
using cudssConfig_t = cudss_stand_in::Nothing*;
using cudssData_t = cudss_stand_in::Factors*;
using cudssMatrix_t = cudss_stand_in::Matrix*;

inline cudssStatus_t cudssCreate(cudssHandle_t* handle) { return cudss_stand_in::make(handle); }
inline cudssStatus_t cudssDestroy(cudssHandle_t handle) { return cudss_stand_in::destroy(handle); }
inline cudssStatus_t cudssConfigCreate(cudssConfig_t* config) { return cudss_stand_in::make(config); }
inline cudssStatus_t cudssConfigDestroy(cudssConfig_t config) { return cudss_stand_in::destroy(config); }
inline cudssStatus_t cudssDataCreate(cudssHandle_t, cudssData_t* data) { return cudss_stand_in::make(data); }
inline cudssStatus_t cudssDataDestroy(cudssHandle_t, cudssData_t data) { return cudss_stand_in::destroy(data); }
inline cudssStatus_t cudssMatrixDestroy(cudssMatrix_t matrix) { return cudss_stand_in::destroy(matrix); }

inline cudssStatus_t cudssMatrixCreateCsr(cudssMatrix_t* matrix, std::int64_t n, std::int64_t columns, std::int64_t,
                                          const void* starts, const void* ends, const void* places, const void* values,
                                          cudaDataType_t offsets, cudaDataType_t indices, cudaDataType_t, cudssMatrixType_t,
                                          cudssMatrixViewType_t, cudssIndexBase_t) {
  if (n != columns || ends != nullptr || offsets != indices || offsets == CUDA_R_64F) return CUDSS_STATUS_INVALID_VALUE;
  cudss_stand_in::make(matrix);
  **matrix = {n, columns, static_cast<double*>(const_cast<void*>(values)), starts, places, offsets == CUDA_R_64I};
  return CUDSS_STATUS_SUCCESS;
}

inline cudssStatus_t cudssMatrixCreateDn(cudssMatrix_t* matrix, std::int64_t n, std::int64_t columns, std::int64_t stride,
                                         const void* values, cudaDataType_t, cudssLayout_t) {
  if (stride != n) return CUDSS_STATUS_INVALID_VALUE;
  cudss_stand_in::make(matrix);
  **matrix = {n, columns, static_cast<double*>(const_cast<void*>(values)), nullptr, nullptr, false};
  return CUDSS_STATUS_SUCCESS;
}

inline cudssStatus_t cudssExecute(cudssHandle_t, int phase, cudssConfig_t, cudssData_t data, cudssMatrix_t A, cudssMatrix_t x,
                                  cudssMatrix_t b) {
  using cudss_stand_in::calls;
  if (phase == CUDSS_PHASE_ANALYSIS) {
    ++calls.analyses;
    data->is_analysed = true;
  } else if (phase == CUDSS_PHASE_FACTORIZATION || phase == CUDSS_PHASE_REFACTORIZATION) {
    const bool is_new = phase == CUDSS_PHASE_FACTORIZATION;
    if (!data->is_analysed || (!is_new && !data->is_factorised)) return CUDSS_STATUS_INVALID_VALUE;
    ++(is_new ? calls.factorisations : calls.refactorisations);
    data->is_factorised = data->factorise(*A);
    if (!data->is_factorised) return CUDSS_STATUS_EXECUTION_FAILED;
  } else if (phase == CUDSS_PHASE_SOLVE) {
    if (!data->is_factorised || x->columns != b->columns) return CUDSS_STATUS_INVALID_VALUE;
    ++calls.solutions;
    for (std::int64_t k = 0; k < b->columns; ++k) data->solve(b->values + k * b->n, x->values + k * b->n);
  } else {
    return CUDSS_STATUS_INVALID_VALUE;
  }
  return CUDSS_STATUS_SUCCESS;
}

inline cudssStatus_t cudssDataGet(cudssHandle_t, cudssData_t data, cudssDataParam_t what, void* value, std::size_t size,
                                  std::size_t* written) {
  *written = size;
  if (what == CUDSS_DATA_LU_NNZ)
    *static_cast<std::int64_t*>(value) = static_cast<std::int64_t>(data->lu.size());
  else
    *static_cast<int*>(value) = 0;
  return CUDSS_STATUS_SUCCESS;
}
