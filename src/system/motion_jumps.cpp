#include "system/motion_jumps.hpp"

#include "model/expression_breaks.hpp"
#include "partition/numbering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew {

namespace {

/// A jump is higher than this, in rad or in lengths of the model: far above what neighbouring doubles make of a steep function.
/// So many roundings of the values themselves are none, either.
constexpr double least_jump = 1e-9, roundings = 16;

struct Jumps {
  double time = 0, height = 0;  ///< of the first one
  int count = 0;
};

/// What counts as a jump.
struct Measure {
  double least = 0;      ///< higher than this
  bool is_turn = false;  ///< of a direction: whole turns make no difference, as they do to a shaft
};

/// Where what an instance of a joint prescribes jumps.
Jumps jumps_of(const JointItem& item, std::int64_t instance, double from, double to, const Measure& measure) {
  Jumps found;
  for (const auto& [before, after] : find_breaks(item.signals[0], item.repeat.indices(instance), from, to)) {
    const double from_value = signals_at(item, instance, before)[0].value, to_value = signals_at(item, instance, after)[0].value;
    const double raw = to_value - from_value, largest = std::max(std::abs(from_value), std::abs(to_value));
    const double height = measure.is_turn ? std::remainder(raw, 2 * std::numbers::pi) : raw;
    if (!(std::abs(height) > measure.least + roundings * std::numeric_limits<double>::epsilon() * largest)) continue;
    if (found.count++ == 0) {
      found.time = after;
      found.height = height;
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> motion_jump_warnings(const System& system, double from, double to) {
  const Model& model = system.model();
  const auto entries = all_families();
  Configuration q = system.make_configuration();
  VecHandle z = system.make_dof_vector();
  system.given_values(q, z);
  const double size = system.reach(q);
  std::vector<std::string> warnings;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointItem& item = model.joints[j];
    const FamilyShape& shape = entries[static_cast<std::size_t>(joint_family(item.type))]->shape;
    if (shape.position_rows == 0 || item.signals.empty()) continue;
    const bool is_angle = shape.prescribes_angle || (shape.is_scalar != nullptr && shape.is_scalar(0));
    const double least = least_jump * (is_angle || !(size > 0) ? 1.0 : size);
    const bool are_alike = std::ranges::none_of(item.signals, [](const Expression& signal) { return signal.uses_indices(); });
    for (std::int64_t instance = 0; instance < (are_alike ? 1 : item.repeat.count()); ++instance) {
      const Jumps found = jumps_of(item, instance, from, to, {least, shape.prescribes_angle});
      if (found.count == 0) continue;
      warnings.push_back(fmt::format(
          "{}: warning: the motion that '{}' prescribes jumps by {:.6g}{} at t = {:.9g}{}: its velocity is infinite there, and "
          "the reactions and accelerations of that step mean nothing, nor does `work` (prescribe a steep ramp instead, or a "
          "`velocity`)",
          model.source.locate(item.mark), model.joint_name(static_cast<int>(j), instance), found.height, is_angle ? " rad" : "",
          found.time, found.count > 1 ? fmt::format(", and {} more times", found.count - 1) : std::string()));
      break;  // one of many instances speaks for all
    }
  }
  return warnings;
}

}  // namespace sinew
