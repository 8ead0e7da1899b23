/// \file
/// The program `sinew`: reads the command line, starts the libraries, runs one command.
#include "base/error.hpp"
#include "check_command.hpp"
#include "command_line.hpp"
#include "modes_command.hpp"
#include "plot_command.hpp"
#include "run_command.hpp"
#include "session.hpp"
#include "verify_command.hpp"
#include "version_command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

/// Before MPI has started, its launcher's environment tells which rank this is: only one need speak.
bool is_first_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK"})
    if (const char* rank = std::getenv(name)) return std::string(rank) == "0";
  return true;
}

/// The others wait a moment: a launcher that sees one rank fail ends the rest, and the first one might not have spoken yet.
int refuse(const std::string& fault) {
  if (is_first_rank())
    std::fprintf(stderr, "sinew: error: %s\n`sinew --help` and `sinew COMMAND --help` say what there is.\n", fault.c_str());
  else
    std::this_thread::sleep_for(std::chrono::seconds(1));
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") argv[1] += 2;  // the command of that name
  sinew::SplitArguments words = sinew::split_arguments(argc, argv);
  CLI::App app{"Sinew: parallel dynamics of large flexible multibody systems"};
  app.name("sinew");
  app.require_subcommand(1);
  app.footer("Options with one dash (-snes_monitor, -log_view ...) go to PETSc. `sinew COMMAND --help` explains a command.");
  std::function<int()> job;
  sinew::add_run_command(app, std::vector<std::string>(argv, argv + argc), job);
  sinew::add_check_command(app, job);
  sinew::add_modes_command(app, std::vector<std::string>(argv, argv + argc), job);
  sinew::add_verify_command(app, job);
  sinew::add_plot_command(app, job);
  sinew::add_version_command(app, job);
  const std::string fault = sinew::first_fault(app, words.own, words.petsc);
  if (!fault.empty()) return refuse(fault);
  try {
    std::reverse(words.own.begin(), words.own.end());  // CLI11 takes the last word first
    app.parse(words.own);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return refuse(sinew::describe(app, error));
  }
  return sinew::run_session(words.petsc, job);
}
