#include "model/registered_catalogue.hpp"

#include "kernels/sweep/surface_loads.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// Joints that the program makes itself where a place is a surface of a mesh or the end of a cable.
constexpr const char* internal_joints[] = {"surface-mean", "fixed-line"};

/// Types for which a bare `ground` is the origin.
constexpr const char* origin_types[] = {"distance", "spring-damper", "spring-damper-table", "spring-damper-law", "actuator-line"};

template <std::size_t N>
bool contains(const char* const (&list)[N], const std::string& name) {
  return std::any_of(std::begin(list), std::end(list), [&](const char* entry) { return name == entry; });
}

ItemDescription describe(const FamilyEntry& entry) {
  ItemDescription item;
  item.name = entry.name;
  item.fields = entry.fields;
  const auto is_relation = [](const FieldSpec& field) { return field.type == FieldType::relation; };
  const bool names_places = std::any_of(entry.fields.begin(), entry.fields.end(), is_relation);
  item.num_places = names_places ? 0 : entry.shape.nodes_per_element;
  item.help = entry.help;
  item.joints = entry.joints;
  item.ground_is_contact = static_cast<bool>(entry.ground_place);
  item.ground_is_origin = contains(origin_types, entry.name);
  return item;
}

/// The clamp of the model file holds every node of a place to the ground; its kernel holds one and knows no ground.
void complete_clamp(ItemDescription& item) {
  item.num_places = 2;
  item.help = "every node of a place (a surface group, the end of a cable) stays where it is at the start";
}

/// Loads on surfaces, whose families are one for each shape of face.
void add_surface_loads(std::vector<ItemDescription>& forces) {
  for (const FamilyEntry& entry : registered_surface_loads()) {
    ItemDescription item = describe(entry);
    item.name = entry.name.substr(0, entry.name.rfind('-'));
    item.num_places = 1;
    item.is_on_surface = true;
    if (find_description(forces, item.name) == nullptr) forces.push_back(std::move(item));
  }
}

}  // namespace

Catalogue registered_catalogue() {
  Catalogue catalogue;
  for (const FamilyEntry& entry : registered_joints()) {
    if (contains(internal_joints, entry.name)) continue;
    catalogue.joints.push_back(describe(entry));
    if (entry.name == "clamp") complete_clamp(catalogue.joints.back());
  }
  for (const FamilyEntry& entry : registered_forces()) catalogue.forces.push_back(describe(entry));
  add_surface_loads(catalogue.forces);
  return catalogue;
}

}  // namespace sinew
