#include "partition/collective_error.hpp"
#include "system/system.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

bool System::has_branch_fault(const Configuration& before, const Configuration& now, double t) const {
  const auto has_branches = [](const auto& family) { return family->shape().has_branches; };
  if (std::none_of(families_.begin(), families_.end(), has_branches)) return false;
  const SweepState was = sweep_state({t, &before, nullptr, nullptr}), is = sweep_state({t, &now, nullptr, nullptr});
  return std::any_of(families_.begin(), families_.end(), [&](const auto& family) {
    return family->shape().has_branches && family->check_branches(was, is).verdict != Verdict::ok;
  });
}

std::string System::branch_fault(const Configuration& before, const Configuration& now, double t) const {
  // The list of families is the same on all ranks.
  if (std::none_of(families_.begin(), families_.end(), [](const auto& family) { return family->shape().has_branches; }))
    return {};
  const SweepState was = sweep_state({t, &before, nullptr, nullptr}), is = sweep_state({t, &now, nullptr, nullptr});
  std::string text;
  for (std::size_t f = 0; f < families_.size() && text.empty(); ++f) {
    if (!families_[f]->shape().has_branches) continue;
    const Finding found = families_[f]->check_branches(was, is);
    if (found.verdict == Verdict::ok) continue;
    const Origin& origin = local_.families[f].origins[static_cast<std::size_t>(found.element)];
    const std::string name = origin.kind == OriginKind::joint
                                 ? fmt::format("'{}'", model_.joint_name(origin.item, origin.instance))
                                 : fmt::format("a surface of '{}'", model_.body_name(origin.item, origin.instance));
    text = fmt::format("{} ({}) {}", name, families_[f]->name(), families_[f]->branch_fault());
  }
  std::int64_t rank = comm_rank(local_.comm);  // the lowest one that has something to say speaks
  return is_parallel_ ? first_text(local_.comm, rank, text) : text;
}

}  // namespace sinew
