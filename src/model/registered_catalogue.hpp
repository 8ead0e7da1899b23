/// \file
/// The catalogue of what this program was built with.
#pragma once

#include "model/catalogue.hpp"

namespace sinew {

/// All registered joints and forces that a model file may name, in the order of registration.
Catalogue registered_catalogue();

}  // namespace sinew
