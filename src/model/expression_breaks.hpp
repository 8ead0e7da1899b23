/// \file
/// Where an expression changes from one piece to another: conditions, `abs`, `sign`, `min`, `max`, `floor`, `atan2`, rows of
/// tables.
#pragma once

#include "model/expression.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace sinew {

/// Parts of an interval at whose ends `find_breaks` looks.
inline constexpr int samples_of_breaks = 500;

/// Has it pieces between which time may choose? `by_rows`: those of smooth tables, too.
bool may_break(const Expression&, bool by_rows = false);

/// Times in [from, to) after which the expression goes over to another piece, rising: the last time of the piece before and the
/// first of the piece after, neighbouring doubles (or those around an instant that is no piece, where `sign` is 0). Changes of
/// what has no part in the value are none. Those that depend linearly on time are found however close they are, others where what
/// decides has its extrema at least 1/500 of the interval apart, or of an eighth of it where breaks are many, and so on. Of more
/// than 10000 the first ones. What depends on variables is not looked for: nobody knows their future.
/// `also`: times at which to look as well. `rows_apart`: rows of smooth tables, where third derivatives jump, are breaks, too, at
/// which pieces that last so long or longer begin or end.
std::vector<std::pair<double, double>> find_breaks(const Expression&, const Indices&, double from, double to,
                                                   const std::vector<double>& also = {},
                                                   double rows_apart = std::numeric_limits<double>::infinity());

/// Does no choice at time t depend on variables?
bool breaks_by_time_alone(const Expression&, const Indices&, double t);

}  // namespace sinew
