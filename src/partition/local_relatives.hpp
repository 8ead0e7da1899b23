/// \file
/// The relative coordinates that a rank evaluates.
#pragma once

#include "partition/local_model.hpp"

namespace sinew {

/// Fills in LocalModel::relatives: the coordinates of sensors whose first node is owned, then those that the model's signals
/// read, which then know their leaves' places in the list. Once the owned nodes are numbered. Throws InputError.
void find_relatives(const Model&, const Expansion&, LocalModel&);

}  // namespace sinew
