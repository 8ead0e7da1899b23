/// \file
/// Velocity joint: an expression that is linear in velocities is zero.
#pragma once

#include "kernels/joints/expression_joint.hpp"

namespace sinew {

/// k = e(t, l_1, l_2 ...), with leaves of positions and of velocities (see RowLeaf), in which the latter are linear: a
/// nonholonomic row. psi: generalised force that goes with it, -psi k the power on the system. The signal is the time.
struct ExpressionVelocity : ExpressionJoint {
  static constexpr const char* name = "velocity";
  static constexpr const char* help = "an expression that is linear in what sensors see of velocities stays zero";
  static constexpr int num_position_rows = 0, num_velocity_rows = 1;

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"zero", FieldType::relation, "any", true, "", FieldCheck::any,
              "what stays zero: linear in velocities and rates, with positions, coordinates and `t` as factors"}}};
  }

  /// A specimen for the generic tests:
  ///   e = (rate of the angle of 2 against 1) (way from 3 to 4) + cos(t) (rate of the distance of 2 and 3) - rate of the way
  static Params make(const Setup& setup) {
    require_places(setup, num_nodes, name);
    const SpecimenLeaves leaves{setup.places};
    Params row;
    row.add(leaves.angle(true));
    row.add(leaves.way(false));
    row.add(leaves.distance(true));
    row.add(leaves.way(true));
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
};

}  // namespace sinew
