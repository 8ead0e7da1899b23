#include "system/point_product.hpp"
#include "system/system.hpp"

#include "base/timing.hpp"
#include "kernels/sweep/varying_mass_family.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"
#include "system/diagonal_mass.hpp"
#include "system/element_ranges.hpp"
#include "system/regularisation.hpp"
#include "system/varying_mass.hpp"

#include <petscmat.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// As MatrixFiller wants them, of what was listed element by element.
void sort_by_slots(const SlotLayout& layout, std::vector<MatrixFiller::Coupled>& coupled) {
  if (layout.block == 1) return;
  std::sort(coupled.begin(), coupled.end(),
            [](const MatrixFiller::Coupled& a, const MatrixFiller::Coupled& b) { return a.slot < b.slot; });
}

}  // namespace

/// What counts of a part: of families what `find_entries` has found.
void System::list_coupled(MatrixKind kind, const SweptPart& part, const OwnPattern& own,
                          std::vector<MatrixFiller::Coupled>& coupled) const {
  if (part.family == families_.size()) {
    for (int k = part.range.first; k < part.range.last; ++k)
      if (own.rows[k] >= 0) coupled.push_back({k - part.range.first, own.rows[k], own.columns[k]});
    return;
  }
  const Family& family = *families_[part.family];
  const std::vector<char>& is_entry = entries_[static_cast<int>(kind)][part.family];
  const std::vector<char>& of_elements = element_entries_[static_cast<int>(kind)][part.family];
  const std::vector<Coupling> couplings = family.couplings(kind);
  const auto stride = static_cast<int>(couplings.size());
  const SlotLayout layout = family.entry_slots(kind, part.range);
  for (int e = part.range.first; e < part.range.last; ++e) {
    std::vector<int> unknowns = family.element_dofs(e, local_.dof, local_.kinds);
    for (int r = 0; r < family.shape().coupled_rows(); ++r) unknowns.push_back(local_.num_local_dofs + family.data().rows[e] + r);
    const char* is_own = of_elements.empty() ? nullptr : of_elements.data() + static_cast<std::ptrdiff_t>(e) * stride;
    for (int k = 0; k < stride; ++k) {
      const int row = unknowns[couplings[k].row], column = unknowns[couplings[k].column];
      if (row < 0 || column < 0 || (!is_entry.empty() && !is_entry[k]) || (is_own != nullptr && !is_own[k])) continue;
      coupled.push_back({static_cast<int>(layout.place(e - part.range.first, k)), row, column});
    }
  }
  sort_by_slots(layout, coupled);
}

const System::Filling& System::filling(MatrixKind kind) const {
  Filling& filling = fillings_[static_cast<int>(kind)];
  if (filling.filler) return filling;
  MatrixFiller::Stretches stretches;
  const auto add = [&](std::size_t family, ElementRange range, int entries) {
    filling.parts.push_back({family, range});
    stretches.sizes.push_back(range.size() * entries);
  };
  for (std::size_t f = 0; f < families_.size(); ++f)
    for (const ElementRange range : element_ranges(*families_[f], kind)) add(f, range, families_[f]->entries_per_element(kind));
  for (const SweptPart& part : filling.parts) {
    const FamilyShape& shape = families_[part.family]->shape();
    stretches.are_constant.push_back(kind == MatrixKind::projection && shape.has_mass && shape.rows() == 0 &&
                                     as_varying(*families_[part.family]) == nullptr);
  }
  const OwnPattern own = own_pattern(kind);  // once for all its stretches, of which feedback on many places has thousands
  const auto count = static_cast<int>(own.rows.size());
  for (int first = 0; first < count; first += SlotSums::most_slots)
    add(families_.size(), {first, std::min(count, first + SlotSums::most_slots)}, 1);
  stretches.are_constant.resize(stretches.sizes.size(), 0);
  stretches.list = [&](std::size_t c, std::vector<MatrixFiller::Coupled>& coupled) {
    list_coupled(kind, filling.parts[c], own, coupled);
  };
  filling.filler = std::make_unique<MatrixFiller>(local_.comm, kkt_index_, layout_.num_dofs + layout_.num_rows, stretches);
  return filling;
}

