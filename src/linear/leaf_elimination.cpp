// The elimination of a leaf with the pivots at hand.
#include "base/index.hpp"
#include "linear/leaf_factors.hpp"

#ifdef SINEW_HAVE_KLU  // as the rest of LeafFactors

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Kept pivots are given up when the smallest one, relative to the largest, falls below this part of what a search gave.
constexpr double tolerated_drop = 1e-3;

/// Columns of the interior that are eliminated before those of the boundary follow: their columns of L are in the cache then.
/// Parts of 16,666 cable elements, factors in ms: 9.1 with 64, 9.5 with 160 and 512, 10 with 2048, 12 with all at once.
constexpr int stretch = 64;
/// Smaller interiors lie in the cache as a whole.
constexpr int least_interior = 2048;

}  // namespace

void LeafFactors::find_companions() {
  Pattern& p = *pattern_;
  p.companions.clear();
  if (p.num_interior < least_interior) return;
  for (int k = p.num_interior; k < p.size(); k += p.panel_width[at(k)]) {
    if (p.panel_width[at(k)] == 1) continue;
    Companion c;
    c.first = k;
    c.place.assign(at(p.size()), -1);
    const int start = p.upper_starts[at(k)], above = p.upper_starts[at(k) + 1] - start;
    for (int t = 0; t < above; ++t) c.place[at(p.upper_rows[at(start + t)])] = t;
    for (int l = p.num_interior; l < p.size(); ++l) c.place[at(l)] = above + l - p.num_interior;
    c.ends.push_back(0);
    for (int last = stretch, t = 0, reach = 0; last - stretch < p.num_interior; last += stretch) {
      for (; t < above && p.upper_rows[at(start + t)] < last; ++t) {
        const int column = p.upper_rows[at(start + t)];
        reach = std::max(reach, t + 1);
        for (int s = p.lower_starts[at(column)]; s < p.lower_starts[at(column) + 1]; ++s)
          if (p.lower_rows[at(s)] < p.num_interior) reach = std::max(reach, c.place[at(p.lower_rows[at(s)])] + 1);
      }
      c.ends.push_back(t);
      c.reach.push_back(reach);
    }
    p.companions.push_back(std::move(c));
  }
}

/// Column `k` into work_, less what the columns of L before it take away.
void LeafFactors::eliminate(int k, const SparseRows& A, const std::vector<int>& room) {
  const Pattern& p = *pattern_;
  double* work = work_->data();
  const int* position = room.data();
  const PowerOfTwo* scale = p.scale.data();
  const bool is_interior = k < p.num_interior;
  const auto limit = static_cast<unsigned>(is_interior ? p.size() : p.num_interior);
  A.for_values(is_interior ? p.unknown_of_column()[k] : p.boundary[at(k - p.num_interior)], [=](PetscInt unknown, double value) {
    const int row = position[unknown];
    if (static_cast<unsigned>(row) < limit) work[row] = value * scale[row];  // -1 is above any limit
  });
  const SparseColumns L = lower_columns();
  const int end = p.upper_starts[at(k) + 1];
  for (int t = p.upper_starts[at(k)]; t < end;) t += take_joined_lower(L, work, p.upper_rows[at(t)], end - t, upper_.data() + t);
}

/// A column of the interior, by itself.
inline void LeafFactors::eliminate_interior(int k, const SparseRows& A, const std::vector<int>& room) {
  const Pattern& p = *pattern_;
  eliminate(k, A, room);
  double* const work = work_->data();
  const double inverse = inverse_pivots_[at(k)] = 1 / work[k];
  work[k] = 0;
  const int start = p.lower_starts[at(k)], count = p.lower_starts[at(k) + 1] - start;
  const int* const rows = p.lower_rows.data() + start;
  double* const column = lower_.data() + start;
  double largest = growth_;
  for (int s = 0; s < count; ++s) {
    column[s] = work[rows[s]] * inverse;
    largest = std::abs(column[s]) > largest ? std::abs(column[s]) : largest;
    work[rows[s]] = 0;
  }
  growth_ = largest;
}

/// A column of the boundary, by itself.
void LeafFactors::eliminate_boundary(int k, const SparseRows& A, const std::vector<int>& room) {
  const int first = pattern_->num_interior, count = boundary_size();
  eliminate(k, A, room);
  for (int i = 0; i < count; ++i) {
    double& entry = (*work_)[at(first + i)];
    complement_[at(i) * at(count) + at(k - first)] = entry;
    entry = 0;
  }
}

