/// \file
/// Do the numbers that decide between an expression's pieces depend on time piece by piece linearly?
#pragma once

#include "model/expression.hpp"

namespace sinew {

/// If they do, what holds at a time says exactly when the next choice changes, and no change is to be searched for: `t < 1`,
/// `mod(t, 2)`, `step(t, 0, 0, 1, 5)`, tables of time; not `sin(t) > 0`, nor `t*t < 2`. Of `by_rows` those between the rows of
/// smooth tables count, too. What depends on variables is taken as constant.
bool decides_linearly(const Expression&, bool by_rows);

}  // namespace sinew
