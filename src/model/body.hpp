/// \file
/// What depends on the type of a body. Every type is a class of src/bodies that implements this; nothing else knows types by
/// name.
///
/// Two things are told apart: the entry of the model file, whose numbers are expressions (Body), and one of the bodies that it
/// stands for, as plain numbers at the start (BodyAtStart). Nodes and elements are numbered within a body, from 0.
#pragma once

#include "kernels/describe.hpp"
#include "model/fault.hpp"
#include "model/places.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

class Model;
class InstanceCheck;
class LineBody;
class MeshedBody;
class ReducedBody;
struct Material;
struct RigidShape;

/// What a place on a body is to joints, forces and sensors.
enum class PlaceForm {
  point,    ///< a node that does not turn
  line,     ///< a node of a line, and behind it one with the derivative along the line, which tells the direction
  frame,    ///< a node that turns
  surface,  ///< nodes of a mesh together, and a frame that follows their mean
  scalar    ///< no place: a node that is one number
};

/// What a body's key `points` holds.
enum class PointForm { none, coordinates, fractions };

/// With which others a body's points stand in the file of fields.
enum class FieldGroup {
  bodies,  ///< a single node in space, which may turn and carry a surface
  cables,  ///< a line (LineBody) of positions and slopes in turn
  beams,   ///< a line (LineBody) of frames, or of points without slopes
  solids,  ///< points of a mesh and cells between them
  none     ///< it is nowhere
};

/// Whether what holds such a place may hold its turn.
constexpr bool turns(PlaceForm form) { return form == PlaceForm::frame || form == PlaceForm::surface; }

/// One of the bodies that an entry of `bodies` stands for.
struct OneBody {
  const Model& model;
  int body = -1;  ///< index into Model::bodies
  std::int64_t instance = 0;

  const BodyItem& item() const;
  Indices indices() const;
  std::string name() const;
};

/// Nodes and elements of one instance. Nodes that are frames come after those that are points, scalars last. Attachments are
/// frames that other nodes of the body carry, each by six constraint rows.
struct BodySize {
  std::int64_t nodes = 1, frames = 0, elements = 1, scalars = 0;
  int attachments = 0;

  /// All but scalars.
  std::int64_t nodes_in_space() const { return nodes - scalars; }
  std::int64_t dofs() const { return dofs_before(nodes); }
  std::int64_t places() const { return places_before(nodes); }
  /// Degrees of freedom of the first nodes.
  std::int64_t dofs_before(std::int64_t count) const { return numbers_before(count, &ManifoldSize::dofs); }
  /// Numbers that their configurations have.
  std::int64_t places_before(std::int64_t count) const { return numbers_before(count, &ManifoldSize::config); }

 private:
  std::int64_t numbers_before(std::int64_t count, int ManifoldSize::*size) const {
    const std::int64_t of_points = std::min(count, nodes - frames - scalars), of_frames = std::min(count - of_points, frames);
    return manifold_size(NodeKind::point).*size * of_points + manifold_size(NodeKind::frame).*size * of_frames +
           manifold_size(NodeKind::scalar).*size * (count - of_points - of_frames);
  }
};

/// What a run keeps of one element: entries of its matrix, how many the whole has for each element at least, and the part of
/// these that factors hold.
struct MatrixNeed {
  double slots = 0, entries = 0, in_factors = 1;
};

/// A node at the start, as joints see it: of a point the frame's place and the twist's velocity count, of a scalar the first
/// numbers of both.
struct NodeAtStart {
  Frame<double> frame;
  Twist<double> twist;
  NodeKind kind = NodeKind::point;
  bool is_slope = false;  ///< a derivative along a line and no place
};

/// An element with its parameters, or what adds to the rows of an attachment.
struct ElementAtStart {
  std::string family;      ///< name of a registered element, or joint
  std::vector<int> nodes;  ///< of the body
  std::vector<double> params;
  int attachment = -1;  ///< -1: an element
};

/// A node and a place on it.
struct BodyPlace {
  int node = 0;
  Place place;
};

/// A place inside an element: a weighted sum of points.
struct InnerPlace {
  int nodes[4] = {};
  double weights[4] = {};
  Vec3<double> start;  ///< initial position
};

/// An element of a line: its unstressed length, m, and its nodes.
struct LineElement {
  double length = 0;
  std::vector<int> nodes;
};

