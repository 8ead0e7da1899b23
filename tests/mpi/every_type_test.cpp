// Every joint, force, material law and type of body that is registered moves on any number of ranks as on one.
// The models of joints and forces are made from their descriptions, those of bodies are the examples in these, so that a new type
// needs no line here.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include "base/error.hpp"
#include "input/body_type.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "model/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Relative to the value or to 1, whichever is larger: sums over nodes come in another order, and Newton's method ends at 1e-12.
constexpr double tolerance = 1e-9;
constexpr int num_copies = 3;  ///< of every item, so that all of three ranks have one
/// Ways to lay out a model; the first that the reader and the type itself accept is taken.
struct Way {
  bool places_meet;  ///< the places of an item coincide at the start
  bool all_keys;     ///< optional keys are given too
  bool of_speeds;    ///< relations are between velocities
};
const std::vector<Way> ways = {{true, false, false}, {false, false, false}, {true, true, false},
                               {false, true, false}, {true, false, true},   {false, false, true}};

const char* const head = "sinew: 1\ngravity: [0.3, 1, -9.81]\n";
const char* const analysis = "analysis: {end_time: 0.02, step: 4e-3, newton: {tolerance: 1e-12}}\n";

/// A value for a key; `number` counts the keys, so that a lower bound, which comes first, lies below an upper one.
std::string value_of(const FieldSpec& field, int number, int directions, const Way& way, int copy) {
  const double some = (way.all_keys ? 1.1 : 0.3) + 0.1 * number;  // exponents, which are optional, are 1 or more
  const double x = 4.0 * copy;
  switch (field.type) {
    case FieldType::number: return fmt::format("{}", some);
    case FieldType::vector: return field.check == FieldCheck::any ? "[0.2, 0.3, -0.4]" : "[0.2, 0.3, 0.4]";
    case FieldType::direction: return directions == 0 ? "[0, 0, 1]" : "[1, 0, 0]";
    case FieldType::signal: return "\"0.1*t*t\"";
    case FieldType::signal3: return "[\"0.1*t*t\", \"0.2*t*t\", 0]";
    case FieldType::matrix6: return "[1, 2, 3, 4, 5, 6]";
    case FieldType::flags: return "[x, z]";
    case FieldType::inertia: return "[1, 1, 1]";
    case FieldType::feedback: return fmt::format("\"0.3 + t + 0.1*sensor.at0_{}.position.x\"", copy);
    case FieldType::relation:
      return way.of_speeds ? fmt::format("\"sensor.at0_{0}.velocity.x - 0.5*sensor.at1_{0}.velocity.y\"", copy)
                           : fmt::format("\"sensor.at0_{0}.displacement.x - 0.5*sensor.at1_{0}.displacement.y\"", copy);
    case FieldType::table:  // over the parts of a length, or over a length or angle
      return std::string(field.unit) == "1" ? "[[0, 0.5], [1, 2]]" : "[[-2, -1], [0, 0.1], [1, 1], [3, 2]]";
    case FieldType::points:
      return fmt::format("[[{}, 0.3, 0.2], [{}, 0.4, 0.2], [{}, 0.2, 0.3], [{}, 0.3, 0.2]]", x - 3, x - 1, x + 1, x + 3);
  }
  return "";
}

std::string keys_of(const ItemDescription& item, const ItemDescription* joint, const Way& way, int copy) {
  std::string text;
  int directions = 0, number = 0;
  for (const FieldSpec& field : item.fields) {
    ++number;
    const bool is_of_joint =
        joint != nullptr && (field.type == FieldType::direction ||
                             std::any_of(joint->fields.begin(), joint->fields.end(),
                                         [&](const FieldSpec& theirs) { return theirs.name == std::string(field.name); }));
    const bool is_given = field.required || way.all_keys || item.key == field.name;
    if (is_given && !is_of_joint) text += fmt::format(", {}: {}", field.name, value_of(field, number, directions, way, copy));
    directions += field.type == FieldType::direction;
  }
  return text;
}

