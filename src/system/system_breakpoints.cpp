#include "model/expression_breaks.hpp"
#include "system/system.hpp"

#include <algorithm>
#include <set>

namespace sinew {

namespace {

/// Rising, and those that lie within rounding of each other made one.
std::vector<Breakpoint> merged(std::vector<Breakpoint> list, double span) {
  std::sort(list.begin(), list.end(), [](const Breakpoint& a, const Breakpoint& b) { return a.before < b.before; });
  std::vector<Breakpoint> result;
  for (const Breakpoint& b : list) {
    if (result.empty() || b.before > result.back().after + 1e-12 * span)
      result.push_back(b);
    else
      result.back().after = std::max(result.back().after, b.after);
  }
  return result;
}

}  // namespace

std::vector<Breakpoint> System::breakpoints(double from, double to) const {
  std::vector<Breakpoint> mine;
  std::set<std::pair<const Expression*, Indices>> looked_at;
  for (const LocalSignal& signal : local_.signals)
    for (const auto& [expression, indices, variables] : signal.flow.steps) {
      if (!looked_at.insert({expression, expression->uses_indices() ? indices : Indices{}}).second) continue;
      for (const auto& [before, after] : find_breaks(*expression, indices, from, to)) mine.push_back({before, after});
    }
  std::set<const ConnectedItem*> done;  // items whose instances are alike
  for (const LocalFamily& family : local_.families) {
    for (const Origin& origin : family.origins) {
      if (origin.kind != OriginKind::joint && origin.kind != OriginKind::force) continue;
      const ConnectedItem& item = origin.kind == OriginKind::joint ? model_.joints[origin.item] : model_.forces[origin.item];
      if (done.count(&item) > 0) continue;
      bool is_alike = true;
      for (const Expression& signal : item.signals) {
        for (const auto& [before, after] : find_breaks(signal, item.repeat.indices(origin.instance), from, to))
          mine.push_back({before, after});
        is_alike = is_alike && !signal.uses_indices();
      }
      if (is_alike) done.insert(&item);
    }
  }
  mine = merged(std::move(mine), to - from);
  return merged(gather_from_all(local_.comm, mine), to - from);
}

}  // namespace sinew
