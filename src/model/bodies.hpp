/// \file
/// Bodies: as the model file has them (numbers are expressions of the repeat's indices), and one instance as plain numbers.
#pragma once

#include "kernels/contract.hpp"
#include "model/cell_shape.hpp"
#include "model/name_pattern.hpp"
#include "model/rigid_shape.hpp"
#include "model/source_mark.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

/// Three numbers of the model file.
using VectorExpression = std::array<Expression, 3>;

/// The numbers of an instance.
Vec3<double> evaluate(const VectorExpression& vector, const Indices& indices);

/// How an orientation is given.
enum class OrientationForm { identity, axis_angle, quaternion, matrix };

/// An orientation, body to global: axis (3) and angle (1), quaternion w x y z (4), or matrix by rows (9).
struct OrientationExpression {
  OrientationForm form = OrientationForm::identity;
  std::vector<Expression> numbers;
  SourceMark mark;
};

/// The rotation matrix of an instance; axis and quaternion are brought to length 1.
Mat3<double> evaluate(const OrientationExpression& orientation, const Indices& indices);

/// Initial position, orientation and motion of a body.
struct Placement {
  VectorExpression position;
  OrientationExpression orientation;
  VectorExpression velocity;
  VectorExpression angular_velocity;
  bool angular_velocity_is_local = false;  ///< in body axes (`angular_velocity_local`)
};

/// A named point: coordinates in body axes, or a fraction of a cable's or beam's arc length.
struct NamedPoint {
  NamePattern name;
  std::variant<VectorExpression, Expression> place;
  SourceMark mark;
};

/// `type: rigid`. Inertia: 3 diagonal entries or 9 by rows, about the centre of mass in body axes.
struct RigidBodyItem {
  Expression mass;
  std::vector<Expression> inertia;
  Placement placement;
  /// where one is given; mass and inertia are then those of it, or what stands beside it
  std::shared_ptr<const RigidShape> shape;
  /// position, velocity and points are those of the shape's origin, not from the centre of mass
  bool is_placed_by_shape = false;

  /// The centre of mass from where position and points are counted from, in body axes.
  Vec3<double> centre() const;
};

/// `type: point-mass`.
struct PointMassItem {
  Expression mass;
  VectorExpression position;
  VectorExpression velocity;
};

/// `type: cable`: a straight line, or the ends of its elements. All instances have the same number of elements.
struct CableItem {
  int num_elements = 0;
  std::vector<VectorExpression> points;  ///< 2: the ends of a straight line divided evenly; num_elements + 1 with is_polyline
  bool is_polyline = false;
  int section = -1;                   ///< index into Model::sections
  int material = -1;                  ///< index into Model::materials; -1 if the section has matrices
  VectorExpression velocity;          ///< of the start
  VectorExpression angular_velocity;  ///< initial rigid motion about the start, global axes
};

/// The section at a part of a beam's length; between two of them stiffness and inertia are linear.
struct BeamStationItem {
  Expression at;
  int section = -1;  ///< index into Model::sections
};

/// The turn of a beam's section at a part of its length; linear between two of them.
struct BeamTwistItem {
  Expression at, angle;
};

/// `type: beam`: a straight line, a curve or a spline. All instances have the same number of elements.
struct BeamItem {
  int num_elements = 0;
  int order = 2;                          ///< of an element, 1 to 3: it has order + 1 nodes
  std::vector<VectorExpression> points;   ///< the ends of a straight line: two; of a spline, any number
  std::optional<VectorExpression> curve;  ///< else: places as functions of a parameter, where expressions otherwise have the time
  std::array<Expression, 2> range;        ///< of the parameter
  std::vector<BeamStationItem> sections;  ///< one, all along; or by rising `at` from 0 to 1
  int material = -1;                      ///< index into Model::materials; -1 where all sections have matrices
  std::optional<VectorExpression> up;     ///< axis 2 of the section at the start, roughly
  Expression twist;                       ///< total turn about the tangent, or the turn as a function of the parameter
  std::vector<BeamTwistItem> twists;      ///< in its place: by rising `at` from 0 to 1
  VectorExpression velocity;              ///< of the start
  VectorExpression angular_velocity;      ///< initial rigid motion about the start, global axes
};

/// A box-shaped mesh made by the program: corner at the body's origin, edges along its axes, surfaces x-, x+, y-, y+, z-, z+.
struct BoxShape {
  Vec3<double> size;
  std::array<int, 3> elements{};
  CellShape cell = CellShape::hex8;  ///< or hex20, hex27
};

/// A material for all elements (`group` empty) or for those of a physical group.
struct SolidMaterial {
  std::string group;
  int material = -1;  ///< index into Model::materials
  SourceMark mark;
};

/// What hexahedra of eight nodes are: with strains of their own, which bend, or those of their nodes alone.
enum class SolidFormulation { enhanced, displacement };

/// `type: solid`: a mesh file or a box. The placement moves the mesh; its velocity is that of the body's origin.
struct SolidItem {
  std::filesystem::path mesh;  ///< as found from the working directory; empty for a box
  SourceMark mesh_mark;
  std::optional<BoxShape> box;
  std::vector<SolidMaterial> materials;
  SolidFormulation formulation = SolidFormulation::enhanced;
  Placement placement;
};

enum class BodyKind { rigid, point_mass, cable, solid, beam };

/// One entry of `bodies`, standing for `repeat.count()` bodies.
struct BodyItem {
  NamePattern name;
  Repeat repeat;
  SourceMark mark;
  std::vector<NamedPoint> points;
  std::variant<RigidBodyItem, PointMassItem, CableItem, SolidItem, BeamItem> shape;

  BodyKind kind() const { return static_cast<BodyKind>(shape.index()); }
};

/// A rigid body at the start.
struct RigidBodyInstance {
  double mass = 0;
  Mat3<double> inertia;  ///< about the centre of mass, body axes
  Frame<double> frame;   ///< of the centre of mass
  Twist<double> twist;   ///< v global, omega in body axes
};

/// A point mass at the start.
struct PointMassInstance {
  double mass = 0;
  Vec3<double> x;
  Vec3<double> v;
};

/// A node of a cable at the start: position, dr/ds and their rates.
struct CableNode {
  Vec3<double> x;
  Vec3<double> slope;
  Vec3<double> v;
  Vec3<double> slope_rate;
};

/// A place on a cable or beam: element and local coordinate 0 <= xi <= 1.
struct CableStation {
  int element = 0;
  double xi = 0;
};

/// A cable at the start, with its stiffness and mass per length.
struct CableInstance {
  int num_elements = 0;
  double axial_stiffness = 0;    ///< EA
  double bending_stiffness = 0;  ///< EI
  double mass_per_length = 0;    ///< rho A
  double damping_alpha = 0, damping_beta = 0, viscosity = 0;
  std::vector<Vec3<double>> points;  ///< 2 (a line divided evenly) or num_elements + 1
  Vec3<double> velocity;
  Vec3<double> angular_velocity;

  bool is_line() const { return points.size() == 2; }
  /// Length of an element's chord.
  double element_length(int element) const;
  /// Node k, 0 <= k <= num_elements. Along listed points the slope is the unit tangent of the parabola through neighbours.
  CableNode node(int k) const;
  /// The station at a fraction of the length, 0 to 1.
  CableStation station(double fraction) const;
};

/// A solid's placement and initial rigid motion about its origin.
struct SolidPlacement {
  Frame<double> frame;
  Vec3<double> velocity;          ///< of the origin, global
  Vec3<double> angular_velocity;  ///< global
};

}  // namespace sinew
