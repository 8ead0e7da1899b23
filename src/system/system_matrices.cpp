#include "system/system.hpp"

#include "base/timing.hpp"
#include "system/regularisation.hpp"

#include <petscmat.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Squares the stored entries of a matrix (sequential or MPI AIJ).
void square_entries(PetscMat A) {
  const auto square = [](PetscMat block) {
    if (!block) return;
    MatInfo info;
    petsc(MatGetInfo(block, MAT_LOCAL, &info));
    PetscScalar* values = nullptr;
    petsc(MatSeqAIJGetArray(block, &values));
    for (PetscInt i = 0; i < static_cast<PetscInt>(info.nz_used); ++i) values[i] *= values[i];
    petsc(MatSeqAIJRestoreArray(block, &values));
  };
  PetscBool is_parallel = PETSC_FALSE;
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(A), MATMPIAIJ, &is_parallel));
  if (!is_parallel) return square(A);
  PetscMat diagonal = nullptr, off = nullptr;
  petsc(MatMPIAIJGetSeqAIJ(A, &diagonal, &off, nullptr));
  square(diagonal);
  square(off);
}

}  // namespace

/// One that was made before and that nobody has any more, if there is one: building a pattern costs as much as three steps of a
/// chain, and the start needs many matrices, one after the other.
MatHandle System::make_matrix(MatrixKind kind) const {
  std::vector<LentMatrix>& lent = lent_[static_cast<int>(kind)];
  for (const LentMatrix& candidate : lent) {
    PetscInt owners = 0;
    PetscObjectState pattern = 0;
    petsc(PetscObjectGetReference(reinterpret_cast<PetscObject>(candidate.matrix.get()), &owners));
    petsc(MatGetNonzeroState(candidate.matrix, &pattern));
    if (owners > 1 || pattern != candidate.pattern) continue;
    petsc(PetscObjectReference(reinterpret_cast<PetscObject>(candidate.matrix.get())));
    return MatHandle(candidate.matrix.get());
  }
  MatHandle A = build_matrix(kind);
  LentMatrix kept{MatHandle(A.get()), 0};
  petsc(PetscObjectReference(reinterpret_cast<PetscObject>(A.get())));
  petsc(MatGetNonzeroState(A, &kept.pattern));
  lent.push_back(std::move(kept));
  return A;
}

MatHandle System::build_matrix(MatrixKind kind) const {
  std::vector<int> rows, columns;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const std::size_t first = rows.size();
    families_[f]->pattern(kind, local_.dof, local_.is_frame, local_.num_local_dofs, rows, columns);
    const std::vector<char>& is_entry = entries_[static_cast<int>(kind)][f];
    if (is_entry.empty()) continue;
    const auto stride = static_cast<std::size_t>(families_[f]->entries_per_element(kind));
    for (std::size_t block = first; block < rows.size(); block += stride)
      for (std::size_t k = 0; k < is_entry.size(); ++k)
        if (!is_entry[k]) rows[block + k] = columns[block + k] = -1;
  }
  for (int r = 0; r < local_.num_owned_rows; ++r) {
    rows.push_back(local_.num_local_dofs + r);
    columns.push_back(local_.num_local_dofs + r);
  }
  add_own_pattern(kind, rows, columns);
  std::vector<PetscInt> i(rows.size()), j(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    i[k] = rows[k] < 0 ? -1 : kkt_index_[rows[k]];
    j[k] = columns[k] < 0 ? -1 : kkt_index_[columns[k]];
  }
  const PetscInt n = layout_.num_dofs + layout_.num_rows;
  MatHandle A;
  petsc(MatCreate(local_.comm, A.address()));
  petsc(MatSetSizes(A, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  petsc(MatSetType(A, MATAIJ));
  petsc(MatSetPreallocationCOO(A, static_cast<PetscCount>(i.size()), i.data(), j.data()));
  note_unknowns(A, unknowns_[static_cast<int>(kind)]);
  return A;
}

/// A node is a block, with the slopes that follow it (they are no places); so is a first-order state, which has no place and is
/// put with the first node.
std::shared_ptr<const KktUnknowns> System::describe_unknowns() const {
  auto unknowns = std::make_shared<KktUnknowns>();
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    const double* x = local_.config.data() + local_.config_offset[static_cast<std::size_t>(n)];
    if (!local_.is_slope[static_cast<std::size_t>(n)] || n == 0) unknowns->position.push_back({x[0], x[1], x[2]});
    const int size = local_.is_frame[static_cast<std::size_t>(n)] ? 6 : 3;
    unknowns->block_of_dof.insert(unknowns->block_of_dof.end(), static_cast<std::size_t>(size),
                                  static_cast<PetscInt>(unknowns->position.size()) - 1);
  }
  while (static_cast<PetscInt>(unknowns->block_of_dof.size()) < layout_.num_dofs) {
    unknowns->block_of_dof.push_back(static_cast<PetscInt>(unknowns->position.size()));
    unknowns->position.push_back(unknowns->position.empty() ? std::array<double, 3>{} : unknowns->position.front());
  }
  return unknowns;
}