MatHandle System::make_matrix(MatrixKind kind) const {
  MatHandle A = filling(kind).filler->make();
  if (!is_compact_) petsc(MatSetOption(A, MAT_USE_INODES, PETSC_FALSE));  // that is for products, and these are factorised
  note_unknowns(A, unknowns_[static_cast<int>(kind)]);
  return A;
}

/// `own`: what belongs to no family, in the order of own_pattern behind the diagonal of the rows.
void System::set_values(MatrixKind kind, PetscMat A, const MatrixSweep& sweep, const std::vector<double>& own) const {
  const std::vector<SweptPart>& parts = filling(kind).parts;
  const auto own_value = [&](int k) {
    if (k >= local_.num_owned_rows) return own[static_cast<std::size_t>(k - local_.num_owned_rows)];
    const auto r = static_cast<std::size_t>(k);
    const double given = constraints_give_ ? near_singular * row_mobilities_[r] : 0.0;
    return -given - (regularisation_.empty() ? 0.0 : regularisation_[r]);
  };
  filling(kind).filler->fill(A, [&](std::size_t c, const DeviceArray<double>& slots) {
    const auto& [f, range] = parts[c];
    if (f == families_.size()) {
      const auto host = Kokkos::create_mirror_view(slots);
      for (int k = range.first; k < range.last; ++k) host(k - range.first) = own_value(k);
      Kokkos::deep_copy(slots, host);
      return;
    }
    const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(range.size()) * families_[f]->entries_per_element(kind);
    if (leaves_out_extrapolated_ && families_[f]->can_extrapolate()) return zero_numbers(slots.data(), count);
    sweep(*families_[f], range, slots.data());
    scale_load(f, slots.data(), count);
  });
  note_regularisation(A, regularisation_factor_ > 0 && !constraints_give_ ? regularisation_vector_.get() : nullptr);
}

/// T(w) of every local frame.
void System::tangent_operators(PetscVec w) const {
  share({w}, {});
  find_tangent_operators(nodes_, static_cast<int>(local_.node_id.size()), DeviceRead(w).data(), T_);
}

void System::extrapolate_stresses(const Configuration& before, PetscVec w, const Configuration& now) const {
  share({w}, {});
  SweepState from = sweep_state(before);
  const DeviceRead motion(w);
  from.velocity = motion.data();
  const SweepState to = sweep_state(now);
  for (const auto& family : families_) family->extrapolate(from, to);
}

void System::end_extrapolation() const {
  for (const auto& family : families_) family->end_extrapolation();
}

void System::assemble_tangent(const Stage& stage, const TangentShift& shift, PetscVec w, PetscMat A) const {
  fill_tangent(stage, shift, w, nullptr, A);
}

void System::assemble_linearised(const Stage& stage, const TangentShift& shift, PetscVec a, PetscMat A) const {
  fill_tangent(stage, shift, nullptr, mass_varies_ ? a : nullptr, A);
}

/// `a`: null where the masses are those of the stage.
void System::fill_tangent(const Stage& stage, const TangentShift& shift, PetscVec w, PetscVec a, PetscMat A) const {
  const TimedPhase timed(Phase::assembly);
  share({stage.z, w, a}, {stage.lambda});
  SweepState s = sweep_state(stage);
  const DeviceRead z(stage.z), lambda(stage.lambda), acceleration(a);
  s.velocity = z.data();
  s.multiplier = lambda.data();
  if (w && has_rotations_ && shift.rows != ConstraintRows::gradient) {
    tangent_operators(w);
    s.tangent_operator = T_.data();
  }
  const std::vector<double> own = feedback_entries(s, stage, shift);
  feed(stage);
  Shift kernel_shift{shift.q, shift.v, shift.a, 1.0, 1.0, shift.rows == ConstraintRows::stage ? shift.velocity_row_q : 0.0};
  const bool keeps_gradient = shift.rows == ConstraintRows::velocity;
  const bool with_curvature = keeps_gradient || shift.rows == ConstraintRows::curvature;
  SweepState accelerated = s;
  accelerated.velocity = acceleration.data();
  const auto sweep = [&](const Family& family, ElementRange range, double* values) {
    family.tangent(s, kernel_shift, range, values);
    if (const VariesMass* varying = a != nullptr ? as_varying(family) : nullptr)
      varying->add_mass_change(accelerated, shift.q, range, values);
    if (!with_curvature || family.shape().rows() == 0) return;
    const CurvatureRows rows{family.shape().rows(),         family.shape().dofs(),
                             family.curvature_slots(range), family.entry_slots(MatrixKind::tangent, range),
                             shift.velocity_row_q,          keeps_gradient};
    const DeviceArray<double> curvature("curvature", rows.found.size());
    family.constraint_curvature(s, range, curvature.data());
    put_curvature_rows(rows, curvature, values);
  };
  set_values(MatrixKind::tangent, A, sweep, own);
  note_places(*stage.q);
}

