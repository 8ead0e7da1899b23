#include "model/shaft_places.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// Does it turn in a body, as a rotor does? Its angle is then one against that body.
bool turns_in_body(const Model& model, const PlaceRef& ref) {
  return is_scalar(model, ref) && model.body_at(ref.body.item).place_form() != PlaceForm::scalar;
}

/// What stands still does so against the ground.
void check_beside_ground(const Model& model, const ConnectedItem& item, const std::vector<PlaceRef>& refs, InstanceCheck& check) {
  for (std::size_t k = 0; k < item.places.size(); ++k)
    if (turns_in_body(model, refs[k]))
      check.add(item.places[k].mark,
                "'" + item.places[k].text + "' turns in its body, against which its angle is counted, and not against the ground",
                "name shafts of their own, or exert a shaft-torque on it that is fed from its angle and rate");
}

}  // namespace

bool is_scalar(const Model& model, const PlaceRef& ref) {
  return !ref.is_ground && model.body_at(ref.body.item).form_of(ref) == PlaceForm::scalar;
}

bool ground_is_shaft(const FamilyEntry& entry, bool is_joint) {
  const FamilyShape& shape = entry.shape;
  if (shape.is_scalar == nullptr || shape.is_open || shape.nodes_per_element < (is_joint ? 3 : 2)) return false;
  for (int k = 0; k < shape.nodes_per_element; ++k)
    if (!shape.is_scalar(k)) return false;
  return true;
}

void check_shaft_places(const Model& model, const ConnectedItem& item, const std::vector<PlaceRef>& refs, InstanceCheck& check) {
  const FamilyEntry* joint = find_entry(registered_joints(), item.type);
  const FamilyEntry* entry = joint ? joint : find_entry(registered_forces(), item.type);
  const bool may_stand = entry && ground_is_shaft(*entry, joint != nullptr);
  bool stands = false;
  for (std::size_t k = 0; k < item.places.size(); ++k) {
    const bool wanted = entry && entry->shape.is_scalar && entry->shape.is_scalar(static_cast<int>(k));
    if (wanted == is_scalar(model, refs[k])) continue;
    const std::string& text = item.places[k].text;
    if (may_stand && refs[k].is_ground && refs[k].anchor == Anchor::unlocated) {
      stands = true;
    } else if (wanted) {
      check.add(item.places[k].mark, "'" + text + "' is no shaft",
                std::string("name a body of type: shaft, or a rotor of a body that has some") +
                    (may_stand ? "; `ground` is a shaft that stands still" : ""));
    } else {
      check.add(item.places[k].mark, "'" + text + "' is a shaft, which has an angle and no place",
                joint ? "couple it to a body with shaft-turn" : "act on it with shaft-torque, shaft-spring or shaft-crank");
    }
  }
  if (stands) check_beside_ground(model, item, refs, check);
}

}  // namespace sinew