/// One body as plain numbers at the start.
class BodyAtStart {
 public:
  virtual ~BodyAtStart() = default;
  virtual NodeAtStart node(int k) const = 0;
  virtual ElementAtStart element(int k) const = 0;
  /// The frame that an attachment is; for bodies without a mesh, which have their own way of carrying it.
  virtual int attached_node(int /*attachment*/) const { return 0; }
  /// Where joints and forces take hold. Throws InputError, without a line, where they cannot.
  virtual BodyPlace place(const PlaceRef&) const = 0;
  /// Of Anchor::station.
  virtual InnerPlace inner_place(const CableStation&) const;
  /// Of bodies that are lines, whose places between nodes are x = sum N_a x_a over the nodes of an element.
  virtual LineElement line_element(int element) const;
  /// N_a at a part of its length, 0 to 1, in the order of its nodes; of slopes in m.
  virtual std::vector<double> line_shapes(int element, double xi) const;
  /// How far matter reaches around a body's first node, which is its only one where it is a rigid body.
  virtual double radius() const { return 0; }
  /// What fields show in the place of a node, from there in the node's axes.
  virtual Vec3<double> offset(int /*node*/) const { return {}; }
};

/// An entry of `bodies` by its type, as it was read.
class Body {
 public:
  virtual ~Body() = default;
  /// The word of the model file.
  virtual const char* type() const = 0;
  /// What places on it are.
  virtual PlaceForm place_form() const = 0;
  /// What one of them is, where they differ.
  virtual PlaceForm form_of(const PlaceRef&) const { return place_form(); }
  virtual FieldGroup field_group() const = 0;
  /// Of bodies without a mesh; those with one are as large as the mesh.
  virtual BodySize size() const = 0;
  virtual MatrixNeed matrix_need() const = 0;

  /// Whether it was read well enough for the checks that follow.
  virtual bool is_sound(const Model&) const { return true; }
  /// Faults of an instance.
  virtual void check(const OneBody&, InstanceCheck&) const = 0;
  /// Sets `ref` to a place; returns what is wrong with it. `tail`: the name behind the body's, empty where there is none.
  /// `indices`: of who names the place.
  virtual std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices& indices,
                                       PlaceRef& ref) const = 0;
  /// Null of bodies with a mesh, which are laid out where the mesh is. Throws InputError with its line.
  virtual std::unique_ptr<BodyAtStart> at_start(const OneBody&) const = 0;

  /// Whether it goes where joints take it.
  virtual bool is_massless(const Indices&) const { return false; }
  /// Whether fields show something beside its nodes: see BodyAtStart::offset.
  virtual bool has_offsets(const Model&) const { return false; }
  /// What it carries around its node; null without.
  virtual const RigidShape* carried_shape() const { return nullptr; }
  /// As a line of elements, as a mesh; null where it is none.
  virtual const LineBody* line() const { return nullptr; }
  virtual const MeshedBody* meshed() const { return nullptr; }
  /// As shapes of vibration that stand for a mesh (model/reduced_body.hpp), likewise.
  virtual const ReducedBody* reduced() const { return nullptr; }

  /// Whether two places on it are the same node, which moves as a rigid body does.
  bool is_one_node(const PlaceRef& one, const PlaceRef& other) const;
  /// Whether any of its nodes has a place in space, and with it a mass there.
  bool is_in_space() const { return meshed() || size().nodes_in_space() > 0; }
};

/// A body that is a line of elements: its places are parts of its length. All instances have the same number of elements.
class LineBody : public Body {
 public:
  int num_elements = 0;

  const LineBody* line() const final { return this; }
  /// The family of its elements, which says what sensors measure in its sections.
  virtual const char* element_family() const = 0;
  /// Whether its last element ends where the first one begins.
  virtual bool is_closed() const { return false; }
  /// The first node of an element.
  virtual int first_node(int element) const = 0;
  /// Where a part of its length, 0 to 1, lies.
  virtual CableStation station_at(const OneBody&, double part) const = 0;
  /// The part of the length before a node as places name it (`node[k]`).
  virtual double part_before(const OneBody&, int node) const = 0;
};

/// A body whose nodes are those of a mesh from a file, or of a box or plate that the program meshes, moved by its placement.
class MeshedBody : public Body {
 public:
  std::filesystem::path mesh;  ///< as found from the working directory; empty for a box
  SourceMark mesh_mark;
  std::optional<BoxShape> box;
  std::optional<PlateShape> plate;
  std::vector<SolidMaterial> materials;
  Placement placement;

  const MeshedBody* meshed() const final { return this; }
  bool is_generated() const { return box || plate; }
  /// Of its cells: 3 volumes, 2 a surface. Places are groups of less, of a surface those of surfaces as well.
  virtual int dimension() const { return 3; }
  /// What the nodes are. Frames have the body's axes at the start.
  virtual NodeKind node_kind() const { return NodeKind::point; }
  /// Of nodes that turn: the radius of gyration with which a node's turn counts in the mean rotation of a group, m.
  virtual double node_gyration() const { return 0; }
  /// An element for a cell; its nodes are left out. `x`: of the nodes, where the body stands, `body`. Nothing where there is none
  /// for that shape; `shapes_made` says for which there are, in words.
  virtual std::optional<ElementAtStart> element_of(CellShape, const Material&, const std::vector<Vec3<double>>& x,
                                                   const Frame<double>& body) const = 0;
  virtual std::string shapes_made() const = 0;
};

}  // namespace sinew
