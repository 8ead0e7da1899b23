#include "kernels/sweep/device.hpp"

#include "kernels/algebra/lanes.hpp"

namespace sinew {

std::string device_text() {
  std::string text = std::string(ExecutionSpace::name()) + ": ";
#if defined(KOKKOS_ENABLE_CUDA)
  const Kokkos::Cuda space;
  text += std::string(space.cuda_device_prop().name) + " (device " + std::to_string(space.cuda_device()) + ")";
#elif defined(KOKKOS_ENABLE_HIP)
  const Kokkos::HIP space;
  text += std::string(space.hip_device_prop().name) + " (device " + std::to_string(space.hip_device()) + ")";
#else
  const int threads = ExecutionSpace().concurrency();
  if (threads > 1) text += std::to_string(threads) + " threads, ";
  text += std::to_string(lane_count) + (lane_count == 1 ? " element at a time" : " elements at a time");
#endif
  return text;
}

}  // namespace sinew
