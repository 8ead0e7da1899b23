// bench_kernels: elements a second and bytes a second of every registered family's sweeps, beside this machine's triad.
//
//   bench_kernels [--mebibytes=256] [--elements=1000,1000000] [options of Google Benchmark, for example --benchmark_filter=cable
//                 --benchmark_out=FILE]
//   bench_kernels --numbers=FILE
//
// A family has as many elements as its tangents need to fill so much memory, or each of the numbers given; then the number stands
// behind the name of the benchmark. With --numbers nothing is timed: what every sweep of every family writes for some elements
// goes to a file, for perf/compare_numbers.py to hold against what another back end wrote.

#include "kernels/sweep/device.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "perf/kernels/crowd.hpp"
#include "perf/kernels/flops.hpp"
#include "perf/kernels/triad.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace sinew::perf {
namespace {

/// What all benchmarks share. The crowd of the last family is kept for its next sweep.
struct Bench {
  double triad = 0;        // GB/s
  double mebibytes = 256;  // that a family's tangent sweep touches
  std::vector<int> sizes;  // elements of a family in its place; empty: so many as fill that memory
  std::unique_ptr<Crowd> crowd;
};

/// Elements whose tangents fill so much memory: more than the caches hold.
int crowd_size(const FamilyEntry& entry, double mebibytes) {
  const double wanted = mebibytes * 1024 * 1024 / bytes_per_element(entry, Sweep::tangent);
  return static_cast<int>(std::clamp(wanted, 1000.0, 2e6));
}

void run_sweep(benchmark::State& state, Bench& bench, const FamilyEntry& entry, Sweep sweep, int size) {
  if (!bench.crowd || bench.crowd->name() != entry.name || bench.crowd->size() != size) {
    bench.crowd.reset();
    try {
      bench.crowd = std::make_unique<Crowd>(entry, size);
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
  const long operations = sweep == Sweep::forces    ? force_operations(entry.name)
                          : sweep == Sweep::tangent ? tangent_operations(entry.name)
                                                    : 0;
  if (operations > 0) state.counters["Gflop/s"] = Counter(1e-9 * elements * static_cast<double>(operations), Counter::kIsRate);
}

void register_family(Bench& bench, const FamilyEntry& entry) {
  // On one host thread CPU time is the better clock, because others may use the machine too.
  const bool is_serial = ExecutionSpace().concurrency() == 1;
  const bool names_sizes = !bench.sizes.empty();
  for (const int size : names_sizes ? bench.sizes : std::vector<int>{crowd_size(entry, bench.mebibytes)})
    for (const Sweep sweep : {Sweep::forces, Sweep::constraints, Sweep::tangent, Sweep::projection}) {
      if (!has_sweep(entry.shape, sweep)) continue;
      std::string name = entry.name + "/" + name_of(sweep);
      if (names_sizes) name.append("/").append(std::to_string(size));
      auto* made = benchmark::RegisterBenchmark(
          name.c_str(), [&bench, &entry, sweep, size](benchmark::State& state) { run_sweep(state, bench, entry, sweep, size); });
      made->Unit(benchmark::kMicrosecond);
      if (!is_serial) made->UseRealTime();
    }
}

/// What stands behind an option of ours, or null.
const char* value_of(const char* argument, const char* option) {
  const std::size_t length = std::strlen(option);
  return std::strncmp(argument, option, length) == 0 ? argument + length : nullptr;
}

std::vector<int> numbers_in(const char* list) {
  std::vector<int> numbers;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) numbers.push_back(static_cast<int>(std::atof(word.c_str())));
  return numbers;
}

const std::vector<const std::vector<FamilyEntry>*>& registries() {
  static const std::vector<const std::vector<FamilyEntry>*> all{&registered_elements(), &registered_joints(),
                                                                &registered_forces(), &registered_surface_loads()};
  return all;
}

/// A line of heading for every sweep, then its numbers to the last bit.
int write_numbers(const char* path) {
  constexpr int elements = 20;  // more than a block of lanes holds, and no multiple of it
  std::FILE* file = std::fopen(path, "w");
  if (!file) {
    std::perror(path);
    return 4;
  }
  for (const auto* entries : registries())
    for (const FamilyEntry& entry : *entries)
      for (const Sweep sweep : {Sweep::forces, Sweep::constraints, Sweep::tangent, Sweep::projection}) {
        if (!has_sweep(entry.shape, sweep)) continue;
        const std::vector<double> numbers = Crowd(entry, elements).numbers(sweep);
        std::fprintf(file, "%s/%s %zu\n", entry.name.c_str(), name_of(sweep), numbers.size());
        for (const double number : numbers) std::fprintf(file, "%.17g\n", number);
      }
  const bool is_whole = std::ferror(file) == 0;
  return std::fclose(file) == 0 && is_whole ? 0 : (std::perror(path), 4);
}

int run(int argc, char** argv) {
  Bench bench;
  int left = 0;
  for (int i = 0; i < argc; ++i) {
    if (const char* file = value_of(argv[i], "--numbers=")) return write_numbers(file);
    if (const char* memory = value_of(argv[i], "--mebibytes="))
      bench.mebibytes = std::atof(memory);
    else if (const char* sizes = value_of(argv[i], "--elements="))
      bench.sizes = numbers_in(sizes);
    else
      argv[left++] = argv[i];
  }
  if (std::any_of(bench.sizes.begin(), bench.sizes.end(), [](int n) { return n < 1; })) {
    std::fprintf(stderr, "--elements takes numbers from 1 on, with commas between them\n");
    return 2;
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
  benchmark::AddCustomContext("device", device_text());
  benchmark::AddCustomContext("concurrency", std::to_string(ExecutionSpace().concurrency()));
  for (const auto* entries : registries())
    for (const FamilyEntry& entry : *entries) register_family(bench, entry);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace sinew::perf

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  if (const std::string fault = sinew::device_fault(); !fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    return 4;
  }
  return sinew::perf::run(argc, argv);
}
