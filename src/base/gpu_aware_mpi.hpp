/// \file
/// Whether messages may come from the memory of a GPU.
#pragma once

namespace sinew {

/// Does MPI read and write the memory of GPUs itself? False where it does not say (Open MPI, MPICH and what stems from them do).
/// While MPI runs.
bool is_mpi_gpu_aware();

}  // namespace sinew
