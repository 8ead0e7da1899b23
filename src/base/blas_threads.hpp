/// \file
/// Threads and memory of the BLAS library: ranks are what Sinew is parallel by.
#pragma once

#include <string>

namespace sinew {

/// How many threads the BLAS library uses on a rank, and who says so.
struct BlasThreads {
  int count = 0;          ///< 0: not known, the library has no functions for it that are known here
  std::string library;    ///< OpenBLAS, MKL, BLIS; empty: another one
  std::string chosen_by;  ///< the environment variable that names a number; empty: none does
};

/// One thread a rank, unless the environment says otherwise (OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS, MKL_NUM_THREADS,
/// BLIS_NUM_THREADS, OMP_NUM_THREADS). The matrices of fronts and elements are small: threads that share them cost more than they
/// bring, and ranks would compete for cores. PT-Scotch keeps to one thread in the same way (SCOTCH_PTHREAD_NUMBER), else it does
/// not repeat itself. To be called before anything is computed.
void settle_blas_threads();
/// Lets BLAS take its room while there is memory: OpenBLAS asks for it in the first product of matrices, and where it is refused
/// then (a limit of address space), it asks for ever. Throws std::bad_alloc. To be called before anything is computed.
void take_blas_memory();
/// What is in force.
BlasThreads blas_threads();

/// `1 thread a rank (OpenBLAS)`.
std::string to_text(const BlasThreads&);

}  // namespace sinew
