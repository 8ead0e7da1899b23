#include "input/section_readers.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// `beta: [N, V2, V3, T, M2, M3]` of a beam; six that are alike are one.
void read_beta_by_component(const DocumentNode& node, const std::string& what, const ValueReader& values,
                            RayleighDamping& damping, std::optional<Vec<double, 6>>& components) {
  constexpr const char* names[6] = {"N", "V2", "V3", "T", "M2", "M3"};
  if (node.items.size() != 6)
    return values.faults.error(
        node.mark,
        "beta of " + what + " must be one time or six, of N, V2, V3, T, M2 and M3, but has " + std::to_string(node.items.size()),
        "write beta: [1e-3, 1e-3, 1e-3, 2e-3, 1e-3, 1e-3]");
  Vec<double, 6> times;
  for (int i = 0; i < 6; ++i)
    times[i] = values.positive(node.items[static_cast<std::size_t>(i)], std::string("beta of ") + names[i] + " of " + what, true);
  if (std::all_of(times.data, times.data + 6, [&](double time) { return time == times[0]; }))
    damping.beta = times[0];
  else
    components = times;
}

}  // namespace

std::optional<RayleighDamping> read_damping(MapReader& map, const ValueReader& values,
                                            std::optional<Vec<double, 6>>* components) {
  const DocumentNode* node = map.find("damping");
  if (!node) return std::nullopt;
  const std::string what = map.what();
  RayleighDamping damping;
  MapReader reader(*node, "damping of " + what, values.faults);
  if (const auto* alpha = reader.find("alpha")) damping.alpha = values.positive(*alpha, "alpha of " + what, true);
  const DocumentNode* beta = reader.find("beta");
  if (beta && beta->is_sequence() && components)
    read_beta_by_component(*beta, what, values, damping, *components);
  else if (beta && beta->is_sequence())
    values.faults.error(beta->mark, "beta of " + what + " must be one number",
                        "six times, of N, V2, V3, T, M2 and M3, are for the damping of a body of type beam");
  else if (beta)
    damping.beta = values.positive(*beta, "beta of " + what, true);
  return damping;
}

}  // namespace sinew
