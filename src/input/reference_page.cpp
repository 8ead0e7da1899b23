#include "input/reference_page.hpp"

#include "input/body_type.hpp"
#include "input/drives.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "model/choices.hpp"
#include "model/measures.hpp"
#include "model/shaft_places.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace sinew {
namespace {

const char* form_of(FieldType type) {
  switch (type) {
    case FieldType::number: return "number";
    case FieldType::vector: return "3 numbers";
    case FieldType::direction: return "3 numbers, not all 0";
    case FieldType::signal: return "expression of `t`";
    case FieldType::matrix6: return "6 numbers or 6 x 6";
    case FieldType::flags: return "some of `x`, `y`, `z`";
    case FieldType::signal3: return "3 expressions of `t`";
    case FieldType::inertia: return "3 numbers or 3 x 3";
    case FieldType::feedback: return "expression of `t`, sensors and controls";
    case FieldType::relation: return "expression of `t` and sensors";
    case FieldType::table: return "rows of 2 numbers";
    case FieldType::points: return "rows of 3 numbers";
  }
  return "";
}

const char* rule_of(FieldCheck check) {
  switch (check) {
    case FieldCheck::positive: return ", > 0";
    case FieldCheck::nonnegative: return ", >= 0";
    case FieldCheck::any: break;
  }
  return "";
}

/// Does a force in a joint take the key of the joint where it is not given?
bool is_of_joint(const FieldSpec& field, const ItemDescription& item, const std::vector<ItemDescription>& joints) {
  if (item.joints.empty()) return false;
  if (field.type == FieldType::direction) return true;
  const ItemDescription* joint = find_description(joints, item.joints.front());
  return joint && field.required && std::any_of(joint->fields.begin(), joint->fields.end(), [&](const FieldSpec& theirs) {
           return std::string(theirs.name) == field.name;
         });
}

void write_fields(const ItemDescription& item, const std::vector<ItemDescription>& joints, std::ostringstream& page) {
  if (item.fields.empty()) {
    page << "No keys of its own.\n\n";
    return;
  }
  page << "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  if (!item.coordinate.empty() && !item.joints.empty())
    page << "| `coordinate` | `" << item.coordinate
         << "` | | the one that the joint has; of two the distance | what it limits |\n";
  for (const FieldSpec& field : item.fields) {
    const std::string fallback = is_of_joint(field, item, joints) ? "that of the joint"
                                 : field.required                 ? "required"
                                                                  : field.default_text;
    page << "| `" << field.name << "` | " << form_of(field.type) << rule_of(field.check) << " | " << field.unit << " | "
         << fallback << " | " << field.help << " |\n";
  }
  page << "\n";
}

/// What sensors record of a type.
void write_measures(const ItemDescription& item, bool forces, std::ostringstream& page) {
  const FamilyEntry* entry = forces ? find_force_type(item.name) : find_entry(registered_joints(), item.name);
  if (!forces) {
    const std::vector<NamedQuantity> quantities = quantities_of_joint(item.name);
    for (const NamedQuantity& quantity : quantities)
      page << (&quantity == &quantities.front() ? "Sensors of type `relative` record `" : ", `") << quantity.name << "`";
    if (!quantities.empty()) page << ".\n\n";
  } else if (entry && !entry->measures.empty()) {
    page << "| recorded by sensors of type `force` | | unit |\n|---|---|---|\n";
    for (const MeasureSpec& spec : entry->measures)
      page << "| `" << spec.name << (spec.components == 3 ? "`, x y z | " : "` | ") << spec.help << " | " << spec.unit << " |\n";
    page << "\n";
  }
}

/// `revolute`, or `prismatic` or `cylindrical`.
std::string joined(const std::vector<std::string>& types) {
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "`" : "` or `") + type;
  return text + "`";
}

const FamilyEntry* entry_of(const ItemDescription& item, bool is_joint) {
  return find_entry(is_joint ? registered_joints() : registered_forces(), item.name);
}

/// `place` or `shaft`: what stands at place k.
const char* place_word(const ItemDescription& item, bool is_joint, int k) {
  const FamilyEntry* entry = entry_of(item, is_joint);
  return entry && entry->shape.is_scalar && entry->shape.is_scalar(k) ? "shaft" : "place";
}

