/// \file
/// Coordinate joint: an expression of positions, relative coordinates and time is zero.
#pragma once

#include "kernels/joints/expression_row.hpp"

namespace sinew {

/// g = e(t, l_1, l_2 ...), with leaves l_k that follow from the configuration (see RowLeaf):
///   G = sum_k e_k D l_k       D (G^T lambda) = lambda (sum_k e_k D D l_k + sum_kl e_kl D l_k^T D l_l)
/// with the derivatives e_k, e_kl of the expression by dual numbers. lambda: generalised force that goes with the expression,
/// -lambda dg the work on the system; of the dimension of energy over that of e. The signal is the time.
struct ExpressionCoordinate {
  static constexpr const char* name = "coordinate";
  static constexpr const char* help = "an expression of what sensors see of positions stays zero";
  static constexpr int num_nodes = ExpressionRow::max_nodes, num_position_rows = 1, num_velocity_rows = 0, num_signals = 1;
  static constexpr int num_dofs = 6 * num_nodes;

  /// Whatever the expression couples; random states would miss what stands behind a condition on the time.
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }

  using Params = ExpressionRow;

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"zero", FieldType::relation, "any", true, "", FieldCheck::any,
              "what stays zero: positions of point sensors, coordinates of relative ones, and `t`"}}};
  }

  /// A specimen for the generic tests, over places that turn; the rows of models are made from their expressions:
  ///   e = sin(angle of 2 against 1) + (distance of 2 and 3) (way from 3 to 4) - its value at the start + t
  static Params make(const Setup& setup) {
    require_places(setup, num_nodes, name);
    const auto& p = setup.places;
    const Setup turning{{p[0], p[1]}, {}}, sliding{{p[2], p[3]}, {}};
    const Vec3<double> e{{0.48, 0.6, 0.64}};
    const double length = norm(p[2].position() - p[1].position());
    if (!(length > 0)) throw std::invalid_argument("two places whose distance is read coincide");
    const Vec3<double> s01[2] = {p[0].point, p[1].point}, s12[2] = {p[1].point, p[2].point}, s23[2] = {p[2].point, p[3].point};
    Params row;
    row.add(RowLeaf::relative(angle_about(turning, e), 0, 1, s01, false));
    row.add(RowLeaf::relative({}, 1, 2, s12, false));
    row.add(RowLeaf::relative(along_axis(sliding, e), 2, 3, s23, false));
    row.program.push(ExpressionOp::variable, 0);
    row.program.push(ExpressionOp::sin);
    row.program.push(ExpressionOp::variable, 1);
    row.program.push(ExpressionOp::variable, 2);
    row.program.push(ExpressionOp::multiply);
    row.program.push(ExpressionOp::add);
    row.program.push(ExpressionOp::constant, length * dot(e, p[3].position() - p[2].position()));
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
      for (int i = 0; i < num_dofs; ++i)
        for (int j = 0; j < num_dofs; ++j) K(i, j) += lambda[0] * leaves.gradient(k, i) * change(0, j);
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

  static constexpr const char* fault = ExpressionRow::fault;

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&)[num_nodes],
                                              const Frame<double> (&now)[num_nodes], const double*) {
    return p.check(now);
  }
  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const Frame<double> (&f)[num_nodes]) { return p.commit(f); }
};

}  // namespace sinew
