#include "input/body_type.hpp"
#include "input/number_in.hpp"
#include "input/repeats.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

/// How to write what stands where an orientation is wanted: a list of 3 or a number is taken for angles, of 4 for a quaternion.
std::string orientation_remedy(const DocumentNode& node) {
  if (node.is_sequence() && node.items.size() == 4) return "write {quaternion: [w, x, y, z]}, of length 1, the scalar first";
  if (node.is_sequence() && (node.items.size() == 9 || (!node.items.empty() && node.items.front().is_sequence())))
    return "write {matrix: [[.., .., ..], [.., .., ..], [.., .., ..]]}, whose columns are the body's axes";
  if (node.is_sequence())
    return "three angles do not say about which axes and in which order: write {sequence: zyx, angles: [10 deg, 0, 0]}";
  return "write {axis: [0, 0, 1], angle: 30 deg}, {sequence: zyx, angles: [10 deg, 0, 0]}, {quaternion: [w, x, y, z]} or "
         "{matrix: ...}";
}

/// A number that is more than a turn was meant in degrees.
void warn_of_degrees(const DocumentNode& angle, const std::string& what, Faults& faults) {
  if (!angle.is_scalar() || !(std::abs(number_in(angle.text).value_or(0)) > 2 * std::numbers::pi)) return;
  faults.warning(angle.mark, "angle of " + what + ": " + angle.text + " rad are more than a turn",
                 "degrees are written " + angle.text + " deg");
}

/// `zyx`: the axes of three turns, of which two that follow each other differ. False after a fault.
bool read_sequence(const DocumentNode& node, const ValueReader& values, const std::string& what, std::array<int, 3>& axes) {
  const std::string text = values.text(node, "sequence of " + what), letters = "xyz";
  bool is_sound = text.size() == 3;
  for (std::size_t k = 0; is_sound && k < 3; ++k) {
    const std::size_t axis = letters.find(text[k]);
    is_sound = axis != std::string::npos && (k == 0 || text[k] != text[k - 1]);
    axes[k] = static_cast<int>(axis);
  }
  if (!is_sound && !text.empty())
    values.faults.error(node.mark, "sequence of " + what + " must name the axes of three turns, not " + node.describe(),
                        "write zyx for yaw, pitch and roll, zxz for Euler's angles; axes that follow each other differ");
  return is_sound;
}

}  // namespace

