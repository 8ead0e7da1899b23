/// \file
/// The registered loads on surfaces of solids: a family for every load and shape of face, named LOAD-SHAPE.
#pragma once

#include "kernels/sweep/registry.hpp"

namespace sinew {

using SurfaceLoadEntry = FamilyEntry;

/// In the order of registration, load by load.
const std::vector<SurfaceLoadEntry>& registered_surface_loads();

/// The place in that list of a load of the model file on faces of a shape (`tri6`); of its first shape where none is given. -1 if
/// there is none.
inline int find_surface_load(const std::string& type, const std::string& shape = "") {
  const std::string start = type + "-";
  const std::vector<SurfaceLoadEntry>& all = registered_surface_loads();
  for (std::size_t k = 0; k < all.size(); ++k)
    if (shape.empty() ? all[k].name.rfind(start, 0) == 0 : all[k].name == start + shape) return static_cast<int>(k);
  return -1;
}

/// Is a type of force of the model file a load on surfaces?
inline bool is_surface_load(const std::string& type) { return find_surface_load(type) >= 0; }

/// The entry of a type of force of the model file; of a load on surfaces that of its first shape. Null if there is none.
inline const FamilyEntry* find_force_type(const std::string& type) {
  if (const FamilyEntry* force = find_entry(registered_forces(), type)) return force;
  const int load = find_surface_load(type);
  return load < 0 ? nullptr : &registered_surface_loads()[static_cast<std::size_t>(load)];
}

}  // namespace sinew
