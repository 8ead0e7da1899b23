#!/usr/bin/env bash
# Compiles kernels/ for an NVIDIA GPU, which need not be there, and tabulates what the compiler says of the kernels' resources.
#
#   scripts/check_device.sh [options]
#     -o FILE       write the table (Markdown) to FILE too
#     -f "NAMES"    only these families, by the names of their headers ("rigid_body cable spherical"), of solids and loads on
#                   surfaces with their shapes ("hex8_neo_hookean pressure_tri6"); default: all
#     -t            the tests and the benchmark too (link only: nothing of it is run)
#     -a ARCH       architecture, sm_90 unless given
#
# Needs nvcc and a Kokkos with CUDA. Kokkos_ROOT says where that is installed; its nvcc_wrapper is the compiler.
# Exit code: 0 compiled without a warning of nvcc; 1 not; 2 wrong use; 77 nothing checked, for there is no nvcc or no such Kokkos.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

readonly not_checked=77
families="" table="" architecture=sm_90 with_tests=OFF
while getopts "o:f:ta:h" option; do
  case $option in
    o) table=$OPTARG ;;
    f) families=$OPTARG ;;
    t) with_tests=ON ;;
    a) architecture=$OPTARG ;;
    h) sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) exit 2 ;;
  esac
done

skip() {
  echo "check_device: nothing checked: $1" >&2
  exit $not_checked
}

if ! command -v nvcc > /dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then PATH=$PATH:/usr/local/cuda/bin; fi
command -v nvcc > /dev/null || skip "there is no nvcc on the PATH"
[[ -n ${Kokkos_ROOT:-} ]] || skip "set Kokkos_ROOT to where a Kokkos with CUDA is installed"
config=$(find "$Kokkos_ROOT" -name KokkosCore_config.h -print -quit 2> /dev/null || true)
[[ -n $config ]] || skip "there is no Kokkos in Kokkos_ROOT=$Kokkos_ROOT"
grep -q '^#define KOKKOS_ENABLE_CUDA$' "$config" || skip "the Kokkos in $Kokkos_ROOT has no CUDA"
[[ -x $Kokkos_ROOT/bin/nvcc_wrapper ]] || skip "there is no bin/nvcc_wrapper in $Kokkos_ROOT"

# Warnings come with the objects that are compiled now; resources are kept beside the build for those that are up to date.
build=$root/build/device
log=$build/compiler.log
mkdir -p "$build"
export NVCC_WRAPPER_DEFAULT_ARCH=$architecture
if ! cmake -S "$root/kernels" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSINEW_NATIVE=OFF \
  -DSINEW_TESTS="$with_tests" -DSINEW_PERF="$with_tests" -DCMAKE_CXX_COMPILER="$Kokkos_ROOT/bin/nvcc_wrapper" \
  -DKokkos_ROOT="$Kokkos_ROOT" -DCMAKE_CXX_COMPILER_LAUNCHER= -DCMAKE_CXX_FLAGS="-arch=$architecture -Xptxas=-v" \
  > "$build.configure.log" 2>&1; then
  cat "$build.configure.log" >&2
  exit 1
fi
targets=()
for family in $families; do
  kinds="element|element_solid|joint|force|surface_load"
  object=$(ninja -C "$build" -t targets all | sed -En "s/^(.*generated\/($kinds)_$family\.cpp\.o):.*/\1/p")
  if [[ -z $object ]]; then
    echo "check_device: there is no family $family" >&2
    exit 2
  fi
  targets+=("$object")
done
status=0
ninja -C "$build" -j"${JOBS:-$(job_count)}" "${targets[@]}" > "$log" 2>&1 || status=1
if ((status != 0)); then
  grep -v '^ptxas info\|bytes stack frame\|^Remark\|^$' "$log" >&2
  exit 1
fi
warnings=$(grep -c 'warning #[0-9]*-D\|ptxas warning' "$log" || true)
if ((warnings > 0)); then
  grep -A 2 'warning #[0-9]*-D\|ptxas warning' "$log" | head -60 >&2
  echo "check_device: $warnings warnings" >&2
  status=1
fi
cat "$log" >> "$build/ptxas.log"
python3 "$root/scripts/device_resources.py" "$build/ptxas.log" > "$build/resources.md"
cat "$build/resources.md"
if [[ -n $table ]]; then cp "$build/resources.md" "$table"; fi
exit $status
