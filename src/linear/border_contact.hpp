/// \file
/// Which unknowns of the border of solids touch which bodies.
#pragma once

#include "base/petsc.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace sinew {

/// An unknown of the border has entries in rows of a body.
struct BorderContact {
  PetscInt unknown;
  std::int64_t body;
  bool operator<(const BorderContact& other) const { return std::tie(unknown, body) < std::tie(other.unknown, other.body); }
  bool operator==(const BorderContact& other) const { return unknown == other.unknown && body == other.body; }
};

/// By unknowns, each contact once.
inline void sort_out(std::vector<BorderContact>& contacts) {
  std::sort(contacts.begin(), contacts.end());
  contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
}

}  // namespace sinew
