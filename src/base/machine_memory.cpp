#include "base/machine_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sinew {

namespace {

/// The number that a file of the kernel holds; infinite where it is not there or holds a word (`max`).
double number_in(const std::string& file) {
  double value = 0;
  std::ifstream in(file);
  return in >> value && value > 0 ? value : std::numeric_limits<double>::infinity();
}

/// The limits of this process's group and of those around it, by both ways in which Linux tells them.
double group_limit() {
  double least = std::min(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  std::ifstream groups("/proc/self/cgroup");  // lines `number:controllers:/path`
  for (std::string line; std::getline(groups, line);) {
    const std::size_t second = line.find(':', line.find(':') + 1);
    if (second == std::string::npos) continue;
    const bool is_unified = line.rfind("0::", 0) == 0, is_memory = line.find(":memory:") != std::string::npos;
    if (!is_unified && !is_memory) continue;
    const std::string root = is_unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const char* file = is_unified ? "/memory.max" : "/memory.limit_in_bytes";
    for (std::string path = line.substr(second + 1); path.size() > 1; path.resize(path.rfind('/')))
      least = std::min(least, number_in(root + path + file));
  }
  return least;
}

}  // namespace

double machine_memory() {
  const double built_in = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::min(built_in, group_limit());
}

double process_memory_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::numeric_limits<double>::infinity();
  return static_cast<double>(limit.rlim_cur);
}

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace sinew