/// `place, place`; what holds a single one holds it to the ground.
std::string places(const ItemDescription& item, bool is_joint) {
  const int count = std::abs(item.num_places);
  std::string text = count == 1 ? "ground, " : "";
  for (int k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + std::string(place_word(item, is_joint, k));
  return text;
}

/// May the ground stand for one of its shafts?
bool has_standing_shaft(const ItemDescription& item, bool is_joint) {
  const FamilyEntry* entry = entry_of(item, is_joint);
  return entry && !item.is_drive && ground_is_shaft(*entry, is_joint);
}

void write_items(const char* title, const Catalogue& catalogue, bool forces, std::ostringstream& page) {
  const std::vector<ItemDescription>& items = forces ? catalogue.forces : catalogue.joints;
  page << "## " << title << "\n\n";
  for (const ItemDescription& item : items) {
    const bool motion = item.is_drive && !forces, actuator = item.is_drive && forces;
    page << "### " << (item.type.empty() ? item.name : item.type + ": " + item.name.substr(item.type.size() + 1)) << "\n\n"
         << item.help << ".\n\n";
    page << "`type: " << item.word() << "`";
    if (item.num_places != 0) page << ", ";
    if (motion && drives_shafts(item))
      page << (item.num_places == 1 ? "`on: shaft`, or `connect: [ground, shaft]`, or `connect: [body, body.rotor]`"
                                    : "`connect: [shaft, shaft]`");
    else if (motion)
      page << "`of: joint` or `connect: [place, place]`";
    else if (!item.joints.empty())
      page << "`of:` a joint, " << joined(item.joints);
    else if (item.is_on_surface)
      page << "`on:` a surface of a solid, `body.group`";
    else if (item.is_spread)
      page << "`on:` a beam, a cable or a ring, all of it";
    else if (item.is_line_first)
      page << "`connect: [line, place]`, the line a beam, a cable or a ring";
    else if (item.num_places == 1 && forces)
      page << "`on: " << place_word(item, !forces, 0) << "`";
    else if (item.num_places > 0)
      page << "`connect: [" << places(item, !forces) << "]`"
           << (actuator && item.fields.size() > 1 ? ", or `of: joint`, or `on: place` against the ground" : "");
    else if (item.num_places < 0)
      page << "`connect: [" << places(item, !forces) << ", ...]`";
    if (item.ground_is_contact) page << "; a bare `ground` passes where it is touched at the start";
    if (item.ground_is_origin) page << "; a bare `ground` is the origin";
    if (has_standing_shaft(item, !forces)) page << "; a bare `ground` is a shaft that stands still";
    page << ".\n\n";
    write_fields(item, catalogue.joints, page);
    write_measures(item, forces, page);
  }
}

void write_body(const BodyType& type, std::ostringstream& page) {
  page << "### " << type.name << "\n\n" << type.help << ".\n\n`type: " << type.name << "`";
  page << (*type.about == '\0' ? "; how to use it: [the model file](input.md#bodies).\n\n" : ".\n\n");
  if (*type.about != '\0') page << type.about << "\n";
  page << "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const BodyKey& key : type.keys)
    page << "| `" << key.name << "` | " << key.value << " | " << key.unit << " | " << key.default_text << " | " << key.help
         << " |\n";
  page << "\n```yaml\n" << type.example << "```\n\n";
}

template <class E>
void write_choices(const char* key, std::ostringstream& page) {
  page << "| `" << key << "` | ";
  bool first = true;
  for (const Choice<E>& choice : choices_of<E>()) {
    if (!choice.is_built) continue;
    page << (first ? "`" : ", `") << choice.name << "`";
    first = false;
  }
  page << " |\n";
}

}  // namespace

std::string reference_page(const Catalogue& catalogue) {
  std::ostringstream page;
  write_items("Joints", catalogue, false, page);
  write_items("Forces", catalogue, true, page);
  page << "## Bodies\n\nThree of each in its example.\n\n";
  for (const BodyType& type : registered_bodies()) write_body(type, page);
  page << "## Words\n\nThe first one of a line is the default, except for sensor types.\n\n| key | words |\n|---|---|\n";
  write_choices<MaterialLaw>("materials.*.law", page);
  write_choices<SolidFormulation>("bodies.*.formulation", page);
  write_choices<AnalysisType>("analysis.type", page);
  write_choices<IntegratorName>("analysis.integrator", page);
  write_choices<ConstraintLevel>("analysis.constraints", page);
  write_choices<StartMethod>("analysis.start", page);
  write_choices<StepUpdates>("analysis.updates", page);
  write_choices<StateRule>("analysis.states", page);
  write_choices<InitialValues>("analysis.initial", page);
  write_choices<NewtonJacobian>("analysis.newton.jacobian", page);
  write_choices<FieldQuantity>("output.fields.quantities", page);
  for (const Choice<SensorKind>& kind : choices_of<SensorKind>()) {
    if (quantities_of(kind.value).empty()) continue;
    page << "| `record` of a sensor of type `" << kind.name << "` | ";
    bool first = true;
    for (const Quantity quantity : quantities_of(kind.value)) {
      page << (first ? "`" : ", `") << quantity_name(quantity) << "`";
      first = false;
    }
    page << " |\n";
  }
  return page.str();
}

}  // namespace sinew
