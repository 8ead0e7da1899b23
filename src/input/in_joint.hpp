/// \file
/// Forces in joints, which are named by `of`: friction, stops.
#pragma once

#include "input/map_reader.hpp"
#include "input/section_readers.hpp"

#include <string>
#include <vector>

namespace sinew {

/// The type that an entry of the model file, such as `type: friction`, stands for by the joint that it is in. `item`: its repeat
/// and name. Of types that act on the coordinates of one joint it is the one that `coordinate` names, else the first, which must
/// be the same for the joints of all instances. Null where there is none: faults go to the context.
const ItemDescription* choose_in_joint(ReadContext&, MapReader& map, const SourceMark& mark, const ConnectedItem& item,
                                       const std::vector<const ItemDescription*>& candidates,
                                       std::vector<std::string>& joint_keys);

/// Keys of an instance, a direction or a number, that its joint has too and that say something else there.
std::vector<Fault> check_own_keys(const Model&, const ConnectedItem& item, std::int64_t instance);

}  // namespace sinew
