// bench_kernels: elements a second and bytes a second of every registered family's sweeps, beside this machine's triad.
//
//   bench_kernels [--mebibytes=256] [options of Google Benchmark, for example --benchmark_filter=cable --benchmark_out=FILE]

#include "perf/kernels/crowd.hpp"
#include "perf/kernels/flops.hpp"
#include "perf/kernels/triad.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace sinew::perf {
namespace {

/// What all benchmarks share. The crowd of the last family is kept for its next sweep.
struct Bench {
  double triad = 0;        // GB/s
  double mebibytes = 256;  // that a family's tangent sweep touches
  std::unique_ptr<Crowd> crowd;
};

/// Elements whose tangents fill so much memory: more than the caches hold.
int crowd_size(const FamilyEntry& entry, double mebibytes) {
  const double wanted = mebibytes * 1024 * 1024 / bytes_per_element(entry, Sweep::tangent);
  return static_cast<int>(std::clamp(wanted, 1000.0, 2e6));
}

void run_sweep(benchmark::State& state, Bench& bench, const FamilyEntry& entry, Sweep sweep) {
  if (!bench.crowd || bench.crowd->name() != entry.name) {
    bench.crowd.reset();
    try {
      bench.crowd = std::make_unique<Crowd>(entry, crowd_size(entry, bench.mebibytes));
    } catch (const std::invalid_argument& fault) {
      state.SkipWithError(fault.what());
      return;
    }
  }
  bench.crowd->run(sweep);
  for (auto _ : state) bench.crowd->run(sweep);
  const double elements = static_cast<double>(bench.crowd->size()) * static_cast<double>(state.iterations());
  const double gigabytes = 1e-9 * elements * bytes_per_element(entry, sweep);
  using benchmark::Counter;
  state.counters["elements/s"] = Counter(elements, Counter::kIsRate);
  state.counters["GB/s"] = Counter(gigabytes, Counter::kIsRate);
  state.counters["of_triad"] = Counter(gigabytes / bench.triad, Counter::kIsRate);
  const long operations = sweep == Sweep::forces ? force_operations(entry.name) : 0;
  if (operations > 0) state.counters["Gflop/s"] = Counter(1e-9 * elements * static_cast<double>(operations), Counter::kIsRate);
}

void register_family(Bench& bench, const FamilyEntry& entry) {
  // On one host thread CPU time is the better clock, because others may use the machine too.
  const bool is_serial = ExecutionSpace().concurrency() == 1;
  for (const Sweep sweep : {Sweep::forces, Sweep::constraints, Sweep::tangent, Sweep::projection}) {
    if (!has_sweep(entry.shape, sweep)) continue;
    auto* made =
        benchmark::RegisterBenchmark((entry.name + "/" + name_of(sweep)).c_str(),
                                     [&bench, &entry, sweep](benchmark::State& state) { run_sweep(state, bench, entry, sweep); });
    made->Unit(benchmark::kMicrosecond);
    if (!is_serial) made->UseRealTime();
  }
}

int run(int argc, char** argv) {
  Bench bench;
  int left = 0;
  for (int i = 0; i < argc; ++i) {
    constexpr const char* option = "--mebibytes=";
    if (std::strncmp(argv[i], option, std::strlen(option)) == 0)
      bench.mebibytes = std::atof(argv[i] + std::strlen(option));
    else
      argv[left++] = argv[i];
  }
  argc = left;
  argv[argc] = nullptr;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  bench.triad = triad_bandwidth();
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", bench.triad);
  benchmark::AddCustomContext("triad GB/s", text);
  benchmark::AddCustomContext("execution space", ExecutionSpace::name());
  benchmark::AddCustomContext("concurrency", std::to_string(ExecutionSpace().concurrency()));
  for (const auto* entries : {&registered_elements(), &registered_joints(), &registered_forces()})
    for (const FamilyEntry& entry : *entries) register_family(bench, entry);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace sinew::perf

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  return sinew::perf::run(argc, argv);
}
