#pragma once

#include "model/catalogue.hpp"

namespace sinew::test {

/// A few joints and forces with keys of every type: what the reader needs to know of the registered ones.
inline Catalogue small_catalogue() {
  const FieldSpec axis{"axis", FieldType::direction, "1", true, "", FieldCheck::any, "direction of the hinge"};
  const auto item = [](const char* name, int places, std::vector<FieldSpec> fields) {
    ItemDescription description;
    description.name = name;
    description.num_places = places;
    description.fields = std::move(fields);
    description.help = "a joint or force of the tests";
    description.ground_is_origin = description.name == "distance" || description.name == "spring-damper";
    description.holds_all_nodes = description.name == "clamp";
    if (description.holds_all_nodes) description.on_frame = "fixed";
    if (description.holds_all_nodes || description.name == "fixed") description.on_line = "fixed-line";
    if (description.holds_all_nodes) description.one_way = "coordinate-fixed";
    if (description.holds_all_nodes) description.on_body = "spherical";
    if (description.holds_all_nodes) description.body_way = "point-on-plane";
    return description;
  };
  const auto drive = [](ItemDescription description, const char* type, const char* key) {
    description.type = type;
    description.key = key;
    description.is_drive = true;
    return description;
  };
  Catalogue catalogue;
  catalogue.joints = {
      item("fixed", 2, {}),
      item("clamp", 2, {{"components", FieldType::flags, "1", false, "[x, y, z]", FieldCheck::any, "directions that are held"}}),
      item("guide", 2, {{"open", FieldType::flags, "1", false, "[x]", FieldCheck::any, "directions that are free"}}),
      item("spherical", 2, {}),
      item("revolute", 2, {axis}),
      item("prismatic", 2, {axis}),
      item("point-on-line", 2, {axis}),
      item("coordinate-fixed", 1, {{"direction", FieldType::direction, "1", true, "", FieldCheck::any, "of the row"}}),
      item("distance", 2,
           {{"distance", FieldType::number, "m", false, "the initial distance", FieldCheck::positive, "length of the rod"}}),
      drive(item("motion-angle", 2, {axis, {"angle", FieldType::signal, "rad", true, "", FieldCheck::any, "angle"}}), "motion",
            "angle"),
      drive(item("motion-displacement", 2, {axis, {"displacement", FieldType::signal, "m", true, "", FieldCheck::any, "way"}}),
            "motion", "displacement"),
  };
  catalogue.forces = {
      item("force", 1, {{"vector", FieldType::signal3, "N", true, "", FieldCheck::any, "force in the global frame"}}),
      item("spring-damper", 2,
           {{"stiffness", FieldType::number, "N/m", false, "0", FieldCheck::nonnegative, "of the spring"},
            {"length", FieldType::number, "m", false, "the initial distance", FieldCheck::nonnegative, "without force"}}),
      item("bushing", 2, {{"stiffness", FieldType::matrix6, "N/m", true, "", FieldCheck::any, "of the bushing"}}),
      drive(item("actuator-line", 2, {{"force", FieldType::feedback, "N", true, "", FieldCheck::any, "force"}}), "actuator", ""),
      drive(item("actuator-direction", 2,
                 {{"direction", FieldType::direction, "1", true, "", FieldCheck::any, "of the force"},
                  {"force", FieldType::feedback, "N", true, "", FieldCheck::any, "force"}}),
            "actuator", "direction"),
      drive(item("actuator-torque", 2, {axis, {"torque", FieldType::feedback, "N m", true, "", FieldCheck::any, "torque"}}),
            "actuator", "torque"),
  };
  return catalogue;
}

}  // namespace sinew::test
