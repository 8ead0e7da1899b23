/// \file
/// Bodies that a few shapes of vibration stand for in place of a mesh's nodes.
#pragma once

#include "model/body.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// What is left of a mesh: a frame in the centre of mass, along the mesh's axes, and shapes of the free body that amplitudes
/// multiply, orthogonal to each other and to rigid motions. See kernels/elements/modal_body.hpp.
struct ModalShapes {
  double mass = 0;                   ///< kg
  Vec3<double> centre;               ///< of mass, from the mesh's origin
  Mat3<double> inertia;              ///< about it, kg m^2
  Mat<double, 6, 6> drag;            ///< damping of rigid motions about it
  std::vector<Vec3<double>> places;  ///< of the interfaces, from the centre
  /// A shape: its largest displacement is the diagonal of the box around the mesh, so that amplitudes are pure numbers.
  struct Shape {
    double omega = 0;                                ///< rad/s, undamped
    std::vector<Vec3<double>> displacements, turns;  ///< of the interfaces
  };
  std::vector<Shape> shapes;    ///< by rising frequency
  std::vector<double> numbers;  ///< of ModalBody: masses, stiffnesses, inertia, damping
  std::int64_t unknowns = 0;    ///< that the mesh has
};

/// All of them as a list, and back: nothing where a list holds no such shapes.
std::vector<double> numbers_of(const ModalShapes&);
std::optional<ModalShapes> shapes_from_numbers(const std::vector<double>&);

/// A place of the mesh that joints, forces and sensors take hold of: a group, or a named point.
struct InterfaceItem {
  std::string name;
  SourceMark mark;
};

/// The place that an interface is, of a body of that name.
PlaceItem place_of(const InterfaceItem&, const std::string& body);

/// A body whose shapes are found when the model is read and before it is distributed (solve/modal_reduction.hpp). All instances
/// have the same.
class ReducedBody : public Body {
 public:
  std::shared_ptr<const MeshedBody> whole;  ///< where its mesh was made, at rest
  Placement placement;
  std::vector<InterfaceItem> interfaces;
  int modes = 0;                              ///< of the mesh held at its interfaces
  double damping_ratio = 0;                   ///< of every shape, beside the damping of its materials
  std::shared_ptr<const ModalShapes> shapes;  ///< null until they are found

  const ReducedBody* reduced() const final { return this; }
  /// The same body with its shapes.
  virtual std::shared_ptr<const Body> with(std::shared_ptr<const ModalShapes>) const = 0;

  int num_interfaces() const { return static_cast<int>(interfaces.size()); }
  /// Of shapes; before they are found what there will be, unless the mesh has fewer modes.
  int num_shapes() const { return shapes ? static_cast<int>(shapes->shapes.size()) : 6 * (num_interfaces() - 1) + modes; }
};

}  // namespace sinew
