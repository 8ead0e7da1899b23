/// \file
/// Whether a volume cell is turned inside out anywhere, also between the points that are looked at otherwise.
///
/// det dx/dxi is a polynomial: of degree 2 in every direction for hex8, of degree 3 for tet10; for
/// prism6 it is linear over the triangle and of degree 2 along the height. In Bernstein's basis it lies
/// between its smallest and its largest coefficient, so that positive ones prove it positive everywhere; where they do not, the
/// cell is halved until they do or a point with det <= 0 is found. Source: Johnen, Remacle and Geuzaine (2013), Geometrical
/// validity of curvilinear finite elements, J. Comput. Phys. 233.
#pragma once

#include "model/cell_shape.hpp"

#include <optional>
#include <span>

namespace sinew {

/// det J / (|J_1| |J_2| |J_3|), zero or negative, at a place where the map from the reference cell is not one-to-one; empty where
/// it is everywhere. Of hex8, tet4, tet10 and prism6; empty for others. Nodes in node order.
std::optional<double> inverted_quality(std::span<const Point3> nodes, CellShape shape);

}  // namespace sinew
