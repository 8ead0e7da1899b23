/// \file
/// The mesh of a reduced body as a model of its own.
#pragma once

#include "model/model.hpp"

namespace sinew {

/// A model of the mesh alone, where it was made, and joints that hold its interfaces, in their order.
Model mesh_alone(const Model&, int body);

}  // namespace sinew
