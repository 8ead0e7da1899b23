/// \file
/// The registered families: explicit ordered lists, the same on every rank, generated from kernels/CMakeLists.txt.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/elements/example.hpp"
#include "kernels/sweep/family.hpp"

#include <functional>

namespace sinew {

/// What the host knows of a registered element, joint or force.
struct FamilyEntry {
  std::string name;               ///< as in the model file
  std::string help;
  std::vector<FieldSpec> fields;  ///< keys of the model file; elements of meshes have none
  FamilyShape shape;
  int params_per_element = 0;
  /// Parameters of one element from its places and fields, as the doubles of its Params. Joints and forces only.
  std::function<std::vector<double>(const Setup&)> make_params;
  /// Where a bare `ground` lies as the first of two places, in the global frame; empty: at the other place. Joints only.
  std::function<Vec3<double>(const Setup&)> ground_place;
  std::function<std::unique_ptr<Family>(FamilyData)> build;
  /// A random specimen for the generic tests. Elements only.
  std::function<ElementExample(unsigned seed)> example;
};

using ElementEntry = FamilyEntry;
using JointEntry = FamilyEntry;
using ForceEntry = FamilyEntry;

/// In the order of registration.
const std::vector<ElementEntry>& registered_elements();
const std::vector<JointEntry>& registered_joints();
const std::vector<ForceEntry>& registered_forces();

/// The entry of that name, or null.
inline const FamilyEntry* find_entry(const std::vector<FamilyEntry>& entries, const std::string& name) {
  for (const FamilyEntry& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

/// Params as the doubles they are made of.
template <class Params>
std::vector<double> packed(const Params& params) {
  static_assert(sizeof(Params) % sizeof(double) == 0, "Params must hold doubles only");
  const double* words = reinterpret_cast<const double*>(&params);
  return std::vector<double>(words, words + sizeof(Params) / sizeof(double));
}

}  // namespace sinew