/// G^T alone: the multipliers of the stage do not enter.
void System::assemble_projection(const Stage& stage, PetscMat A) const { fill_projection(stage, nullptr, A); }

void System::assemble_multiplier_response(const Stage& stage, PetscMat A) const { fill_projection(stage, stage.lambda, A); }

void System::fill_projection(const Stage& stage, PetscVec multipliers, PetscMat A) const {
  const TimedPhase timed(Phase::assembly);
  SweepState s = sweep_state({stage.t, stage.q, stage.z, multipliers});
  const DeviceRead z(stage.z), lambda(multipliers);
  s.velocity = z.data();
  s.multiplier = lambda.data();
  const auto sweep = [&](const Family& family, ElementRange range, double* values) { family.projection(s, range, values); };
  set_values(MatrixKind::projection, A, sweep, std::vector<double>(layout_.states.size(), 1.0));
}

/// The constant part of M over dof vectors; 1 for states. Zeros beside the diagonal are left out.
void System::make_mass() {
  std::vector<PetscInt> numbers;
  {
    VecHandle v = duplicate(dof_template_);
    PetscInt first = 0;
    petsc(VecGetOwnershipRange(v, &first, nullptr));
    {
      VecWrite x(v);
      for (int k = 0; k < local_.num_owned_dofs; ++k) x[k] = static_cast<double>(first + k);
    }
    share({v}, {});
    const VecRead x(v);
    for (int k = 0; k < local_.num_local_dofs; ++k) numbers.push_back(static_cast<PetscInt>(std::llround(x[k])));
  }
  std::vector<SweptPart> parts;
  MatrixFiller::Stretches stretches;
  for (std::size_t f = 0; f < families_.size(); ++f)
    for (const ElementRange range : element_ranges(*families_[f], MatrixKind::projection)) {
      const VariesMass* varying = as_varying(*families_[f]);
      if (!families_[f]->shape().has_mass || (varying != nullptr && !varying->has_constant_mass())) continue;
      parts.push_back({f, range});
      stretches.sizes.push_back(range.size() * families_[f]->entries_per_element(MatrixKind::projection));
    }
  const auto num_states = static_cast<int>(layout_.states.size());
  if (num_states > 0) stretches.sizes.push_back(num_states);
  const auto sweep = [&](std::size_t c, const DeviceArray<double>& slots) {
    if (c == parts.size()) return Kokkos::deep_copy(slots, 1.0);
    const auto& [f, range] = parts[c];
    if (const VariesMass* varying = as_varying(*families_[f])) return varying->constant_mass(range, slots.data());
    families_[f]->projection({}, range, slots.data());
  };
  stretches.list = [&](std::size_t c, std::vector<MatrixFiller::Coupled>& coupled) {
    if (c == parts.size()) {
      for (int k = 0; k < num_states; ++k)
        coupled.push_back({k, static_cast<int>(layout_.states[k]), static_cast<int>(layout_.states[k])});
      return;
    }
    const auto& [f, range] = parts[c];
    const DeviceArray<double> slots("mass", static_cast<std::size_t>(stretches.sizes[c]));
    sweep(c, slots);
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), slots);
    const int D = families_[f]->shape().dofs();
    const SlotLayout layout = families_[f]->entry_slots(MatrixKind::projection, range);
    for (int e = range.first; e < range.last; ++e) {
      const std::vector<int> dofs = families_[f]->element_dofs(e, local_.dof, local_.kinds);
      for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) {
          const auto slot = static_cast<int>(layout.place(e - range.first, a * D + b));
          if (dofs[a] >= 0 && dofs[b] >= 0 && (host(slot) != 0 || a == b)) coupled.push_back({slot, dofs[a], dofs[b]});
        }
    }
    sort_by_slots(layout, coupled);
  };
  const MatrixFiller filler(local_.comm, numbers, local_.num_owned_dofs, stretches);
  mass_ = filler.make();
  filler.fill(mass_, sweep);
  multiply_by_points(mass_);
  mass_ = as_diagonal(std::move(mass_));
}

