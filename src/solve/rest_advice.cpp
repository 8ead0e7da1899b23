#include "solve/rest_advice.hpp"

#include "kernels/sweep/registry.hpp"
#include "solve/body_owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sinew {

namespace {

/// In a joint, by its reactions, or where places touch, by what they are pressed together with.
bool rubs(const ForceItem& force) {
  const ForceEntry* entry = find_entry(registered_forces(), force.type);
  const auto is_coefficient = [](const FieldExpression& field) { return field.name == "coefficient"; };
  return (entry && entry->shape.num_multipliers > 0) || std::ranges::any_of(force.fields, is_coefficient);
}

}  // namespace

std::string first_friction(const Model& model) {
  const auto found = std::ranges::find_if(model.forces, rubs);
  return found == model.forces.end() ? std::string() : found->name.text();
}

std::string without_friction(const Model& model) {
  const std::string found = first_friction(model);
  if (found.empty()) return {};
  return fmt::format(
      " (the friction '{}' does not hold it: at rest nothing slips, and friction does nothing; take a joint or a spring that "
      "holds it, or `type: dynamic`, in which it creeps)",
      found);
}

namespace {

/// What nothing holds of a cable's end that hangs free, to be put behind a sentence; empty where there are no cables.
std::string free_end(const Model& model) {
  const bool has_cables =
      std::ranges::any_of(model.bodies, [](const BodyItem& item) { return item.body().field_group() == FieldGroup::cables; });
  return has_cables ? " (of a cable's end that carries nothing the last slope meets next to no resistance: give it a weight, "
                      "compression: 1 with a bending stiffness, or draw it as it will hang)"
                    : "";
}

}  // namespace

std::string what_keeps_moving(const System& system, const Numbering& numbering, PetscVec moved) {
  const std::string bodies = bodies_with_largest(system, numbering, moved);
  if (bodies.empty())
    return fmt::format("states of {} keep changing: at rest the rates of all states are zero;", system.body_of_largest(moved));
  return bodies + " keeps moving under the load; is it held against it?" + without_friction(system.model()) +
         free_end(system.model());
}

}  // namespace sinew
