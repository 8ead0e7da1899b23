#include "perf/kernels/crowd.hpp"

#include <algorithm>
#include <stdexcept>

namespace sinew::perf {

namespace {

constexpr int num_specimens = 16;  // different elements; the crowd repeats them

/// Numbers of the configuration that an element reads.
int config_size(const FamilyShape& shape) {
  int numbers = 0;
  for (int k = 0; k < shape.nodes_per_element; ++k) numbers += manifold_size(shape.node_kind(k)).config;
  return numbers;
}

std::vector<double> random_frame(Sampler& sample) {
  const Vec3<double> x = sample.vector(1);
  const Quaternion q = exp_quaternion(sample.vector(1));
  return {x[0], x[1], x[2], q.w, q.x, q.y, q.z};
}

/// A joint or force between random places; of points where it wants no bodies that turn.
ElementExample connected_example(const FamilyEntry& entry, unsigned seed, bool can_turn) {
  Sampler sample(seed);
  Setup setup;
  ElementExample example;
  for (int k = 0; k < entry.shape.nodes_per_element; ++k) {
    const std::vector<double> c = random_frame(sample);
    Place place;
    place.frame.x = Vec3<double>{{c[0], c[1], c[2]}};
    place.can_turn = can_turn;
    if (can_turn) {
      place.frame.R = rotation_matrix(Quaternion{c[3], c[4], c[5], c[6]});
      place.point = sample.vector(1);
    }
    setup.places.push_back(place);
    example.config.insert(example.config.end(), c.begin(), c.end());
  }
  std::size_t axis = 0;  // directions are perpendicular to one another: some joints want that
  for (const FieldSpec& field : entry.fields) {
    std::vector<double> value = sample_field(field, sample);
    if (field.type == FieldType::direction) {
      value = {0, 0, 0};
      value[axis++ % 3] = 1;
    }
    setup.fields.set(field.name, value);
  }
  example.params = entry.make_params(setup);
  return example;
}

ElementExample example_of(const FamilyEntry& entry, unsigned seed) {
  constexpr unsigned attempts = 20, stride = 1000;  // keys may have to be in an order, which random ones are now and then
  if (!entry.make_params) return entry.example(seed);
  for (const bool can_turn : {true, false})
    for (unsigned attempt = 0; attempt < attempts; ++attempt) {
      try {
        return connected_example(entry, seed + stride * attempt, can_turn);
      } catch (const std::invalid_argument&) {  // these do not fit together
      }
    }
  throw std::invalid_argument(entry.name + " takes none of the random places and keys");
}

int outputs_per_element(const Family& family) {
  return std::max({family.shape().dofs(), family.shape().rows(), family.entries_per_element(MatrixKind::tangent),
                   family.entries_per_element(MatrixKind::projection)});
}

}  // namespace

const char* name_of(Sweep sweep) {
  constexpr const char* names[] = {"forces", "constraints", "tangent", "projection"};
  return names[static_cast<int>(sweep)];
}

bool has_sweep(const FamilyShape& shape, Sweep sweep) {
  if (shape.is_open) return false;  // how large an element is, is said elsewhere
  if (sweep == Sweep::constraints) return shape.rows() > 0;
  if (sweep == Sweep::projection) return shape.coupled_rows() > 0 || shape.has_mass;
  return true;
}

int bytes_per_element(const FamilyEntry& entry, Sweep sweep) {
  const FamilyShape& s = entry.shape;
  const int word = sizeof(double), index = sizeof(int), N = s.nodes_per_element, R = s.coupled_rows(), D = s.dofs();
  const int params = word * entry.params_per_element;
  const int square = sweep == Sweep::tangent || s.has_mass ? D * D : 0;
  const int written = word * (sweep == Sweep::forces ? D : sweep == Sweep::constraints ? 2 * R : square + 2 * D * R);
  if (sweep == Sweep::projection && R == 0) return params + written;
  const int nodes = N * 4 * index + word * config_size(s);  // the element's list, then three tables of nodes
  const int velocity = sweep == Sweep::projection ? 0 : word * D;
  const int multipliers = sweep == Sweep::forces || sweep == Sweep::tangent ? word * R + (R > 0 ? index : 0) : 0;
  const int operators = sweep == Sweep::tangent && s.has_turns() ? 9 * word * N : 0;
  return params + nodes + velocity + multipliers + operators + 3 * word * s.num_signals + written;
}

Crowd::Crowd(const FamilyEntry& entry, int size) {
  std::vector<ElementExample> specimens;
  for (unsigned seed = 0; seed < num_specimens; ++seed) specimens.push_back(example_of(entry, seed));
  FamilyData data;
  data.size = size;
  std::vector<double> config;
  for (int e = 0; e < size; ++e) {
    const ElementExample& example = specimens[static_cast<std::size_t>(e % num_specimens)];
    data.params.insert(data.params.end(), example.params.begin(), example.params.end());
    config.insert(config.end(), example.config.begin(), example.config.end());
    if (entry.shape.coupled_rows() > 0) data.rows.push_back(e * entry.shape.coupled_rows());
  }
  for (int k = 0; k < size * entry.shape.nodes_per_element; ++k) data.nodes.push_back(k);
  family_ = entry.build(std::move(data));
  family_->set_signals(std::vector<double>(static_cast<std::size_t>(3 * entry.shape.num_signals) * size, 0.1));
  config_ = to_device_array("config", config);
  make_nodes(entry, size);
  const auto outputs = static_cast<std::size_t>(size) * outputs_per_element(*family_);
  out_ = DeviceArray<double>("out", outputs);
  out2_ = DeviceArray<double>("out2", static_cast<std::size_t>(size) * entry.shape.rows());
}

void Crowd::make_nodes(const FamilyEntry& entry, int size) {
  const FamilyShape& shape = entry.shape;
  const int count = size * shape.nodes_per_element;
  std::vector<int> offset, dof;
  std::vector<NodeKind> kinds;
  std::vector<double> operators;
  int numbers = 0, dofs = 0;
  for (int k = 0; k < count; ++k) {
    kinds.push_back(shape.node_kind(k % shape.nodes_per_element));
    offset.push_back(numbers);
    dof.push_back(dofs);
    numbers += manifold_size(kinds.back()).config;
    dofs += dofs_of(kinds.back());
    if (kinds.back() == NodeKind::frame) operators.insert(operators.end(), {1, 0.01, 0, -0.01, 1, 0.02, 0, -0.02, 1});
  }
  Sampler sample(7);
  std::vector<double> velocity(static_cast<std::size_t>(dofs)), multiplier(static_cast<std::size_t>(size) * shape.coupled_rows());
  for (double& v : velocity) v = sample.uniform(-1, 1);
  for (double& m : multiplier) m = sample.uniform(-1, 1);
  velocity_ = to_device_array("velocity", velocity);
  multiplier_ = to_device_array("multiplier", multiplier);
  tangent_operator_ = to_device_array("tangent_operator", operators);
  nodes_ = {to_device_array("offset", offset), to_device_array("dof", dof), to_device_array("frame", number_frames(kinds))};
  state_.nodes = nodes_;
  state_.config = config_.data();
  state_.velocity = velocity_.data();
  state_.multiplier = multiplier_.data();
  state_.environment.gravity = Vec3<double>{{0, 0, -9.81}};
}

std::vector<double> Crowd::numbers(Sweep sweep) const {
  Kokkos::deep_copy(out_, 0.0);
  Kokkos::deep_copy(out2_, 0.0);
  run(sweep);
  std::vector<double> all;
  const auto append = [&](const SlotLayout& layout, const DeviceArray<double>& written) {
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), written);
    const std::vector<double> found = layout.by_element(host.data());
    all.insert(all.end(), found.begin(), found.end());
  };
  switch (sweep) {
    case Sweep::forces: append(family_->force_slots(), out_); break;
    case Sweep::constraints:
      append(family_->row_slots(), out_);
      append(family_->row_slots(), out2_);
      break;
    case Sweep::tangent: append(family_->entry_slots(MatrixKind::tangent, family_->all()), out_); break;
    case Sweep::projection: append(family_->entry_slots(MatrixKind::projection, family_->all()), out_); break;
  }
  return all;
}

void Crowd::run(Sweep sweep) const {
  SweepState state = state_;
  switch (sweep) {
    case Sweep::forces: family_->forces(state, out_.data()); break;
    case Sweep::constraints: family_->constraints(state, out_.data(), out2_.data()); break;
    case Sweep::tangent:
      if (family_->shape().has_turns()) state.tangent_operator = tangent_operator_.data();
      family_->tangent(state, Shift{0.3, 0.7, 1.1}, out_.data());
      break;
    case Sweep::projection: family_->projection(state, out_.data()); break;
  }
  Kokkos::fence();
}

}  // namespace sinew::perf
