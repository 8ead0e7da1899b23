#include "input/section_readers.hpp"

#include <algorithm>

namespace sinew {

OrientationExpression read_orientation(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  OrientationExpression result;
  result.mark = node.mark;
  MapReader map(node, what, values.faults);
  const DocumentNode* axis = map.find("axis");
  const DocumentNode* angle = map.find("angle");
  const DocumentNode* quaternion = map.find("quaternion");
  const DocumentNode* matrix = map.find("matrix");
  const int forms = (axis || angle ? 1 : 0) + (quaternion ? 1 : 0) + (matrix ? 1 : 0);
  if (forms != 1 || (axis == nullptr) != (angle == nullptr)) {
    if (map.is_map())
      values.faults.error(node.mark, what + " must hold axis and angle, or quaternion, or matrix",
                          "write {axis: [0, 0, 1], angle: 30 deg}");
    return result;
  }
  if (axis) {
    result.form = OrientationForm::axis_angle;
    result.numbers = values.numbers(*axis, 3, "axis of " + what);
    result.numbers.push_back(values.number(*angle, "angle of " + what));
  } else if (quaternion) {
    result.form = OrientationForm::quaternion;
    result.numbers = values.numbers(*quaternion, 4, "quaternion of " + what);
  } else {
    result.numbers = values.matrix(*matrix, 3, "matrix of " + what);
    if (result.numbers.size() == 9) result.form = OrientationForm::matrix;
    if (result.numbers.size() == 3) values.faults.error(matrix->mark, "matrix of " + what + " must have 3 rows of 3");
    if (result.form == OrientationForm::identity) result.numbers.clear();
  }
  return result;
}

namespace {

/// The named points of a body: coordinates, or `{at: fraction}` on a cable or beam.
void read_points(const DocumentNode& node, const ValueReader& values, BodyItem& body, const std::string& what) {
  if (!node.is_map()) {
    values.faults.error(node.mark, "points of " + what + " must be a map of names, not " + node.describe(),
                        "write tip: [0.1, 0, 0]");
    return;
  }
  const bool on_line = body.kind() == BodyKind::cable || body.kind() == BodyKind::beam;
  if (body.kind() == BodyKind::solid) {
    values.faults.error(node.mark, "points on the solid " + what + " are not built yet", "name a group of its mesh instead");
    return;
  }
  for (const DocumentEntry& entry : node.entries) {
    NamedPoint point;
    point.mark = entry.mark;
    point.name = values.pattern(entry.key, entry.mark, false);
    const std::string point_name = "point '" + entry.key + "' of " + what;
    if (on_line && (entry.key == "start" || entry.key == "end"))
      values.faults.error(entry.mark, "'" + entry.key + "' names an end of every cable and beam already", "choose another name");
    if (point.name.is_plain() && !is_valid_name(entry.key))
      values.faults.error(entry.mark, point_name + " holds characters that names cannot have", "use letters, digits, _ and -");
    if (on_line) {
      point.place = Expression::unreadable();
      MapReader map(entry.value, point_name, values.faults);
      if (const auto* at = map.require("at", "{at: 0.5}, a fraction of the length")) point.place = values.number(*at, point_name);
    } else {
      point.place = values.vector(entry.value, point_name);
    }
    body.points.push_back(std::move(point));
  }
}

/// The shape of a body by its type; false (reported) if the type is unknown.
bool read_shape(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& body) {
  const DocumentNode* type = map.require("type", "type: rigid, point-mass, cable, beam or solid");
  if (!type) {
    map.forgive();
    return false;
  }
  const std::string word = type->is_scalar() ? type->text : "";
  for (const char* later : {"shell"})
    if (word == later) {
      map.forgive();
      context.faults.error(type->mark, map.what() + ": bodies of type '" + word + "' are not built yet",
                           "available: rigid, point-mass, cable, beam, solid");
      return false;
    }
  const std::size_t before = context.faults.num_errors();
  const BodyKind kind = values.choice(*type, "type of " + map.what(), BodyKind::rigid);
  if (context.faults.num_errors() > before) {
    map.forgive();
    return false;
  }
  switch (kind) {
    case BodyKind::rigid: body.shape = read_rigid_body(map, values, context); break;
    case BodyKind::point_mass: body.shape = read_point_mass(map, values); break;
    case BodyKind::cable: body.shape = read_cable(map, values, context); break;
    case BodyKind::solid: body.shape = read_solid(map, values, context); break;
    case BodyKind::beam: body.shape = read_beam(map, values, context); break;
  }
  return true;
}

/// Whether a beam can be checked further.
bool is_sound(const BeamItem& beam, const Model& model) {
  const auto is_known = [&](const BeamStationItem& s) {
    return s.section >= 0 && (beam.material >= 0 || model.sections[static_cast<std::size_t>(s.section)].matrices);
  };
  return beam.num_elements > 0 && (beam.curve || beam.points.size() > 1) && !beam.sections.empty() &&
         std::all_of(beam.sections.begin(), beam.sections.end(), is_known);
}

/// Everything between a body's braces; false if the shape is not known.
bool read_body_map(MapReader& map, const DocumentEntry& entry, ReadContext& context, BodyItem& body) {
  if (!map.is_map()) {
    body.name = NamePattern(entry.key);
    return false;
  }
  body.repeat = read_repeat(map, context.values());
  body.name = read_item_name(entry, body.repeat, context.values(), "body");
  const ValueReader values = context.values(&body.repeat);
  const bool known = read_shape(map, values, context, body);
  if (body.kind() != BodyKind::point_mass)
    if (const DocumentNode* points = map.find("points"); points && !(points->is_sequence() && body.kind() == BodyKind::cable))
      read_points(*points, values, body, map.what());
  if (!known) map.forgive();
  const auto* cable = std::get_if<CableItem>(&body.shape);
  const auto* beam = std::get_if<BeamItem>(&body.shape);
  return known && (!cable || (cable->num_elements > 0 && cable->points.size() > 1 && cable->section >= 0)) &&
         (!beam || is_sound(*beam, context.model));
}

void read_body(const DocumentEntry& entry, ReadContext& context) {
  BodyItem body;
  body.mark = entry.mark;
  const std::string what = "body '" + entry.key + "'";
  MapReader map(entry.value, what, context.faults);
  context.sound_bodies.push_back(read_body_map(map, entry, context, body));
  context.model.body_names.add(body.name, body.repeat);
  context.model.bodies.push_back(std::move(body));
}

}  // namespace

std::optional<std::filesystem::path> find_mesh_file(const DocumentNode& node, const ValueReader& values,
                                                    const ReadContext& context, const std::string& what) {
  const std::filesystem::path name = values.text(node, "file of " + what);
  if (name.empty()) return {};
  const std::filesystem::path path = name.is_absolute() ? name : context.directory / name;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return path;
  if (std::filesystem::exists(path, ignored))
    values.faults.error(node.mark, what + ": '" + path.string() + "' is not a file");
  else
    values.faults.error(node.mark, what + ": there is no mesh file '" + path.string() + "'",
                        "the path is taken from the model file's directory");
  return {};
}

Placement read_placement(MapReader& map, const ValueReader& values, bool position_required) {
  Placement placement;
  const DocumentNode* position = position_required ? map.require("position", "position: [0, 0, 0]") : map.find("position");
  if (position) placement.position = values.vector(*position, "position of " + map.what());
  if (const auto* node = map.find("orientation"))
    placement.orientation = read_orientation(*node, values, "orientation of " + map.what());
  if (const auto* node = map.find("velocity")) placement.velocity = values.vector(*node, "velocity of " + map.what());
  const DocumentNode* global = map.find("angular_velocity");
  const DocumentNode* local = map.find("angular_velocity_local");
  if (global && local)
    values.faults.error(local->mark, map.what() + " has angular_velocity and angular_velocity_local", "give one of them");
  if (global) placement.angular_velocity = values.vector(*global, "angular_velocity of " + map.what());
  if (local && !global) {
    placement.angular_velocity = values.vector(*local, "angular_velocity_local of " + map.what());
    placement.angular_velocity_is_local = true;
  }
  return placement;
}

RigidBodyItem read_rigid_body(MapReader& map, const ValueReader& values, ReadContext& context) {
  RigidBodyItem rigid;
  rigid.mass = Expression(1.0);
  if (const auto* shape = map.find("shape")) {
    read_rigid_shape(map, *shape, context, rigid);
  } else {
    for (const char* key : {"density", "material", "origin"})
      if (const auto* node = map.find_foreign(key))
        context.faults.error(node->mark, std::string("'") + key + "' of " + map.what() + " has a meaning beside a shape only",
                             "add shape: {box: [0.2, 0.05, 0.05]}, say");
    if (const auto* node = map.require("mass", "mass: 1.0, or a shape with a density"))
      rigid.mass = values.number(*node, "mass of " + map.what());
    if (const auto* node = map.require("inertia", "inertia: [1, 1, 1], about the centre of mass in body axes, or a shape"))
      rigid.inertia = values.matrix(*node, 3, "inertia of " + map.what());
  }
  rigid.placement = read_placement(map, values, true);
  return rigid;
}

PointMassItem read_point_mass(MapReader& map, const ValueReader& values) {
  PointMassItem mass;
  mass.mass = Expression(1.0);
  if (const auto* node = map.require("mass", "mass: 1.0")) mass.mass = values.number(*node, "mass of " + map.what());
  if (const auto* node = map.require("position", "position: [0, 0, 0]"))
    mass.position = values.vector(*node, "position of " + map.what());
  if (const auto* node = map.find("velocity")) mass.velocity = values.vector(*node, "velocity of " + map.what());
  return mass;
}

void read_bodies(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "bodies must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) read_body(entry, context);
}

}  // namespace sinew
