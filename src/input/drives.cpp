#include "input/drives.hpp"

#include "input/names.hpp"
#include "input/unlike_instances.hpp"
#include "model/resolve.hpp"

#include <optional>

namespace sinew {

namespace {

/// A place of the first instance, on a body that was read well; none of the ground, and of what is reported with its instance.
std::optional<PlaceRef> find_place(const ReadContext& context, const ConnectedItem& item, const PlaceItem& place) {
  const Indices indices = item.repeat.indices(0);
  PlaceRef ref;
  if (!place.is_on_body()) return {};
  const auto body = context.model.body_names.find(place.body, indices);
  if (!body || !context.sound_bodies[static_cast<std::size_t>(body->item)]) return {};
  if (resolve_place(context.model, place, indices, false, ref)) return {};
  return ref;
}

bool is_shaft(const Model& model, const std::optional<PlaceRef>& ref) {
  return ref && model.body_at(ref->body.item).form_of(*ref) == PlaceForm::scalar;
}

/// Does it turn in a body, as a rotor does, and not against the ground?
bool turns_in_body(const Model& model, const PlaceRef& shaft) {
  return model.body_at(shaft.body.item).place_form() != PlaceForm::scalar;
}

}  // namespace

std::string only_direction(const FamilyEntry& joint) {
  std::string key;
  for (const FieldSpec& field : joint.fields) {
    if (field.type != FieldType::direction) continue;
    if (!key.empty()) return "";
    key = field.name;
  }
  return key;
}

bool drives_shafts(const ItemDescription& item) {
  const FamilyEntry* entry = item.is_drive ? find_entry(registered_joints(), item.name) : nullptr;
  if (!entry || entry->shape.is_scalar == nullptr) return false;
  for (int k = 0; k < entry->shape.nodes_per_element; ++k)
    if (!entry->shape.is_scalar(k)) return false;
  return true;
}

std::string driven_by(const ItemDescription& item) {
  for (const FieldSpec& field : item.fields)
    if (item.is_drive && (field.type == FieldType::signal || field.type == FieldType::feedback)) return field.name;
  return "";
}

const ItemDescription* drive_of_shafts(const std::vector<ItemDescription>& types, const ItemDescription& drive, int count) {
  for (const ItemDescription& type : types)
    if (drive.is_drive && type.word() == drive.word() && driven_by(type) == driven_by(drive) && type.num_places == count &&
        drives_shafts(type))
      return &type;
  return nullptr;
}

namespace {

/// By the first instance, of a motion with two places; `of_one`, `of_two`: those of so many shafts.
const ItemDescription* settle_first(ReadContext& context, const ItemDescription& description, const ItemDescription* of_one,
                                    const ItemDescription* of_two, ConnectedItem& item) {
  const Model& model = context.model;
  const auto first = find_place(context, item, item.places[0]), second = find_place(context, item, item.places[1]);
  if (!is_shaft(model, first) && !is_shaft(model, second)) return &description;
  if (is_shaft(model, first) || !is_shaft(model, second)) return of_two;
  const PlaceItem& shaft = item.places[1];
  const bool is_on_ground = !item.places[0].is_on_body();
  const bool is_carried = first && first->body.item == second->body.item && first->body.instance == second->body.instance;
  if (!is_on_ground && !is_carried) return of_two;
  if (is_on_ground && turns_in_body(model, *second)) {
    context.faults.error(shaft.mark,
                         "'" + shaft.text + "' turns in its body, '" + shaft.body.text() +
                             "', against which its angle is counted, and not against the ground",
                         "write on: " + shaft.text);
    return of_one;
  }
  item.ground_is_first = true;
  item.places.erase(item.places.begin());
  return of_one;
}

}  // namespace

const ItemDescription* settle_shafts(ReadContext& context, const std::vector<ItemDescription>& types,
                                     const ItemDescription& description, ConnectedItem& item) {
  const ItemDescription *of_one = drive_of_shafts(types, description, 1), *of_two = drive_of_shafts(types, description, 2);
  if (!of_one || !of_two || item.of || item.places.empty()) return &description;
  if (item.places.size() == 1) return of_one;
  const ConnectedItem given = item;
  const std::size_t before = context.faults.num_errors();
  const ItemDescription* settled = settle_first(context, description, of_one, of_two, item);
  if (context.faults.num_errors() > before) return settled;
  for (const std::int64_t instance : sample_instances(given.repeat)) {
    if (instance == 0) continue;
    ConnectedItem other = given;
    other.repeat = only(given.repeat, instance);
    const ItemDescription* theirs = settle_first(context, description, of_one, of_two, other);
    if (context.faults.num_errors() > before) {
      context.faults.forget_behind(before, context.faults.num_warnings());
      theirs = nullptr;
    }
    if (theirs == settled && other.places.size() == item.places.size()) continue;
    report_unlike(context, given.places[1].mark, given, instance, "drives what is of another kind");
    break;
  }
  return settled;
}

}  // namespace sinew