/// Where the k-th place of an item lies: a shaft, or a point of a rigid body.
std::string place_of(const FamilyEntry& entry, int k, int copy) {
  const FamilyShape& shape = entry.shape;
  const bool is_known = !shape.is_open && k < shape.nodes_per_element;
  const bool is_shaft = (is_known && shape.node_kind != nullptr && shape.node_kind(k) == NodeKind::scalar) ||
                        ((is_known || shape.is_open) && shape.is_scalar != nullptr && shape.is_scalar(k));
  return is_shaft ? fmt::format("shaft{}_{}", k, copy) : fmt::format("body{}_{}.p", k, copy);
}

/// The item's line in its section.
std::string line_of(const ItemDescription& item, const FamilyEntry& entry, const Way& way, int copy) {
  std::string places;
  const int count = std::abs(item.num_places);
  for (int k = 0; k < count; ++k) places += (k ? ", " : "") + place_of(entry, k, copy);
  if (item.ground_is_contact || item.holds_all_nodes) places = "ground, " + place_of(entry, 1, copy);
  const bool is_force = find_entry(registered_joints(), item.name) == nullptr;
  std::string at = count == 0               ? ""
                   : count == 1 && is_force ? ", on: " + places
                                            : fmt::format(", connect: [{}{}]", count == 1 ? "ground, " : "", places);
  return fmt::format("  item_{}: {{type: {}{}{}}}\n", copy, item.word(), at, keys_of(item, nullptr, way, copy));
}

/// Bodies and shafts for three copies, tied in a row so that no rank's part is apart.
std::string bodies_of(const Way& way) {
  std::string text = "bodies:\n";
  for (int copy = 0; copy < num_copies; ++copy)
    for (int k = 0; k < 3; ++k) {
      const double x = k + 4 * copy;
      const std::string point =
          way.places_meet ? fmt::format("[{}, 0.3, 0.2]", 0.4 - k) : fmt::format("[0.1, {}, {}]", 0.2 * k, -0.1 * k);
      text += fmt::format(
          "  body{0}_{1}: {{type: rigid, mass: {2}, inertia: [0.2, 0.3, 0.4], position: [{3}, 0, 0], "
          "points: {{p: {4}}}}}\n  shaft{0}_{1}: {{type: shaft, inertia: {5}}}\n",
          k, copy, 1 + 0.2 * k, x, point, 0.1 + 0.02 * k);
    }
  return text;
}

std::string sensors_of(bool is_joint, bool is_recorded) {
  std::string text = "sensors:\n  energy: {type: energy}\n";
  for (int copy = 0; copy < num_copies; ++copy) {
    for (int k = 0; k < 3; ++k)
      text += fmt::format(
          "  at{0}_{1}: {{type: point, of: body{0}_{1}.p, record: [position, displacement, velocity, acceleration]}}\n", k, copy);
    if (is_recorded) text += fmt::format("  item_{0}: {{type: {1}, of: item_{0}}}\n", copy, is_joint ? "joint" : "force");
  }
  return text;
}

std::string joint_model(const Catalogue&, const ItemDescription& item, const Way& way) {
  std::string text = head + bodies_of(way) + "joints:\n";
  for (int copy = 0; copy < num_copies; ++copy) text += line_of(item, *find_entry(registered_joints(), item.name), way, copy);
  text += "forces:\n";
  for (int copy = 1; copy < num_copies; ++copy)
    text += fmt::format("  tie{0}: {{type: spring-damper, connect: [body1_{1}, body1_{0}], stiffness: 20}}\n", copy, copy - 1);
  return text + sensors_of(true, true) + analysis;
}

std::string surface_model(const ItemDescription& item, const std::string& law, const Way& way) {
  const std::string material =
      fmt::format("materials: {{stuff: {{law: {}, density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}}}\n", law);
  return head + material +
         "bodies:\n  bar: {type: solid, box: {size: [0.6, 0.1, 0.1], elements: [6, 1, 1]}, material: stuff}\n"
         "joints:\n  wall: {type: clamp, connect: [ground, \"bar.x-\"]}\n" +
         fmt::format("forces:\n  load: {{type: {}, on: \"bar.x+\"{}}}\n", item.word(), keys_of(item, nullptr, way, 0)) +
         "sensors:\n  end: {type: point, of: \"bar.x+\", record: [position, velocity, acceleration]}\n  energy: {type: "
         "energy}\n" +
         analysis;
}

