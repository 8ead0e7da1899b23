#include "integrate/doubled_matrix.hpp"

#include "linear/matrix_rows.hpp"
#include "system/regularisation.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

DoubledMatrix::DoubledMatrix(const DynamicSystem& system)
    : system_(system), n_(system.layout().num_dofs), m_(system.layout().num_rows) {
  int size = 1;
  MPI_Comm_size(system_.layout().comm, &size);
  dofs_of_rank_.resize(size);
  MPI_Allgather(&n_, 1, MPIU_INT, dofs_of_rank_.data(), 1, MPIU_INT, system_.layout().comm);
  const PetscInt mine = n_ + m_;
  kkt_start_.assign(static_cast<std::size_t>(size) + 1, 0);
  MPI_Allgather(&mine, 1, MPIU_INT, kkt_start_.data() + 1, 1, MPIU_INT, system_.layout().comm);
  std::partial_sum(kkt_start_.begin(), kkt_start_.end(), kkt_start_.begin());
}

MatHandle DoubledMatrix::make_matrix() const {
  MatHandle J;
  petsc(MatCreate(system_.layout().comm, J.address()));
  petsc(MatSetSizes(J, 2 * (n_ + m_), 2 * (n_ + m_), PETSC_DETERMINE, PETSC_DETERMINE));
  petsc(MatSetType(J, MATAIJ));
  petsc(MatSetUp(J));
  petsc(MatSetOption(J, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  return J;
}

VecHandle DoubledMatrix::make_vector() const {
  VecHandle v;
  petsc(VecCreateMPI(system_.layout().comm, 2 * (n_ + m_), PETSC_DETERMINE, v.address()));
  petsc(VecSet(v, 0.0));
  return v;
}

std::size_t DoubledMatrix::owner(PetscInt kkt_index) const {
  return static_cast<std::size_t>(std::upper_bound(kkt_start_.begin(), kkt_start_.end(), kkt_index) - kkt_start_.begin() - 1);
}

PetscInt DoubledMatrix::doubled(PetscInt kkt_index, int set) const {
  const std::size_t rank = owner(kkt_index);
  const PetscInt start = kkt_start_[rank], length = kkt_start_[rank + 1] - start;
  return 2 * start + set * length + (kkt_index - start);
}

void DoubledMatrix::split(PetscVec x, PetscVec dofs0, PetscVec rows0, PetscVec dofs1, PetscVec rows1) const {
  const VecRead from(x);
  const double* next = from.data();
  const auto take = [&next](PetscVec target, PetscInt count) {
    VecWrite to(target);
    std::copy_n(next, count, to.data());
    next += count;
  };
  take(dofs0, n_);
  take(rows0, m_);
  take(dofs1, n_);
  take(rows1, m_);
}

void DoubledMatrix::join(PetscVec dofs0, PetscVec rows0, PetscVec dofs1, PetscVec rows1, PetscVec x) const {
  VecWrite to(x);
  double* next = to.data();
  const auto put = [&next](PetscVec source, PetscInt count) {
    const VecRead from(source);
    next = std::copy_n(from.data(), count, next);
  };
  put(dofs0, n_);
  put(rows0, m_);
  put(dofs1, n_);
  put(rows1, m_);
}

void DoubledMatrix::add(PetscMat block, const BlockPart& part, PetscMat J) const {
  PetscInt first = 0, last = 0;
  petsc(MatGetOwnershipRange(block, &first, &last));
  std::vector<PetscInt> columns;
  std::vector<double> values;
  for (PetscInt row = first; row < last; ++row) {
    const bool is_momentum = row - first < n_;
    if (is_momentum ? !part.momentum : !part.constraints) continue;
    columns.clear();
    values.clear();
    for_entries(block, row, [&](PetscInt column, double value) {
      const std::size_t rank = owner(column);
      const bool is_dof = column - kkt_start_[rank] < dofs_of_rank_[rank];
      if (part.dof_columns_only && !is_dof) return;
      columns.push_back(doubled(column, part.column));
      values.push_back(value);
    });
    const PetscInt target = doubled(row, part.row);
    petsc(MatSetValues(J, 1, &target, static_cast<PetscInt>(columns.size()), columns.data(), values.data(), ADD_VALUES));
  }
}

void DoubledMatrix::note_regularisation_of(PetscMat block, PetscMat J) const {
  PetscVec r = noted_regularisation(block);
  if (r == nullptr) return note_regularisation(J, nullptr);
  VecHandle both = make_vector();
  {
    const VecRead from(r);
    VecWrite to(both);
    std::copy_n(from.data(), n_ + m_, to.data());
    std::copy_n(from.data(), n_ + m_, to.data() + n_ + m_);
  }
  note_regularisation(J, both);
}

}  // namespace sinew
