/// \file
/// How the frames of curves and points of solids turn.
///
/// A frame that follows the mean of nodes on one line, or of a single one, has no turn of its own about that line. So the turn of
/// the material counts beside that of the places, as though the curve had the thickness of the elements around it:
///
///     sum_i w_i X_i x R^T (x_i - x) + sum_n w_n r_n^2 (mean over the elements at n of sum_b dN_b/dX x R^T x_b) = 0
///
/// with sum_b x_b (dN_b/dX)^T = F the deformation gradient in node n. The second term asks that R^T F be symmetric, as the frame
/// of a point inside an element does (inner_frame.hpp). r^2 = V^(2/3) / 12 of an element of volume V is the square of a radius of
/// gyration, about one axis, of a cube of that volume. The sum has the form of a surface's rows (surface_mean.hpp): node b gets
/// r^2 dN_b/dX added to its moment. J = (tr S) I - S + 2 r^2 I, S = sum w X X^T, is regular whatever the nodes lie on.
#pragma once

#include "partition/mesh_surface.hpp"

namespace sinew {

/// What an element at a node of a group adds.
struct CellTurn {
  double square = 0;                  ///< r^2
  std::vector<Vec3<double>> moments;  ///< of the nodes b of the element: r^2 dN_b/dX in the node of the group
};

/// Of the element with these nodes, at its node `a`.
CellTurn turn_at(CellShape shape, const std::vector<Point3>& x, int a);

/// Adds it to the radius of gyration of a measured group, l^2 = tr S + 3 r^2. `square`: r^2, the mean over the group.
void add_turn(double square, SurfaceGroup& group);

/// Adds the turn of the material to a measured curve, or to points, of a mesh of volumes. Collective.
void add_turns(MPI_Comm comm, const MeshSlice& slice, SurfaceSlice& group);

}  // namespace sinew