/// A load all along beams, and along cables where it goes with these.
std::string line_model(const ItemDescription& item, const Way& way) {
  std::string text = head + std::string("sections:\n  wire: {shape: circle, diameter: 0.02}\n") +
                     "materials:\n  stuff: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n";
  std::string forces, sensors;
  for (int copy = 0; copy < num_copies; ++copy) {
    const char* type = way.places_meet && copy > 0 ? "cable" : "beam";
    text += fmt::format(
        "  line{0}: {{type: {1}, line: {{from: [0, {0}, 0], to: [1, {0}, 0], elements: 5}}, section: wire, "
        "material: stuff}}\n",
        copy, type);
    forces += fmt::format("  load{0}: {{type: {1}, on: line{0}{2}}}\n", copy, item.word(),
                          keys_of(item, nullptr, way, 0) + (way.all_keys ? "" : ", profile: [[0.1, 0.5], [1, 2]]"));
    sensors += fmt::format(
        "  load{0}: {{type: force, of: load{0}}}\n  end{0}: {{type: point, of: line{0}.end, record: "
        "[position, velocity, acceleration]}}\n",
        copy);
  }
  return text + "forces:\n" + forces + "sensors:\n" + sensors + "  energy: {type: energy}\n" + analysis;
}

/// Beads on beams, and on cables where places meet.
std::string bead_model(const ItemDescription& item, const Way& way) {
  std::string text = head + std::string("sections:\n  wire: {shape: circle, diameter: 0.02}\n") +
                     "materials:\n  stuff: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n";
  std::string forces, sensors;
  for (int copy = 0; copy < num_copies; ++copy) {
    text += fmt::format(
        "  line{0}: {{type: {1}, line: {{from: [0, {0}, 0], to: [1, {0}, 0], elements: 5}}, section: wire, material: stuff}}\n"
        "  bead{0}: {{type: point-mass, mass: 1, position: [0.38, {0}, 0.01], velocity: [0.5, 0.1, -0.2]}}\n",
        copy, way.places_meet ? "cable" : "beam");
    forces += fmt::format("  tie{0}: {{type: {1}, connect: [line{0}, bead{0}]{2}}}\n", copy, item.word(),
                          keys_of(item, nullptr, way, 0));
    sensors += fmt::format(
        "  tie{0}: {{type: force, of: tie{0}}}\n  bead{0}: {{type: point, of: bead{0}, record: [position, velocity]}}\n", copy);
  }
  return text + "forces:\n" + forces + "sensors:\n" + sensors + "  energy: {type: energy}\n" + analysis;
}

std::string force_model(const Catalogue& catalogue, const ItemDescription& item, const Way& way) {
  if (item.is_line_first) return bead_model(item, way);
  if (item.is_on_surface) return surface_model(item, choices_of<MaterialLaw>().front().name, way);
  if (item.is_spread) return line_model(item, way);
  const FamilyEntry& entry = *find_force_type(item.name);
  std::string joints, forces;
  for (int copy = 0; copy < num_copies; ++copy)
    if (item.joints.empty()) {
      forces += line_of(item, entry, way, copy);
    } else {
      const ItemDescription& joint = *find_description(catalogue.joints, item.joints.front());
      std::string line = line_of(joint, *find_entry(registered_joints(), joint.name), {way.places_meet, false, false}, copy);
      joints += "  in_" + line.substr(line.find("item_") + 5);
      forces += fmt::format("  item_{0}: {{type: {1}, of: in_{0}{2}}}\n", copy, item.word(), keys_of(item, &joint, way, copy));
    }
  return head + bodies_of(way) + (joints.empty() ? "" : "joints:\n" + joints) + "forces:\n" + forces +
         sensors_of(false, !entry.measures.empty()) + analysis;
}

