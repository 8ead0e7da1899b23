#include "integrate/excursions.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

Excursions::Excursions(std::vector<double> parts, std::vector<std::vector<double>> margins)
    : parts_(std::move(parts)), margins_(std::move(margins)), sizes_(margins_.front().size(), 0) {
  for (const auto& values : margins_)
    for (std::size_t k = 0; k < sizes_.size(); ++k) sizes_[k] = std::max(sizes_[k], std::abs(values[k]));
}

void Excursions::add(double part, std::vector<double> margins) {
  const auto at = std::upper_bound(parts_.begin(), parts_.end(), part);
  margins_.insert(margins_.begin() + (at - parts_.begin()), std::move(margins));
  parts_.insert(at, part);
}

Excursions::Dip Excursions::deepest(const std::vector<double>& floor, const std::vector<char>& held, MPI_Comm comm) const {
  const auto& m = margins_;
  double outside = never, depth = 0, place = never;
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    if (held[k] != 0) continue;
    const auto is_outside = [&](double margin) { return margin < -least_depth * sizes_[k] && margin < floor[k]; };
    const auto slope = [&](std::size_t i) { return (m[i + 1][k] - m[i][k]) / (parts_[i + 1] - parts_[i]); };
    for (std::size_t i = 1; i + 2 < parts_.size(); ++i) {
      if (is_outside(m[i][k]) || is_outside(m[i + 1][k])) outside = std::min(outside, parts_[is_outside(m[i][k]) ? i : i + 1]);
      const double down = slope(i - 1), up = slope(i + 1), width = parts_[i + 1] - parts_[i];
      if (!(down < 0 && up > 0)) continue;
      const double way = (m[i][k] - m[i + 1][k] + up * width) / (up - down), lowest = m[i][k] + down * way;
      if (!(way > 0 && way < width && is_outside(lowest) && lowest < depth * sizes_[k])) continue;
      depth = lowest / sizes_[k];
      place = parts_[i] + way;
    }
  }
  outside = least_of_all(comm, outside);
  const double deepest = least_of_all(comm, depth);
  return {outside, deepest < 0 ? least_of_all(comm, depth == deepest ? place : never) : never};
}

}  // namespace sinew
