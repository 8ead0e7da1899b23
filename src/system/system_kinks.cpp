#include "base/reduction.hpp"
#include "system/device_access.hpp"
#include "system/system.hpp"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

std::size_t kinks_of(const Family& family) {
  return static_cast<std::size_t>(family.size()) * static_cast<std::size_t>(family.shape().num_kinks);
}

}  // namespace

std::vector<double> System::kinks(const Stage& stage) const {
  SweepState s = sweep_state(stage);
  const DeviceRead velocity(stage.z);
  s.velocity = velocity.data();
  std::vector<double> all;
  for (const auto& family : families_) {
    const std::size_t count = kinks_of(*family);
    if (count == 0) continue;
    const DeviceArray<double> values("kinks", count);
    family->kinks(s, values.data());
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), values);
    all.insert(all.end(), host.data(), host.data() + count);
  }
  return all;
}

double System::fastest_turn(const Stage& stage) const {
  SweepState s = sweep_state(stage);
  const DeviceRead velocity(stage.z);
  s.velocity = velocity.data();
  double fastest = 0;
  for (const auto& family : families_)
    if (family->shape().follows_turns && family->size() > 0) fastest = std::max(fastest, family->fastest_turn(s));
  return largest_of_all(local_.comm, fastest);
}

double System::soonest_pass(const Stage& stage) const {
  SweepState s = sweep_state(stage);
  const DeviceRead velocity(stage.z);
  s.velocity = velocity.data();
  double soonest = std::numeric_limits<double>::infinity();
  for (const auto& family : families_)
    if (family->shape().passes_by && family->size() > 0) soonest = std::min(soonest, family->soonest_pass(s));
  return least_of_all(local_.comm, soonest);
}

void System::hold_laws(const std::vector<double>& sides) const {
  std::size_t begin = 0;
  for (const auto& family : families_) {
    const std::size_t count = kinks_of(*family);
    if (family->shape().is_held && count > 0) {
      std::vector<double> own(count, 0.0);
      if (!sides.empty()) std::copy_n(sides.begin() + static_cast<std::ptrdiff_t>(begin), count, own.begin());
      family->hold(to_device_array("sides", own).data());
    }
    begin += count;
  }
}

}  // namespace sinew
