/// \file
/// Velocity joint: an expression that is linear in velocities is zero.
#pragma once

#include "kernels/joints/expression_row.hpp"

namespace sinew {

/// k = e(t, l_1, l_2 ...), with leaves of positions and of velocities (see RowLeaf), in which the latter are linear: a
/// nonholonomic row. psi: generalised force that goes with it, -psi k the power on the system. The signal is the time.
struct ExpressionVelocity {
  static constexpr const char* name = "velocity";
  static constexpr const char* help = "an expression that is linear in what sensors see of velocities stays zero";
  static constexpr int num_nodes = ExpressionRow::max_nodes, num_position_rows = 0, num_velocity_rows = 1, num_signals = 1;

  /// Whatever the expression couples; random states would miss what stands behind a condition on the time.
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }

  using Params = ExpressionRow;

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"zero", FieldType::relation, "any", true, "", FieldCheck::any,
              "what stays zero: linear in velocities and rates, with positions, coordinates and `t` as factors"}}};
  }

  /// A specimen for the generic tests, over places that turn; the rows of models are made from their expressions:
  ///   e = (rate of the angle of 2 against 1) (way from 3 to 4) + cos(t) (rate of the distance of 2 and 3) - rate of the way
  static Params make(const Setup& setup) {
    require_places(setup, num_nodes, name);
    const auto& p = setup.places;
    const Setup turning{{p[0], p[1]}, {}}, sliding{{p[2], p[3]}, {}};
    const Vec3<double> e{{0.48, 0.6, 0.64}};
    if (!(norm(p[2].position() - p[1].position()) > 0)) throw std::invalid_argument("two places whose distance is read coincide");
    const Vec3<double> s01[2] = {p[0].point, p[1].point}, s12[2] = {p[1].point, p[2].point}, s23[2] = {p[2].point, p[3].point};
    Params row;
    row.add(RowLeaf::relative(angle_about(turning, e), 0, 1, s01, true));
    row.add(RowLeaf::relative(along_axis(sliding, e), 2, 3, s23, false));
    row.add(RowLeaf::relative({}, 1, 2, s12, true));
    row.add(RowLeaf::relative(along_axis(sliding, e), 2, 3, s23, true));
    row.program.push(ExpressionOp::variable, 0);
    row.program.push(ExpressionOp::variable, 1);
    row.program.push(ExpressionOp::multiply);
    row.program.push(ExpressionOp::time);
    row.program.push(ExpressionOp::cos);
    row.program.push(ExpressionOp::variable, 2);
    row.program.push(ExpressionOp::multiply);
    row.program.push(ExpressionOp::add);
    row.program.push(ExpressionOp::variable, 3);
    row.program.push(ExpressionOp::subtract);
    return row;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&f)[num_nodes], const Twist<S> (&z)[num_nodes],
                                              const S* signals, S (&k)[1]) {
    S leaves[ExpressionRow::max_leaves];
    for (int i = 0; i < p.count(); ++i) {
      const RowLeaf& leaf = p.leaf[i];
      Frame<S> mine[2];
      Twist<S> twists[2];
      leaf.frames(f, mine);
      for (int n = 0; n < 2; ++n)
        if (leaf.node_of(n) >= 0) twists[n] = z[leaf.node_of(n)];
      leaves[i] = leaf.what() < RowLeaf::Kind::velocity ? leaf.value(mine) : leaf.rate(mine, twists);
    }
    k[0] = p.program.evaluate(signals[0], leaves);
  }

  static constexpr const char* fault = ExpressionRow::fault;

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&)[num_nodes],
                                              const Frame<double> (&now)[num_nodes], const double*) {
    return p.check(now);
  }
  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const Frame<double> (&f)[num_nodes]) { return p.commit(f); }
};

}  // namespace sinew
