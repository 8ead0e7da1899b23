#include "base/lone_process.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <unistd.h>

namespace sinew {

namespace {

/// Where this process's session directory may lie, of a name that no other running process takes: by host, for directories
/// that several share, and by process. Empty where there is no directory for such things.
std::string session_directory() {
  std::error_code missing;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(missing);
  if (missing) return {};
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return folder / ("ompi.alone." + std::string(host.data()) + '.' + std::to_string(getpid()));
}

}  // namespace

void prepare_lone_process() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  constexpr std::array of_launchers{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK",   "PMI_RANK",
                                    "SLURM_PROCID",         "ALPS_APP_PE", "FLUX_TASK_RANK"};
  if (std::any_of(std::begin(of_launchers), std::end(of_launchers), is_set)) return;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);  // no daemon
  if (const std::string own = session_directory(); !own.empty()) setenv("OMPI_MCA_orte_jobfam_session_dir", own.c_str(), 0);
  setenv("OMPI_MCA_pml", "ob1", 0);  // messages by the plain way, to itself
}

}  // namespace sinew
