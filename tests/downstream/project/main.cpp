// Uses the installed library as docs/library.md shows it: a model runs in this program, twice, in two sessions of PETSc.
#include <petscsys.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <iostream>

#include "base/build_info.hpp"
#include "base/error.hpp"
#include "observe/sensor_series.hpp"
#include "run/motion.hpp"

namespace {

/// The last row of what the sensors say, on the first rank.
std::vector<double> run(MPI_Comm comm, const std::string& model, const std::string& step) {
  const auto built = sinew::build_model(
      comm, model,
      {.overrides = {"analysis.step=" + step}, .restart = {}, .warn = [](const std::string& w) { std::cerr << w << '\n'; }});
  sinew::Motion motion(*built);
  motion.start();
  sinew::SensorSeries rows(comm, motion.sensors());
  motion.run({&rows});
  for (const std::string& sentence : motion.verdicts()) std::cerr << sentence << '\n';
  return rows.times().empty() ? std::vector<double>() : rows.row(rows.times().size() - 1);
}

/// Half the steps change what a pendulum does by little, and a step that is none is an error that names its key.
bool works(const std::string& model) {
  const std::vector<double> last = run(PETSC_COMM_WORLD, model, "1e-3"), finer = run(PETSC_COMM_WORLD, model, "5e-4");
  bool is_right = last.size() == finer.size();
  for (std::size_t k = 0; k < last.size() && is_right; ++k) is_right = std::abs(last[k] - finer[k]) < 1e-3;
  try {
    run(PETSC_COMM_WORLD, model, "-1");
    is_right = false;
  } catch (const sinew::InputError& error) {
    is_right = is_right && std::string(error.what()).find("analysis.step") != std::string::npos;
  }
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  MPI_Init(nullptr, nullptr);
  Kokkos::initialize();
  bool is_right = true;
  for (int session = 0; session < 2 && is_right; ++session) {
    if (PetscInitializeNoArguments() != 0) return 1;
    is_right = works(argv[1]);
    if (PetscFinalize() != 0) return 1;
  }
  Kokkos::finalize();
  MPI_Finalize();
  if (is_right) std::cout << "Sinew " << sinew::build_info().version << " with Kokkos " << sinew::build_info().kokkos << '\n';
  return is_right ? 0 : 3;
}
