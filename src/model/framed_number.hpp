/// \file
/// Numbers of sensors that are told along the axes of a place that turns, in place of the global ones.
#pragma once

#include "model/items.hpp"

#include <string>
#include <vector>

namespace sinew {

/// How a number of a sensor depends on the frame that it is told in: not at all; as a component of a vector, R^T v; of a place,
/// R^T (x - x_f), x_f that of the frame; of an orientation, the quaternion of R^T R_body; of a symmetric tensor, R^T T R.
enum class FrameRule { none, vector, place, orientation, tensor };

/// A number by its rule, the quantity that it is a component of and the names of all of that quantity's numbers: `velocity.x`,
/// `velocity.y`, `velocity.z`.
struct FramedNumber {
  FrameRule rule = FrameRule::none;
  int component = 0;
  std::vector<std::string> whole;
};

FramedNumber framed_number(const RecordedNumber& number);

/// What such a number is: an expression of the quantity's components in the global frame, behind them the frame's orientation (w,
/// x, y, z), and behind that, of a place, the frame's position. Not for FrameRule::none.
const Expression& framed_expression(FrameRule rule, int component);

}  // namespace sinew