/// Columns of A^T to the panel: as rows of A they have the same columns, and are turned in squares.
void LeafFactors::fill_alike(int k, int width, const SparseRows& A, const std::vector<int>& room) {
  constexpr PetscInt side = lane_count;
  const Pattern& p = *pattern_;
  const PetscInt* const unknowns = p.unknown_of_column() + k;
  const double* rows[lane_count] = {};
  for (int c = 0; c < width; ++c) rows[c] = A.values.first + A.starts[unknowns[c]];
  const PetscInt first = A.starts[unknowns[0]], count = A.starts[unknowns[0] + 1] - first;
  for (PetscInt begin = 0; begin < count; begin += side) {
    const PetscInt from = std::max<PetscInt>(0, std::min(begin, count - side)), most = std::min(side, count);
    Lanes square[lane_count];
    for (int c = 0; c < lane_count; ++c) square[c] = Lanes(0.0);
    for (int c = 0; c < width; ++c) {
      if (most == side) {
        square[c] = Lanes(rows[c] + from);
      } else {
        double values[lane_count] = {};
        std::copy_n(rows[c], most, values);
        square[c] = Lanes(values);
      }
    }
    transpose_lanes(square);
    for (PetscInt j = 0; j < most; ++j) {
      const int row = room[static_cast<std::size_t>(A.columns[first + from + j])];
      if (row >= 0) panel_.set(place_[at(row)], square[j] * Lanes(p.scale[at(row)]));
    }
  }
}

/// Numbers the rows of the panel, those of U first, and makes them zero.
void LeafFactors::begin_panel() {
  for (std::size_t r = 0; r < panel_rows_.size(); ++r) place_[at(panel_rows_[r])] = static_cast<int>(r);
  panel_.begin(static_cast<int>(panel_rows_.size()));
}

/// The panel less what the columns of L before it take away: its part of U.
void LeafFactors::take_lower(int k, int width) {
  const Pattern& p = *pattern_;
  const int start = p.upper_starts[at(k)], above = p.upper_starts[at(k) + 1] - start;
  const SparseColumns L = lower_columns();
  for (int t = 0; t < above;) t += panel_.take_lower(L, p.upper_rows[at(start + t)], above - t, place_.data(), t);
  for (int c = 0; c < width; ++c) panel_.copy_column(c, 0, above, upper_.data() + p.upper_starts[at(k + c)]);
}

/// Columns of the interior with the same rows: their pivots follow those of U, and then what all have below.
void LeafFactors::eliminate_interior_panel(int k, const SparseRows& A, const std::vector<int>& room) {
  const Pattern& p = *pattern_;
  const int width = p.panel_width[at(k)];
  const auto upper = p.upper_rows.begin(), lower = p.lower_rows.begin();
  const int last = k + width - 1;
  panel_rows_.assign(upper + p.upper_starts[at(k)], upper + p.upper_starts[at(k) + 1]);
  const int above = static_cast<int>(panel_rows_.size()), below = p.lower_starts[at(last) + 1] - p.lower_starts[at(last)];
  for (int c = 0; c < width; ++c) panel_rows_.push_back(k + c);
  panel_rows_.insert(panel_rows_.end(), lower + p.lower_starts[at(last)], lower + p.lower_starts[at(last) + 1]);
  begin_panel();
  fill_alike(k, width, A, room);
  take_lower(k, width);
  double* columns[ColumnPanel::most_columns];
  for (int c = 0; c < width; ++c) columns[c] = lower_.data() + p.lower_starts[at(k + c)];
  growth_ = std::max(growth_, panel_.eliminate(above, width, below, inverse_pivots_.data() + k, columns));
  for (int c = 1; c < width; ++c)
    for (int before = 0; before < c; ++before)
      upper_[at(p.upper_starts[at(k + c)] + above + before)] = panel_.at(above + before, c);
}

/// Columns of the boundary with the same rows in U; the rows of all of the boundary follow.
void LeafFactors::eliminate_boundary_panel(int k, const SparseRows& A, const std::vector<int>& room) {
  const Pattern& p = *pattern_;
  const int width = p.panel_width[at(k)];
  const auto upper = p.upper_rows.begin();
  const int first = p.num_interior, count = boundary_size();
  panel_rows_.assign(upper + p.upper_starts[at(k)], upper + p.upper_starts[at(k) + 1]);
  const int above = static_cast<int>(panel_rows_.size());
  for (int i = 0; i < count; ++i) panel_rows_.push_back(first + i);
  begin_panel();
  for (int c = 0; c < width; ++c)
    A.for_values(p.boundary[at(k + c - first)], [&](PetscInt unknown, double value) {
      const int row = room[static_cast<std::size_t>(unknown)];
      if (row >= 0 && row < first) panel_.at(place_[at(row)], c) = value * p.scale[at(row)];
    });
  take_lower(k, width);
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < width; ++c) complement_[at(i) * at(count) + at(k - first + c)] = panel_.at(above + i, c);
}

