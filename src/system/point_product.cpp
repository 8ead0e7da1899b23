#include "system/point_product.hpp"

#include "base/composed.hpp"
#include "base/mat_operation.hpp"
#include "base/object_type.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace sinew {

namespace {

constexpr const char* key = "sinew_point_rows";
constexpr PetscInt directions = 3;

/// Rows one after the other: three a point that are alike, or of any kind. `entry`: where those of the first one are.
struct Stretch {
  PetscInt first = 0, end = 0, entry = 0;
  bool is_alike = false;
};

/// The rows of a sequential AIJ matrix where they lie, how they are gone through, and those of points packed: what is skipped
/// would be fetched from memory all the same.
struct PointRows {
  PetscInt count = 0;
  const PetscInt *starts = nullptr, *columns = nullptr;
  std::vector<Stretch> stretches;
  std::vector<PetscInt> packed_columns;
  std::vector<double> packed_values;
};

/// Do rows i, i + 1, i + 2 hold the same numbers, each a column further on? Not said of single numbers, masses of bodies: there
/// is nothing to gain.
bool are_alike(const PointRows& rows, const PetscScalar* values, PetscInt i) {
  const PetscInt begin = rows.starts[i], end = rows.starts[i + 1];
  if (end - begin < 2) return false;
  for (PetscInt d = 1; d < directions; ++d) {
    const PetscInt other = rows.starts[i + d];
    if (rows.starts[i + d + 1] - other != end - begin) return false;
    for (PetscInt k = 0; k < end - begin; ++k)
      if (rows.columns[other + k] != rows.columns[begin + k] + d || values[other + k] != values[begin + k]) return false;
  }
  return true;
}

void find_stretches(const PetscScalar* values, PointRows& rows) {
  for (PetscInt i = 0; i < rows.count;) {
    const bool is_alike = i + directions <= rows.count && are_alike(rows, values, i);
    const PetscInt next = i + (is_alike ? directions : 1);
    if (!rows.stretches.empty() && rows.stretches.back().is_alike == is_alike)
      rows.stretches.back().end = next;
    else
      rows.stretches.push_back({i, next, is_alike ? static_cast<PetscInt>(rows.packed_values.size()) : rows.starts[i], is_alike});
    if (is_alike) {
      rows.packed_columns.insert(rows.packed_columns.end(), rows.columns + rows.starts[i], rows.columns + rows.starts[i + 1]);
      rows.packed_values.insert(rows.packed_values.end(), values + rows.starts[i], values + rows.starts[i + 1]);
    }
    i = next;
  }
}

/// MatMult of PETSc.
PetscErrorCode multiply(PetscMat A, PetscVec x, PetscVec y) {
  const PointRows& rows = *composed<PointRows>(A, key);
  const PetscScalar *values = nullptr, *from = nullptr;
  PetscScalar* to = nullptr;
  PetscCall(MatSeqAIJGetArrayRead(A, &values));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  for (const Stretch& s : rows.stretches) {
    PetscInt k = s.entry;
    if (s.is_alike) {
      const PetscInt* const columns = rows.packed_columns.data();
      const double* const numbers = rows.packed_values.data();
      for (PetscInt i = s.first; i < s.end; i += directions) {
        double along_x = 0, along_y = 0, along_z = 0;
        for (const PetscInt end = k + rows.starts[i + 1] - rows.starts[i]; k < end; ++k) {
          const double number = numbers[k];
          const PetscScalar* const point = from + columns[k];
          along_x += number * point[0];
          along_y += number * point[1];
          along_z += number * point[2];
        }
        to[i] = along_x;
        to[i + 1] = along_y;
        to[i + 2] = along_z;
      }
    } else {
      for (PetscInt i = s.first; i < s.end; ++i) {
        double sum = 0;
        for (; k < rows.starts[i + 1]; ++k) sum += values[k] * from[rows.columns[k]];
        to[i] = sum;
      }
    }
  }
  PetscCall(VecRestoreArray(y, &to));
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(MatSeqAIJRestoreArrayRead(A, &values));
  return PetscErrorCode(0);
}

}  // namespace

void multiply_by_points(PetscMat A) {
  PetscMat block = A;
  if (is_distributed_aij(A)) petsc(MatMPIAIJGetSeqAIJ(A, &block, nullptr, nullptr));
  if (is_of_kokkos(block)) return;  // its product is Kokkos'
  auto rows = std::make_unique<PointRows>();
  PetscBool done = PETSC_FALSE;
  petsc(MatGetRowIJ(block, 0, PETSC_FALSE, PETSC_FALSE, &rows->count, &rows->starts, &rows->columns, &done));
  if (!done) return;
  const PetscScalar* values = nullptr;
  petsc(MatSeqAIJGetArrayRead(block, &values));
  find_stretches(values, *rows);
  petsc(MatSeqAIJRestoreArrayRead(block, &values));
  const bool any = std::any_of(rows->stretches.begin(), rows->stretches.end(), [](const Stretch& s) { return s.is_alike; });
  if (!any) return;
  compose(block, key, std::move(rows));
  set_operation(MatSetOperation, block, MATOP_MULT, multiply);
}

}  // namespace sinew
