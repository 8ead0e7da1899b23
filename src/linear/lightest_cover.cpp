#include "linear/lightest_cover.hpp"

#include <algorithm>
#include <cstddef>

namespace sinew {

std::vector<char> lightest_cover(const std::vector<int>& first, const std::vector<int>& second,
                                 const std::vector<std::pair<int, int>>& edges) {
  const std::size_t m = first.size(), n = second.size();
  std::vector<std::vector<std::pair<int, long>>> flow(m), back(n);  // along edges: to whom, how much
  std::vector<std::vector<std::size_t>> slot(n);                    // of the edge among those of its first end
  for (const auto& [a, b] : edges) {
    slot[static_cast<std::size_t>(b)].push_back(flow[static_cast<std::size_t>(a)].size());
    flow[static_cast<std::size_t>(a)].emplace_back(b, 0);
    back[static_cast<std::size_t>(b)].emplace_back(a, 0);
  }
  std::vector<long> left(first.begin(), first.end()), room(second.begin(), second.end());
  // who has been reached from ends with something left, and from where: of the second set an end and its edge, of the first one
  // an end of the second set and its edge
  struct From {
    int end = -1;
    std::size_t edge = 0;
  };
  std::vector<char> is_reached(m + n, 0);
  for (;;) {
    std::vector<From> from(m + n);
    std::fill(is_reached.begin(), is_reached.end(), 0);
    std::vector<std::size_t> queue;
    for (std::size_t a = 0; a < m; ++a)
      if (left[a] > 0) {
        queue.push_back(a);
        is_reached[a] = 1;
      }
    std::vector<std::size_t> ends;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::size_t v = queue[next];
      const auto reach = [&](std::size_t w, From by) {
        if (is_reached[w]) return;
        is_reached[w] = 1;
        from[w] = by;
        queue.push_back(w);
      };
      if (v < m) {
        for (std::size_t k = 0; k < flow[v].size(); ++k)
          reach(m + static_cast<std::size_t>(flow[v][k].first), {static_cast<int>(v), k});
      } else {
        if (room[v - m] > 0) ends.push_back(v);
        for (std::size_t k = 0; k < back[v - m].size(); ++k) {
          const auto a = static_cast<std::size_t>(back[v - m][k].first);
          if (flow[a][slot[v - m][k]].second > 0) reach(a, {static_cast<int>(v), slot[v - m][k]});
        }
      }
    }
    if (ends.empty()) break;
    for (const std::size_t end : ends) {  // paths of one search may share a part, which then has nothing left
      long most = room[end - m];
      std::size_t v = end;
      while (v >= m || from[v].end >= 0) {
        if (v < m) most = std::min(most, flow[v][from[v].edge].second);
        v = static_cast<std::size_t>(from[v].end);
      }
      most = std::min(most, left[v]);
      if (most <= 0) continue;
      room[end - m] -= most;
      left[v] -= most;
      for (v = end; v >= m || from[v].end >= 0; v = static_cast<std::size_t>(from[v].end))
        v >= m ? flow[static_cast<std::size_t>(from[v].end)][from[v].edge].second += most : flow[v][from[v].edge].second -= most;
    }
  }
  std::vector<char> is_taken(m + n);
  for (std::size_t v = 0; v < m + n; ++v) is_taken[v] = (v < m) != (is_reached[v] != 0);
  return is_taken;
}

}  // namespace sinew
