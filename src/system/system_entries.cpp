#include "kernels/elements/sample.hpp"
#include "system/device_access.hpp"
#include "system/element_ranges.hpp"
#include "system/system.hpp"

namespace sinew {

namespace {

constexpr unsigned num_probes = 3;

/// Numbers in [-size, size), the same in every run.
void fill(PetscVec v, double size, Sampler& sampler) {
  PetscInt n = 0;
  petsc(VecGetLocalSize(v, &n));
  VecWrite x(v);
  for (PetscInt i = 0; i < n; ++i) x[i] = sampler.uniform(-size, size);
}

/// Marks the entries that are not zero in one of the elements, and those of every element by itself where there is room for them.
void mark(const DeviceArray<double>& values, const SlotLayout& layout, std::vector<char>& is_entry, char* of_elements) {
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), values);
  for (int e = 0; e < layout.count; ++e)
    for (int k = 0; k < layout.width; ++k) {
      if (host(static_cast<std::size_t>(layout.place(e, k))) == 0) continue;
      is_entry[static_cast<std::size_t>(k)] = 1;
      if (of_elements != nullptr) of_elements[static_cast<std::ptrdiff_t>(e) * layout.width + k] = 1;
    }
}

/// Where an entry stands its mirror image gets one too, in the square block (whose derivatives are not symmetric) and in the
/// gradients behind it, G^T and G, D x R and R x D: the pattern of the matrix is symmetric. `square`: entries of that block.
void mirror_entries(int square, int D, int R, char* is_entry) {
  const auto mirror = [is_entry](int a, int b) { is_entry[a] = is_entry[b] = is_entry[a] || is_entry[b] ? 1 : 0; };
  for (int i = 0; i < D && square > 0; ++i)
    for (int j = 0; j < i; ++j) mirror(i * D + j, j * D + i);
  for (int i = 0; i < D; ++i)
    for (int r = 0; r < R; ++r) mirror(square + i * R + r, square + D * R + r * D + i);
}

/// Which entries a joint of one node has depends on the direction that it holds it in: those of an element hold for it alone.
/// Solvers of solids tell nodes that are held along an axis by rows of one entry.
bool has_own_entries(const FamilyShape& shape) {
  return shape.is_analytic && shape.nodes_per_element == 1 && shape.rows() > 0 && !shape.has_history;
}

}  // namespace

/// A joint's block of 12 x 12 entries and its gradients hold few that are ever different from zero, the mass of a solid does not
/// couple the three directions, and the factorisation pays for every entry it is told of. Families declare their entries, or let
/// them be found by evaluating the sweeps at states without any symmetry: turned, moving, with multipliers, signals and T. Those
/// that say nothing keep all, for what vanishes on one side of a branch need not vanish on the other.
void System::find_entries() {
  for (const MatrixKind kind : {MatrixKind::tangent, MatrixKind::projection}) {
    std::vector<std::vector<char>>& of_families = entries_[static_cast<int>(kind)];
    std::vector<std::vector<char>>& of_elements = element_entries_[static_cast<int>(kind)];
    of_families.resize(families_.size());
    of_elements.resize(families_.size());
    for (std::size_t f = 0; f < families_.size(); ++f) {
      const Family& family = *families_[f];
      if (family.size() == 0) continue;
      of_families[f] = family.declared_entries(kind);
      if (!of_families[f].empty() && has_own_entries(family.shape()))
        of_elements[f].assign(
            static_cast<std::size_t>(family.size()) * static_cast<std::size_t>(family.entries_per_element(kind)), 0);
    }
  }
  for (unsigned probe = 0; probe < num_probes; ++probe) probe_entries(probe);
  for (const MatrixKind kind : {MatrixKind::tangent, MatrixKind::projection})
    for (std::size_t f = 0; f < families_.size(); ++f) {
      std::vector<char>& is_entry = entries_[static_cast<int>(kind)][f];
      if (is_entry.empty()) continue;
      const int D = families_[f]->shape().dofs(), R = families_[f]->shape().coupled_rows();
      const int square = families_[f]->has_square_block(kind) ? D * D : 0;
      mirror_entries(square, D, R, is_entry.data());
      std::vector<char>& of_elements = element_entries_[static_cast<int>(kind)][f];
      for (std::size_t first = 0; first < of_elements.size(); first += is_entry.size())
        mirror_entries(square, D, R, of_elements.data() + first);
    }
  signals_are_set_ = false;
}

void System::probe_entries(unsigned probe) {
  // Ranks draw numbers of their own: with the same ones neighbours on two ranks would move alike, and what acts between them
  // vanish.
  Sampler sampler(probe + num_probes * static_cast<unsigned>(comm_rank(local_.comm)));
  VecHandle w = make_dof_vector(), z = make_dof_vector(), lambda = make_row_vector();
  fill(w, 0.7, sampler);
  fill(z, 1.0, sampler);
  fill(lambda, 1.0, sampler);
  Configuration start = make_configuration(), q = make_configuration();
  retract(start, w, q);
  tangent_operators(w);
  SweepState s = sweep_state({0.0, &q, z, lambda});
  const DeviceRead velocity(z), multipliers(lambda);
  s.velocity = velocity.data();
  s.multiplier = multipliers.data();
  s.tangent_operator = T_.data();
  const Shift shift{1, 1, 1, 1, 1, 1};
  for (std::size_t f = 0; f < families_.size(); ++f) {
    Family& family = *families_[f];
    std::vector<double> signals(static_cast<std::size_t>(family.size()) * 3 * family.shape().num_signals);
    for (double& x : signals) x = sampler.uniform(-1, 1);
    family.set_signals(signals);
    for (const MatrixKind kind : {MatrixKind::tangent, MatrixKind::projection}) {
      std::vector<char>& is_entry = entries_[static_cast<int>(kind)][f];
      const bool is_constant = !family.shape().has_turns() && family.shape().rows() == 0;
      if (is_entry.empty() || !family.shows_pattern(kind) || (is_constant && probe > 0)) continue;
      for (const ElementRange range : element_ranges(family, kind)) {
        const SlotLayout layout = family.entry_slots(kind, range);
        const DeviceArray<double> values("probe", layout.size());
        if (kind == MatrixKind::tangent) {
          family.tangent(s, shift, range, values.data());
        } else {
          family.projection(s, range, values.data());
        }
        std::vector<char>& of_elements = element_entries_[static_cast<int>(kind)][f];
        mark(values, layout, is_entry,
             of_elements.empty() ? nullptr : of_elements.data() + static_cast<std::ptrdiff_t>(range.first) * layout.width);
      }
    }
  }
}

}  // namespace sinew
