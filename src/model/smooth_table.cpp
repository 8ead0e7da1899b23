#include "model/smooth_table.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

SmoothTable::SmoothTable(const std::vector<std::array<double, 2>>& rows) {
  for (const auto& [argument, value] : rows) rows_.push_back({argument, value, 0});
  const std::size_t n = rows_.size();
  const auto length = [&](std::size_t k) { return rows_[k + 1].argument - rows_[k].argument; };
  const auto secant = [&](std::size_t k) { return (rows_[k + 1].value - rows_[k].value) / length(k); };
  // h_(k-1) m_(k-1) + 2 (h_(k-1) + h_k) m_k + h_k m_(k+1) = 6 (secant_k - secant_(k-1)) for the second derivatives m, of which
  // the first and the last are 0: slopes are continuous. Elimination downwards, then back; the diagonal dominates.
  std::vector<double> diagonal(n, 1.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double factor = k > 1 ? length(k - 1) / diagonal[k - 1] : 0;
    diagonal[k] = 2 * (length(k - 1) + length(k)) - factor * length(k - 1);
    rows_[k].second = 6 * (secant(k) - secant(k - 1)) - factor * rows_[k - 1].second;
  }
  for (std::size_t k = n - 1; k-- > 1;) rows_[k].second = (rows_[k].second - length(k) * rows_[k + 1].second) / diagonal[k];
  first_slope_ = slope_at(0, rows_.front().argument);
  last_slope_ = slope_at(n - 2, rows_.back().argument);
}

std::size_t SmoothTable::piece(double x) const {
  const auto is_before = [](double argument, const Row& row) { return argument < row.argument; };
  const auto next = std::upper_bound(rows_.begin() + 1, rows_.end() - 1, x, is_before);
  return static_cast<std::size_t>(next - rows_.begin()) - 1;
}

double SmoothTable::slope_at(std::size_t k, double x) const {
  const Row &a = rows_[k], &b = rows_[k + 1];
  const double h = b.argument - a.argument, u = x - a.argument;
  return (b.value - a.value) / h - h * (2 * a.second + b.second) / 6 + u * (a.second + u * (b.second - a.second) / (2 * h));
}

SmoothTable::Bounds SmoothTable::bounds(double from, double to) const {
  const double start = value(from), slope = from < rows_.front().argument  ? first_slope_
                                            : from > rows_.back().argument ? last_slope_
                                                                           : slope_at(piece(from), from);
  Bounds all{{start, start}, {slope, slope}, {0, 0}};
  const auto widen = [](std::array<double, 2>& range, double low, double high) {
    range = {std::min(range[0], low), std::max(range[1], high)};
  };
  if (from < rows_.front().argument || to > rows_.back().argument) {
    const double end = value(to);
    widen(all.value, end, end);
  }
  if (!(to >= rows_.front().argument && from <= rows_.back().argument)) return all;
  // A piece is no further from its chord than h^2/8 of the largest second derivative, its slope no further from that one's chord
  // than h/8 of what the second derivative changes by.
  for (std::size_t k = piece(from); k + 1 < rows_.size() && rows_[k].argument <= to; ++k) {
    const Row &a = rows_[k], &b = rows_[k + 1];
    const double h = b.argument - a.argument;
    const double bulge = h * h / 8 * std::max(std::abs(a.second), std::abs(b.second));
    const double turn = h / 8 * std::abs(b.second - a.second);
    const double slopes[] = {slope_at(k, a.argument), slope_at(k, b.argument)};
    widen(all.value, std::min(a.value, b.value) - bulge, std::max(a.value, b.value) + bulge);
    widen(all.first, std::min(slopes[0], slopes[1]) - turn, std::max(slopes[0], slopes[1]) + turn);
    widen(all.second, std::min(a.second, b.second), std::max(a.second, b.second));
  }
  return all;
}

}  // namespace sinew
