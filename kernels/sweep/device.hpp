/// \file
/// What sweeps run on, in words.
#pragma once

#include <string>

namespace sinew {

/// The execution space and what it computes on: "Cuda: NVIDIA H100 80GB HBM3 (device 0)", "OpenMP: 16 threads", "Serial: 4
/// elements at a time". While Kokkos runs.
std::string device_text();

/// What is wrong with how loops there are given what they capture, in words; empty where all is well. A compiler for a device and
/// its host's may lay out the same object differently, and all that sweeps compute is wrong then. While Kokkos runs.
std::string device_fault();

/// Devices that sweeps might run on; 0 where they run on the processor. Before Kokkos runs, too.
int num_devices();

}  // namespace sinew
