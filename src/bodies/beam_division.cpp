#include "bodies/beam_division.hpp"

#include "base/error.hpp"
#include "bodies/lobatto_order.hpp"
#include "model/places.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace sinew {

BeamDivision::BeamDivision(int num_elements, int order, std::vector<double> nodes, std::vector<double> ends)
    : num_elements_(num_elements), order_(order) {
  const auto has_node = [this](double at) {
    int node = -1;
    station(at, node);
    return node >= 0;
  };
  const auto is_end = [this](double at) {
    const double elements = at * num_elements_;
    return std::fabs(elements - std::round(elements)) < same_place;
  };
  if (std::all_of(nodes.begin(), nodes.end(), has_node) && std::all_of(ends.begin(), ends.end(), is_end)) return;
  std::vector<double> marks = {0};
  ends.insert(ends.end(), nodes.begin(), nodes.end());
  std::sort(ends.begin(), ends.end());
  for (const double at : ends)
    if (at - marks.back() > same_place && 1 - at > same_place) marks.push_back(at);
  const int count = static_cast<int>(marks.size());
  if (num_elements < count)
    throw InputError("its named points and jumps of its section need ends of elements: " + std::to_string(count) +
                     " elements at least, not " + std::to_string(num_elements));
  marks.push_back(1);
  // every piece has an element; the others in proportion to the lengths; what is left goes where elements are longest
  std::vector<int> elements;
  int left = num_elements;
  for (int k = 0; k < count; ++k) {
    const double length = marks[k + 1] - marks[k];
    elements.push_back(1 + static_cast<int>(length * (num_elements - count)));
    left -= elements.back();
  }
  for (; left > 0; --left) {
    int longest = 0;
    const auto length = [&](int k) { return (marks[k + 1] - marks[k]) / elements[k]; };
    for (int k = 1; k < count; ++k)
      if (length(k) > length(longest) * (1 + same_place)) longest = k;
    ++elements[longest];
  }
  pieces_.clear();
  int first = 0;
  for (int k = 0; k < count; ++k) {
    pieces_.push_back({marks[k], first});
    first += elements[k];
  }
}

double BeamDivision::start(int element) const {
  if (element >= num_elements_) return 1;
  const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), element, [](int e, const Piece& p) { return e < p.first; });
  const auto k = static_cast<std::size_t>(next - pieces_.begin()) - 1;
  const int inside = element - pieces_[k].first, count = past(k) - pieces_[k].first;
  return pieces_[k].start + (end_of(k) - pieces_[k].start) * inside / count;
}

double BeamDivision::at(const CableStation& station) const {
  const double from = start(station.element);
  return from + station.xi * (start(station.element + 1) - from);
}

double BeamDivision::node(int node) const {
  const int element = std::min(node / order_, num_elements_ - 1);
  return at({element, lobatto_node(order_, node - element * order_)});
}

CableStation BeamDivision::station(double at, int& node) const {
  const double place = std::clamp(at, 0.0, 1.0);
  const auto next =
      std::upper_bound(pieces_.begin() + 1, pieces_.end(), place, [](double s, const Piece& p) { return s < p.start; });
  const auto k = static_cast<std::size_t>(next - pieces_.begin()) - 1;
  const int count = past(k) - pieces_[k].first;
  const double elements = (place - pieces_[k].start) / (end_of(k) - pieces_[k].start) * count;
  const int inside = std::clamp(static_cast<int>(elements), 0, count - 1), element = pieces_[k].first + inside;
  node = -1;
  for (int a = 0; a <= order_; ++a)
    if (std::fabs(elements - inside - lobatto_node(order_, a)) < same_place) node = element * order_ + a;
  return {element, elements - inside};
}

}  // namespace sinew
