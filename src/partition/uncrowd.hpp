/// \file
/// Joints and forces go where the fewest meet.
#pragma once

#include "partition/records.hpp"

#include <mpi.h>

namespace sinew {

/// Anchors every joint, with its rows, and every force at that of its nodes which the fewest joints and forces hold; of several,
/// at the first. So a body with thousands of joints does not gather their rows and elements on its rank. `num_nodes`: of the
/// whole model. Collective.
void uncrowd(MPI_Comm comm, std::int64_t num_nodes, Records& records);

}  // namespace sinew
