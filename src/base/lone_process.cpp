#include "base/lone_process.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sinew {

void prepare_lone_process() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  constexpr std::array of_launchers{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK",   "PMI_RANK",
                                    "SLURM_PROCID",         "ALPS_APP_PE", "FLUX_TASK_RANK"};
  if (std::any_of(std::begin(of_launchers), std::end(of_launchers), is_set)) return;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);  // no daemon
  setenv("OMPI_MCA_pml", "ob1", 0);                   // messages by the plain way, to itself
}

}  // namespace sinew
