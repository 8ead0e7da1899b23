#include "kernels/sweep/family.hpp"

#include <stdexcept>

namespace sinew {

Family::Family(std::string name, FamilyShape shape, FamilyData data)
    : name_(std::move(name)), shape_(shape), data_(std::move(data)) {
  const auto n = static_cast<std::size_t>(data_.size);
  if (data_.nodes.size() != n * shape_.nodes_per_element || (shape_.coupled_rows() > 0 && data_.rows.size() != n) ||
      (n > 0 && data_.params.size() % n != 0))
    throw std::logic_error("family " + name_ + ": data do not match its shape");
  nodes_ = to_device_table(name_ + ".nodes", data_.nodes, shape_.nodes_per_element);
  rows_ = to_device_array(name_ + ".rows", data_.rows);
  params_ = to_device_table(name_ + ".params", data_.params, params_per_element());
  signals_ = DeviceTable<double>(name_ + ".signals", data_.size, 3 * shape_.num_signals);
  if (shape_.has_history) params_at_start_ = data_.params;
}

void Family::forget() { recall(params_at_start_); }

void Family::recall(const std::vector<double>& params) {
  if (size() == 0 || !shape_.has_history) return;
  data_.params = params;
  params_ = to_device_table(name_ + ".params", data_.params, static_cast<int>(params_.extent(1)));
}

const DeviceTable<double>& Family::begin_extrapolation() {
  if (extrapolated_params_.extent(0) != params_.extent(0))
    extrapolated_params_ = DeviceTable<double>(name_ + ".extrapolated", params_.extent(0), params_.extent(1));
  is_extrapolated_ = true;
  return extrapolated_params_;
}

void Family::fetch_params() {
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), params_);
  const std::size_t width = host.extent(1);
  for (std::size_t e = 0; e < host.extent(0); ++e)
    for (std::size_t k = 0; k < width; ++k) data_.params[e * width + k] = host(e, k);
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
void Family::constraint_curvature(const SweepState&, ElementRange, double*) const {}

int Family::entries_per_element(MatrixKind kind) const {
  const int square = has_square_block(kind) ? shape_.dofs() * shape_.dofs() : 0;
  return square + 2 * shape_.dofs() * shape_.coupled_rows();
}

int FamilyShape::first_of_turn(int dof) const {
  int first = 0;
  for (int k = 0; k < nodes_per_element; ++k) {
    const ManifoldSize size = manifold_size(node_kind(k));
    const int turn = first + size.first_turn;
    if (size.first_turn >= 0 && turn <= dof && dof < turn + 3) return turn;
    first += size.dofs;
  }
  return -1;
}

bool FamilyShape::has_turns() const {
  for (int k = 0; k < nodes_per_element; ++k)
    if (first_turn_of(node_kind(k)) >= 0) return true;
  return false;
}

std::vector<int> Family::element_dofs(int e, const std::vector<int>& dof, const std::vector<NodeKind>& kinds) const {
  std::vector<int> out;
  out.reserve(shape_.dofs());
  for (int k = 0; k < shape_.nodes_per_element; ++k) {
    const int node = data_.nodes[static_cast<std::size_t>(e) * shape_.nodes_per_element + k];
    const int here = dof[node] < 0 ? 0 : dofs_of(kinds[node]), seen = dofs_of(shape_.node_kind(k));
    for (int i = 0; i < seen; ++i) out.push_back(i < here ? dof[node] + i : -1);
  }
  return out;
}

std::vector<Coupling> Family::couplings(MatrixKind kind) const {
  const int D = shape_.dofs(), R = shape_.coupled_rows();
  std::vector<Coupling> out;
  out.reserve(static_cast<std::size_t>(entries_per_element(kind)));
  for (int i = 0; i < D && has_square_block(kind); ++i)
    for (int j = 0; j < D; ++j) out.push_back({i, j});
  for (int i = 0; i < D; ++i)
    for (int r = 0; r < R; ++r) out.push_back({i, D + r});
  for (int r = 0; r < R; ++r)
    for (int j = 0; j < D; ++j) out.push_back({D + r, j});
  return out;
}

bool Family::shows_pattern(MatrixKind kind) const {
  return shape_.is_analytic || (kind == MatrixKind::projection && shape_.coupled_rows() == 0);
}

std::vector<char> Family::declared_entries(MatrixKind kind) const {
  if (shows_pattern(kind)) return std::vector<char>(static_cast<std::size_t>(entries_per_element(kind)), 0);
  std::vector<char> declared;
  if (!shape_.declares_couplings()) return declared;
  const auto is_declared = [this](int row, int column) {
    const int first = column < shape_.dofs() ? shape_.first_of_turn(column) : -1;
    if (first < 0) return shape_.is_declared(row, column);
    // The tangent operator mixes the three columns of a rotation.
    return shape_.is_declared(row, first) || shape_.is_declared(row, first + 1) || shape_.is_declared(row, first + 2);
  };
  for (const Coupling& entry : couplings(kind)) declared.push_back(is_declared(entry.row, entry.column) ? 1 : 0);
  return declared;
}

}  // namespace sinew
