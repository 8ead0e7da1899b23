// The main of tests that run under MPI, with PETSc, SLEPc and Kokkos started. Rank 0 reports as usual. The other ranks keep their
// output to themselves and show it, at the end of a test case, only where that case failed there: a rank that fails alone is
// heard even if the others then wait for it for ever. The program's code is the largest of any rank.

#define CATCH_CONFIG_RUNNER
#include "base/lone_process.hpp"
#include "tests/catch.hpp"

#include <mpi.h>
#include <slepcsys.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>

namespace {

#if __has_include(<catch2/catch_all.hpp>)
using Listener = Catch::EventListenerBase;
#else
using Listener = Catch::TestEventListenerBase;
#endif

/// What a rank above 0 has printed since its test case began.
std::ostringstream& kept_output() {
  static std::ostringstream text;
  return text;
}

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Shows the kept output of a failed test case in one write, so that ranks do not mix their lines.
class ShowFailures : public Listener {
 public:
  using Listener::Listener;

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (world_rank() == 0) return;
    if (!stats.totals.assertions.allOk()) {
      const std::string text = "\n=== on rank " + std::to_string(world_rank()) + ":\n" + kept_output().str();
      std::cerr.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
    }
    kept_output().str({});
  }
};

/// Catch2's run with the output of ranks above 0 kept; collective.
int run_on_all_ranks(int argc, char** argv) {
  std::streambuf* terminal = std::cout.rdbuf();
  if (world_rank() > 0) std::cout.rdbuf(kept_output().rdbuf());
  int code = Catch::Session().run(argc, argv);
  std::cout.rdbuf(terminal);
  // 255 at most, as Catch2 does: a shell would see 256 failures as success.
  code = code < 0 ? 255 : std::min(code, 255);
  MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return code;
}

}  // namespace

CATCH_REGISTER_LISTENER(ShowFailures)

int main(int argc, char** argv) {
  sinew::prepare_lone_process();
  // Catch2 has handlers of its own, which name the test case.
  if (PetscOptionsSetValue(nullptr, "-no_signal_handler", "true") != 0) return 1;
  if (SlepcInitialize(nullptr, nullptr, nullptr, nullptr) != 0) return 1;
  int code = 0;
  {
    int no_arguments = 0;
    char** none = nullptr;
    const Kokkos::ScopeGuard kokkos(no_arguments, none);
    code = run_on_all_ranks(argc, argv);
    if (SlepcFinalize() != 0) code = 1;  // Kokkos lives longer: PETSc may have memory of it
  }
  return code;
}
