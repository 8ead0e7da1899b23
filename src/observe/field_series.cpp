#include "observe/field_series.hpp"

#include "base/timing.hpp"
#include "observe/element_stress.hpp"
#include "observe/field_layout.hpp"
#include "observe/hdf5_file.hpp"
#include "observe/schedule.hpp"
#include "observe/xdmf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

/// Host copies of what a step's fields are computed from. Ghosts of the configuration are up to date.
struct HostState {
  const double* config = nullptr;
  const double* z = nullptr;
  const double* a = nullptr;
};

/// Values of one quantity at this rank's points.
template <class Value>
std::vector<double> at_points(const PointSet& set, int width, Value value) {
  std::vector<double> values;
  values.reserve(set.nodes.size() * static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < set.nodes.size(); ++i) value(i, set.nodes[i], values);
  return values;
}

void append(const Vec3<double>& v, std::vector<double>& values) { values.insert(values.end(), v.data, v.data + 3); }

/// The word of XDMF.
const char* topology_of(CellShape shape) {
  switch (shape) {
    case CellShape::hex8: return "Hexahedron";
    case CellShape::hex20: return "Hexahedron_20";
    case CellShape::hex27: return "Hexahedron_27";
    case CellShape::prism6: return "Wedge";
    case CellShape::prism15: return "Wedge_15";
    case CellShape::prism18: return "Wedge_18";
    case CellShape::tet4: return "Tetrahedron";
    case CellShape::tri3: return "Triangle";
    case CellShape::quad4: return "Quadrilateral";
    default: return "Tetrahedron_10";
  }
}

}  // namespace

struct FieldSeries::Parts {
  Parts(const std::filesystem::path& directory, const Model& model_in, const SolidMeshes& meshes, const Numbering& numbering,
        const System& system_in, Existing existing)
      : model(model_in),
        system(system_in),
        comm(system_in.local().comm),
        schedule(model_in.output.fields, 0.0, model_in.analysis.end_time / 100),
        layout(make_field_layout(model_in, meshes, numbering, system_in)),
        file(comm, directory / "fields.h5", existing),
        xdmf(comm, directory / "fields.xdmf", "fields.h5", existing) {
    segments = line_segments(model, layout.cables, comm, first_segment, num_segments);
    beam_segments = line_segments(model, layout.beams, comm, first_beam_segment, num_beam_segments);
  }

  bool wants(FieldQuantity q) const {
    return std::find(model.output.quantities.begin(), model.output.quantities.end(), q) != model.output.quantities.end();
  }

  std::int64_t bytes_of_step() const;
  void write_static();
  void write_homes(const PointSet& set);
  std::vector<XdmfGrid> write_step(const HostState& s, const std::string& group);
  XdmfArray write_values(const PointSet& set, const std::string& group, const std::string& name,
                         const std::vector<double>& values, int width);
  std::vector<XdmfArray> write_points(const PointSet& set, const HostState& s, const std::string& group);
  void write_turning(const PointSet& set, const HostState& s, const std::string& group, std::vector<XdmfArray>& arrays);
  std::vector<XdmfArray> write_shapes(const HostState& s, const std::string& group);
  std::vector<XdmfArray> write_stress(const CellSet& cells, const HostState& s, const std::string& group);

  const Model& model;
  const System& system;
  MPI_Comm comm;
  Schedule schedule;
  FieldLayout layout;
  Hdf5File file;
  XdmfFile xdmf;
  std::vector<std::int64_t> segments, beam_segments;  ///< of lines, this rank's share; emptied once they are written
  std::int64_t first_segment = 0, num_segments = 0, first_beam_segment = 0, num_beam_segments = 0;
  long num_written = 0;
};

/// What a step adds to the file, with some kB for the table of contents.
std::int64_t FieldSeries::Parts::bytes_of_step() const {
  std::int64_t moving = 3;  // numbers a point: the position, then what was asked for
  for (const FieldQuantity q : {FieldQuantity::displacement, FieldQuantity::velocity, FieldQuantity::acceleration})
    moving += wants(q) ? 3 : 0;
  std::int64_t numbers = layout.solids.order.total() * moving + layout.cables.order.total() * (moving + 3) +
                         (layout.beams.order.total() + layout.bodies.order.total()) * (2 * moving + 13);
  for (const CellSet& cells : layout.cells)
    numbers += wants(FieldQuantity::stress) ? stress_width(shape_info(cells.shape).dimension) * cells.order.total() : 0;
  numbers += 3 * layout.shapes.points.order.total();
  return 8 * numbers + 65536;
}

