#include "system/hidden_changes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

/// Of the second difference: twice the 1/8 that chords of smooth functions leave.
constexpr double told = 0.25;
/// As in time_function.cpp: what chords may leave, the most parts of a step, what is nothing beside what is there.
constexpr double lost = 0.02, least_part = 1e-9;
constexpr std::size_t most_parts = 64;
/// Cells before and behind whose second differences count.
constexpr std::size_t around = 2;
/// The time at which all models begin.
constexpr double start_of_models = 0;
/// What so many steps before had as well goes on.
constexpr std::size_t cells_before = 8;
/// A part of a step is found by as many halvings as there are between 1 and rounding, two bounds each; a few such parts.
constexpr int most_bounds = 4 * 2 * 53;
/// Places within a cell that no wave has in step with it.
constexpr int places = 7;
double place(int k) { return std::fmod((std::numbers::phi - 1) * (k + 1), 1.0); }

/// The worst one last taken first.
template <class Node>
bool is_better(const Node& a, const Node& b) {
  return a.bound < b.bound;
}

}  // namespace

/// Cells from eight before to two behind, as far as the piece goes; of a short piece four, which its ends do not tell of. What a
/// function is before models begin tells nothing of a change at their beginning: 1 - e^(-1000 t) is large there.
void HiddenChanges::divide(double begin, double end, double from, double to) {
  const double beginning = from >= start_of_models ? std::max(begin, start_of_models) : begin;
  const double first = std::max(beginning, from - cells_before * step_), last = std::min(end, to + around * step_);
  const auto count = std::max<std::size_t>(4, static_cast<std::size_t>(std::ceil((last - first) / step_ - least_part)));
  ends_.resize(count + 1);
  values_.resize(count + 1);
  double largest = 0;
  for (std::size_t k = 0; k <= count; ++k) {
    ends_[k] = k < count ? first + (last - first) * static_cast<double>(k) / static_cast<double>(count) : last;
    values_[k] = part_.value(ends_[k]);
    if (std::isfinite(values_[k])) largest = std::max(largest, std::abs(values_[k]));
  }
  whole_ = part_.range(first, last);
  const double bound = whole_.value.size();
  least_ = least_part * (std::isfinite(bound) ? bound : largest);
}

/// By how much the function may leave the chord of a cell, for what the ends of cells around it tell.
double HiddenChanges::told_by(std::size_t cell) const {
  double most = 0;
  const std::size_t last = std::min(cell + 1 + around, values_.size() - 1);
  for (std::size_t k = std::max<std::size_t>(cell + 1, around + 1) - around; k < last; ++k)
    most = std::max(most, std::abs(values_[k - 1] - 2 * values_[k] + values_[k + 1]));
  return std::max(told * most, least_);
}

double HiddenChanges::chord(std::size_t cell, double t) const {
  const double a = ends_[cell], b = ends_[cell + 1];
  return values_[cell] + (values_[cell + 1] - values_[cell]) * (t - a) / (b - a);
}

HiddenChanges::Node HiddenChanges::node(double a, double b, double fa, double fb) const {
  return {a, b, fa, fb, part_.range(a, b), 0};
}

/// |f - chord| <= its largest value at the ends + |f''| (b - a)^2/8; and no more than values differ.
double HiddenChanges::from_chord_of(std::size_t cell, const Node& n) const {
  const double left = chord(cell, n.a), right = chord(cell, n.b), length = n.b - n.a;
  const double by_curve =
      std::max(std::abs(n.fa - left), std::abs(n.fb - right)) + n.range.acceleration.size() * length * length / 8;
  const double by_value = std::max(n.range.value.high - std::min(left, right), std::max(left, right) - n.range.value.low);
  return std::min(by_curve, by_value);
}

/// The cells from the first until the last, over which `range` is: all those at once that the curvature allows it.
void HiddenChanges::look_at(std::size_t first, std::size_t last, const TimeRange& range, std::vector<double>& times) {
  const double h = ends_[1] - ends_[0], may_leave = range.acceleration.size() * h * h / 8;
  const std::size_t count = last - first;
  while (first < last && may_leave <= told_by(first)) ++first;
  while (first < last && may_leave <= told_by(last - 1)) --last;
  if (first == last) return;
  if (count == 1) {
    look_into(first, times);
    return;
  }
  const std::size_t middle = 2 * (last - first) > count ? (first + last + 1) / 2 : last;
  look_at(first, middle, part_.range(ends_[first], ends_[middle]), times);
  if (middle < last) look_at(middle, last, part_.range(ends_[middle], ends_[last]), times);
}

/// How far the function at the ends of a cell is from chords of a step's length around them: a pulse that an end of a step has
/// met by chance is none that steps see.
double HiddenChanges::off_at_ends(std::size_t cell) const {
  double most = 0;
  const double half = (ends_[1] - ends_[0]) / 2;
  for (const std::size_t k : {cell, cell + 1})
    if (k > 0 && k + 1 < ends_.size())
      most = std::max(most, std::abs(values_[k] - (part_.value(ends_[k] - half) + part_.value(ends_[k] + half)) / 2));
  return most;
}

