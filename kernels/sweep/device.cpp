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

int num_devices() {
  int count = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  if (cudaGetDeviceCount(&count) != cudaSuccess) return 0;
#elif defined(KOKKOS_ENABLE_HIP)
  if (hipGetDeviceCount(&count) != hipSuccess) return 0;
#elif defined(KOKKOS_ENABLE_SYCL)
  count = static_cast<int>(sycl::device::get_devices(sycl::info::device_type::gpu).size());
#endif
  return count;
}

}  // namespace sinew
