/// \file
/// What the joints `coordinate` and `velocity` share beyond their expressions.
#pragma once

#include "kernels/joints/expression_row.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// A joint whose one row is an ExpressionRow.
struct ExpressionJoint {
  using Params = ExpressionRow;
  static constexpr int num_nodes = ExpressionRow::max_nodes, num_signals = 1;
  static constexpr const char* fault = ExpressionRow::fault;

  /// Whatever the expression couples; random states would miss what stands behind a condition on the time.
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }
  KOKKOS_INLINE_FUNCTION static int used_nodes(const Params& p) { return p.used_nodes(); }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[num_nodes],
                                              const Frame<double> (&now)[num_nodes], const double*) {
    return p.check(before, now);
  }
  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const Frame<double> (&f)[num_nodes]) { return p.commit(f); }
};

/// Leaves of a specimen for the generic tests, over places that turn; the rows of models are made from their expressions.
struct SpecimenLeaves {
  const std::vector<Place>& places;

  /// The angle of the second place against the first, or its rate.
  RowLeaf angle(bool is_rate) const { return between(0, 1, angle_about({{places[0], places[1]}, {}}, axis()), is_rate); }
  /// The distance of the second and the third place. Throws std::invalid_argument where they coincide.
  RowLeaf distance(bool is_rate) const {
    if (!(norm(places[2].position() - places[1].position()) > 0))
      throw std::invalid_argument("two places whose distance is read coincide");
    return between(1, 2, {}, is_rate);
  }
  /// The way from the third place to the fourth.
  RowLeaf way(bool is_rate) const { return between(2, 3, along_axis({{places[2], places[3]}, {}}, axis()), is_rate); }

  static Vec3<double> axis() { return {{0.48, 0.6, 0.64}}; }

 private:
  RowLeaf between(int first, int second, const RelativeCoordinate& coordinate, bool is_rate) const {
    const Vec3<double> points[2] = {places[static_cast<std::size_t>(first)].point,
                                    places[static_cast<std::size_t>(second)].point};
    return RowLeaf::relative(coordinate, first, second, points, is_rate);
  }
};

}  // namespace sinew
