# Shared by the scripts beside it, which read it with `source`: where the project lies, how many jobs, and the
# environment that programs under MPI run in.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release

# One thread a rank: ranks are what Sinew is parallel by. PT-Scotch repeats itself only without threads of its own.
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false OPENBLAS_NUM_THREADS=1 SCOTCH_PTHREAD_NUMBER=1

# Open MPI in containers and on small machines: as root, without ptrace.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
# Ranks that wait leave the core to those that work: there may be more ranks than cores.
export OMPI_MCA_mpi_yield_when_idle=1

# A compiler cache that works for another clone of the project too.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=true

# The cores that this process may use; nproc alone would count OMP_NUM_THREADS.
core_count() {
  env -u OMP_NUM_THREADS nproc
}

# As many compilers at a time as there are cores, and 1.5 GB of memory for each.
job_count() {
  local cores memory
  cores=$(core_count)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)
  if ((memory < cores)); then cores=$memory; fi
  echo $((cores > 0 ? cores : 1))
}

# configure [options of cmake]: the Release build in build/release.
configure() {
  local log=$build.configure.log
  mkdir -p "$(dirname "$log")"
  if ! (cd "$root" && cmake --preset release "$@") > "$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  grep -E '^-- (MPI|PETSc|SLEPc|Kokkos|HDF5|Catch2|BLAS) ' "$log" || true
  sed -n '/^CMake Warning/,/^$/p' "$log"
}
