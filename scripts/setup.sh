#!/usr/bin/env bash
# Installs what Sinew needs from Debian's or Ubuntu's own packages. Says what it will install before it does, and
# nothing where nothing is missing. Uses sudo unless it runs as root.
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache pkg-config
  libopenmpi-dev openmpi-bin
  libpetsc-real-dev libslepc-real-dev libsuitesparse-dev libopenblas0-pthread
  libhdf5-openmpi-dev
  libyaml-cpp-dev libcli11-dev libfmt-dev
  catch2 libbenchmark-dev
  python3 python3-numpy python3-matplotlib python3-h5py
)
# Kokkos: its own package where the release has one, else the copy that Trilinos carries.
kokkos_packages=(libkokkos-dev libtrilinos-kokkos-dev)

as_root() {
  if ((EUID == 0)); then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# apt-get that waits for another one to finish, and shows its output only where it fails.
quiet_apt_get() {
  local log
  log=$(mktemp)
  if ! as_root apt-get -q -y -o DPkg::Lock::Timeout=900 "$@" > "$log" 2>&1; then
    tail -n 40 "$log" >&2
    rm -f "$log"
    echo "setup: apt-get $1 failed (output above)" >&2
    exit 4
  fi
  rm -f "$log"
}

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

is_available() {
  LC_ALL=C apt-cache policy "$1" 2>/dev/null | awk '/Candidate: [^(]/ { found = 1 } END { exit !found }'
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    is_installed "$package" || echo "$package"
  done
}

# The package that is to bring Kokkos; nothing where one is there already (the two exclude each other).
missing_kokkos() {
  local package
  for package in "${kokkos_packages[@]}"; do
    if is_installed "$package"; then return; fi
    if is_available "$package"; then
      echo "$package"
      return
    fi
  done
  echo "${kokkos_packages[-1]}"
}

anything_missing() {
  [[ -n $(missing_packages) ]] && return
  for package in "${kokkos_packages[@]}"; do
    if is_installed "$package"; then return 1; fi
  done
}

install_missing() {
  local wanted
  echo "setup: reading the package lists (apt-get update)"
  quiet_apt_get update
  mapfile -t wanted < <(missing_packages; missing_kokkos)
  echo "setup: installing ${wanted[*]}"
  quiet_apt_get install --no-install-recommends "${wanted[@]}"
  echo "setup: done"
}

# The reference BLAS makes PETSc's direct solvers many times slower. Another optimised one stays as it is.
prefer_openblas() {
  local library link file
  for library in blas lapack; do
    link=$(update-alternatives --list "lib$library.so.3-$1" 2>/dev/null | grep -m 1 openblas-pthread) || continue
    file=$(readlink -f "/etc/alternatives/lib$library.so.3-$1")
    if [[ $file == */$library/lib$library.so* ]]; then
      echo "setup: making OpenBLAS the ${library^^} of this machine"
      as_root update-alternatives --set "lib$library.so.3-$1" "$link" > /dev/null
    fi
  done
}

main() {
  if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
    echo "setup: no apt-get here, so nothing is installed; README.md lists the libraries that are needed"
    return
  fi
  if anything_missing; then install_missing; fi
  prefer_openblas "$(gcc -print-multiarch)"
}

main
