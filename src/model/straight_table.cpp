#include "model/straight_table.hpp"

#include <algorithm>

namespace sinew {

StraightTable::StraightTable(const std::vector<std::array<double, 2>>& rows) {
  pieces_.push_back({rows.front()[0], rows.front()[1], 0});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& [argument, value] = rows[k];
    const bool is_last = k + 1 == rows.size();
    const double slope = is_last ? 0 : (rows[k + 1][1] - value) / (rows[k + 1][0] - argument);
    if (slope != pieces_.back().slope) pieces_.push_back({argument, value, slope});
  }
}

std::size_t StraightTable::piece(double x) const {
  const auto is_before = [](double argument, const Piece& piece) { return argument < piece.begin; };
  const auto next = std::upper_bound(pieces_.begin() + 1, pieces_.end(), x, is_before);
  return static_cast<std::size_t>(next - pieces_.begin()) - 1;
}

}  // namespace sinew