void HiddenChanges::look_into(std::size_t cell, std::vector<double>& times) {
  const double allowed = told_by(cell), off_at_ends = this->off_at_ends(cell);
  const Node whole = node(ends_[cell], ends_[cell + 1], values_[cell], values_[cell + 1]);
  if (off_at_ends > allowed) {
    if (!goes_on(cell)) follow_around(cell, {whole}, off_at_ends, times);
    return;
  }
  std::vector<Node> nodes;
  const auto push = [&](double a, double b, double fa, double fb) {
    nodes.push_back(node(a, b, fa, fb));
    nodes.back().bound = from_chord_of(cell, nodes.back());
    std::push_heap(nodes.begin(), nodes.end(), is_better<Node>);
  };
  push(whole.a, whole.b, whole.fa, whole.fb);
  for (int bounds = 1; bounds < most_bounds; bounds += 2) {
    std::pop_heap(nodes.begin(), nodes.end(), is_better<Node>);
    const Node worst = nodes.back();
    const double middle = worst.a + (worst.b - worst.a) / 2;
    if (worst.bound <= allowed || !(middle > worst.a && middle < worst.b)) return;
    nodes.pop_back();
    const double f = part_.value(middle), off = std::abs(f - chord(cell, middle));
    push(worst.a, middle, worst.fa, f);
    push(middle, worst.b, f, worst.fb);
    if (off > allowed) {
      if (!goes_on(cell)) follow_around(cell, std::move(nodes), off, times);
      return;
    }
  }
}

/// The largest distance from the chord at some places between two times.
double HiddenChanges::seen_between(double a, double b) const {
  const double fa = part_.value(a), slope = part_.value(b) - fa;
  double most = 0;
  for (int k = 0; k < places; ++k) {
    const double off = std::abs(part_.value(a + (b - a) * place(k)) - (fa + slope * place(k)));
    if (!(off <= most)) most = off;
  }
  return most;
}

/// Has it been the same in the steps before, at least half as much in each of them? A wave goes on from before the beginning of a
/// model; what was more than twice as much there is none.
bool HiddenChanges::goes_on(std::size_t cell) const {
  const double length = ends_[1] - ends_[0], here = seen_between(ends_[cell], ends_[cell + 1]);
  if (!(here > told_by(cell))) return false;
  for (std::size_t k = 1; k <= cells_before; ++k) {
    const double from = ends_[cell] - static_cast<double>(k) * length;
    if (from < begin_ - least_part * length) return false;
    const double seen = seen_between(from, from + length);
    if (!(seen >= here / 2) || (from < start_of_models && !(seen <= 2 * here))) return false;
  }
  return true;
}

/// A cell and those beside it, whose chords are to be as good.
void HiddenChanges::follow_around(std::size_t cell, std::vector<Node> nodes, double largest, std::vector<double>& times) {
  largest = follow(cell, std::move(nodes), largest, times);
  const std::size_t first = cell > around ? cell - around : 0, last = std::min(cell + 1 + around, ends_.size() - 1);
  for (std::size_t k = first; k < last; ++k)
    if (k != cell) follow(k, {node(ends_[k], ends_[k + 1], values_[k], values_[k + 1])}, largest, times);
}

/// Divides a cell where chords are worst until all follow; by how much the function leaves the cell's chord.
double HiddenChanges::follow(std::size_t cell, std::vector<Node> nodes, double largest, std::vector<double>& times) {
  const auto judge = [](Node& n) {
    const double length = n.b - n.a;
    n.bound = std::min(n.range.acceleration.size() * length * length / 8, n.range.value.width());
  };
  for (Node& n : nodes) judge(n);
  std::make_heap(nodes.begin(), nodes.end(), is_better<Node>);
  while (nodes.size() < most_parts) {
    std::pop_heap(nodes.begin(), nodes.end(), is_better<Node>);
    const Node worst = nodes.back();
    const double middle = worst.a + (worst.b - worst.a) / 2;
    if (worst.bound <= lost * largest || !(middle > worst.a && middle < worst.b)) break;
    nodes.pop_back();
    const double f = part_.value(middle);
    largest = std::max(largest, std::abs(f - chord(cell, middle)));
    for (Node part : {node(worst.a, middle, worst.fa, f), node(middle, worst.b, f, worst.fb)}) {
      judge(part);
      nodes.push_back(part);
      std::push_heap(nodes.begin(), nodes.end(), is_better<Node>);
    }
  }
  for (const Node& n : nodes)
    if (nodes.size() > 1 && n.a >= from_ && n.a < to_) times.push_back(n.a);
  return largest;
}

void HiddenChanges::add_times(double begin, double end, double from, double to, std::vector<double>& times) {
  if (!(std::min(end, to) > std::max(begin, from))) return;
  from_ = from;
  to_ = to;
  begin_ = begin;
  divide(begin, end, from, to);
  // A function that ends within is met by steps that come closer and closer to its end.
  if (!std::all_of(values_.begin(), values_.end(), [](double value) { return std::isfinite(value); })) return;
  std::size_t first = 0, last = ends_.size() - 1;
  while (first + 1 < last && ends_[first + 1] <= from) ++first;
  while (last - 1 > first && ends_[last - 1] >= to) --last;
  look_at(first, last, whole_, times);
}

}  // namespace sinew
