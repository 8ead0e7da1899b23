/// \file
/// Beside which nodes the states of controls live.
#pragma once

#include "model/model.hpp"
#include "partition/records.hpp"

#include <mpi.h>

namespace sinew {

/// A control that watches no node goes where one of its states is read, or else to the first node. What reads a state belongs
/// beside the control that has it, as what watches a node does: `state_ties` become ties of nodes. `num_states`: of
/// the whole model. Collective.
void anchor_controls(MPI_Comm, const Model&, std::int64_t num_states, Records&);

}  // namespace sinew
