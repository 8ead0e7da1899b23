/// \file
/// Names of items, and places.
#pragma once

#include "input/map_reader.hpp"
#include "input/value_reader.hpp"
#include "model/model.hpp"

namespace sinew {

/// Items and instances up to this number are checked one by one; of more, the ends are, and the others where they are made.
constexpr std::int64_t max_expanded_checks = 10000;
/// More instances than this are a slip of the pen.
constexpr double max_instances = 1e12;

/// Does it stand for a repeat that could not be read? It has more instances than any that could.
bool is_unreadable(const Repeat& repeat);

/// The name of an item: characters, braces, and that every instance gets a name of its own by its indices.
NamePattern read_item_name(const DocumentEntry& entry, const Repeat& repeat, const ValueReader& values, const std::string& kind);

/// A name that will stand in places and columns: letters, digits, `_` and `-`.
bool is_valid_name(const std::string& name);

/// `ground`, `[x, y, z]`, `body`, `body.point`, `body.node[3]`.
PlaceItem read_place(const DocumentNode& node, const ValueReader& values, const std::string& what);

/// Reports instances of a table that have the same name; `marks` are those of its items.
void check_unique_names(const NameTable& table, const std::vector<SourceMark>& marks, const std::string& kind, Faults& faults);

/// Instances to look at: all of a repeat of so many at most, the ends and the middle of a larger one.
std::vector<std::int64_t> sample_instances(const Repeat& repeat, std::int64_t most = max_expanded_checks);

}  // namespace sinew
