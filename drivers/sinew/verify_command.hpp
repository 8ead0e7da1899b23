/// \file
/// `sinew verify [CASE...]`: integrates problems with known answers and judges errors and observed orders; `--work-precision`
/// measures what each integrator pays for an accuracy.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sinew {

/// What was asked for on the command line.
struct VerifyOptions {
  std::vector<std::string> cases;      ///< names; empty: all
  std::string csv;                     ///< file for the figures, empty: none
  std::string json;                    ///< the same as JSON
  std::string pictures;                ///< directory for figures, empty: none
  std::string python;                  ///< interpreter that draws them; empty: the first one with what the script needs
  std::string work_precision;          ///< model file or case for a work-precision diagram instead of verdicts, empty: none
  std::vector<std::string> overrides;  ///< of its model
  std::vector<double> tolerances{1e-2, 1e-3, 1e-4, 1e-5, 1e-6};  ///< of the diagram
  std::vector<double> global{1e-2, 1e-3};                        ///< of its error bars
  bool equal_steps = false;                                      ///< the diagram without error control
  bool list = false;                                             ///< only name the cases
};

/// Runs the cases and prints their tables (rank 0). Returns 0, or 3 when a case fails. Throws InputError for an unknown case
/// before anything runs, EnvironmentError for a file that cannot be written or drawn. MPI, PETSc and Kokkos must be running.
/// Collective.
int run_verify(const VerifyOptions&);

/// Adds the subcommand to the program. When it is chosen, parsing sets `job` to what is to be run, once MPI, PETSc and Kokkos
/// are; its result is the exit code.
void add_verify_command(CLI::App& app, std::function<int()>& job);

}  // namespace sinew
