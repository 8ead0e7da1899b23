/// \file
/// Finds what the names of one instance stand for; behind Model::place and its like, which throw what these return.
#pragma once

#include "model/check.hpp"

#include <optional>

namespace sinew {

/// Sets `ref` to the place of an instance; returns what is wrong if it cannot be found.
std::optional<Fault> resolve_place(const Model& model, const PlaceItem& item, const Indices& indices, bool ground_is_origin,
                                   PlaceRef& ref);
/// Likewise, to place k of a joint or force, which may be a whole body. `indices`: of the joint or force.
std::optional<Fault> resolve_place(const Model& model, const ConnectedItem& item, std::size_t k, const Indices& indices,
                                   PlaceRef& ref);
/// Sets `ref` to the body instance that a pattern names.
std::optional<Fault> resolve_body(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                  InstanceRef& ref);
/// Sets `ref` to the joint instance that a pattern names.
std::optional<Fault> resolve_joint(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                   InstanceRef& ref);
/// Sets `ref` to the force instance that a pattern names.
std::optional<Fault> resolve_force(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                   InstanceRef& ref);
/// Sets `ref` to the control instance that a pattern names.
std::optional<Fault> resolve_control(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                     InstanceRef& ref);
/// Sets `ref` to the sensor instance that a pattern names.
std::optional<Fault> resolve_sensor(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                    InstanceRef& ref);
/// Instances of a repeat, from one to before another.
struct InstanceSpan {
  std::int64_t first = 0, behind = 0;
};
/// Those at which a place may be on a body of an item: not those whose name tells that it is on another, so that many bodies and
/// many places do not all look at each other.
InstanceSpan instances_near(const Model& model, int body, const PlaceItem& place, const Repeat& repeat);
/// Whether a place is a point inside a solid, under `points` of the body.
bool is_inside_solid(const Model& model, const PlaceRef& ref);
/// Sets `refs` to the places of a joint or force, following `of`.
std::optional<Fault> resolve_places(const Model& model, const ConnectedItem& item, const Indices& indices,
                                    std::vector<PlaceRef>& refs);

}  // namespace sinew
