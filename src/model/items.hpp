/// \file
/// Joints, forces and sensors as the model file has them.
#pragma once

#include "kernels/describe.hpp"
#include "model/controls.hpp"
#include "model/places.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// One key of a joint or force: its numbers as expressions, in the form that FieldValues wants them.
struct FieldExpression {
  std::string name;
  FieldType type = FieldType::number;
  FieldCheck check = FieldCheck::any;
  std::vector<Expression> numbers;  ///< 1, 3, or 36 by rows
  SourceMark mark;
};

/// A key that is not given but taken from the joint named by `of`, there perhaps by another name: an actuator's direction is a
/// prismatic joint's axis.
struct InheritedField {
  std::string name, theirs;
};

/// A coordinate of a joint, or the rate of one, at the start of a run.
struct JointStart {
  std::string word;  ///< as relative sensors call it
  Expression value;
  SourceMark mark;
  std::string drive, axis;  ///< the kernel of the motion that holds it, and the joint's key of its direction
  bool is_rate = false;
};

/// One entry of `joints` or `forces`, standing for `repeat.count()` of them.
struct ConnectedItem {
  NamePattern name;
  Repeat repeat;
  SourceMark mark;
  std::string type;               ///< the kernel's name; `motion` of the file becomes motion-angle and its like
  std::string word;               ///< its type as the model file has it, for messages
  int type_index = -1;            ///< position in the catalogue's list
  bool ground_is_origin = false;  ///< see ItemDescription
  bool holds_all_nodes = false;   ///< likewise
  std::vector<int> components;    ///< of those that hold all nodes: x, y, z (0, 1, 2) where these alone are held, else none
  bool is_spread = false;         ///< see ItemDescription: its place is a whole body
  bool is_line_first = false;     ///< likewise: its first place is one
  bool ground_is_first = false;   ///< of a joint that holds one place: `places` is that place alone
  std::vector<PlaceItem> places;  ///< empty if `of` is given
  std::optional<NamePattern> of;  ///< a joint whose places and axis this one takes (motion, actuator)
  SourceMark of_mark;
  std::vector<InheritedField> inherited;     ///< taken from `of`
  std::vector<JointStart> starts;            ///< of a joint
  std::vector<FieldExpression> fields;       ///< those given; signals are not among them
  std::vector<Expression> signals;           ///< expressions of t, in the order of the kernel's signal fields
  std::optional<SignalExpression> feedback;  ///< of an actuator: its one signal, which depends on sensors and controls as well
};

/// Which of the two places of a joint that holds all nodes of one (clamp) is held: the one that is not the ground, the second
/// where neither is.
inline std::size_t held_place(const ConnectedItem& clamp) { return clamp.places[1].is_on_body() ? 1 : 0; }

/// Does a body hold it, the first place, and not the ground?
inline bool is_held_by_body(const ConnectedItem& clamp) {
  return clamp.places.size() == 2 && clamp.places[0].is_on_body() && clamp.places[1].is_on_body();
}

using JointItem = ConnectedItem;
using ForceItem = ConnectedItem;

/// What a sensor looks at.
enum class SensorKind { point, joint, force, relative, section, energy, constraint, system, control };

/// A quantity that a sensor records.
enum class Quantity {
  position,
  displacement,
  velocity,
  acceleration,
  orientation,
  angular_velocity,
  angular_acceleration,
  stress,
  von_mises,  // point; strain as well
  angle,
  rate,  // point: of a shaft
  kinetic,
  strain,
  potential,
  dissipated,
  work,
  total,  // energy
  // constraint: position, velocity
  mass,
  center_of_mass,
  momentum,
  angular_momentum,  // system
  named              // by what the sensor looks at: a joint, a force, a cable, a control
};

/// The name in model files and in `sensors.csv`.
const char* quantity_name(Quantity quantity);
/// What is measured of the material in a point of a solid: stress, strain, equivalent stress.
bool is_of_material(Quantity quantity);
/// What a shaft has in the place of a motion in space: angle, rate.
bool is_of_shaft(Quantity quantity);
/// The kinds of sensor and quantities that expressions may use: those that follow from positions and velocities of places.
bool is_measurable(SensorKind kind, Quantity quantity);
/// Components of a quantity as a sensor of this kind records it: {"x","y","z"}, {"w","x","y","z"}, or one empty text for a
/// scalar.
std::vector<std::string> quantity_components(SensorKind kind, Quantity quantity);

/// Bodies that a system sensor adds up: one instance, or all of an item.
struct BodySelection {
  NamePattern name;
  int all_of = -1;  ///< all instances of this item, or -1
  SourceMark mark;
};

/// A quantity that a sensor records: all of it, or one component.
struct RecordedQuantity {
  Quantity quantity = Quantity::position;
  int component = -1;  ///< -1: all
  bool operator==(const RecordedQuantity&) const = default;
};

/// A word under `record`.
struct RecordedWord {
  std::string text;
  SourceMark mark;
};

/// One entry of `sensors`.
struct SensorItem {
  NamePattern name;
  Repeat repeat;
  SourceMark mark;
  SensorKind kind = SensorKind::energy;
  std::vector<RecordedQuantity> record;
  std::optional<PlaceItem> place;            ///< of a point sensor
  NamePattern joint;                         ///< of a joint sensor, or of a relative one
  std::vector<PlaceItem> between;            ///< of a relative sensor: two places instead of a joint
  std::optional<VectorExpression> axis;      ///< with `between`: turn about it and way along it, instead of the distance
  std::vector<VectorExpression> directions;  ///< with `between`: two, one carried by each place, whose angle is measured
  NamePattern force;                         ///< of a force sensor
  NamePattern body;                          ///< of a section sensor
  Expression at;                             ///< of a section sensor: fraction of the arc length
  std::vector<RecordedWord> words;           ///< of sensors whose target names its quantities; empty: the usual ones
  NamePattern control;                       ///< of a control sensor
  std::vector<std::string> signals;          ///< of a control sensor: names of states and outputs; empty: all
  SourceMark of_mark;
  std::vector<BodySelection> bodies;  ///< of a system sensor; empty: all
  /// Its vectors are told along the axes of a place: the sensor before it in the model records where that is and how it has
  /// turned, instance by instance.
  bool has_frame = false;
  bool is_frame = false;  ///< it is such a one, made for the sensor behind it, and has no columns of its own
};

/// One number that a sensor records, by the name of its column without that of the sensor: `velocity.x`.
struct RecordedNumber {
  std::string name;
  Quantity quantity = Quantity::position;
  int component = 0;  ///< of the quantity
};

/// The numbers of a sensor's quantities in the order of their columns; none where what it looks at names them
/// (model/measures.hpp).
std::vector<RecordedNumber> recorded_numbers(const SensorItem& sensor);

}  // namespace sinew
