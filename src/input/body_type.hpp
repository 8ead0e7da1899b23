/// \file
/// The types of bodies that the library has, and what they read their keys with.
#pragma once

#include "input/section_readers.hpp"
#include "model/body.hpp"

#include <vector>

namespace sinew {

/// A key of a type of body, as the reference page shows it.
struct BodyKey {
  const char* name;
  const char* value;         ///< what it holds: "number, > 0"
  const char* unit;          ///< "1" for pure numbers
  const char* default_text;  ///< "required", or what it is where it is not given
  const char* help;          ///< one line
};

/// A type of body as the model file names it.
struct BodyType {
  const char* name;
  const char* help;  ///< what it is, for the reference page
  /// Sections of a model file with three bodies of the type or more, which stand apart, what they are made of and what sensors
  /// record of them: the reference page shows them, and tests run them on several ranks. All else is added: gravity, analysis.
  const char* example;
  /// Equations and places, paragraphs for the reference page; empty where the model file's page says them.
  const char* about;
  std::vector<BodyKey> keys;  ///< all that `read` asks for
  /// Reads the keys of an entry whose name and repeat are known, into its content and points. Throws nothing: faults are noted.
  void (*read)(MapReader&, const ValueReader&, ReadContext&, BodyItem&);
};

/// All of them, in the order of the lines in src/CMakeLists.txt.
const std::vector<BodyType>& registered_bodies();

/// The entry of a class of src/bodies.
template <class T>
BodyType body_type() {
  BodyType type{T::name, T::help, T::example, "", T::keys(), T::read};
  if constexpr (requires { T::about; }) type.about = T::about;
  return type;
}

/// The key `points` of a body: names with coordinates or with fractions of its length.
void read_named_points(MapReader& map, const ValueReader& values, PointForm form, BodyItem& body);
/// position, orientation, velocity, angular_velocity or angular_velocity_local.
Placement read_placement(MapReader& map, const ValueReader& values, bool position_required);

}  // namespace sinew
