/// \file
/// Checks of single instances. The reader runs them on every instance of small repeats and on both ends of large ones; ranks may
/// run them on the instances they own.
#pragma once

#include "model/fault.hpp"
#include "model/model.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// What is wrong with an inertia tensor: not symmetric, not positive, and, `of_a_body`, one that no body has: each principal
/// value is at most the sum of the other two (by a hundredth more, for numbers given with three digits). Empty if nothing is.
std::string inertia_fault(const Mat3<double>& inertia, bool of_a_body);

/// Faults of one body: numbers not finite, mass, inertia, orientation, zero length, points out of range.
std::vector<Fault> check_body(const Model& model, const BodyItem& item, std::int64_t instance);
/// Faults of the keys of a joint or force: not finite, sign, zero directions.
std::vector<Fault> check_fields(const Model& model, const ConnectedItem& item, std::int64_t instance);
/// Faults of the places of a joint or force: not found, out of range, both on the ground, both on one rigid body.
std::vector<Fault> check_places(const Model& model, const ConnectedItem& item, std::int64_t instance);
/// Faults of a sensor's place, joint or bodies.
std::vector<Fault> check_sensor(const Model& model, const SensorItem& sensor, std::int64_t instance);

/// A sampled control in an analysis or start without time: what it remembers changes at its samples, and is never at rest.
std::optional<Fault> check_samples(const Model& model);

/// Does a mesh have a group of that name and dimension (0 points, 1 curves, 2 surfaces, 3 volumes)?
using GroupExists = std::function<bool(const std::string& name, int dimension)>;
/// Faults of what joints, forces, sensors and materials say of the groups of a solid's mesh; to be called where the mesh has been
/// read. `known` lists its groups for the message.
std::vector<Fault> check_groups(const Model& model, int body, const GroupExists& exists, const std::string& known);

}  // namespace sinew
