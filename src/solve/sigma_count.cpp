#include "solve/sigma_count.hpp"

#include "linear/matrix_rows.hpp"
#include "solve/inertia.hpp"
#include "system/regularisation.hpp"

#include <cmath>
#include <vector>

namespace sinew {

namespace {

/// Rows with more entries stay: a row of w unknowns would leave w^2 entries. Joints of rigid bodies and nodes have up to some 50.
constexpr PetscInt few_entries = 100;

/// M gets a positive diagonal, the rows one of zero.
void set_masses(const DynamicSystem& system, PetscMat A) {
  VecHandle diagonal = make_kkt_vector(system.layout()), least = system.make_dof_vector();
  petsc(MatGetDiagonal(A, diagonal));
  system.least_masses(least);
  {
    const VecRead of_least(least);
    VecWrite d(diagonal);
    const PetscInt n = system.layout().num_dofs;
    for (PetscInt i = 0; i < n; ++i)
      if (!(d[i] > 0)) d[i] = of_least[i];
    for (PetscInt r = 0; r < system.layout().num_rows; ++r) d[n + r] = 0;
  }
  petsc(MatDiagonalSet(A, diagonal, INSERT_VALUES));
}

/// D of the rows, behind zeros.
VecHandle sizes_of_rows(const DynamicSystem& system) {
  VecHandle sizes = make_kkt_vector(system.layout()), dofs = system.make_dof_vector(), strengths = system.make_row_vector();
  system.row_strengths(strengths);
  {
    VecWrite strength(strengths);
    for (PetscInt r = 0; r < system.layout().num_rows; ++r)
      if (!(strength[r] > 0)) strength[r] = 1.0;
  }
  join_kkt(dofs, strengths, sizes);
  return sizes;
}

IsHandle indices(MPI_Comm comm, const std::vector<PetscInt>& of) {
  IsHandle result;
  petsc(ISCreateGeneral(comm, static_cast<PetscInt>(of.size()), of.data(), PETSC_COPY_VALUES, result.address()));
  return result;
}

PetscInt num_entries(PetscMat A, PetscInt row) {
  PetscInt count = 0;
  for_entries(A, row, [&count](PetscInt, double value) { count += value != 0 ? 1 : 0; });
  return count;
}

}  // namespace

SigmaCount::SigmaCount(const DynamicSystem& system, const Stage& stage) {
  MPI_Allreduce(&system.layout().num_rows, &rows_, 1, MPIU_INT, MPI_SUM, system.layout().comm);
  const MatHandle A = system.make_projection_matrix();
  system.assemble_projection(stage, A);
  note_regularisation(A, nullptr);
  set_masses(system, A);
  split(A, sizes_of_rows(system));
}

/// A = [M G^T; G 0] into what stays and the stiffness of the rows that are eliminated.
void SigmaCount::split(PetscMat A, PetscVec D) {
  std::vector<PetscInt> stay, go;
  std::vector<double> inverse_roots;
  PetscInt first = 0, last = 0;
  petsc(MatGetOwnershipRange(A, &first, &last));
  {
    const VecRead d(D);
    for (PetscInt i = first; i < last; ++i) {
      const bool goes = d[i - first] > 0 && num_entries(A, i) <= few_entries;
      (goes ? go : stay).push_back(i);
      if (goes) inverse_roots.push_back(1 / std::sqrt(d[i - first]));
    }
  }
  const IsHandle staying = indices(comm_of(A), stay), going = indices(comm_of(A), go);
  petsc(MatCreateSubMatrix(A, staying, staying, MAT_INITIAL_MATRIX, kept_.address()));
  MatHandle G;
  petsc(MatCreateSubMatrix(A, going, staying, MAT_INITIAL_MATRIX, G.address()));
  VecHandle scale;
  petsc(MatCreateVecs(kept_, diagonal_.address(), nullptr));
  petsc(MatCreateVecs(G, nullptr, scale.address()));
  {
    const VecRead d(D);
    VecWrite kept(diagonal_), s(scale);
    for (std::size_t i = 0; i < stay.size(); ++i) kept[static_cast<PetscInt>(i)] = d[stay[i] - first];
    for (std::size_t i = 0; i < go.size(); ++i) s[static_cast<PetscInt>(i)] = inverse_roots[i];
  }
  petsc(MatDiagonalScale(G, scale, nullptr));
  petsc(MatTransposeMatMult(G, G, MAT_INITIAL_MATRIX, PETSC_DEFAULT, stiffness_.address()));
}

std::optional<PetscInt> SigmaCount::below(double s) const {
  VecHandle diagonal = duplicate(diagonal_);
  petsc(VecCopy(diagonal_, diagonal));
  petsc(VecScale(diagonal, s));
  MatHandle A;
  petsc(MatDuplicate(kept_, MAT_COPY_VALUES, A.address()));
  petsc(MatDiagonalSet(A, diagonal, ADD_VALUES));
  petsc(MatAXPY(A, -1 / s, stiffness_, DIFFERENT_NONZERO_PATTERN));
  const std::optional<PetscInt> above = negative_eigenvalues(A);
  if (!above) return std::nullopt;
  return rows_ - *above;
}

}  // namespace sinew
