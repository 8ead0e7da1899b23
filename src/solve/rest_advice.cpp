#include "solve/rest_advice.hpp"

#include "kernels/sweep/registry.hpp"

#include <fmt/format.h>

#include <string_view>

namespace sinew {

std::string without_friction(const Model& model) {
  for (const ForceItem& force : model.forces) {
    const ForceEntry* entry = find_entry(registered_forces(), force.type);
    if (entry && entry->shape.num_multipliers > 0)
      return fmt::format(
          " (the friction '{}' does not hold it: at rest nothing slips, and friction does nothing; take a joint or a spring "
          "that holds it, or `type: dynamic`, in which it creeps)",
          force.name.text());
  }
  return {};
}

std::string free_end(const Model& model) {
  const bool has_cables =
      std::ranges::any_of(model.bodies, [](const BodyItem& item) { return std::string_view(item.body().type()) == "cable"; });
  return has_cables ? " (of a cable's end that carries nothing the last slope meets next to no resistance: give it a weight, "
                      "compression: 1 with a bending stiffness, or draw it as it will hang)"
                    : "";
}

}  // namespace sinew
