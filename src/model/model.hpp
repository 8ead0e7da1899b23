/// \file
/// The validated model: what the user means. No YAML, no MPI; repeats are symbolic and evaluated one instance at a time.
#pragma once

#include "model/analysis.hpp"
#include "model/body.hpp"
#include "model/items.hpp"
#include "model/materials.hpp"
#include "model/name_table.hpp"

#include <map>
#include <string>
#include <vector>

namespace sinew {

/// A model file, read and checked. Lists are in the order of the file.
class Model {
 public:
  std::string title;
  SourceNames source;
  std::map<std::string, double> constants;
  Vec3<double> gravity;
  std::vector<Material> materials;
  std::vector<Section> sections;
  std::vector<BodyItem> bodies;
  std::vector<JointItem> joints;
  std::vector<ForceItem> forces;
  std::vector<ControlItem> controls;
  std::vector<SensorItem> sensors;
  Analysis analysis;
  Output output;
  /// A number for each part of the text that makes the model: see input/fingerprint.hpp.
  std::map<std::string, std::string> fingerprint;
  std::vector<std::string> warnings;  ///< lines `file:line:column: warning: ...`, ready to print

  NameTable body_names;   ///< one entry for each of `bodies`
  NameTable joint_names;  ///< one entry for each of `joints`
  NameTable force_names, control_names, sensor_names;
  std::vector<PointNames> point_names;  ///< of each of `bodies`

  // ---- sizes, without expanding anything
  /// Number of bodies that an item stands for.
  std::int64_t num_instances(int body) const { return bodies[static_cast<std::size_t>(body)].repeat.count(); }
  std::int64_t num_bodies() const;
  std::int64_t num_joints() const;
  std::int64_t num_forces() const;
  /// Without the one that `analysis.stop` makes.
  std::int64_t num_controls() const;
  /// First-order states of all controls.
  std::int64_t num_states() const;

  /// What an item is by its type.
  const Body& body_at(int body) const { return bodies[static_cast<std::size_t>(body)].body(); }
  std::string body_name(int body, std::int64_t instance) const { return body_names.name({body, instance}); }
  std::string joint_name(int joint, std::int64_t instance) const { return joint_names.name({joint, instance}); }
  std::string control_name(int control, std::int64_t instance) const { return control_names.name({control, instance}); }

  // ---- places and keys of one instance; all throw InputError with the line where something is not there
  /// The place at some values of the repeat's indices. `ground_is_origin`: see ItemDescription.
  PlaceRef place(const PlaceItem& item, const Indices& indices, bool ground_is_origin = false) const;
  /// The places of a joint or force, those of the joint it names with `of` included.
  std::vector<PlaceRef> places(const ConnectedItem& item, std::int64_t instance) const;
  /// The keys of a joint or force, signals left out: directions of length 1, matrices full, those taken from `of` included.
  FieldValues fields(const ConnectedItem& item, std::int64_t instance) const;
  /// The joint instance that a pattern names (a sensor's or a motion's `of`).
  InstanceRef joint(const NamePattern& name, const Indices& indices, const SourceMark& mark) const;
  /// The control instance that a pattern names.
  InstanceRef control(const NamePattern& name, const Indices& indices, const SourceMark& mark) const;
  /// The body instance that a pattern names.
  InstanceRef body(const NamePattern& name, const Indices& indices, const SourceMark& mark) const;
};

/// Signals of an instance at time t, in the kernel's order, with exact rates.
std::vector<TimeValue> signals_at(const ConnectedItem& item, std::int64_t instance, double t);

/// A few lines for `sinew check`: counts, sizes, analysis.
std::string to_text(const Model& model);

/// What the shapes of rigid bodies weigh, to compare with a CAD program: two lines for each; empty where there are none.
std::string mass_properties(const Model& model);

/// What is left of the meshes of reduced bodies: two lines for each; empty where there are none.
std::string reduced_sizes(const Model& model);

}  // namespace sinew
