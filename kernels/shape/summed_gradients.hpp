/// \file
/// PointGradients of shapes that have no shorter way to them.
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// Gradients of three fields at the points of the quadrature, by sums over the nodes.
template <class Shape, class S>
class SummedGradients {
 public:
  KOKKOS_INLINE_FUNCTION explicit SummedGradients(const S (&u)[3][Shape::num_nodes]) {
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < Shape::num_nodes; ++a) u_[i][a] = u[i][a];
  }
  /// D(i, k) = du_i/dxi_k at point q.
  KOKKOS_INLINE_FUNCTION Mat3<S> at(int q) const {
    double weight, dN[3][Shape::num_nodes];
    Shape::gradients(Shape::stiffness_point(q, weight), dN);
    Mat3<S> D;
    for (int a = 0; a < Shape::num_nodes; ++a)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) D(i, k) = D(i, k) + dN[k][a] * u_[i][a];
    return D;
  }

 private:
  S u_[3][Shape::num_nodes];
};

}  // namespace sinew
