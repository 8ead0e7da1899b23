#include "input/table_grid.hpp"

#include <algorithm>

namespace sinew {

namespace {

using Rows = std::vector<std::array<double, 2>>;

std::shared_ptr<const ValueTable> table(const Rows& rows, bool is_smooth) {
  return is_smooth ? std::make_shared<const ValueTable>(SmoothTable(rows))
                   : std::make_shared<const ValueTable>(StraightTable(rows));
}

/// A table over the places of one argument.
template <class Value>
std::shared_ptr<const ValueTable> over(const std::vector<double>& places, bool is_smooth, const Value& value) {
  Rows rows;
  for (std::size_t i = 0; i < places.size(); ++i) rows.push_back({places[i], value(i)});
  return table(rows, is_smooth);
}

}  // namespace

/// Straight: f = f(x, y0) + sum over k of (f(x, yk+1) - f(x, yk)) r_k(y), r_k rising from 0 at yk to 1 at yk+1. Smooth: f = sum
/// over k of f(x, yk) s_k(y), s_k the spline that is 1 at yk and 0 at the others, since a spline is linear in its values.
TableOfTwo table_of(const TableGrid& grid, bool is_smooth) {
  TableOfTwo result;
  const auto& [x, y, values] = grid;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (is_smooth) {
      result.terms.push_back({over(x, true, [&](std::size_t i) { return values[i][k]; }),
                              over(y, true, [&](std::size_t j) { return j == k ? 1.0 : 0.0; })});
      continue;
    }
    if (k == 0) {
      result.terms.push_back({over(x, false, [&](std::size_t i) { return values[i][0]; }), nullptr});
      continue;
    }
    const auto change = [&](std::size_t i) { return values[i][k] - values[i][k - 1]; };
    bool changes = false;
    for (std::size_t i = 0; i < x.size(); ++i) changes = changes || change(i) != 0;
    if (changes) result.terms.push_back({over(x, false, change), table({{y[k - 1], 0.0}, {y[k], 1.0}}, false)});
  }
  return result;
}

}  // namespace sinew
