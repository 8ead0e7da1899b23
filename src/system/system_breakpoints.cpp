#include "model/relation.hpp"
#include "system/system.hpp"
#include "system/time_function.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace sinew {

namespace {

constexpr double rounding = 1e-12;

/// Rising, and those that lie within rounding of each other made one.
std::vector<Breakpoint> merged(std::vector<Breakpoint> list, double span) {
  std::sort(list.begin(), list.end(), [](const Breakpoint& a, const Breakpoint& b) { return a.before < b.before; });
  std::vector<Breakpoint> result;
  for (const Breakpoint& b : list) {
    if (result.empty() || b.before > result.back().after + rounding * std::max(span, std::abs(b.before))) {
      result.push_back(b);
      continue;
    }
    Breakpoint& last = result.back();
    last.after = std::max(last.after, b.after);
    last.jumps = last.jumps || b.jumps;
    last.is_resolved = last.is_resolved && b.is_resolved;
    last.bends = last.bends || b.bends;
    last.bends_motion = last.bends_motion || b.bends_motion;
  }
  return result;
}

}  // namespace

std::vector<Breakpoint> System::breakpoints(double from, double to, double step) const {
  std::vector<Breakpoint> mine;
  std::set<std::tuple<const Expression*, Indices, TimeFunction::Kind>> looked_at;
  const auto look_at = [&](const SignalFlow& flow, TimeFunction::Kind kind) {
    for (const auto& [expression, indices, variables] : flow.steps) {
      if (!looked_at.insert({expression, expression->uses_indices() ? indices : Indices{}, kind}).second) continue;
      TimeFunction(*expression, indices, kind).add_breaks(from, to, step, mine);
    }
  };
  for (const LocalSignal& signal : local_.signals)
    if (signal.target != LocalSignal::Target::sample) look_at(signal.flow, TimeFunction::Kind::force);
  add_sample_times(from, to, mine);
  std::set<const ConnectedItem*> done;  // items whose instances are alike
  for (const LocalFamily& family : local_.families) {
    const bool has_positions = family.entry().shape.position_rows > 0;
    const auto position = family.entry().shape.prescribes_angle ? TimeFunction::Kind::angle : TimeFunction::Kind::position;
    const auto motion = has_positions ? position : TimeFunction::Kind::velocity;
    for (const Origin& origin : family.origins) {
      if (origin.kind != OriginKind::joint && origin.kind != OriginKind::force) continue;
      const ConnectedItem& item = origin.kind == OriginKind::joint ? model_.joints[origin.item] : model_.forces[origin.item];
      if (done.count(&item) > 0) continue;
      const auto kind = origin.kind == OriginKind::joint ? motion : TimeFunction::Kind::force;
      const Indices indices = item.repeat.indices(origin.instance);
      if (origin.kind == OriginKind::joint && is_relation(item)) {
        look_at(signal_flow(model_, *item.feedback, indices, {}), kind);
        continue;
      }
      bool is_alike = true;
      for (const Expression& signal : item.signals) {
        TimeFunction(signal, indices, kind).add_breaks(from, to, step, mine);
        is_alike = is_alike && !signal.uses_indices();
      }
      if (is_alike) done.insert(&item);
    }
  }
  mine = merged(std::move(mine), to - from);
  return merged(gather_from_all(local_.comm, mine), to - from);
}

}  // namespace sinew
