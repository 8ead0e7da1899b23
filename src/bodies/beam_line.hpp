/// \file
/// A beam at the start, as plain numbers: where its line runs and how its sections are turned, stiffness and mass per length.
#pragma once

#include "bodies/beam_division.hpp"
#include "model/cubic_spline.hpp"
#include "model/materials.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

class BeamItem;

/// The line of a beam: arc length to section frames. Axis 1 of a frame is the tangent, axis 2 at the start is `up` made
/// orthogonal; along a curve axes 2 and 3 go along without turning about the tangent, and the twist is added. A line of a mesh is
/// laid in the mesh's axes, `up` too, and placed as a whole.
class BeamLine {
 public:
  BeamLine() = default;
  /// `resolution`: steps into which a curve is cut at least. Throws InputError where the line has no length or no direction, two
  /// neighbouring points coincide, or `up` runs along it.
  BeamLine(const BeamItem& item, const Indices& indices, int resolution);

  double length() const { return length_; }
  /// The turn of the section about the line at an arc length from the start, to the accuracy of the cuts of a curve.
  double twist_at(double arc) const;
  /// What `s` is there in the model file, to the same accuracy: the parameter of a curve, else the arc length.
  double parameter_at(double arc) const;
  /// The section at an arc length from the start.
  Frame<double> frame(double arc) const;

 private:
  Frame<double> frame_as_laid(double arc) const;
  /// Where a curve is cut: parameter, arc length, and axes without twist.
  struct Cut {
    double parameter = 0, arc = 0;
    Frame<double> frame;
  };
  struct Point {
    Vec3<double> x, slope;  ///< of a curve at a parameter
  };
  Point point(double parameter) const;
  double arc_between(double from, double to) const;
  Cut transported(const Cut& from, double parameter) const;
  void cut_curve(int steps);
  double twist(double parameter, double arc) const;

  Indices indices_{};
  std::optional<VectorExpression> curve_;  ///< places by the parameter, or
  std::shared_ptr<const CubicSpline> spline_;
  std::optional<Frame<double>> mesh_;          ///< where the mesh stands, of a line of one
  double end_ = 0;                             ///< the parameter there
  Expression twist_;                           ///< in the whole, or by the parameter
  std::vector<std::array<double, 2>> twists_;  ///< parts of the length and turns, in its place
  double length_ = 0;
  Cut start_;
  Vec3<double> direction_;  ///< of a straight line
  std::vector<Cut> cuts_;   ///< of a curve
};

/// A section at a part of a beam's length.
struct BeamStation {
  double at = 0;
  SectionMatrices section;
};

/// alpha M and beta K, or in place of beta a time constant for each strain.
struct BeamDamping : RayleighDamping {
  std::optional<Vec<double, 6>> components;  ///< of N V2 V3 T M2 M3, not all alike, s
};

/// On which side of a place where the section jumps.
enum class BeamSide { before, after };

/// A beam at the start. Its nodes lie at the centres of mass of their sections, from where its line runs.
struct BeamInstance {
  BeamDivision division;
  std::vector<BeamStation> stations;  ///< one, all along; or by rising places from 0 to 1
  BeamDamping damping;
  BeamLine line;
  Vec3<double> velocity;          ///< of the start
  Vec3<double> angular_velocity;  ///< global
  /// Velocity and angular velocity (global) of the line at every node, where they are given along it in place of those
  std::vector<Twist<double>> motions;

  /// Stiffness and inertia per length about the line, linear between two stations.
  SectionMatrices section(double at, BeamSide side) const;
  /// The line at a node, with the section's axes.
  Frame<double> frame(int node) const { return line.frame(line.length() * division.node(node)); }
  /// What of an element's inertia goes with each of its nodes: int l_a I dS with the l_a that interpolate places in it. So the
  /// mass and its first moment are those of the sections, wherever stations lie; of inertias that are linear within the element
  /// it is Lobatto's rule. Where the section changes so much that this would leave a node without mass, I is taken to the two
  /// nodes beside it, by the distances.
  std::vector<Mat<double, 6>> nodal_inertia(int element) const;
  /// The centre of mass that the mass around a node has, from the line, in the section's axes.
  Vec3<double> centre(int node) const;
  /// The node itself: at that centre.
  Frame<double> node_frame(int node) const;
  Twist<double> node_twist(int node) const;
};

/// C and inertia of a section: of its matrices, or of its shape and the material.
SectionMatrices beam_section(const Section& section, const Material* material);
/// Mass per length times its centre, about the line: from the inertia of a section.
Vec3<double> first_moment(const Mat<double, 6>& inertia);

}  // namespace sinew
