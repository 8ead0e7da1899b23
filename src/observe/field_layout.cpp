#include "observe/field_layout.hpp"

#include "partition/shared_surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

namespace sinew {

namespace {

/// The index of a node among the points of its body; nothing for what is no point of the set. `parity` where positions and slopes
/// stand in turn: 0 positions, 1 slopes.
std::optional<int> point_of_node(const Model& model, const SolidMeshes& meshes, const NodeHome& home, int parity) {
  const Body& body = model.body_at(home.body);
  const bool is_in_turn = body.field_group() == FieldGroup::cables;
  if (is_in_turn) return home.local % 2 == parity ? std::optional<int>(home.local / 2) : std::nullopt;
  const std::int64_t shown = body.meshed() ? meshes.known.at(home.body).num_points : body.size().nodes_in_space();
  return home.local < shown ? std::optional<int>(home.local) : std::nullopt;
}

/// Points of one instance of a body.
std::int64_t num_points(const Model& model, const SolidMeshes& meshes, int body) {
  const Body& one = model.body_at(body);
  if (one.meshed()) return meshes.known.at(body).num_points;
  const std::int64_t nodes = one.size().nodes_in_space();
  return one.field_group() == FieldGroup::cables ? nodes / 2 : nodes;
}

/// Numbers the points of the bodies for which `points_of(body)` is not 0.
template <class PointsOf>
void number_points(const Model& model, PointsOf points_of, PointSet& set) {
  std::int64_t total = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const std::int64_t per = points_of(static_cast<int>(b));
    set.first.push_back(total);
    set.per_instance.push_back(per);
    total += per * model.num_instances(static_cast<int>(b));
  }
}

/// What fields show beside the nodes, as the lines of beams do whose nodes lie at the centres of mass: nothing where nodes are
/// shown.
void place_offsets(const Model& model, const Numbering& numbering, const LocalModel& local, PointSet& set) {
  NodeHome last{-1, -1, -1};
  std::unique_ptr<BodyAtStart> start;
  for (std::size_t i = 0; i < set.nodes.size(); ++i) {
    const NodeHome home = numbering.locate(local.node_id[set.nodes[i]]);
    const Body& body = model.body_at(home.body);
    if (!body.has_offsets(model)) continue;
    if (home.body != last.body || home.instance != last.instance) start = body.at_start({model, home.body, home.instance});
    last = home;
    set.place.resize(set.nodes.size());
    set.place[i] = start->offset(home.local);
    const double* c = local.config.data() + local.config_offset[set.nodes[i]];
    const Vec3<double> arm = rotation_matrix(Pose::quaternion(c)) * set.place[i];
    for (int k = 0; k < 3; ++k) set.start[3 * i + static_cast<std::size_t>(k)] += arm[k];
  }
}

void collect_points(const Model& model, const SolidMeshes& meshes, const Numbering& numbering, const System& system, int parity,
                    PointSet& set) {
  std::int64_t total = 0;
  for (std::size_t b = 0; b < set.first.size(); ++b) total += set.per_instance[b] * model.num_instances(static_cast<int>(b));
  const LocalModel& local = system.local();
  std::vector<std::int64_t> mine;
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    const NodeHome home = numbering.locate(local.node_id[n]);
    const auto point = point_of_node(model, meshes, home, parity);
    if (!set.has(home.body) || !point) continue;
    mine.push_back(set.first[home.body] + home.instance * set.per_instance[home.body] + *point);
    set.nodes.push_back(n);
    const double* x = local.config.data() + local.config_offset[n];
    set.start.insert(set.start.end(), x, x + 3);
  }
  set.order = NaturalOrder(local.comm, total, mine);
}

