#include "system/device_access.hpp"
#include "system/element_ranges.hpp"
#include "system/system.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A row's gradient at one element (nodes x 6 numbers): the largest force that a unit of its multiplier puts on a node, or the
/// largest moment over `length` where it puts no force anywhere; what acts on a scalar is a moment.
double reaction_of_unit(const double* gradient, const FamilyShape& shape, double length) {
  double force = 0, moment = 0;
  for (int k = 0; k < shape.nodes_per_element; ++k) {
    const double* node = gradient + 6 * k;
    const bool is_scalar = shape.is_scalar != nullptr && shape.is_scalar(k);
    double& first = is_scalar ? moment : force;
    first = std::max(first, std::hypot(node[0], node[1], node[2]));
    moment = std::max(moment, std::hypot(node[3], node[4], node[5]));
  }
  return force > 0 ? force : moment / length;
}

}  // namespace

void System::reaction_sizes(const Stage& stage, PetscVec out) const {
  reaction_sizes(stage, std::vector<double>(local_.node_id.size(), extent() > 0 ? extent() : 1.0), out);
}

/// `extents`: what moments are relative to, by local node.
void System::reaction_sizes(const Stage& stage, const std::vector<double>& extents, PetscVec out) const {
  SweepState s = sweep_state(stage);
  VecHandle still = make_dof_vector();
  const DeviceRead z(still);
  s.velocity = z.data();
  const auto length_of = [&](std::size_t f, int e) {  // that of the first node that is not the ground
    const auto width = static_cast<std::ptrdiff_t>(families_[f]->shape().nodes_per_element);
    const auto first = families_[f]->data().nodes.begin() + e * width;
    const auto moves = std::find_if(first, first + width, [this](int n) { return n != local_.ground(); });
    return extents[static_cast<std::size_t>(moves != first + width ? *moves : local_.ground())];
  };
  std::vector<double> sizes(row_slots_.extent(0), 0.0);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const FamilyShape& shape = families_[f]->shape();
    const int R = shape.rows(), D = shape.dofs(), stride = families_[f]->entries_per_element(MatrixKind::projection);
    if (R == 0) continue;
    for (const ElementRange range : element_ranges(*families_[f], MatrixKind::projection)) {
      const DeviceArray<double> values("gradients", static_cast<std::size_t>(range.size()) * static_cast<std::size_t>(stride));
      families_[f]->projection(s, range, values.data());
      Kokkos::fence();
      const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), values);
      const std::vector<double> entries = families_[f]->entry_slots(MatrixKind::projection, range).by_element(host.data());
      for (int e = range.first; e < range.last; ++e) {
        const double length = length_of(f, e);
        const double* G = entries.data() + static_cast<std::ptrdiff_t>(e - range.first + 1) * stride - R * D;  // the last part
        for (int r = 0; r < R; ++r)
          sizes[static_cast<std::size_t>(row_start_[f] + families_[f]->row_slots().place(e, r))] =
              reaction_of_unit(G + r * D, shape, length);
      }
    }
  }
  const auto slots = to_device_array("reaction_sizes", sizes);
  sum_rows(slots.data(), out);
}

void System::row_strengths(PetscVec out) const {
  VecWrite x(out);
  std::copy(row_mobilities_.begin(), row_mobilities_.end(), x.data());
}

}  // namespace sinew
