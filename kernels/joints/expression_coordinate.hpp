/// \file
/// Coordinate joint: an expression of positions, relative coordinates and time is zero.
#pragma once

#include "kernels/joints/expression_joint.hpp"

namespace sinew {

/// g = e(t, l_1, l_2 ...), with leaves l_k that follow from the configuration (see RowLeaf):
///   G = sum_k e_k D l_k       D (G^T lambda) = lambda (sum_k e_k D D l_k + sum_kl e_kl D l_k^T D l_l)
/// with the derivatives e_k, e_kl of the expression by dual numbers. lambda: generalised force that goes with the expression,
/// -lambda dg the work on the system; of the dimension of energy over that of e. The signal is the time.
struct ExpressionCoordinate : ExpressionJoint {
  static constexpr const char* name = "coordinate";
  static constexpr const char* help = "an expression of what sensors see of positions stays zero";
  static constexpr int num_position_rows = 1, num_velocity_rows = 0, num_dofs = 6 * num_nodes;

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"zero", FieldType::relation, "any", true, "", FieldCheck::any,
              "what stays zero: positions of point sensors, coordinates of relative ones, and `t`"}}};
  }

  /// A specimen for the generic tests, zero at the start:
  ///   e = sin(angle of 2 against 1) + (distance of 2 and 3) (way from 3 to 4) - its value there + t
  static Params make(const Setup& setup) {
    require_places(setup, num_nodes, name);
    const auto& p = setup.places;
    const SpecimenLeaves leaves{p};
    Params row;
    row.add(leaves.angle(false));
    row.add(leaves.distance(false));
    row.add(leaves.way(false));
    const double length = norm(p[2].position() - p[1].position()), way = dot(leaves.axis(), p[3].position() - p[2].position());
    row.program.push(ExpressionOp::variable, 0);
    row.program.push(ExpressionOp::sin);
    row.program.push(ExpressionOp::variable, 1);
    row.program.push(ExpressionOp::variable, 2);
    row.program.push(ExpressionOp::multiply);
    row.program.push(ExpressionOp::add);
    row.program.push(ExpressionOp::constant, length * way);
    row.program.push(ExpressionOp::subtract);
    row.program.push(ExpressionOp::time);
    row.program.push(ExpressionOp::add);
    return row;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[num_nodes], const S* signals, S (&g)[1]) {
    S leaves[ExpressionRow::max_leaves];
    for (int k = 0; k < p.count(); ++k) {
      Frame<S> mine[2];
      p.leaf[k].frames(f, mine);
      leaves[k] = p.leaf[k].value(mine);
    }
    g[0] = p.program.evaluate(signals[0], leaves);
  }

  /// The leaves' values and gradients in the columns of the joint.
  struct Leaves {
    double value[ExpressionRow::max_leaves];
    Mat<double, ExpressionRow::max_leaves, num_dofs> gradient;
  };
  KOKKOS_INLINE_FUNCTION static void find_leaves(const Params& p, const Frame<double> (&f)[num_nodes], Leaves& out) {
    for (int k = 0; k < p.count(); ++k) {
      Frame<double> mine[2];
      Mat<double, 1, 12> of_two;
      p.leaf[k].frames(f, mine);
      out.value[k] = p.leaf[k].value(mine);
      p.leaf[k].gradient(mine, of_two);
      for (int j = 0; j < 12; ++j)
        if (const int node = p.leaf[k].node_of(j / 6); node >= 0) out.gradient(k, 6 * node + j % 6) += of_two(0, j);
    }
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[num_nodes], const double* signals,
                                              Mat<double, 1, num_dofs>& G) {
    Leaves leaves;
    find_leaves(p, f, leaves);
    Dual1 seeded[ExpressionRow::max_leaves];
    for (int k = 0; k < p.count(); ++k) seeded[k] = Dual1(leaves.value[k]);
    G = Mat<double, 1, num_dofs>{};
    for (int k = 0; k < p.count(); ++k) {
      seeded[k].grad = 1;
      const double slope = p.program.evaluate(Dual1(signals[0]), seeded).grad;
      seeded[k].grad = 0;
      for (int j = 0; j < num_dofs; ++j) G(0, j) += slope * leaves.gradient(k, j);
    }
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[num_nodes],
                                                         const double* signals, const double (&lambda)[1],
                                                         Mat<double, num_dofs>& K) {
    Leaves leaves;
    find_leaves(p, f, leaves);
    const int used = 6 * p.used_nodes();
    Dual2 seeded[ExpressionRow::max_leaves];
    for (int k = 0; k < p.count(); ++k) seeded[k] = Dual2(leaves.value[k]);
    for (int k = 0; k < p.count(); ++k) {
      seeded[k].grad = Dual1(1.0);
      Mat<double, 1, num_dofs> change;  // sum_l e_kl D l_l
      double slope = 0;
      for (int l = 0; l < p.count(); ++l) {
        seeded[l].value.grad = 1;
        const Dual2 e = p.program.evaluate(Dual2(signals[0]), seeded);
        seeded[l].value.grad = 0;
        slope = e.grad.value;
        for (int j = 0; j < num_dofs; ++j) change(0, j) += e.grad.grad * leaves.gradient(l, j);
      }
      seeded[k].grad = Dual1(0.0);
      for (int i = 0; i < used; ++i)
        for (int j = 0; j < used; ++j) K(i, j) += lambda[0] * leaves.gradient(k, i) * change(0, j);
      add_leaf_stiffness(p.leaf[k], f, slope * lambda[0], K);
    }
  }

  KOKKOS_INLINE_FUNCTION static void add_leaf_stiffness(const RowLeaf& leaf, const Frame<double> (&f)[num_nodes], double lambda,
                                                        Mat<double, num_dofs>& K) {
    Frame<double> mine[2];
    Mat<double, 12> of_two;
    leaf.frames(f, mine);
    leaf.stiffness(mine, lambda, of_two);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        if (const int a = leaf.node_of(i / 6), b = leaf.node_of(j / 6); a >= 0 && b >= 0)
          K(6 * a + i % 6, 6 * b + j % 6) += of_two(i, j);
  }
};

}  // namespace sinew
