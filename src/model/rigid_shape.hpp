/// \file
/// What a rigid body of a given shape weighs and looks like: boxes, cylinders, tubes, spheres, and what a closed surface or a
/// mesh encloses.
#pragma once

#include "kernels/contract.hpp"
#include "model/mesh.hpp"

#include <array>
#include <vector>

namespace sinew {

/// A closed surface of triangles; seen from outside their corners go round counterclockwise.
struct TriangleSurface {
  std::vector<Vec3<double>> points;
  std::vector<std::array<int, 3>> triangles;

  /// Takes over another surface, moved by a frame.
  void add(const TriangleSurface& other, const Frame<double>& placed);
};

/// Integrals over a volume V: 1, x and x x^T.
struct VolumeMoments {
  double volume = 0;
  Vec3<double> first;
  Mat3<double> second;
};

/// The same of the volume moved by a frame.
VolumeMoments moved(const VolumeMoments&, const Frame<double>&);

/// A body of edges `size` about its middle.
VolumeMoments box_moments(const Vec3<double>& size);
/// A cylinder along z about its middle, hollow where inner > 0.
VolumeMoments cylinder_moments(double radius, double inner, double length);
VolumeMoments sphere_moments(double radius);
/// What a closed surface encloses, by the tetrahedra between its triangles and the origin; negative where it is inside out.
VolumeMoments surface_moments(const TriangleSurface&);

TriangleSurface box_surface(const Vec3<double>& size);
TriangleSurface cylinder_surface(double radius, double inner, double length);
TriangleSurface sphere_surface(double radius);
/// The outer faces of a mesh's volume cells, in flat triangles between all of their nodes.
TriangleSurface mesh_surface(const Mesh&);

/// The shape of a rigid body as one piece.
struct RigidShape {
  double mass = 0, volume = 0;
  Vec3<double> centre;      ///< of mass, in the axes that the shape is given in
  Mat3<double> inertia;     ///< about the centre, in these axes
  TriangleSurface surface;  ///< from the centre

  /// Adds a piece of that density. Pieces may not overlap: what two of them fill counts twice.
  void add(const VolumeMoments&, double density, const TriangleSurface&, const Frame<double>&);
  /// Once all pieces are there: `mass` in place of what the densities give, where it is positive.
  void close(double given_mass);

 private:
  VolumeMoments weighted_;  // times density
};

}  // namespace sinew
