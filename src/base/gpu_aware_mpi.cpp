#include "base/gpu_aware_mpi.hpp"

#include <mpi.h>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace sinew {

bool is_mpi_gpu_aware() {
  int is_aware = 0;
#if defined(MPIX_GPU_SUPPORT_CUDA)  // MPICH
  for (const int kind : {MPIX_GPU_SUPPORT_CUDA, MPIX_GPU_SUPPORT_HIP, MPIX_GPU_SUPPORT_ZE}) {
    int is_there = 0;
    if (MPIX_GPU_query_support(kind, &is_there) == MPI_SUCCESS && is_there) is_aware = 1;
  }
#else
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  is_aware = is_aware || MPIX_Query_cuda_support() == 1;
#endif
#if defined(OMPI_HAVE_MPI_EXT_ROCM) && OMPI_HAVE_MPI_EXT_ROCM
  is_aware = is_aware || MPIX_Query_rocm_support() == 1;
#endif
#endif
  return is_aware != 0;
}

}  // namespace sinew
