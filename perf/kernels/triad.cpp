#include "perf/kernels/triad.hpp"

#include "kernels/portability.hpp"

#include <algorithm>
#include <ctime>

namespace sinew::perf {

namespace {

/// CPU time on one host thread, because others may use the machine too; wall clock otherwise.
double now() {
  if (ExecutionSpace().concurrency() == 1) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  static const Kokkos::Timer timer;
  return timer.seconds();
}

}  // namespace

double triad_bandwidth(int mebibytes) {
  const int n = mebibytes * (1024 * 1024 / static_cast<int>(sizeof(double)));
  const DeviceArray<double> a("a", n), b("b", n), c("c", n);
  Kokkos::deep_copy(b, 1.0);
  Kokkos::deep_copy(c, 2.0);
  double best = 1e300;
  for (int repeat = 0; repeat < 10; ++repeat) {
    Kokkos::fence();
    const double start = now();
    Kokkos::parallel_for(
        "triad", Kokkos::RangePolicy<ExecutionSpace>(0, n), KOKKOS_LAMBDA(const int i) { a(i) = b(i) + 3.0 * c(i); });
    Kokkos::fence();
    best = std::min(best, now() - start);
  }
  return 3.0 * n * sizeof(double) / best * 1e-9;
}

}  // namespace sinew::perf
