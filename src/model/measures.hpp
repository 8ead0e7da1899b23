/// \file
/// What sensors record: the numbers behind the words under `record`, also where the thing that a sensor looks at names its
/// quantities itself.
#pragma once

#include "model/check.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A quantity by the name that a joint, a force or a body gives it: a scalar (one empty component), or components.
struct NamedQuantity {
  std::string name;
  std::vector<std::string> components;
  bool is_extra = false;  ///< recorded only where a word asks for it
};

/// Sensors of this kind take the names of their quantities from what they look at: joint, relative, force, section.
bool names_quantities_itself(SensorKind kind);

/// The coordinates that a type of joint leaves free, then their rates: `angle`, `rate`; of several `rate.angle`, `rate.distance`.
std::vector<NamedQuantity> quantities_of_joint(const std::string& type);
/// What a type of joint exerts: `force` and `moment` on its first place, where it has places in space, and behind them `torque`
/// on its first shaft about the shaft's own axis, which has no direction in space. Sensors know `work` of every joint as well.
std::vector<NamedQuantity> reactions_of_joint(const std::string& type);
/// What a type of force measures of itself. Sensors know `work` and `dissipated` of every force as well, behind these.
std::vector<NamedQuantity> quantities_of_force(const std::string& type);
/// What is measured in the sections of a body; empty if it has none.
std::vector<NamedQuantity> quantities_of_sections(const Body& body);

/// The joint whose coordinates a relative sensor measures; a motion stands for the joint that it drives.
std::optional<Fault> resolve_measured_joint(const Model& model, const SensorItem& sensor, const Indices& indices,
                                            InstanceRef& joint);

/// How many coordinates a relative sensor measures; as many rates follow them.
int count_coordinates(const Model& model, const SensorItem& sensor, const Indices& indices);

/// Sets `numbers` to what one instance of a sensor records, in the order of its columns; `component` counts through all numbers
/// that the thing names (control: states, then outputs). Returns what is wrong with `of` or `record`.
std::optional<Fault> resolve_numbers(const Model& model, const SensorItem& sensor, const Indices& indices,
                                     std::vector<RecordedNumber>& numbers);
/// The same, throwing InputError as the reader would have reported it.
std::vector<RecordedNumber> recorded_numbers(const Model& model, const SensorItem& sensor, const Indices& indices);

}  // namespace sinew
