/// \file
/// Bodies as the model file has them: what all types share. Numbers are expressions of the repeat's indices. What a type has of
/// its own is a Body (model/body.hpp).
#pragma once

#include "kernels/contract.hpp"
#include "model/cell_shape.hpp"
#include "model/name_pattern.hpp"
#include "model/source_mark.hpp"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace sinew {

/// Three numbers of the model file.
using VectorExpression = std::array<Expression, 3>;

/// The numbers of an instance.
Vec3<double> evaluate(const VectorExpression& vector, const Indices& indices);

/// How an orientation is given.
enum class OrientationForm { identity, axis_angle, quaternion, matrix, angles };

/// An orientation, body to global: axis (3) and angle (1), quaternion w x y z (4), matrix by rows (9), or angles (3) of turns one
/// after the other, each about an axis of the body as the turns before it have left it.
struct OrientationExpression {
  OrientationForm form = OrientationForm::identity;
  std::vector<Expression> numbers;
  SourceMark mark;
  std::array<int, 3> sequence{};  ///< of angles: 0, 1, 2 for x, y, z
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

/// Finds the named points of a body by their names, at the same cost however many there are.
class PointNames {
 public:
  explicit PointNames(const std::vector<NamedPoint>& points);
  /// The first of these points that has a name, at the indices of one of the bodies; null if there is none.
  const NamedPoint* find(const std::vector<NamedPoint>& points, const std::string& name, const Indices& indices) const;

 private:
  std::unordered_map<std::string, int> plain_;  // names without holes
  PatternTree patterns_;                        // those with holes
};

/// A box-shaped mesh made by the program: corner at the body's origin, edges along its axes, surfaces x-, x+, y-, y+, z-, z+.
struct BoxShape {
  Vec3<double> size;
  std::array<int, 3> elements{};
  CellShape cell = CellShape::hex8;  ///< or hex20, hex27
};

/// A rectangular mesh made by the program: corner at the body's origin, edges x-, x+, y-, y+ along its axes x and y.
struct PlateShape {
  std::array<double, 2> size{};  ///< m
  std::array<int, 2> elements{};
  CellShape cell = CellShape::quad4;  ///< or tri3, two for each quadrilateral
};

/// A material for all elements (`group` empty) or for those of a physical group.
struct SolidMaterial {
  std::string group;
  int material = -1;  ///< index into Model::materials
  SourceMark mark;
};

/// What hexahedra of eight nodes are: with strains of their own, which bend, or those of their nodes alone.
enum class SolidFormulation { enhanced, displacement };

class Body;

/// One entry of `bodies`, standing for `repeat.count()` bodies.
struct BodyItem {
  NamePattern name;
  Repeat repeat;
  SourceMark mark;
  std::vector<NamedPoint> points;
  std::shared_ptr<const Body> content;  ///< by its type; null where that could not be read

  /// What stands for a body that could not be read asks nothing and takes every place.
  const Body& body() const;
};

/// A place on a cable or beam: element and local coordinate 0 <= xi <= 1.
struct CableStation {
  int element = 0;
  double xi = 0;
};

/// A placement as plain numbers: of a body's origin and axes, and its initial rigid motion.
struct PlacementAtStart {
  Frame<double> frame;
  Vec3<double> velocity;          ///< of the origin, global
  Vec3<double> angular_velocity;  ///< global
};

/// The placement of an instance.
PlacementAtStart evaluate(const Placement& placement, const Indices& indices);
/// Angular velocity of a placement in the body's axes R.
Vec3<double> local_rate(const Placement& placement, const Mat3<double>& R, const Indices& indices);

}  // namespace sinew