/// Body template and instance of every point: 0-based, in the order of the model file.
void FieldSeries::Parts::write_homes(const PointSet& set) {
  if (set.is_empty()) return;
  std::vector<std::int64_t> body, instance;
  for (std::int64_t p = set.order.first(); p < set.order.first() + set.order.count(); ++p) {
    const NodeHome home = set.home(p);
    body.push_back(home.body);
    instance.push_back(home.instance);
  }
  file.write("/static/" + set.name + "/body", body, set.order.first(), set.order.total(), 1);
  file.write("/static/" + set.name + "/instance", instance, set.order.first(), set.order.total(), 1);
}

void FieldSeries::Parts::write_static() {
  std::int64_t numbers = 2 * (layout.solids.order.total() + layout.cables.order.total() + 2 * layout.beams.order.total() +
                              layout.bodies.order.total()) +
                         8 * (model.num_joints() + model.num_forces());
  for (const CellSet& cells : layout.cells) numbers += 10 * cells.order.total();
  numbers += 2 * layout.shapes.points.order.total() + 3 * layout.shapes.order.total();
  file.reserve(8 * numbers + bytes_of_step());
  std::string names;
  for (const BodyItem& body : model.bodies) names += (names.empty() ? "" : "\n") + body.name.text();
  file.set_text("/", "format", "sinew fields 1");
  file.set_text("/", "title", model.title);
  file.set_text("/", "body_names", names);
  for (const PointSet* set : {&layout.solids, &layout.cables, &layout.beams, &layout.bodies, &layout.shapes.points})
    write_homes(*set);
  file.write("/static/shapes/triangles", layout.shapes.triangles, layout.shapes.order.first(), layout.shapes.order.total(), 3);
  for (const CellSet& cells : layout.cells)
    file.write("/static/solids/" + cells.name, cells.points, cells.order.first(), cells.order.total(),
               shape_info(cells.shape).num_nodes);
  file.write("/static/cables/segments", segments, first_segment, num_segments, 2);
  file.write("/static/beams/segments", beam_segments, first_beam_segment, num_beam_segments, 2);
  std::vector<std::int64_t> vertices(static_cast<std::size_t>(layout.bodies.order.count()));
  std::iota(vertices.begin(), vertices.end(), layout.bodies.order.first());
  file.write("/static/bodies/vertices", vertices, layout.bodies.order.first(), layout.bodies.order.total(), 1);
  std::vector<std::int64_t> turns;
  for (const std::int64_t p : vertices) {
    const Body& body = model.body_at(layout.bodies.home(p).body);
    turns.push_back(body.place_form() == PlaceForm::frame ? 1 : 0);
  }
  file.write("/static/bodies/turns", turns, layout.bodies.order.first(), layout.bodies.order.total(), 1);
  if (!layout.bodies.is_empty()) {
    for (const bool links : {false, true}) {
      const JointPlaces places = links ? link_places(model, layout.bodies, comm) : joint_places(model, layout.bodies, comm);
      const std::string group = links ? "/static/links" : "/static/joint_places";
      file.write(group + "/body", places.body, places.first, places.total, 1);
      file.write(group + "/place", places.place, places.first, places.total, 3);
    }
  }
  file.flush();
}

XdmfArray FieldSeries::Parts::write_values(const PointSet& set, const std::string& group, const std::string& name,
                                           const std::vector<double>& values, int width) {
  const std::string dataset = group + '/' + set.name + '/' + name;
  file.write(dataset, set.order.arrange(values, width), set.order.first(), set.order.total(), width);
  return {name, dataset, set.order.total(), width, false};
}

/// The first array is the position.
std::vector<XdmfArray> FieldSeries::Parts::write_points(const PointSet& set, const HostState& s, const std::string& group) {
  const LocalModel& local = system.local();
  std::vector<XdmfArray> arrays;
  const auto put = [&](const char* name, auto value) {
    arrays.push_back(write_values(set, group, name, at_points(set, 3, value), 3));
  };
  using Values = std::vector<double>;
  // what a point that is carried beside its node adds: R p, R (omega x p), R (alpha x p + omega x (omega x p))
  const auto carried = [&](std::size_t i, int n, auto local_arm) {
    if (set.place.empty()) return Vec3<double>{};
    const double* c = s.config + local.config_offset[n];
    return rotation_matrix(Pose::quaternion(c)) * local_arm(set.place[i]);
  };
  const auto position = [&](std::size_t i, int n) {
    return vec3_at(s.config + local.config_offset[n]) + carried(i, n, [](const Vec3<double>& p) { return p; });
  };
  const auto turning = [&](const double* rates, int n) { return vec3_at(rates + local.dof[n] + 3); };
  put("position", [&](std::size_t i, int n, Values& out) { append(position(i, n), out); });
  if (wants(FieldQuantity::displacement))
    put("displacement",
        [&](std::size_t i, int n, Values& out) { append(position(i, n) - vec3_at(set.start.data() + 3 * i), out); });
  if (wants(FieldQuantity::velocity))
    put("velocity", [&](std::size_t i, int n, Values& out) {
      const auto added = [&](const Vec3<double>& p) { return cross(turning(s.z, n), p); };
      append(vec3_at(s.z + local.dof[n]) + carried(i, n, added), out);
    });
  if (wants(FieldQuantity::acceleration))
    put("acceleration", [&](std::size_t i, int n, Values& out) {
      const auto added = [&](const Vec3<double>& p) {
        return cross(turning(s.a, n), p) + cross(turning(s.z, n), cross(turning(s.z, n), p));
      };
      append(vec3_at(s.a + local.dof[n]) + carried(i, n, added), out);
    });
  if (&set == &layout.cables)
    arrays.push_back(
        write_values(layout.slopes, group, "slope",
                     at_points(layout.slopes, 3,
                               [&](std::size_t, int n, Values& out) { append(vec3_at(s.config + local.config_offset[n]), out); }),
                     3));
  if (&set == &layout.beams || &set == &layout.bodies) write_turning(set, s, group, arrays);
  return arrays;
}