/// The surfaces of this rank's bodies that have a shape. Collective.
ShapeSet collect_shapes(const Model& model, const Numbering& numbering, const System& system) {
  ShapeSet set;
  set.points.name = "shapes";
  const LocalModel& local = system.local();
  std::vector<char> is_here(model.bodies.size(), 0);
  for (int n = 0; n < local.num_owned_nodes; ++n) is_here[static_cast<std::size_t>(numbering.locate(local.node_id[n]).body)] = 1;
  const BodySurfaces surfaces(local.comm, model, is_here);
  number_points(
      model, [&](int b) { return surfaces.num_points(b); }, set.points);
  std::vector<std::int64_t> first_triangle;
  std::int64_t num_points = 0, num_triangles = 0;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    first_triangle.push_back(num_triangles);
    num_points += surfaces.num_points(b) * model.num_instances(b);
    num_triangles += surfaces.num_triangles(b) * model.num_instances(b);
  }
  std::vector<std::int64_t> points, triangles, corners;
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    const NodeHome home = numbering.locate(local.node_id[n]);
    if (surfaces.num_points(home.body) == 0 || !local.has_vector(n)) continue;
    const TriangleSurface& surface = surfaces.of(home.body);
    const std::int64_t first = set.points.first[home.body] + home.instance * set.points.per_instance[home.body];
    for (std::size_t k = 0; k < surface.points.size(); ++k) {
      points.push_back(first + static_cast<std::int64_t>(k));
      set.points.nodes.push_back(n);
      set.points.place.push_back(surface.points[k]);
    }
    std::int64_t number = first_triangle[home.body] + home.instance * surfaces.num_triangles(home.body);
    for (const auto& triangle : surface.triangles) {
      triangles.push_back(number++);
      for (const int corner : triangle) corners.push_back(first + corner);
    }
  }
  set.points.order = NaturalOrder(local.comm, num_points, points);
  set.order = NaturalOrder(local.comm, num_triangles, triangles);
  set.triangles = set.order.arrange(corners, 3);
  return set;
}

/// All elements of a shape on this rank and their natural numbers.
CellSet collect_cells(CellShape shape, const PointSet& solids, const Numbering& numbering, const System& system) {
  CellSet set;
  set.shape = shape;
  set.name = shape_info(shape).name;
  const LocalModel& local = system.local();
  const int width = shape_info(shape).num_nodes;
  const std::span<const int> order = vtk_order(shape);
  std::vector<std::int64_t> points;
  for (std::size_t f = 0; f < local.families.size(); ++f) {
    if (cell_of_family(system.families()[f]->name()) != shape) continue;
    const FamilyData& data = system.families()[f]->data();
    for (int e = 0; e < data.size; ++e) {
      set.family.push_back(static_cast<int>(f));
      set.element.push_back(e);
      for (int a = 0; a < width; ++a) {
        const NodeHome home = numbering.locate(local.node_id[data.nodes[e * width + order[a]]]);
        points.push_back(solids.first[home.body] + home.instance * solids.per_instance[home.body] + home.local);
      }
    }
  }
  const std::vector<std::int64_t> numbers = number_cells(local.comm, solids.order.total(), points, width);
  std::int64_t total = static_cast<std::int64_t>(numbers.size());
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, local.comm);
  set.order = NaturalOrder(local.comm, total, numbers);
  set.points = set.order.arrange(points, width);
  return set;
}

}  // namespace

NodeHome PointSet::home(std::int64_t point) const {
  NodeHome home;  // of bodies with the same first point the last one has it
  home.body = static_cast<int>(std::upper_bound(first.begin(), first.end(), point) - first.begin()) - 1;
  const std::int64_t inside = point - first[home.body];
  home.instance = inside / per_instance[home.body];
  home.local = static_cast<int>(inside % per_instance[home.body]);
  return home;
}

FieldLayout make_field_layout(const Model& model, const SolidMeshes& meshes, const Numbering& numbering, const System& system) {
  FieldLayout layout;
  layout.solids.name = "solids";
  layout.cables.name = "cables";
  layout.beams.name = "beams";
  layout.bodies.name = "bodies";
  const auto number = [&](FieldGroup group, PointSet& set) {
    const bool is_of_lines = group == FieldGroup::cables || group == FieldGroup::beams;
    const auto points_of = [&](int b) -> std::int64_t {
      if (model.body_at(b).field_group() != group) return 0;
      if (is_of_lines && model.body_at(b).line() == nullptr)
        throw std::logic_error(fmt::format("bodies of type '{}' are no LineBody, and stand with lines in the file of fields",
                                           model.body_at(b).type()));
      return num_points(model, meshes, b);
    };
    number_points(model, points_of, set);
  };
  number(FieldGroup::solids, layout.solids);
  number(FieldGroup::cables, layout.cables);
  number(FieldGroup::beams, layout.beams);
  number(FieldGroup::bodies, layout.bodies);
  layout.slopes = layout.cables;
  for (PointSet* set : {&layout.solids, &layout.cables, &layout.beams, &layout.bodies})
    collect_points(model, meshes, numbering, system, 0, *set);
  place_offsets(model, numbering, system.local(), layout.beams);
  collect_points(model, meshes, numbering, system, 1, layout.slopes);
  layout.shapes = collect_shapes(model, numbering, system);
  std::vector<CellShape> shapes(volume_shapes().begin(), volume_shapes().end());
  shapes.insert(shapes.end(), {CellShape::tri3, CellShape::quad4});
  for (const CellShape shape : shapes) {
    const auto& families = system.families();
    if (std::any_of(families.begin(), families.end(), [shape](const auto& f) { return cell_of_family(f->name()) == shape; }))
      layout.cells.push_back(collect_cells(shape, layout.solids, numbering, system));
  }
  return layout;
}

