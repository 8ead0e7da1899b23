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
  MPI_Allreduce(MPI_IN_PLACE, marks.data(), static_cast<int>(marks.size()), MPI_SIGNED_CHAR, MPI_MAX, layout.comm);
  return marks;
}

/// How many dofs the ranks before this one own.
int first_dof(const std::vector<char>& is_multiplier, PetscMat kkt) {
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(kkt, &first, nullptr));
  return static_cast<int>(std::count(is_multiplier.begin(), is_multiplier.begin() + first, char(0)));
}

/// The rows of A that are, or are not, those of multipliers, and the columns that are not. Collective.
Dense gather(const System& system, const std::vector<char>& is_multiplier, PetscMat A, char of_multipliers) {
  std::vector<std::int64_t> place;
  std::int64_t counts[2] = {0, 0};
  for (const char mark : is_multiplier) place.push_back(counts[static_cast<int>(mark)]++);
  PetscInt first = 0, last = 0;
  petsc(MatGetOwnershipRange(A, &first, &last));
  std::vector<MatrixEntry> entries;
  for (PetscInt i = first; i < last; ++i) {
    if (is_multiplier[static_cast<std::size_t>(i)] != of_multipliers) continue;
    for_entries(A, i, [&](PetscInt j, double value) {
      const auto column = static_cast<std::size_t>(j);
      if (!is_multiplier[column]) entries.push_back({place[static_cast<std::size_t>(i)], place[column], value});
    });
  }
  return gather_dense(system.layout().comm, entries, counts[static_cast<int>(of_multipliers)], counts[0]);
}

/// A basis of what these rows of constraints leave.
Dense null_space(const System& system, const Dense& rows) {
  if (rows.rows == 0) {
    Dense all(rows.columns, rows.columns);
    for (int i = 0; i < rows.columns; ++i) all(i, i) = 1;
    return all;
  }
  const double length = system.extent() > 0 ? system.extent() : 1.0;
  return RowSpace(rows, std::max(dependent, misfits * system.misfit() / length)).null_space();
}

bool is_empty(const Dense& A, int row) {
  for (int j = 0; j < A.columns; ++j)
    if (A(row, j) != 0) return false;
  return true;
}

/// The rows of A whose rows in D are, or are not, empty.
Dense selected(const Dense& A, const Dense& D, bool empty) {
  std::vector<int> rows;
  for (int i = 0; i < A.rows; ++i)
    if (is_empty(D, i) == empty) rows.push_back(i);
  Dense S(static_cast<int>(rows.size()), A.columns);
  for (int j = 0; j < A.columns; ++j)
    for (int k = 0; k < S.rows; ++k) S(k, j) = A(rows[static_cast<std::size_t>(k)], j);
  return S;
}

}  // namespace

MotionSpace::MotionSpace(const System& system, PetscMat kkt)
    : system_(system), is_multiplier_(multiplier_marks(system)), first_dof_(first_dof(is_multiplier_, kkt)) {
  Z_ = null_space(system, gather(system, is_multiplier_, kkt, 1));
}

Dense MotionSpace::reduced(PetscMat A) const {
  return product(transposed(Z_), product(gather(system_, is_multiplier_, A, 0), Z_));
}

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

StateMotions::StateMotions(const System& system, PetscMat K, PetscMat D) : system_(system) {
  const std::vector<char> marks = multiplier_marks(system);
  first_dof_ = first_dof(marks, K);
  const Dense in_w = gather(system, marks, K, 1), in_v = gather(system, marks, D, 1);
  const Dense Z = null_space(system, selected(in_w, in_v, true));
  num_dofs_ = Z.rows;
  const Dense by_w = product(selected(in_w, in_v, false), Z), by_v = product(selected(in_v, in_v, false), Z);
  const int n = Z.columns;
  Dense rates(by_w.rows, 2 * n), both(2 * num_dofs_, 2 * n);
  for (int j = 0; j < n; ++j) {
    std::copy_n(by_w.column(j), by_w.rows, rates.column(j));
    std::copy_n(by_v.column(j), by_v.rows, rates.column(n + j));
    std::copy_n(Z.column(j), num_dofs_, both.column(j));
    std::copy_n(Z.column(j), num_dofs_, both.column(n + j) + num_dofs_);
  }
  basis_ = rates.rows > 0 ? product(both, RowSpace(rates).null_space()) : both;
}

std::vector<double> StateMotions::state(const std::vector<double>& x) const {
  const int own = system_.layout().num_dofs;
  std::vector<double> parts(2 * static_cast<std::size_t>(own), 0.0);
  for (int j = 0; j < size(); ++j)
    for (int i = 0; i < own; ++i) {
      parts[static_cast<std::size_t>(i)] += basis_(first_dof_ + i, j) * x[static_cast<std::size_t>(j)];
      parts[static_cast<std::size_t>(own + i)] += basis_(num_dofs_ + first_dof_ + i, j) * x[static_cast<std::size_t>(j)];
    }
  return parts;
}

Dense StateMotions::coordinates(const std::vector<double>& states, int count) const {
  const int own = system_.layout().num_dofs;
  Dense x(size(), count);
  for (int k = 0; k < count; ++k) {
    const double* parts = states.data() + static_cast<std::ptrdiff_t>(k) * 2 * own;
    for (int j = 0; j < size(); ++j)
      for (int i = 0; i < own; ++i)
        x(j, k) += basis_(first_dof_ + i, j) * parts[i] + basis_(num_dofs_ + first_dof_ + i, j) * parts[own + i];
  }
  MPI_Allreduce(MPI_IN_PLACE, x.values.data(), static_cast<int>(x.values.size()), MPI_DOUBLE, MPI_SUM, system_.layout().comm);
  return x;
}

}  // namespace sinew