/// Orientation (w, x, y, z, body to global; for readers of XDMF, who know no such four numbers, as a matrix by rows) and angular
/// rates in the global frame; a point mass does not turn.
void FieldSeries::Parts::write_turning(const PointSet& set, const HostState& s, const std::string& group,
                                       std::vector<XdmfArray>& arrays) {
  const LocalModel& local = system.local();
  const auto quaternion = [&](int n) {
    return local.turns(n) ? Pose::quaternion(s.config + local.config_offset[n]) : Quaternion{};
  };
  using Values = std::vector<double>;
  const auto four = [&](std::size_t, int n, Values& out) {
    const Quaternion q = quaternion(n);
    out.insert(out.end(), {q.w, q.x, q.y, q.z});
  };
  const auto nine = [&](std::size_t, int n, Values& out) {
    const Mat3<double> R = rotation_matrix(quaternion(n));
    for (int i = 0; i < 3; ++i) out.insert(out.end(), {R(i, 0), R(i, 1), R(i, 2)});
  };
  write_values(set, group, "orientation", at_points(set, 4, four), 4);
  arrays.push_back(write_values(set, group, "rotation_matrix", at_points(set, 9, nine), 9));
  arrays.back().name = "orientation";
  const auto rate = [&](const char* name, const double* values) {
    arrays.push_back(write_values(
        set, group, name,
        at_points(set, 3,
                  [&](std::size_t, int n, Values& out) {
                    append(local.turns(n) ? rotation_matrix(quaternion(n)) * vec3_at(values + local.dof[n] + 3) : Vec3<double>{},
                           out);
                  }),
        3));
  };
  if (wants(FieldQuantity::velocity)) rate("angular_velocity", s.z);
  if (wants(FieldQuantity::acceleration)) rate("angular_acceleration", s.a);
}

/// The surfaces of rigid bodies, where these have carried them.
std::vector<XdmfArray> FieldSeries::Parts::write_shapes(const HostState& s, const std::string& group) {
  const LocalModel& local = system.local();
  const PointSet& set = layout.shapes.points;
  const auto position = [&](std::size_t i, int n, std::vector<double>& out) {
    const double* c = s.config + local.config_offset[n];
    append(vec3_at(c) + rotation_matrix(Pose::quaternion(c)) * set.place[i], out);
  };
  return {write_values(set, group, "position", at_points(set, 3, position), 3)};
}

std::vector<XdmfArray> FieldSeries::Parts::write_stress(const CellSet& cells, const HostState& s, const std::string& group) {
  const LocalModel& local = system.local();
  const int width = shape_info(cells.shape).num_nodes;
  std::vector<StressFunction> stress_of;
  for (const auto& family : system.families()) stress_of.push_back(stress_function(family->name()));
  const std::vector<StressArray>& kinds = stress_arrays(shape_info(cells.shape).dimension);
  std::vector<std::vector<double>> values(kinds.size());
  std::vector<Frame<double>> nodes(static_cast<std::size_t>(width));
  std::vector<double> numbers(static_cast<std::size_t>(stress_width(shape_info(cells.shape).dimension)));
  for (std::size_t c = 0; c < cells.element.size(); ++c) {
    const auto f = static_cast<std::size_t>(cells.family[c]);
    const FamilyData& data = system.families()[f]->data();
    const std::size_t num_params = data.params.size() / static_cast<std::size_t>(data.size),
                      e = static_cast<std::size_t>(cells.element[c]);
    for (int a = 0; a < width; ++a) {
      const int node = data.nodes[e * width + a];
      const double* q = s.config + local.config_offset[node];
      nodes[a] = {vec3_at(q), local.turns(node) ? rotation_matrix(Pose::quaternion(q)) : identity<double, 3>()};
    }
    stress_of[f](data.params.data() + e * num_params, nodes.data(), numbers.data());
    auto number = numbers.begin();
    for (std::size_t k = 0; k < kinds.size(); number += kinds[k++].width)
      values[k].insert(values[k].end(), number, number + kinds[k].width);
  }
  const std::int64_t first = cells.order.first(), total = cells.order.total();
  std::vector<XdmfArray> arrays;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::string place = group + "/solids/" + cells.name + "_" + kinds[k].name;
    file.write(place, cells.order.arrange(values[k], kinds[k].width), first, total, kinds[k].width);
    arrays.push_back({kinds[k].name, place, total, kinds[k].width, false});
  }
  return arrays;
}