/// `own`: what belongs to no family, in the order of add_own_pattern.
void System::set_values(MatrixKind kind, PetscMat A, const std::function<void(const Family&, double*)>& sweep,
                        const std::vector<double>& own) const {
  std::size_t count = 0;
  for (const auto& family : families_) count += static_cast<std::size_t>(family->size()) * family->entries_per_element(kind);
  const auto num_rows = static_cast<std::size_t>(local_.num_owned_rows);
  const std::size_t total = count + num_rows + own.size();
  if (matrix_values_.extent(0) < total) matrix_values_ = DeviceArray<double>("matrix_values", total);
  double* values = matrix_values_.data();
  std::size_t next = 0;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const std::size_t size = static_cast<std::size_t>(families_[f]->size()) * families_[f]->entries_per_element(kind);
    sweep(*families_[f], values + next);
    scale_load(f, values + next, static_cast<std::ptrdiff_t>(size));
    next += size;
  }
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), matrix_values_);
  for (int r = 0; r < local_.num_owned_rows; ++r) host(count + r) = regularisation_.empty() ? 0.0 : -regularisation_[r];
  for (std::size_t k = 0; k < own.size(); ++k) host(count + num_rows + k) = own[k];
  petsc(MatSetValuesCOO(A, host.data(), INSERT_VALUES));
  note_regularisation(A, regularisation_factor_ > 0 ? regularisation_vector_.get() : nullptr);
}

/// T(w) of every local frame.
void System::tangent_operators(PetscVec w) const {
  share({w}, {});
  const VecRead increment(w);
  const double* d = increment.data();
  const auto nodes = nodes_;
  const auto T = T_;
  Kokkos::parallel_for(
      "sinew::tangent_operators", Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<int>(local_.node_id.size())),
      KOKKOS_LAMBDA(const int node) {
        const int frame = nodes.frame(node), dof = nodes.dof(node);
        if (frame < 0) return;
        Vec3<double> theta;
        for (int i = 0; i < 3 && dof >= 0; ++i) theta[i] = d[dof + 3 + i];
        const Mat3<double> t = exp_tangent(theta);
        for (int i = 0; i < 9; ++i) T(9 * frame + i) = t(i / 3, i % 3);
      });
}

void System::assemble_tangent(const Stage& stage, const TangentShift& shift, PetscVec w, PetscMat A) const {
  const TimedPhase timed(Phase::assembly);
  share({stage.z, w}, {stage.lambda});
  SweepState s = sweep_state(stage);
  const VecRead z(stage.z), lambda(stage.lambda);
  s.velocity = z.data();
  s.multiplier = lambda.data();
  if (w && num_frames_ > 0 && shift.rows != ConstraintRows::gradient) {
    tangent_operators(w);
    s.tangent_operator = T_.data();
  }
  const std::vector<double> own = feedback_entries(s, stage, shift);
  feed(stage);
  Shift kernel_shift{shift.q, shift.v, shift.a, 1.0, 1.0, shift.rows == ConstraintRows::stage ? shift.velocity_row_q : 0.0};
  const bool keeps_gradient = shift.rows == ConstraintRows::velocity;
  const bool with_curvature = keeps_gradient || shift.rows == ConstraintRows::curvature;
  const auto sweep = [&](const Family& family, double* values) {
    family.tangent(s, kernel_shift, values);
    if (!with_curvature || family.shape().rows() == 0) return;
    const int R = family.shape().rows(), D = family.shape().dofs(), stride = family.entries_per_element(MatrixKind::tangent);
    const auto count = static_cast<std::size_t>(family.size());
    // The rows of the gradient give way to those of their derivative, or to both together; G without T stands in the columns of
    // the multipliers.
    DeviceArray<double> curvature("curvature", count * R * D);
    family.constraint_curvature(s, curvature.data());
    const double factor = shift.velocity_row_q;
    Kokkos::parallel_for(
        "sinew::curvature_rows", Kokkos::RangePolicy<ExecutionSpace>(0, family.size()), KOKKOS_LAMBDA(const int e) {
          double* columns = values + static_cast<std::ptrdiff_t>(e) * stride + D * D;
          double* rows = columns + D * R;
          for (int k = 0; k < R * D; ++k)
            rows[k] =
                factor * curvature(static_cast<std::size_t>(e) * R * D + k) + (keeps_gradient ? columns[k % D * R + k / D] : 0.0);
        });
  };
  set_values(MatrixKind::tangent, A, sweep, own);
}

void System::assemble_projection(const Stage& stage, PetscMat A) const {
  const TimedPhase timed(Phase::assembly);
  SweepState s = sweep_state(stage);
  const VecRead z(stage.z);
  s.velocity = z.data();
  set_values(
      MatrixKind::projection, A, [&](const Family& family, double* values) { family.projection(s, values); },
      std::vector<double>(layout_.states.size(), 1.0));
}