std::vector<std::int64_t> line_segments(const Model& model, const PointSet& lines, MPI_Comm comm, std::int64_t& first,
                                        std::int64_t& total) {
  const auto segments_of = [&](std::size_t b) {
    return lines.per_instance[b] - (model.bodies[b].body().line()->is_closed() ? 0 : 1);
  };
  std::vector<std::int64_t> start{0};
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    start.push_back(start.back() +
                    (lines.has(static_cast<int>(b)) ? segments_of(b) * model.num_instances(static_cast<int>(b)) : 0));
  total = start.back();
  const Homes homes(comm, total);
  first = homes.first(comm_rank(comm));
  std::vector<std::int64_t> pairs;
  for (std::int64_t s = first; s < homes.last(comm_rank(comm)); ++s) {
    const auto b = static_cast<std::size_t>(std::upper_bound(start.begin(), start.end(), s) - start.begin() - 1);
    const std::int64_t segments = segments_of(b), points = lines.per_instance[b], inside = s - start[b];
    const std::int64_t first_point = lines.first[b] + inside / segments * points, k = inside % segments;
    pairs.push_back(first_point + k);
    pairs.push_back(first_point + (k + 1) % points);
  }
  return pairs;
}

namespace {

/// This rank's share of the places of some joints or forces, two for each. `of_ground` says what a place of the ground is worth.
template <class OfGround>
JointPlaces places_of(const Model& model, const std::vector<const ConnectedItem*>& items, const PointSet& bodies, MPI_Comm comm,
                      OfGround of_ground) {
  std::vector<std::int64_t> start{0};
  for (const ConnectedItem* item : items) start.push_back(start.back() + 2 * item->repeat.count());
  JointPlaces all;
  all.total = start.back();
  const Homes homes(comm, all.total);
  all.first = homes.first(comm_rank(comm));
  std::vector<PlaceRef> refs;
  for (std::int64_t p = all.first; p < homes.last(comm_rank(comm)); ++p) {
    const auto i = static_cast<std::size_t>(std::upper_bound(start.begin(), start.end(), p) - start.begin() - 1);
    if (refs.empty() || (p - start[i]) % 2 == 0) refs = model.places(*items[i], (p - start[i]) / 2);
    const auto side = static_cast<std::size_t>((p - start[i]) % 2);
    PlaceRef ref;
    if (side < refs.size()) ref = refs[side];
    const bool is_body = !ref.is_ground && bodies.has(ref.body.item) &&
                         model.body_at(ref.body.item).form_of(ref) != PlaceForm::scalar;  // which is nowhere
    const std::int64_t body = is_body ? bodies.first[ref.body.item] + ref.body.instance : of_ground(ref);
    all.body.push_back(body);
    for (int k = 0; k < 3; ++k) all.place.push_back(is_body || body == JointPlaces::ground ? ref.point[k] : 0.0);
  }
  return all;
}

}  // namespace

JointPlaces joint_places(const Model& model, const PointSet& bodies, MPI_Comm comm) {
  std::vector<const ConnectedItem*> joints;
  for (const JointItem& joint : model.joints) joints.push_back(&joint);
  JointPlaces all = places_of(model, joints, bodies, comm, [](const PlaceRef&) { return JointPlaces::elsewhere; });
  std::replace(all.body.begin(), all.body.end(), JointPlaces::elsewhere, JointPlaces::ground);
  return all;
}

JointPlaces link_places(const Model& model, const PointSet& bodies, MPI_Comm comm) {
  std::vector<const ConnectedItem*> links;
  for (const JointItem& joint : model.joints)
    if (joint.ground_is_origin) links.push_back(&joint);
  for (const ForceItem& force : model.forces)
    if (force.places.size() == 2) links.push_back(&force);
  return places_of(model, links, bodies, comm, [](const PlaceRef& ref) {
    return ref.is_ground && ref.anchor == Anchor::point ? JointPlaces::ground : JointPlaces::elsewhere;
  });
}

}  // namespace sinew