/// The model alone on this rank, or nothing and why not.
std::optional<Trajectory> run_alone(const std::string& text, std::string& refusal) {
  try {
    return run_model(MPI_COMM_SELF, text, {.at_every_step = false, .overrides = {}});
  } catch (const std::exception& error) {
    refusal += fmt::format("{}\n", error.what());
    return {};
  }
}

/// The first of the models that a rank alone can run is run by all, with the same answers. Collective.
void check_first_that_runs(const std::string& name, const std::vector<std::string>& texts) {
  const bool is_first = comm_rank(MPI_COMM_WORLD) == 0;
  std::optional<Trajectory> alone;
  std::string refusals;
  int taken = 0;
  if (is_first)
    while (taken < static_cast<int>(texts.size()) && !(alone = run_alone(texts[static_cast<std::size_t>(taken)], refusals)))
      ++taken;
  MPI_Bcast(&taken, 1, MPI_INT, 0, MPI_COMM_WORLD);
  INFO(name << "\n" << refusals);
  CHECK(taken < static_cast<int>(texts.size()));
  if (taken == static_cast<int>(texts.size())) return;
  const Trajectory together =
      run_model(MPI_COMM_WORLD, texts[static_cast<std::size_t>(taken)], {.at_every_step = false, .overrides = {}});
  if (!is_first) return;
  const Values &found = together.values.back(), &expected = alone->values.back();
  REQUIRE(found.size() == expected.size());
  for (const auto& [column, value] : expected) {
    CAPTURE(column);
    CHECK(std::abs(found.at(column) - value) <= tolerance * std::max(1.0, std::abs(value)));
  }
}

template <class MakeModel>
void check_items(const std::vector<ItemDescription>& items, const MakeModel& make) {
  const Catalogue catalogue = registered_catalogue();
  REQUIRE(!items.empty());
  for (const ItemDescription& item : items) {
    std::vector<std::string> texts;
    for (const Way& way : ways) texts.push_back(make(catalogue, item, way));
    check_first_that_runs(item.name, texts);
  }
}

/// A type's own example with sensors of the sums over all bodies beside its own.
std::string body_model(const BodyType& type, const std::string& sums) {
  const std::string section = "sensors:\n";
  std::string text = type.example;
  const std::size_t at = text.find(section);
  if (at == std::string::npos) return head + text + section + sums + analysis;
  return head + text.insert(at + section.size(), sums) + analysis;
}

}  // namespace

TEST_CASE("every joint moves on several ranks as on one", "[mpi]") { check_items(registered_catalogue().joints, joint_model); }

TEST_CASE("every force moves on several ranks as on one", "[mpi]") { check_items(registered_catalogue().forces, force_model); }

TEST_CASE("every material law moves on several ranks as on one", "[mpi]") {
  const Catalogue catalogue = registered_catalogue();
  const auto load =
      std::find_if(catalogue.forces.begin(), catalogue.forces.end(), [](const auto& item) { return item.is_on_surface; });
  REQUIRE(load != catalogue.forces.end());
  for (const Choice<MaterialLaw>& law : choices_of<MaterialLaw>())
    if (law.is_built) check_first_that_runs(law.name, {surface_model(*load, law.name, ways.front())});
}

TEST_CASE("every type of body moves on several ranks as on one", "[mpi]") {
  const std::string energy = "  energy: {type: energy}\n", system = "  whole: {type: system}\n";
  for (const BodyType& type : registered_bodies()) {
    INFO(type.name);
    const Model model = read_model_text(body_model(type, energy), "test.yaml", registered_catalogue());
    std::int64_t count = 0;
    for (int body = 0; body < static_cast<int>(model.bodies.size()); ++body)
      if (model.body_at(body).type() == std::string(type.name)) count += model.num_instances(body);
    CHECK(count >= num_copies);
    // of shafts the energy alone is summed
    check_first_that_runs(type.name, {body_model(type, energy + system), body_model(type, energy)});
  }
}