std::vector<XdmfGrid> FieldSeries::Parts::write_step(const HostState& s, const std::string& group) {
  std::vector<XdmfGrid> grids;
  const auto add = [&](const std::string& name, const char* topology, XdmfArray cells, const std::vector<XdmfArray>& arrays,
                       const PointSet& set) {
    XdmfGrid grid{name, topology, std::move(cells), arrays.front(), {arrays.begin() + 1, arrays.end()}, {}};
    grid.node_values.push_back({"body", "/static/" + set.name + "/body", set.order.total(), 1, true});
    grids.push_back(std::move(grid));
  };
  if (!layout.solids.is_empty()) {
    const auto arrays = write_points(layout.solids, s, group);
    for (const CellSet& cells : layout.cells) {
      const XdmfArray points{"", "/static/solids/" + cells.name, cells.order.total(), shape_info(cells.shape).num_nodes, true};
      add(layout.cells.size() == 1 ? "solids" : "solids " + cells.name, topology_of(cells.shape), points, arrays, layout.solids);
      if (wants(FieldQuantity::stress)) grids.back().cell_values = write_stress(cells, s, group);
    }
  }
  if (!layout.cables.is_empty())
    add("cables", "Polyline", {"", "/static/cables/segments", num_segments, 2, true}, write_points(layout.cables, s, group),
        layout.cables);
  if (!layout.beams.is_empty())
    add("beams", "Polyline", {"", "/static/beams/segments", num_beam_segments, 2, true}, write_points(layout.beams, s, group),
        layout.beams);
  if (!layout.bodies.is_empty())
    add("bodies", "Polyvertex", {"", "/static/bodies/vertices", layout.bodies.order.total(), 1, true},
        write_points(layout.bodies, s, group), layout.bodies);
  if (!layout.shapes.points.is_empty())
    add("shapes", "Triangle", {"", "/static/shapes/triangles", layout.shapes.order.total(), 3, true}, write_shapes(s, group),
        layout.shapes.points);
  return grids;
}

FieldSeries::FieldSeries(const std::filesystem::path& directory, const Model& model, const SolidMeshes& meshes,
                         const Numbering& numbering, const System& system, Existing existing)
    : parts_(std::make_unique<Parts>(directory, model, meshes, numbering, system, existing)) {
  const TimedPhase timer(Phase::output);
  if (existing == Existing::replaced) parts_->write_static();
  for (std::vector<std::int64_t>* list : {&parts_->segments, &parts_->beam_segments}) std::vector<std::int64_t>().swap(*list);
}

FieldSeries::~FieldSeries() = default;

void FieldSeries::persist(Archive& archive) {
  const Archive::Part part(archive, "fields");
  Parts& p = *parts_;
  p.schedule.persist(archive);
  p.xdmf.persist(archive);
  archive.pass("written", p.num_written);
  std::int64_t last = p.file.last_published();
  archive.pass("last", last);
  if (archive.is_reading()) p.file.keep_first("/steps", static_cast<std::size_t>(p.num_written), last);
}

void FieldSeries::observe(const Snapshot& snapshot) {
  const TimedPhase timer(Phase::output);
  Parts& p = *parts_;
  if (!p.schedule.is_due(snapshot, p.comm)) return;
  p.file.reserve(p.bytes_of_step());
  const std::string group = fmt::format("/steps/{:08}", p.num_written++);
  p.file.begin(group);
  p.file.set_number(group, "time", snapshot.state.t);
  p.file.set_number(group, "step", static_cast<double>(snapshot.number));
  std::vector<XdmfGrid> grids;
  {
    const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), snapshot.state.q.values);
    const VecRead z(snapshot.state.z), a(snapshot.acceleration);
    grids = p.write_step({config.data(), z.data(), a.data()}, group);
  }
  p.file.publish();
  p.xdmf.append(snapshot.state.t, grids);
}

}  // namespace sinew
