#include "kernels/sweep/family.hpp"

#include <stdexcept>

namespace sinew {

Family::Family(std::string name, FamilyShape shape, FamilyData data)
    : name_(std::move(name)), shape_(shape), data_(std::move(data)) {
  const auto n = static_cast<std::size_t>(data_.size);
  if (data_.nodes.size() != n * shape_.nodes_per_element || (shape_.rows() > 0 && data_.rows.size() != n))
    throw std::logic_error("family " + name_ + ": data do not match its shape");
  nodes_ = to_device_table(name_ + ".nodes", data_.nodes, shape_.nodes_per_element);
  rows_ = to_device_array(name_ + ".rows", data_.rows);
  params_ = to_device_table(name_ + ".params", data_.params, n == 0 ? 0 : static_cast<int>(data_.params.size() / n));
  signals_ = DeviceTable<double>(name_ + ".signals", data_.size, 3 * shape_.num_signals);
}

void Family::set_signals(const std::vector<double>& table) {
  auto host = Kokkos::create_mirror_view(signals_);
  const int width = 3 * shape_.num_signals;
  for (int e = 0; e < size(); ++e)
    for (int k = 0; k < width; ++k) host(e, k) = table[static_cast<std::size_t>(e) * width + k];
  Kokkos::deep_copy(signals_, host);
}

void Family::constraints(const SweepState&, double*, double*) const {}
void Family::constraint_drift(const SweepState&, double*) const {}
void Family::constraint_curvature(const SweepState&, double*) const {}

int Family::entries_per_element(MatrixKind kind) const {
  const int square = has_square_block(kind) ? shape_.dofs() * shape_.dofs() : 0;
  return square + 2 * shape_.dofs() * shape_.rows();
}

std::vector<int> Family::element_dofs(int e, const std::vector<int>& dof, const std::vector<char>& is_frame) const {
  std::vector<int> out;
  out.reserve(shape_.dofs());
  for (int k = 0; k < shape_.nodes_per_element; ++k) {
    const int node = data_.nodes[static_cast<std::size_t>(e) * shape_.nodes_per_element + k];
    for (int i = 0; i < shape_.dofs_per_node; ++i) {
      const bool active = dof[node] >= 0 && (i < 3 || is_frame[node]);
      out.push_back(active ? dof[node] + i : -1);
    }
  }
  return out;
}

void Family::pattern(MatrixKind kind, const std::vector<int>& dof, const std::vector<char>& is_frame, int num_local_dofs,
                     std::vector<int>& rows, std::vector<int>& columns) const {
  const int R = shape_.rows();
  for (int e = 0; e < size(); ++e) {
    const std::vector<int> dofs = element_dofs(e, dof, is_frame);
    const auto add = [&](int i, int j) {
      rows.push_back(i < 0 || j < 0 ? -1 : i);
      columns.push_back(i < 0 || j < 0 ? -1 : j);
    };
    if (has_square_block(kind))
      for (int i : dofs)
        for (int j : dofs) add(i, j);
    const int first = R > 0 ? num_local_dofs + data_.rows[e] : 0;
    for (int i : dofs)
      for (int r = 0; r < R; ++r) add(i, first + r);
    for (int r = 0; r < R; ++r)
      for (int j : dofs) add(first + r, j);
  }
}

}  // namespace sinew
