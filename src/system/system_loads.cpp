// Functions of time and prescribed loads: what they are at a time, and what statics makes of both.
#include "kernels/sweep/device.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"
#include "system/ghost_sums.hpp"
#include "system/system.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// The joint or force of the model file that an element comes from.
const ConnectedItem& connected_item(const Model& model, const Origin& origin) {
  if (origin.kind == OriginKind::joint) return model.joints[static_cast<std::size_t>(origin.item)];
  return model.forces[static_cast<std::size_t>(origin.item)];
}

/// Does buckling leave it as it is?
bool is_kept(const Analysis& analysis, const Origin& force) {
  const auto names = [&](const KeptForce& kept) {
    return kept.item == force.item && (kept.instance < 0 || kept.instance == force.instance);
  };
  return std::ranges::any_of(analysis.kept, names);
}

}  // namespace

std::vector<TimeValue> System::signals(const Origin& origin, double t) const {
  std::vector<TimeValue> values = signals_at(connected_item(model_, origin), origin.instance, t);
  const LoadComponent& load = load_change_.load;
  if (load_change_.by != 0 && origin.kind == OriginKind::force && origin.item == load.force && origin.instance == load.instance)
    values[static_cast<std::size_t>(load.component)].value += load_change_.by;
  return values;
}

void System::change_load(const LoadComponent& load, double by) const {
  load_change_ = {load, by};
  signals_are_set_ = false;
}

double System::live_factor(std::size_t family, const Origin& origin) const {
  return live_factor_ == 1 || !is_load_[family] || is_kept(model_.analysis, origin) ? 1.0 : live_factor_;
}

/// The faces of a loaded surface follow one another and have the same signals: they are evaluated once.
void System::update_signals(double t) const {
  if (signals_are_set_ && t == signal_time_) return;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const int count = families_[f]->shape().num_signals;
    if (count == 0 || is_fed_[f]) continue;
    const std::vector<Origin>& origins = local_.families[f].origins;
    std::vector<double> table, row;
    table.reserve(origins.size() * 3 * static_cast<std::size_t>(count));
    for (std::size_t e = 0; e < origins.size(); ++e) {
      const Origin& origin = origins[e];
      if (e == 0 || !(origin == origins[e - 1])) {
        row.clear();
        const double factor = live_factor(f, origin);
        for (const TimeValue& s : signals(origin, t)) {
          const auto k = static_cast<std::int64_t>(row.size() / 3);
          row.insert(row.end(), {factor * s.value, held_time_ ? 0.0 : s.rate, held_time_ ? 0.0 : s.acceleration});
          // of loads the value alone is used
          const bool is_rate = std::isfinite(s.value);
          if (is_rate && (origin.kind != OriginKind::joint || std::isfinite(row[row.size() - 2] + row.back()))) continue;
          note_not_finite({t,
                           {static_cast<std::int64_t>(origin.kind), origin.item, origin.instance, k},
                           &connected_item(model_, origin).signals[static_cast<std::size_t>(k)],
                           is_rate});
        }
      }
      table.insert(table.end(), row.begin(), row.end());
    }
    families_[f]->set_signals(table);
  }
  signal_time_ = t;
  signals_are_set_ = true;
}

void System::hold(double time, double load_factor) {
  held_time_ = time;
  load_factor_ = load_factor;
  signals_are_set_ = false;
}

void System::multiply_live_loads(double factor) {
  live_factor_ = factor;
  signals_are_set_ = false;
}

void System::release() {
  held_time_.reset();
  load_factor_ = 1;
  signals_are_set_ = false;
}

/// Multiplies what a family of loads has written by the load factor.
void System::scale_load(std::size_t family, double* values, std::ptrdiff_t count) const {
  if (!is_load_[family] || load_factor_ == 1) return;
  scale_numbers(values, count, load_factor_);
}

void System::load_direction(const LoadComponent& load, const Stage& stage, PetscVec out) const {
  VecHandle z = make_dof_vector(), lambda = make_row_vector();
  SweepState s = sweep_state({stage.t, stage.q, z, lambda});
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const int count = families_[f]->shape().num_signals;
    if (!is_load_[f]) continue;
    std::vector<double> table;
    for (const Origin& origin : local_.families[f].origins) {
      const bool is_meant = origin.kind == OriginKind::force && origin.item == load.force && origin.instance == load.instance;
      for (int k = 0; k < 3 * count; ++k) table.push_back(is_meant && k == 3 * load.component ? 1.0 : 0.0);
    }
    families_[f]->set_signals(table);
  }
  {
    const DeviceRead velocity(z), multipliers(lambda);
    s.velocity = velocity.data();
    s.multiplier = multipliers.data();
    sum_forces(
        s, [this](std::size_t f) { return static_cast<bool>(is_load_[f]); }, out);
  }
  add_ghosts_to_owners(is_parallel_, out);
  signals_are_set_ = false;
}

}  // namespace sinew
