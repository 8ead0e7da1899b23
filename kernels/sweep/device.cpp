#include "kernels/sweep/device.hpp"

#include "kernels/algebra/lanes.hpp"
#include "kernels/sweep/family.hpp"
#include "kernels/sweep/state.hpp"

#include <vector>

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

std::string device_fault() {
  constexpr int count = 5;
  const std::vector<int> numbers{4, 3, 2, 1, 0};
  const std::vector<double> places{1, 2, 4, 8, 16}, pairs{0, 32, 0, 64, 0, 128, 0, 256, 0, 512};
  const NodeArrays nodes{to_device_array("nodes", numbers), to_device_array("dofs", numbers), to_device_array("frames", numbers)};
  const DeviceArray<double> config = to_device_array("config", places), out("out", count);
  const DeviceTable<double> own = to_device_table("table", pairs, 2);
  Kokkos::deep_copy(out, -1.0);
  SweepState s;
  s.nodes = nodes;
  s.config = config.data();
  s.environment.gravity = Vec3<double>{{0, 0, 1024}};
  const LentTable<double> table = own;
  double* written = out.data();
  Kokkos::parallel_for(
      "sinew::device_fault", Kokkos::RangePolicy<ExecutionSpace>(0, count - 1),
      KOKKOS_LAMBDA(const int e) { written[e] = s.config[s.nodes.config(e)] + table(e, 1) + s.environment.gravity[2]; });
  const auto found = Kokkos::create_mirror_view_and_copy(HostSpace(), out);
  for (int e = 0; e < count; ++e) {
    const double expected = e < count - 1 ? places[numbers[e]] + pairs[2 * e + 1] + 1024 : -1;
    if (found(e) != expected)
      return "loops on " + device_text() +
             " do not get the objects that they are given: Kokkos or the compiler is at fault (with CUDA 12.9 and newer take a "
             "Kokkos from November 2025 on, or configure it with -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON)";
  }
  return {};
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
