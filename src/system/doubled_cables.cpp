#include "system/doubled_cables.hpp"

#include "kernels/elements/cable.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <tuple>

namespace sinew {

bool is_doubled(const Vec3<double>& slope1, const Vec3<double>& slope2, const Vec3<double>& chord, double length) {
  // r' in the middle of the cubic, the third place at which the stretch is taken
  const Vec3<double> middle = (1.5 / length) * chord - 0.25 * (slope1 + slope2);
  constexpr double heaped = 0.5 * 0.5;
  if (std::min({dot(slope1, slope1), dot(slope2, slope2), dot(middle, middle)}) < heaped) return false;
  return dot(slope1, middle) < 0 || dot(middle, slope2) < 0;
}

DoubledCables doubled_cables(const System& system, const Configuration& q) {
  DoubledCables found;
  std::vector<double> values;
  const LocalModel& local = system.local();
  for (std::size_t f = 0; f < local.families.size(); ++f) {
    if (std::string_view(system.families()[f]->name()) != Cable::name) continue;
    const FamilyData& data = system.families()[f]->data();
    if (data.size == 0) continue;
    if (values.empty()) values = system.host_values(q);
    found.cables += data.size;
    for (int e = 0; e < data.size; ++e) {
      Vec3<double> x[Cable::num_nodes];
      for (int a = 0; a < Cable::num_nodes; ++a) {
        const auto node = static_cast<std::size_t>(data.nodes[static_cast<std::size_t>(e * Cable::num_nodes + a)]);
        for (int k = 0; k < 3; ++k) x[a][k] = values[static_cast<std::size_t>(local.config_offset[node] + k)];
      }
      Cable::Params params;
      std::memcpy(static_cast<void*>(&params), system.families()[f]->params_of(e), sizeof(params));
      if (!is_doubled(x[1], x[3], x[2] - x[0], params.length)) continue;
      ++found.count;
      const Origin& origin = local.families[f].origins[static_cast<std::size_t>(e)];
      const bool is_first = found.item < 0 || std::tie(origin.item, origin.instance) < std::tie(found.item, found.instance);
      if (is_first) found.item = origin.item, found.instance = origin.instance;
    }
  }
  if (found.item >= 0) found.first = system.model().body_name(static_cast<int>(found.item), found.instance);
  std::array<std::int64_t, 2> sums{found.count, found.cables};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_INT64_T, MPI_SUM, local.comm);
  std::tie(found.count, found.cables) = std::tie(sums[0], sums[1]);
  return found;
}

}  // namespace sinew
