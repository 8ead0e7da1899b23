#include "version_command.hpp"

#include "base/blas_threads.hpp"
#include "base/build_info.hpp"
#include "base/gpu_aware_mpi.hpp"
#include "command_model.hpp"
#include "device_option.hpp"
#include "kernels/sweep/device.hpp"
#include "linear/cudss_factors.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace sinew {

namespace {

/// Packages of PETSc that Sinew can use, and whether this PETSc has them.
std::string petsc_packages() {
  std::string found, missing;
  const auto note = [&](const char* name, bool there) { (there ? found : missing) += std::string(" ") + name; };
#ifdef PETSC_HAVE_MUMPS
  note("MUMPS", true);
#else
  note("MUMPS", false);
#endif
#ifdef PETSC_HAVE_SUITESPARSE
  note("SuiteSparse", true);
#else
  note("SuiteSparse", false);
#endif
#ifdef PETSC_HAVE_PTSCOTCH
  note("PT-Scotch", true);
#else
  note("PT-Scotch", false);
#endif
#ifdef PETSC_HAVE_KOKKOS_KERNELS
  note("Kokkos", true);
#else
  note("Kokkos", false);
#endif
#ifdef PETSC_HAVE_HYPRE
  note("hypre", true);
#else
  note("hypre", false);
#endif
  return fmt::format("PETSc packages:{}{}{}", found.empty() ? " none" : found, missing.empty() ? "" : "; missing:", missing);
}

int print_version() {
  const BuildInfo& build = build_info();
  print_once(PETSC_COMM_WORLD,
             fmt::format("Sinew {} ({}, {})\ncompiler: {}\nPETSc: {}, {}-bit integers\n{}\nKokkos: {}\nsweeps: {}\n"
                         "cuDSS: {}\nBLAS: {}\nranks: {}{}\n",
                         build.version, build.revision, build.build_type, build.compiler, build.petsc, 8 * sizeof(PetscInt),
                         petsc_packages(), build.kokkos, device_text(), cudss_version().empty() ? "none" : cudss_version(),
                         to_text(blas_threads()), comm_size(PETSC_COMM_WORLD),
                         is_mpi_gpu_aware() ? ", messages from the memory of GPUs" : ""));
  return 0;
}

}  // namespace

void add_version_command(CLI::App& app, std::function<int()>& job) {
  CLI::App* command = app.add_subcommand("version", "versions, back ends, packages found");
  add_device_option(*command);
  command->callback([&job] { job = print_version; });
}

}  // namespace sinew