namespace {

/// Dofs of less mass than `least` (frames of surfaces, bodies without mass) move what they are joined to, and have its mass,
///   m_j = sum_r g_rj^2 / c_r,   c_r = sum_i g_ri^2 / m_i: the mobility of what else a row r holds, over dofs with mass
/// As next to nothing they would leave the rows of their joints softer by the millionfold. Collective.
void add_carried_mass(const System& system, PetscMat squares, PetscVec least, PetscVec mass) {
  VecHandle mobility = duplicate(mass), rows = system.make_row_vector(), x = make_kkt_vector(system.layout()),
            y = make_kkt_vector(system.layout());
  const int n = system.local().num_owned_dofs;
  const VecRead limit(least);
  {
    const VecRead m(mass);
    VecWrite c(mobility);
    for (int i = 0; i < n; ++i) c[i] = m[i] > limit[i] ? 1 / m[i] : 0.0;
  }
  join_kkt(mobility, rows, x);
  petsc(MatMult(squares, x, y));
  split_kkt(y, mobility, rows);
  {
    VecWrite c(rows);
    for (int r = 0; r < system.local().num_owned_rows; ++r) c[r] = c[r] > 0 ? 1 / c[r] : 0.0;
  }
  petsc(VecSet(mobility, 0.0));
  join_kkt(mobility, rows, x);
  petsc(MatMult(squares, x, y));
  VecHandle carried = duplicate(mass);
  split_kkt(y, carried, rows);
  const VecRead more(carried);
  VecWrite m(mass);
  for (int i = 0; i < n; ++i)
    if (m[i] <= limit[i]) m[i] = std::max(m[i] + more[i], limit[i]);
}

/// Of rows that say the same, rates give way before places do. Wheels on one axle hold it twice against sliding along itself,
/// once with the hinges that keep their distance. The velocities that a step's increment of places stands for fit both no better
/// than h^2; what one set misses of the other is shared by the regularisation. Those at the end of the step, from the projection,
/// hold both.
constexpr double give_of_rates = 1e3;

}  // namespace

/// eps (G D^-1 G^T)_rr with D the diagonal of M: makes the matrices regular when constraints are redundant, and is too small to
/// be seen otherwise.
void System::make_regularisation() {
  double eps = 0;
  petsc(PetscOptionsGetReal(nullptr, nullptr, "-sinew_regularization", &eps, nullptr));
  MatHandle squares = make_matrix(MatrixKind::projection);
  Configuration q = make_configuration();
  VecHandle z = make_dof_vector();
  assemble_projection({0.0, &q, z, nullptr}, squares);
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
    row_sizes_.reserve(static_cast<std::size_t>(local_.num_owned_rows));
    for (int r = 0; r < local_.num_owned_rows; ++r) row_sizes_.push_back(sums[r] > 0 ? std::sqrt(sums[r]) : 1.0);
  }
  petsc(VecSet(rows, 0.0));
  petsc(MatGetDiagonal(mass_, inverse_mass));
  clear_states(inverse_mass);
  VecHandle least = make_dof_vector();
  least_masses(least);
  add_carried_mass(*this, squares, least, inverse_mass);
  petsc(VecReciprocal(inverse_mass));
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
  regularisation_ = std::vector<double>();
  regularisation_vector_ = VecHandle();
  if (eps == 0) return;
  regularisation_ = row_mobilities_;
  for (std::size_t r = 0; r < regularisation_.size(); ++r)
    regularisation_[r] *= layout_.row_is_velocity[r] != 0 ? eps * give_of_rates : eps;
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
