#include "solve/motion_space.hpp"

#include "linear/matrix_rows.hpp"
#include "solve/state_space.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Rows that depend on others up to this part do not count.
constexpr double dependent = 1e-9;
/// A misfit of the model may show in a row so many times larger.
constexpr double misfits = 10;

/// Which KKT unknowns are multipliers, in their order over all ranks. Collective.
std::vector<char> multiplier_marks(const System& system) {
  const Layout& layout = system.layout();
  PetscInt before = 0, own = layout.num_dofs + layout.num_rows;
  MPI_Exscan(&own, &before, 1, MPIU_INT, MPI_SUM, layout.comm);
  std::vector<char> marks(static_cast<std::size_t>(system.global_dofs() + system.global_rows()), 0);
  std::fill_n(marks.begin() + before + layout.num_dofs, layout.num_rows, char(1));
  MPI_Allreduce(MPI_IN_PLACE, marks.data(), static_cast<int>(marks.size()), MPI_CHAR, MPI_MAX, layout.comm);
  return marks;
}

}  // namespace

MotionSpace::MotionSpace(const System& system, PetscMat kkt) : system_(system), is_multiplier_(multiplier_marks(system)) {
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(kkt, &first, nullptr));
  first_dof_ = static_cast<int>(std::count(is_multiplier_.begin(), is_multiplier_.begin() + first, char(0)));
  const double length = system.extent() > 0 ? system.extent() : 1.0;
  Z_ = RowSpace(gather(kkt, 1), std::max(dependent, misfits * system.misfit() / length)).null_space();
}

/// The rows of A that are, or are not, those of multipliers, and the columns that are not.
Dense MotionSpace::gather(PetscMat A, char of_multipliers) const {
  std::vector<std::int64_t> place;
  std::int64_t counts[2] = {0, 0};
  for (const char mark : is_multiplier_) place.push_back(counts[static_cast<int>(mark)]++);
  PetscInt first = 0, last = 0;
  petsc(MatGetOwnershipRange(A, &first, &last));
  std::vector<MatrixEntry> entries;
  for (PetscInt i = first; i < last; ++i) {
    if (is_multiplier_[static_cast<std::size_t>(i)] != of_multipliers) continue;
    for_entries(A, i, [&](PetscInt j, double value) {
      const auto column = static_cast<std::size_t>(j);
      if (!is_multiplier_[column]) entries.push_back({place[static_cast<std::size_t>(i)], place[column], value});
    });
  }
  return gather_dense(system_.layout().comm, entries, counts[static_cast<int>(of_multipliers)], counts[0]);
}

Dense MotionSpace::reduced(PetscMat A) const { return product(transposed(Z_), product(gather(A, 0), Z_)); }

std::vector<double> MotionSpace::motion(const double* x) const {
  std::vector<double> w(static_cast<std::size_t>(system_.layout().num_dofs), 0.0);
  for (int j = 0; j < Z_.columns; ++j)
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += Z_(first_dof_ + static_cast<int>(i), j) * x[j];
  return w;
}

std::vector<double> MotionSpace::coordinates(const double* w) const {
  std::vector<double> x(static_cast<std::size_t>(Z_.columns), 0.0);
  for (int j = 0; j < Z_.columns; ++j)
    for (int i = 0; i < system_.layout().num_dofs; ++i) x[static_cast<std::size_t>(j)] += Z_(first_dof_ + i, j) * w[i];
  MPI_Allreduce(MPI_IN_PLACE, x.data(), Z_.columns, MPI_DOUBLE, MPI_SUM, system_.layout().comm);
  return x;
}

}  // namespace sinew
