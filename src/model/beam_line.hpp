/// \file
/// A beam at the start, as plain numbers: where its line runs and how its sections are turned, stiffness and mass per length.
#pragma once

#include "model/bodies.hpp"
#include "model/materials.hpp"

#include <vector>

namespace sinew {

/// The line of a beam: arc length to section frames. Axis 1 of a frame is the tangent, axis 2 at the start is `up` made
/// orthogonal; along a curve axes 2 and 3 go along without turning about the tangent, and the twist is added.
class BeamLine {
 public:
  BeamLine() = default;
  /// `item` must outlive the line. `resolution`: steps into which a curve is cut at least. Throws InputError where the line has
  /// no length or no direction, or `up` runs along it.
  BeamLine(const BeamItem& item, const Indices& indices, int resolution);

  double length() const { return length_; }
  /// The section at an arc length from the start.
  Frame<double> frame(double arc) const;

 private:
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

  const BeamItem* item_ = nullptr;
  Indices indices_{};
  double length_ = 0;
  Cut start_;
  Vec3<double> direction_;  ///< of a straight line
  std::vector<Cut> cuts_;   ///< of a curve
};

/// A beam at the start. Its elements are equally long; those of order p have p + 1 nodes at Lobatto points and share the outer
/// ones.
struct BeamInstance {
  int num_elements = 0, order = 1;
  Mat<double, 6> stiffness;  ///< order N V2 V3 T M2 M3
  double mass_per_length = 0;
  Mat3<double> inertia;  ///< per length about the centre of the section, in its axes
  double damping_alpha = 0, damping_beta = 0;
  BeamLine line;
  Vec3<double> velocity;          ///< of the start
  Vec3<double> angular_velocity;  ///< global

  int num_nodes() const { return num_elements * order + 1; }
  Frame<double> frame(int node) const;
  Twist<double> twist(int node) const;
};

/// The part of a beam's length before a node, 0 to 1.
double beam_node_fraction(int num_elements, int order, int node);
/// The station at a fraction of the length, and the node there, -1 where there is none.
CableStation beam_station(int num_elements, int order, double fraction, int& node);
/// C and inertia of a section: of its matrices, or of its shape and the material.
void set_beam_section(const Section& section, const Material* material, BeamInstance& beam);

}  // namespace sinew