/// M over dof vectors; constant for every family, 1 for states.
void System::make_mass() {
  std::vector<PetscInt> i, j;
  std::vector<double> values;
  VecHandle numbers = duplicate(dof_template_);
  PetscInt first = 0, last = 0;
  petsc(VecGetOwnershipRange(numbers, &first, &last));
  {
    VecWrite x(numbers);
    for (int k = 0; k < local_.num_owned_dofs; ++k) x[k] = static_cast<double>(first + k);
  }
  share({numbers}, {});
  const VecRead global(numbers);
  SweepState s;
  for (const auto& family : families_) {
    if (!family->shape().has_mass) continue;
    const int D = family->shape().dofs();
    DeviceArray<double> block("mass", static_cast<std::size_t>(family->size()) * D * D);
    family->projection(s, block.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), block);
    for (int e = 0; e < family->size(); ++e) {
      const auto dofs = family->element_dofs(e, local_.dof, local_.is_frame);
      for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) {
          const double value = host(static_cast<std::size_t>(e) * D * D + a * D + b);
          if (dofs[a] < 0 || dofs[b] < 0 || (value == 0 && a != b)) continue;
          i.push_back(static_cast<PetscInt>(std::llround(global[dofs[a]])));
          j.push_back(static_cast<PetscInt>(std::llround(global[dofs[b]])));
          values.push_back(value);
        }
    }
  }
  for (const PetscInt state : layout_.states) {
    i.push_back(first + state);
    j.push_back(first + state);
    values.push_back(1);
  }
  petsc(MatCreate(local_.comm, mass_.address()));
  petsc(MatSetSizes(mass_, local_.num_owned_dofs, local_.num_owned_dofs, PETSC_DETERMINE, PETSC_DETERMINE));
  petsc(MatSetType(mass_, MATAIJ));
  petsc(MatSetPreallocationCOO(mass_, static_cast<PetscCount>(i.size()), i.data(), j.data()));
  petsc(MatSetValuesCOO(mass_, values.data(), INSERT_VALUES));
}

/// eps (G D^-1 G^T)_rr with D the diagonal of M: makes the matrices regular when constraints are redundant, and is too small to
/// be seen otherwise.
void System::make_regularisation() {
  double eps = 0;
  petsc(PetscOptionsGetReal(nullptr, nullptr, "-sinew_regularization", &eps, nullptr));
  MatHandle A = make_matrix(MatrixKind::projection), squares;
  Configuration q = make_configuration();
  VecHandle z = make_dof_vector();
  assemble_projection({0.0, &q, z, nullptr}, A);
  petsc(MatDuplicate(A, MAT_COPY_VALUES, squares.address()));
  square_entries(squares);
  VecHandle inverse_mass = make_dof_vector(), rows = make_row_vector(), x = make_kkt_vector(layout_),
            y = make_kkt_vector(layout_);
  VecHandle sizes = make_dof_vector(), momentum = make_dof_vector();
  dof_sizes(sizes);
  petsc(VecPointwiseMult(sizes, sizes, sizes));
  clear_states(sizes);
  join_kkt(sizes, rows, x);
  petsc(MatMult(squares, x, y));
  split_kkt(y, momentum, rows);
  {
    const VecRead sums(rows);
    for (int r = 0; r < local_.num_owned_rows; ++r) row_sizes_.push_back(sums[r] > 0 ? std::sqrt(sums[r]) : 1.0);
  }
  petsc(VecSet(rows, 0.0));
  petsc(MatGetDiagonal(mass_, inverse_mass));
  clear_states(inverse_mass);
  double mean = 0;
  petsc(VecSum(inverse_mass, &mean));
  mean /= std::max<double>(1, static_cast<double>(global_dofs_ - model_.num_states()));
  {
    VecWrite d(inverse_mass);
    for (int i = 0; i < local_.num_owned_dofs; ++i) d[i] = 1 / std::max(d[i], 1e-6 * mean);
  }
  join_kkt(inverse_mass, rows, x);
  petsc(MatMult(squares, x, y));
  split_kkt(y, inverse_mass, rows);
  const VecRead sums(rows);
  row_mobilities_.assign(sums.data(), sums.data() + local_.num_owned_rows);
  regularise(eps);
}

void System::row_sizes(PetscVec out) const {
  VecWrite size(out);
  std::copy(row_sizes_.begin(), row_sizes_.end(), size.data());
}

void System::regularise(double eps) {
  regularisation_factor_ = eps;
  regularisation_ = row_mobilities_;
  for (double& r : regularisation_) r *= eps;
  if (eps == 0) return;
  // A vector of its own every time: matrices keep the one that they were assembled with.
  regularisation_vector_ = make_kkt_vector(layout_);
  VecHandle dofs = make_dof_vector(), rows = make_row_vector();
  {
    VecWrite x(rows);
    std::copy(regularisation_.begin(), regularisation_.end(), x.data());
  }
  join_kkt(dofs, rows, regularisation_vector_);
}

}  // namespace sinew
