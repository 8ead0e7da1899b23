/// \file
/// What types of bodies have in common where they find the places on them.
#pragma once

#include "model/body.hpp"

namespace sinew {

/// The fault of a place, with its text in front.
Fault place_fault(const PlaceItem& item, const std::string& message, const std::string& remedy = "");

/// The named point of a body, or null.
const NamedPoint* find_point(const OneBody& one, const std::string& name);
/// What to say about a point that a body has not; `known`: names of places that it has besides its points.
std::string point_remedy(const BodyItem& body, const std::string& name, std::vector<std::string> known);

/// Sets `ref` to the node that `node[...]` names; `last` is the last one.
std::optional<Fault> resolve_node(const PlaceItem& item, int last, const Indices& indices, PlaceRef& ref);

/// Sets `ref` to an end or a node of a line whose last node is `last`. Of a named point `part` is set, the part of the length
/// before it, and the rest is left to the type of body.
std::optional<Fault> resolve_on_line(const OneBody& one, const PlaceItem& item, const std::string& tail, const Indices& indices,
                                     int last, PlaceRef& ref, std::optional<double>& part);

}  // namespace sinew
