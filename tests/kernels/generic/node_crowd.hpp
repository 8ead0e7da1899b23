// Nodes with their numbers; and those of a number of elements that share none, in random states.
#pragma once

#include "kernels/elements/sample.hpp"
#include "kernels/sweep/family.hpp"

#include <algorithm>
#include <vector>

namespace sinew::trial {

/// Nodes and their numbers, and what sweeps make of them.
struct NodeNumbers {
  std::vector<NodeKind> kinds;
  std::vector<int> config_of, dof_of;
  std::vector<double> config, velocity, operators, multipliers;

  /// What a sweep writes: `size` numbers. `turned`: with the tangent operators.
  template <class Sweep>
  std::vector<double> swept(std::size_t size, const Sweep& sweep, bool turned = false) const {
    const auto q = to_device_array("q", config), v = to_device_array("v", velocity), T = to_device_array("T", operators),
               lambda = to_device_array("lambda", multipliers);
    SweepState s;
    const NodeArrays arrays{to_device_array("config", config_of), to_device_array("dof", dof_of),
                            to_device_array("frame", number_frames(kinds))};
    s.nodes = arrays;
    s.config = q.data();
    s.velocity = v.data();
    s.multiplier = lambda.data();
    s.tangent_operator = turned ? T.data() : nullptr;
    s.environment.gravity = Vec3<double>{{1, -2, 3}};
    const DeviceArray<double> out("out", size);
    sweep(s, out.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), out);
    return std::vector<double>(host.data(), host.data() + size);
  }
};

/// Points and frames between which a family's elements stand, with random states.
struct NodeCrowd : NodeNumbers {
  NodeCrowd(const FamilyShape& shape, int elements, unsigned seed) {
    Sampler sample(seed);
    for (int k = 0; k < elements * shape.nodes_per_element; ++k) {
      const NodeKind kind = shape.node_kind(k % shape.nodes_per_element);
      kinds.push_back(kind);
      config_of.push_back(static_cast<int>(config.size()));
      dof_of.push_back(static_cast<int>(velocity.size()));
      for (int i = 0; i < manifold_size(kind).config; ++i) config.push_back(sample.uniform(-1, 1));
      if (kind == NodeKind::frame) {
        double* c = config.data() + config_of.back();
        const Quaternion q = normalized(Pose::quaternion(c));
        const double wxyz[4] = {q.w, q.x, q.y, q.z};
        std::copy_n(wxyz, 4, c + 3);
        for (int i = 0; i < 9; ++i) operators.push_back((i % 4 == 0 ? 1 : 0) + sample.uniform(-0.2, 0.2));
      }
      for (int i = 0; i < dofs_of(kind); ++i) velocity.push_back(sample.uniform(-1, 1));
    }
    for (int r = 0; r < elements * shape.coupled_rows(); ++r) multipliers.push_back(sample.uniform(-1, 1));
  }

  // Element by element.
  std::vector<double> forces(const Family& family) const {
    return by_element(family.force_slots(), [&](const SweepState& s, double* out) { family.forces(s, out); });
  }
  std::vector<double> tangent(const Family& family, const Shift& shift, bool turned = false) const {
    return by_element(
        family.entry_slots(MatrixKind::tangent, family.all()),
        [&](const SweepState& s, double* out) { family.tangent(s, shift, out); }, turned);
  }
  std::vector<double> mass(const Family& family) const {
    return by_element(family.entry_slots(MatrixKind::projection, family.all()),
                      [&](const SweepState& s, double* out) { family.projection(s, out); });
  }
  template <class Sweep>
  std::vector<double> by_element(const SlotLayout& layout, const Sweep& sweep, bool turned = false) const {
    return layout.by_element(swept(layout.size(), sweep, turned).data());
  }
};

}  // namespace sinew::trial