/// Their own entries only.
void LeafFactors::begin_companion(const Companion& c, Companionship& on_its_way, const SparseRows& A,
                                  const std::vector<int>& room) const {
  const Pattern& p = *pattern_;
  const int count = boundary_size(), width = p.panel_width[at(c.first)];
  ColumnPanel& panel = on_its_way.panel;
  const auto for_entries = [&](const auto& visit) {
    for (int i = 0; i < width; ++i)
      A.for_values(p.boundary[at(c.first + i - p.num_interior)], [&](PetscInt unknown, double value) {
        const int row = room[static_cast<std::size_t>(unknown)];
        if (row >= 0 && row < p.num_interior) visit(i, row, value);
      });
  };
  on_its_way.cleared = 0;
  for_entries([&](int, int row, double) { on_its_way.cleared = std::max(on_its_way.cleared, c.place[at(row)] + 1); });
  panel.make_room(c.above() + count);
  panel.clear(0, on_its_way.cleared);
  panel.clear(c.above(), c.above() + count);
  for_entries([&](int i, int row, double value) { panel.at(c.place[at(row)], i) = value * p.scale[at(row)]; });
}

/// Less what the columns of L of one stretch take away.
void LeafFactors::advance(const Companion& c, Companionship& on_its_way, std::size_t which) {
  const Pattern& p = *pattern_;
  ColumnPanel& panel = on_its_way.panel;
  const int first = c.ends[which], end = c.ends[which + 1], start = p.upper_starts[at(c.first)];
  if (on_its_way.cleared < c.reach[which]) {
    panel.clear(on_its_way.cleared, c.reach[which]);
    on_its_way.cleared = c.reach[which];
  }
  const SparseColumns L = lower_columns();
  for (int t = first; t < end;) t += panel.take_lower(L, p.upper_rows[at(start + t)], end - t, c.place.data(), t);
  for (int i = 0; i < p.panel_width[at(c.first)]; ++i)
    panel.copy_column(i, first, end, upper_.data() + p.upper_starts[at(c.first + i)] + first);
}

void LeafFactors::end_companion(const Companion& c, const Companionship& on_its_way) {
  const int count = boundary_size(), before = c.first - pattern_->num_interior;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < pattern_->panel_width[at(c.first)]; ++j)
      complement_[at(i) * at(count) + at(before + j)] = on_its_way.panel.at(c.above() + i, j);
}

bool LeafFactors::serve(double smallest, double largest, double sought) {
  const double ratio = smallest / largest;
  return ratio > 0 && ratio >= tolerated_drop * sought;
}

bool LeafFactors::refactorise(const SparseRows& A, const std::vector<int>& room) {
  const Pattern& p = *pattern_;
  lower_.resize(p.lower_rows.size());
  upper_.resize(p.upper_rows.size());
  inverse_pivots_.resize(at(p.num_interior));
  work_->assign(at(p.size()), 0.0);
  growth_ = 0;
  if (p.has_panels) place_.resize(at(p.size()));
  complement_.resize(at(boundary_size()) * at(boundary_size()));
  companions_.resize(p.companions.size());
  for (std::size_t i = 0; i < companions_.size(); ++i) begin_companion(p.companions[i], companions_[i], A, room);
  const int step = companions_.empty() ? p.num_interior : stretch;
  for (int first = 0, k = 0; first < p.num_interior; first += step) {
    const int end = std::min(p.num_interior, first + step);
    for (; k < end; k += p.panel_width[at(k)])
      if (p.panel_width[at(k)] == 1)
        eliminate_interior(k, A, room);
      else
        eliminate_interior_panel(k, A, room);
    for (std::size_t i = 0; i < companions_.size(); ++i) advance(p.companions[i], companions_[i], at(first / stretch));
  }
  std::size_t companion = 0;
  for (int k = p.num_interior; k < p.size(); k += p.panel_width[at(k)])
    if (p.panel_width[at(k)] == 1)
      eliminate_boundary(k, A, room);
    else if (companions_.empty())
      eliminate_boundary_panel(k, A, room);
    else {
      end_companion(p.companions[companion], companions_[companion]);
      ++companion;
    }
  const auto count = static_cast<std::size_t>(boundary_size());
  for (const SharedEntry& s : p.shared)
    complement_[static_cast<std::size_t>(s.column) * count + static_cast<std::size_t>(s.row)] += A.values[s.value];
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;  // of inverse pivots
  for (const double inverse : inverse_pivots_) {
    if (!std::isfinite(inverse)) return false;
    smallest = std::min(smallest, std::abs(inverse));
    largest = std::max(largest, std::abs(inverse));
  }
  if (p.num_interior == 0) smallest = largest = 1;
  if (!serve(smallest, largest, smallest_pivot_)) return false;
  if (smallest_pivot_ == 0) smallest_pivot_ = smallest / largest;
  return true;
}

}  // namespace sinew

#endif
