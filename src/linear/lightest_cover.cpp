#include "linear/lightest_cover.hpp"

#include <algorithm>
#include <cstddef>

namespace sinew {

namespace {

/// The largest flow from a source over the ends of the first set, along edges, over those of the second one to a sink. Ends are
/// numbered through, those of the second set behind those of the first.
class Flow {
 public:
  Flow(const std::vector<int>& first, const std::vector<int>& second, const std::vector<std::pair<int, int>>& edges)
      : num_first_(first.size()),
        flow_(first.size()),
        back_(second.size()),
        left_(first.begin(), first.end()),
        room_(second.begin(), second.end()),
        is_reached_(first.size() + second.size(), 0) {
    for (const auto& [a, b] : edges) {
      back_[static_cast<std::size_t>(b)].push_back({a, flow_[static_cast<std::size_t>(a)].size()});
      flow_[static_cast<std::size_t>(a)].emplace_back(b, 0);
    }
    for (std::vector<std::size_t> open = search(); !open.empty(); open = search())
      for (const std::size_t end : open) push(end);  // paths of one search may share a part, which then has nothing left
  }

  /// From ends of the first set with something left, by edges that can carry more. When the flow is the largest.
  bool is_reached(std::size_t v) const { return is_reached_[v] != 0; }

 private:
  /// An edge by the end from which it is looked at, or was reached, and its place among those of its end in the first set.
  struct Edge {
    int end = -1;
    std::size_t place = 0;
  };

  /// Reached ends of the second set that have room.
  std::vector<std::size_t> search() {
    from_.assign(is_reached_.size(), {});
    std::fill(is_reached_.begin(), is_reached_.end(), 0);
    std::vector<std::size_t> queue, open;
    const auto reach = [&](std::size_t w, Edge by) {
      if (is_reached_[w]) return;
      is_reached_[w] = 1;
      from_[w] = by;
      queue.push_back(w);
    };
    for (std::size_t a = 0; a < num_first_; ++a)
      if (left_[a] > 0) reach(a, {});
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::size_t v = queue[next];
      if (v < num_first_) {
        for (std::size_t k = 0; k < flow_[v].size(); ++k)
          reach(num_first_ + static_cast<std::size_t>(flow_[v][k].first), {static_cast<int>(v), k});
        continue;
      }
      if (room_[v - num_first_] > 0) open.push_back(v);
      for (const auto& [end, place] : back_[v - num_first_]) {
        const auto a = static_cast<std::size_t>(end);
        if (flow_[a][place].second > 0) reach(a, {static_cast<int>(v), place});
      }
    }
    return open;
  }

  /// As much as the way on which an end of the second set was reached can carry.
  void push(std::size_t end) {
    long most = room_[end - num_first_];
    std::size_t start = end;
    for (; from_[start].end >= 0; start = static_cast<std::size_t>(from_[start].end))
      if (start < num_first_) most = std::min(most, flow_[start][from_[start].place].second);
    most = std::min(most, left_[start]);
    if (most <= 0) return;
    room_[end - num_first_] -= most;
    left_[start] -= most;
    for (std::size_t v = end; from_[v].end >= 0; v = static_cast<std::size_t>(from_[v].end)) {
      const auto& [before, place] = from_[v];
      if (v < num_first_)
        flow_[v][place].second -= most;
      else
        flow_[static_cast<std::size_t>(before)][place].second += most;
    }
  }

  std::size_t num_first_;
  std::vector<std::vector<std::pair<int, long>>> flow_;  ///< along the edges of the first set's ends: to whom, how much
  std::vector<std::vector<Edge>> back_;                  ///< the same edges by ends of the second set
  std::vector<long> left_, room_;                        ///< of the weights
  std::vector<Edge> from_;                               ///< of what the last search has reached; none where it began
  std::vector<char> is_reached_;
};

}  // namespace

std::vector<char> lightest_cover(const std::vector<int>& first, const std::vector<int>& second,
                                 const std::vector<std::pair<int, int>>& edges) {
  const Flow flow(first, second, edges);
  std::vector<char> is_taken(first.size() + second.size());
  for (std::size_t v = 0; v < is_taken.size(); ++v) is_taken[v] = (v < first.size()) != flow.is_reached(v);
  return is_taken;
}

}  // namespace sinew
