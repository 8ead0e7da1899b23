// `shape` of a rigid body: what it is made of, and from that its mass, centre and inertia.
#include "base/error.hpp"
#include "bodies/rigid.hpp"
#include "input/named_file.hpp"
#include "kernels/describe.hpp"
#include "model/instance_check.hpp"
#include "model/nearest_name.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

namespace {

const std::vector<std::string> forms{"box", "cylinder", "tube", "sphere", "mesh"};

/// One piece as read, before it is placed.
struct Piece {
  VolumeMoments moments;
  TriangleSurface surface;
  double density = 0;  ///< 0: that of the body
};

/// By `radius` or `diameter`.
double radius_of(MapReader& map, const ValueReader& values) {
  const DocumentNode* diameter = map.find("diameter");
  if (!diameter) return values.length(map, "radius");
  if (const DocumentNode* radius = map.find("radius"))
    values.faults.error(radius->mark, map.what() + " has a radius and a diameter", "give one of them");
  return values.positive(*diameter, "diameter of " + map.what()) / 2;
}

/// A rotation that takes z into the axis: `x`, `y`, `z` or a vector.
Mat3<double> along_axis(MapReader& map, const ValueReader& values) {
  const DocumentNode* node = map.find("axis");
  if (!node) return identity<double, 3>();
  Vec3<double> axis;
  if (node->is_scalar()) {
    const std::vector<std::string> names{"x", "y", "z"};
    const auto found = std::find(names.begin(), names.end(), node->text);
    if (found == names.end())
      values.faults.error(node->mark, "axis of " + map.what() + " is x, y, z or a vector, not " + node->describe());
    axis[found == names.end() ? 2 : static_cast<int>(found - names.begin())] = 1;
  } else {
    axis = values.constant_vector(*node, "axis of " + map.what());
    if (norm(axis) == 0) values.faults.error(node->mark, "axis of " + map.what() + " is zero", "write axis: [0, 0, 1]");
  }
  if (!(norm(axis) > 0)) return identity<double, 3>();
  const Vec3<double> unit = (1 / norm(axis)) * axis;
  const auto across = complete_triad(unit);
  Mat3<double> R;
  for (int i = 0; i < 3; ++i) {
    R(i, 0) = across[0][i];
    R(i, 1) = across[1][i];
    R(i, 2) = unit[i];
  }
  return R;
}

Piece turned(const VolumeMoments& moments, const TriangleSurface& surface, const Mat3<double>& R) {
  Piece piece;
  const Frame<double> frame{{}, R};
  piece.moments = moved(moments, frame);
  piece.surface.add(surface, frame);
  return piece;
}

Piece read_round(const std::string& form, MapReader& map, const ValueReader& values) {
  const double radius = radius_of(map, values);
  if (form == "sphere") return {sphere_moments(radius), sphere_surface(radius)};
  double inner = 0;
  if (form == "tube") {
    const double wall = values.length(map, "thickness");
    if (wall >= radius)
      values.faults.error(map.mark(), "the wall of " + map.what() + " is as thick as its radius",
                          "a tube without a hole is a cylinder");
    inner = std::max(0.0, radius - wall);
  }
  const double length = values.length(map, "length");
  return turned(cylinder_moments(radius, inner, length), cylinder_surface(radius, inner, length), along_axis(map, values));
}

Piece read_box_piece(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  Vec3<double> size{{1, 1, 1}};
  const auto read_size = [&](const DocumentNode& list) {
    const std::size_t before = values.faults.num_errors();
    const Vec3<double> given = values.constant_vector(list, "size of " + what);
    if (values.faults.num_errors() > before) return;
    if (given[0] > 0 && given[1] > 0 && given[2] > 0)
      size = given;
    else
      values.faults.error(list.mark, "the edges of " + what + " must be positive");
  };
  if (node.is_sequence()) {
    read_size(node);
  } else {
    MapReader map(node, what, values.faults);
    if (const auto* list = map.require("size", "size: [0.2, 0.05, 0.05]")) read_size(*list);
  }
  return {box_moments(size), box_surface(size)};
}

Piece read_mesh_piece(const DocumentNode& node, const ValueReader& values, const ReadContext& context, const std::string& what) {
  const DocumentNode* file = &node;
  double scale = 1;
  if (node.is_map()) {
    MapReader map(node, what, values.faults);
    file = map.require("file", "file: link.stl");
    if (const auto* factor = map.find("scale")) scale = values.positive(*factor, "scale of " + what);
  }
  Piece piece{box_moments({{1, 1, 1}}), {}};
  if (!file) return piece;
  const auto path = find_named_file(*file, values, context, what, "mesh file");
  try {
    MeshSurface read = context.readers.surface(path, scale);
    if (!path) return piece;
    piece.surface = std::move(read.surface);
    piece.moments = read.moments;
  } catch (const InputError& fault) {
    values.faults.error(file->mark, what + ": " + fault.what());
  }
  return piece;
}

/// By `density`, or by `material` in its place; 0 where neither is given.
double read_density(MapReader& map, const ValueReader& values, ReadContext& context) {
  const DocumentNode* density = map.find("density");
  const DocumentNode* material = map.find("material");
  if (density && material)
    values.faults.error(density->mark, map.what() + " has a density and a material, which has one", "give one of them");
  if (density) return values.positive(*density, "density of " + map.what());
  if (!material) return 0;
  const int found = find_material(*material, map.what(), context);
  return found < 0 ? 1 : context.model.materials[static_cast<std::size_t>(found)].density;
}

/// False where the piece has no form; said.
bool read_piece(const DocumentNode& node, const std::string& what, ReadContext& context, Piece& piece, Frame<double>& frame) {
  const ValueReader values = context.values();
  MapReader map(node, what, context.faults);
  std::vector<std::string> given;
  for (const std::string& form : forms)
    if (map.find(form)) given.push_back(form);
  if (given.size() != 1) {
    std::string hint = "write {box: [0.2, 0.05, 0.05]}, {cylinder: {radius: 0.1, length: 0.2}}, tube, sphere or {mesh: file.stl}";
    if (given.empty() && node.is_map())
      for (const DocumentEntry& entry : node.entries)
        if (const std::string near = suggestion(entry.key, forms); !near.empty()) hint = near;
    if (map.is_map()) context.faults.error(node.mark, what + (given.empty() ? " says no form" : " has several forms"), hint);
    map.forgive();
    return false;
  }
  const DocumentNode& form = *map.find(given[0]);
  const std::string form_name = given[0] + " of " + what;
  if (given[0] == "box") {
    piece = read_box_piece(form, values, form_name);
  } else if (given[0] == "mesh") {
    piece = read_mesh_piece(form, values, context, form_name);
  } else {
    MapReader sizes(form, form_name, context.faults);
    piece = read_round(given[0], sizes, values);
    if (!sizes.is_map()) return false;
  }
  if (const auto* place = map.find("position")) frame.x = values.constant_vector(*place, "position of " + what);
  if (const auto* turn = map.find("orientation")) {
    const OrientationExpression orientation = read_orientation(*turn, values, "orientation of " + what);
    const Repeat alone;
    InstanceCheck check(alone, 0);
    check.orientation(orientation);
    for (Fault& fault : check.faults) {
      fault.message += ", in " + what;
      context.faults.error(std::move(fault));
    }
    if (!orientation.numbers.empty() && check.faults.empty()) frame.R = evaluate(orientation, {});
  }
  piece.density = read_density(map, values, context);
  return true;
}

}  // namespace

