#include "model/registered_catalogue.hpp"

#include "kernels/registration.hpp"
#include "kernels/sweep/surface_loads.hpp"

#include <algorithm>

namespace sinew {
namespace {

ItemDescription describe(const FamilyEntry& entry, const Registration& said) {
  ItemDescription item;
  item.name = entry.name;
  item.type = said.type;
  item.key = said.key;
  item.own = said.own;
  item.on_frame = said.on_frame;
  item.on_line = said.on_line;
  item.one_way = said.one_way;
  item.on_body = said.on_body;
  item.body_way = said.body_way;
  item.is_spread = said.is_spread;
  item.is_line_first = said.is_line_first;
  item.is_drive = said.is_drive;
  item.holds_all_nodes = said.holds_all_nodes;
  item.fields = entry.fields;
  const auto is_relation = [](const FieldSpec& field) { return field.type == FieldType::relation; };
  const bool names_places = std::any_of(entry.fields.begin(), entry.fields.end(), is_relation);
  item.num_places = names_places ? 0 : entry.shape.is_open ? -entry.shape.nodes_per_element : entry.shape.nodes_per_element;
  if (said.is_line_first) item.num_places = 2;
  item.help = entry.help;
  item.is_load = entry.shape.is_load;
  item.joints = entry.joints;
  item.coordinate = said.coordinate;
  item.ground_is_contact = static_cast<bool>(entry.ground_place);
  item.ground_is_origin = said.ground_is_origin;
  return item;
}

/// The model file's joint holds every node of a place to the ground or to a body; its kernel holds one and knows neither.
void complete_clamp(ItemDescription& item) {
  item.num_places = 2;
  item.help =
      "every node of a place (a surface group, the end of a cable) stays where it is at the start: on the ground, or in the axes "
      "of a body that is the first place";
}

/// Loads on surfaces, whose families are one for each shape of face.
void add_surface_loads(std::vector<ItemDescription>& forces) {
  for (const FamilyEntry& entry : registered_surface_loads()) {
    ItemDescription item = describe(entry, {});
    item.name = entry.name.substr(0, entry.name.rfind('-'));
    item.num_places = 1;
    item.is_on_surface = true;
    if (find_description(forces, item.name) == nullptr) forces.push_back(std::move(item));
  }
}

}  // namespace

Catalogue registered_catalogue() {
  Catalogue catalogue;
  for (std::size_t k = 0; k < registered_joints().size(); ++k) {
    const Registration& said = joint_registrations()[k];
    if (said.is_internal) continue;
    catalogue.joints.push_back(describe(registered_joints()[k], said));
    if (said.holds_all_nodes) complete_clamp(catalogue.joints.back());
  }
  for (std::size_t k = 0; k < registered_forces().size(); ++k)
    catalogue.forces.push_back(describe(registered_forces()[k], force_registrations()[k]));
  add_surface_loads(catalogue.forces);
  return catalogue;
}

}  // namespace sinew