OrientationExpression read_orientation(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  OrientationExpression result;
  result.mark = node.mark;
  if (!node.is_map()) {
    values.faults.error(node.mark, what + " must be a map, not " + node.describe(), orientation_remedy(node));
    return result;
  }
  MapReader map(node, what, values.faults);
  const DocumentNode* axis = map.find("axis");
  const DocumentNode* angle = map.find("angle");
  const DocumentNode* quaternion = map.find("quaternion");
  const DocumentNode* matrix = map.find("matrix");
  const DocumentNode* sequence = map.find("sequence");
  const DocumentNode* angles = map.find("angles");
  const int forms = (axis || angle ? 1 : 0) + (sequence || angles ? 1 : 0) + (quaternion ? 1 : 0) + (matrix ? 1 : 0);
  if (forms != 1 || (axis == nullptr) != (angle == nullptr) || (sequence == nullptr) != (angles == nullptr)) {
    values.faults.error(node.mark, what + " must hold axis and angle, or sequence and angles, or quaternion, or matrix",
                        "write {axis: [0, 0, 1], angle: 30 deg} or {sequence: zyx, angles: [10 deg, 0, 0]}");
    return result;
  }
  if (axis) {
    result.form = OrientationForm::axis_angle;
    result.numbers = values.numbers(*axis, 3, "axis of " + what);
    result.numbers.push_back(values.number(*angle, "angle of " + what));
    warn_of_degrees(*angle, what, values.faults);
  } else if (angles) {
    result.numbers = values.numbers(*angles, 3, "angles of " + what);
    for (const DocumentNode& each : angles->items) warn_of_degrees(each, what, values.faults);
    if (read_sequence(*sequence, values, what, result.sequence)) result.form = OrientationForm::angles;
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

void read_named_points(MapReader& map, const ValueReader& values, PointForm form, BodyItem& body) {
  const DocumentNode* node = map.find("points");
  if (!node) return;
  const std::string& what = map.what();
  if (!node->is_map()) {
    values.faults.error(node->mark, "points of " + what + " must be a map of names, not " + node->describe(),
                        "write tip: [0.1, 0, 0]");
    return;
  }
  const bool on_line = form == PointForm::fractions;
  for (const DocumentEntry& entry : node->entries) {
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
      MapReader place(entry.value, point_name, values.faults);
      if (const auto* at = place.require("at", "{at: 0.5}, a fraction of the length"))
        point.place = values.number(*at, point_name);
    } else {
      point.place = values.vector(entry.value, point_name);
    }
    body.points.push_back(std::move(point));
  }
}

namespace {

/// The names of all types: `rigid, cable`, with another word before the last one `rigid or cable`.
std::string list_of_types(const std::string& before_last = ", ") {
  std::string list;
  const std::vector<BodyType>& all = registered_bodies();
  for (const BodyType& type : all) list += (list.empty() ? "" : &type == &all.back() ? before_last : ", ") + type.name;
  return list;
}

/// The registered type that a word names; null (reported) if there is none.
const BodyType* find_type(const DocumentNode& node, const std::string& what, Faults& faults) {
  std::vector<std::string> names;
  for (const BodyType& type : registered_bodies()) {
    if (node.is_scalar() && node.text == type.name) return &type;
    names.emplace_back(type.name);
  }
  faults.error(node.mark, "type of " + what + " cannot be " + node.describe(),
               suggestion(node.is_scalar() ? node.text : "", names));
  return nullptr;
}

/// Everything between a body's braces; false if it cannot be checked further.
bool read_body_map(MapReader& map, const DocumentEntry& entry, ReadContext& context, BodyItem& body) {
  if (!map.is_map()) {
    body.name = NamePattern(entry.key);
    return false;
  }
  map.known("repeat");
  body.name = read_item_name(entry, body.repeat, context.values(), "body");
  const DocumentNode* word = map.require("type", "type: " + list_of_types(" or "));
  const BodyType* type = word ? find_type(*word, map.what(), context.faults) : nullptr;
  if (type) {
    type->read(map, context.values(&body.repeat), context, body);
  } else {
    map.forgive();
  }
  return type && body.body().is_sound(context.model);
}

AddItem read_body(const DocumentEntry& entry, const Repeat& repeat, ReadContext& context) {
  BodyItem body;
  body.mark = entry.mark;
  body.repeat = repeat;
  const std::string what = "body '" + entry.key + "'";
  MapReader map(entry.value, what, context.faults);
  const bool is_sound = read_body_map(map, entry, context, body);
  return [&context, body = std::move(body), is_sound]() mutable {
    context.sound_bodies.push_back(is_sound);
    context.model.body_names.add(body.name, body.repeat);
    context.model.point_names.emplace_back(body.points);
    context.model.bodies.push_back(std::move(body));
  };
}

}  // namespace

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

void read_bodies(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "bodies must be a map, not " + node.describe());
  if (node.entries.empty()) context.faults.error(node.mark, "the model has no bodies", "add one under bodies");
  for (const DocumentEntry& entry : node.entries) {
    const auto first = static_cast<int>(context.model.bodies.size());
    read_repeated(entry, "body", context, read_body);
    const auto behind = static_cast<int>(context.model.bodies.size());
    if (entry.key.find('{') != std::string::npos) context.items_of_entry.emplace(entry.key, std::pair(first, behind));
  }
}

}  // namespace sinew
