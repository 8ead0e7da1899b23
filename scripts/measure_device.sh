#!/usr/bin/env bash
# Everything that is to be measured on a machine with a GPU, with one command:
#
#   scripts/measure_device.sh KOKKOS [DIR]
#
# KOKKOS: where a Kokkos with a device back end is installed (CUDA: with its nvcc_wrapper). Results are files in DIR
# (device-results):
#   tests.txt            the kernels' tests on the device
#   numbers.csv          what every sweep of every family writes: how far the device is from the host's (build/release)
#   kernels-device.json  elements and bytes a second of hot families, 10^3 to 10^6 elements, on the device
#   kernels-device-large.json  those of light families with 10^7
#   kernels-host.json    the same on one core, where build/release has been built
#   kernels-cores.json   the same on all cores, where build/openmp has been built with a Kokkos that has OpenMP
#   runs.json, log.csv   whole runs, loops on the device and on the host: the same motions? seconds a step
#                        (needs PETSc and build/release)
# Builds lie in build/device-kernels and build/device. Once those are there it takes some minutes.
set -euo pipefail
source "$(dirname "$0")/common.sh"

families='^(rigid|cable|hex8-linear|hex8-st|hex8-neo|tet10-linear|tet10-st|tet10-neo|spherical|revolute|rolling-disc|bushing|'
families+='pressure-tri6|pressure-quad4|traction-quad4|shaft-turn|inner-frame)'
sizes=1000,10000,100000,1000000
light='^(rigid|cable|spherical|revolute)/forces'  # tangents of so many do not fit

fail() {
  echo "measure_device: $1" >&2
  exit 3
}

# The compiler that this Kokkos wants: its nvcc_wrapper with CUDA, else whatever CXX says.
device_compiler() {
  if [[ -x $1/bin/nvcc_wrapper ]]; then
    echo "$1/bin/nvcc_wrapper"
  else
    echo "${CXX:-c++}"
  fi
}

# build SOURCE BUILD options...
build_for_device() {
  local source=$1 folder=$2
  shift 2
  cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSINEW_NATIVE=OFF \
    -DCMAKE_CXX_COMPILER="$(device_compiler "$kokkos")" -DKokkos_ROOT="$kokkos" "$@" > "$folder.configure.log" 2>&1 ||
    fail "the build for the device cannot be configured: see $folder.configure.log"
  cmake --build "$folder" --parallel "$(job_count)"
}

measure_kernels() {
  build_for_device "$root/kernels" "$root/build/device-kernels" -DSINEW_TESTS=ON -DSINEW_PERF=ON
  ctest --test-dir "$root/build/device-kernels" --output-on-failure 2>&1 | tee "$results/tests.txt"
  local options=(--benchmark_filter="$families" --elements="$sizes" --benchmark_min_time=0.1 --benchmark_out_format=json)
  "$root/build/device-kernels/bin/bench_kernels" "${options[@]}" --benchmark_out="$results/kernels-device.json"
  "$root/build/device-kernels/bin/bench_kernels" --benchmark_filter="$light" --elements=10000000 --benchmark_min_time=0.1 \
    --benchmark_out_format=json --benchmark_out="$results/kernels-device-large.json"
  if [[ -x $build/bin/bench_kernels ]]; then
    compare_numbers
    "$build/bin/bench_kernels" "${options[@]}" --elements=1000,100000 --benchmark_out="$results/kernels-host.json"
  fi
  if [[ -x $root/build/openmp/bin/bench_kernels ]]; then
    env -u OMP_NUM_THREADS "$root/build/openmp/bin/bench_kernels" "${options[@]}" --elements=1000,100000,1000000 \
      --benchmark_out="$results/kernels-cores.json"
  fi
}

# Every number that the device computes beside the host's; what differs by more than rounding is named, and the rest goes on.
compare_numbers() {
  local scratch
  scratch=$(mktemp -d)
  "$build/bin/bench_kernels" --numbers="$scratch/host"
  "$root/build/device-kernels/bin/bench_kernels" --numbers="$scratch/device"
  python3 "$root/perf/compare_numbers.py" "$scratch/host" "$scratch/device" --output "$results/numbers.csv" || differs=1
  rm -r "$scratch"
}

measure_runs() {
  if ! pkg-config --exists PETSc || [[ ! -x $build/bin/sinew ]]; then
    echo "measure_device: no whole runs, for there is no PETSc or no build/release"
    return
  fi
  build_for_device "$root" "$root/build/device" -DSINEW_TESTS=OFF -DSINEW_PERF=OFF
  python3 "$root/perf/device_runs.py" --device "$root/build/device/bin/sinew" --host "$build/bin/sinew" \
    --output "$results/runs.json" --log "$results/log.csv"
}

main() {
  [[ $# -ge 1 ]] || fail "say where Kokkos is installed: scripts/measure_device.sh KOKKOS [DIR]"
  kokkos=$(cd "$1" 2> /dev/null && pwd) || fail "there is no folder $1"
  results=${2:-device-results}
  mkdir -p "$results" "$root/build"
  results=$(cd "$results" && pwd)
  if [[ -x $kokkos/bin/nvcc_wrapper ]]; then
    command -v nvcc > /dev/null || fail "nvcc is not on the PATH"
    { command -v nvidia-smi > /dev/null && nvidia-smi -L; } || fail "no GPU answers; scripts/check_device.sh compiles without one"
  fi
  differs=0
  measure_kernels
  measure_runs
  echo "measure_device: results are in $results"
  ((differs == 0)) || fail "the device computes other numbers than the host: see $results/numbers.csv"
}

main "$@"
