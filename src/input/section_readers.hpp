/// \file
/// One function for each section of the model file. They fill the model and report faults; none throws.
#pragma once

#include "input/file_readers.hpp"
#include "input/names.hpp"
#include "model/catalogue.hpp"
#include "model/model.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace sinew {

/// What every section reader works with.
struct ReadContext {
  Model& model;
  Faults& faults;
  const Catalogue& catalogue;
  std::filesystem::path directory;  ///< of the model file: meshes are found from there
  const FileReaders& readers;
  /// Whether the shape, type and places of the model's items are known: other items are not checked further.
  std::vector<bool> sound_bodies{}, sound_joints{}, sound_forces{}, sound_sensors{};
  /// Constants that some expression has named; grows while values are read.
  mutable std::set<std::string> used_constants{};
  std::map<std::string, std::shared_ptr<const ValueTable>> tables{};
  std::map<std::string, TableOfTwo> tables_of_two{};
  /// Places of materials and sections in the model's lists.
  std::unordered_map<std::string, int> material_numbers{}, section_numbers{};
  /// Of entries of `bodies` whose names hold braces: the items made of them, from the first to behind the last.
  std::unordered_map<std::string, std::pair<int, int>> items_of_entry{};
  /// The item that is being read stands for certain values of some of its entry's indices.
  bool is_written_out = false;
  /// An entry could not be read, so that its names are not known: who names them is not checked.
  bool lacks_names = false;

  /// Values that may use constants and, given a repeat (which must outlive the reader), its indices.
  ValueReader values(const Repeat* repeat = nullptr) const {
    ExpressionScope scope{&model.constants, repeat, false};
    scope.used_constants = &used_constants;
    scope.tables = &tables;
    scope.tables_of_two = &tables_of_two;
    return {faults, scope};
  }
};

/// The type of a joint that has one.
inline const ItemDescription& description_of(const ReadContext& context, const JointItem& joint) {
  return context.catalogue.joints[static_cast<std::size_t>(joint.type_index)];
}

void read_constants(const DocumentNode& node, ReadContext& context);
/// Tables for expressions; constants must have been read.
void read_tables(const DocumentNode& node, ReadContext& context);
void read_materials(const DocumentNode& node, ReadContext& context);
void read_sections(const DocumentNode& node, ReadContext& context);
void read_bodies(const DocumentNode& node, ReadContext& context);
/// Joints, then forces; bodies must have been read.
void read_joints(const DocumentNode& node, ReadContext& context);
void read_forces(const DocumentNode& node, ReadContext& context);
/// Controls; sensors and controls that they name are looked for in check_model.
void read_controls(const DocumentNode& node, ReadContext& context);
/// `analysis.stop`, which becomes a control: the last one, of the name that model/controls.hpp tells.
void read_stop(const DocumentNode& node, ReadContext& context);
void read_sensors(const DocumentNode& node, ReadContext& context);
void read_analysis(const DocumentNode& node, ReadContext& context);
/// `kept` of the analysis: loads that buckling leaves as they are, so that it is about the state of rest under them. Forces must
/// have been read.
void read_kept_loads(MapReader& map, ReadContext& context);
void read_output(const DocumentNode& node, ReadContext& context);

/// {axis, angle}, {sequence, angles}, {quaternion} or {matrix}.
OrientationExpression read_orientation(const DocumentNode& node, const ValueReader& values, const std::string& what);
/// `damping: {alpha, beta}` of a material or body; none where it has no such key. Where `components` is given `beta` may be a
/// list of six times, of N V2 V3 T M2 M3, which it is set to unless they are alike.
std::optional<RayleighDamping> read_damping(MapReader& map, const ValueReader& values,
                                            std::optional<Vec<double, 6>>* components = nullptr);
/// The index of a material or section by name, -1 after a fault.
int find_material(const DocumentNode& node, const std::string& what, ReadContext& context);
/// Of lines, whose forces are linear in their strains: a law of large strains does nothing there.
void warn_of_law(const Material&, const SourceMark&, const std::string& what, Faults&);
int find_section(const DocumentNode& node, const std::string& what, ReadContext& context);

/// `start: {angle: 30 deg, rate: 2}` of a joint: what there is in it. Its type is looked at in settle_joint_starts.
std::vector<JointStart> read_joint_starts(const DocumentNode& node, const std::string& what, const ValueReader& values);
/// Finds the motions that would hold a joint where it starts, and reports starts that are none of its coordinates, that some
/// motion gives already, or that lie too many turns away.
void settle_joint_starts(ReadContext& context, JointItem& joint);
/// Which joints stand in for one that holds all nodes of a place (clamp), or that holds the end of a cable, by what its places
/// are. Reports places that it cannot hold. Other joints it leaves as they are.
void settle_clamp(ReadContext& context, JointItem& joint);
/// Checks across sections, after everything has been read: names, places, single instances.
void check_model(ReadContext& context);

}  // namespace sinew
