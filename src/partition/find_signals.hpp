/// \file
/// The signals that a rank evaluates.
#pragma once

#include "partition/local_model.hpp"

namespace sinew {

/// Fills in LocalModel::signals: those of this rank's actuators, then of its controls. Throws InputError.
void find_signals(const Model&, const Expansion&, const std::vector<ElementRecord>& elements,
                  const std::vector<ControlRecord>& controls, LocalModel&);

/// Local numbers of the nodes, states, families and elements that the signals and relative coordinates speak of, once the rank
/// has all of its nodes and families.
void place_signals(const Model&, LocalModel&);

}  // namespace sinew