void read_rigid_shape(MapReader& map, const DocumentNode& node, ReadContext& context, RigidBodyItem& rigid) {
  const ValueReader values = context.values();
  const std::size_t before = context.faults.num_errors();
  auto shape = std::make_shared<RigidShape>();
  const std::string what = "the shape of " + map.what();
  const double density = read_density(map, values, context);
  const DocumentNode* mass = map.find("mass");
  const double given_mass = mass ? values.positive(*mass, "mass of " + map.what()) : 0;
  std::vector<const DocumentNode*> pieces;
  if (node.is_sequence())
    for (const DocumentNode& item : node.items) pieces.push_back(&item);
  else
    pieces.push_back(&node);
  if (pieces.empty()) context.faults.error(node.mark, what + " has no pieces", "write [{box: [0.2, 0.05, 0.05]}, ...]");
  for (const DocumentNode* each : pieces) {
    Piece piece;
    Frame<double> frame;
    if (!read_piece(*each, what, context, piece, frame)) continue;
    const bool is_weighed = density > 0 || piece.density > 0;
    if (mass && is_weighed)
      context.faults.error(mass->mark, map.what() + " has a mass and a density", "with a shape one of them gives the other");
    else if (!mass && !is_weighed)
      context.faults.error(node.mark, map.what() + " has a shape, but neither density, material nor mass",
                           "add density: 7850, say");
    shape->add(piece.moments, piece.density > 0 ? piece.density : density > 0 ? density : 1.0, piece.surface, frame);
  }
  if (const auto* origin = map.find("origin")) {
    const std::string word = values.text(*origin, "origin of " + map.what());
    rigid.is_placed_by_shape = word == "shape";
    if (word != "shape" && word != "centre")
      context.faults.error(origin->mark, "origin of " + map.what() + " is 'centre' (of mass) or 'shape', not '" + word + "'");
  }
  if (context.faults.num_errors() > before) return;
  shape->close(given_mass);
  rigid.mass = Expression(shape->mass);
  rigid.mass.set_mark(node.mark);
  if (const auto* inertia = map.find("inertia")) {
    rigid.inertia = values.matrix(*inertia, 3, "inertia of " + map.what());
  } else {
    for (int k = 0; k < 9; ++k) {
      rigid.inertia.emplace_back(shape->inertia(k / 3, k % 3));
      rigid.inertia.back().set_mark(node.mark);
    }
  }
  rigid.shape = std::move(shape);
}

}  // namespace sinew
