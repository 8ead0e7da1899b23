/// \file
/// The program `sinew`: reads the command line, starts the libraries, runs one command.
#include "base/error.hpp"
#include "check_command.hpp"
#include "command_line.hpp"
#include "mesh_command.hpp"
#include "modes_command.hpp"
#include "plot_command.hpp"
#include "run_command.hpp"
#include "session.hpp"
#include "verify_command.hpp"
#include "version_command.hpp"

#include <CLI/CLI.hpp>

#include <fcntl.h>

#include <algorithm>

namespace {

/// A file that the program opens must not get the number of a standard stream that was closed when it was started.
void open_standard_streams() {
  for (int file = 0; file <= 2; ++file)
    if (fcntl(file, F_GETFD) == -1) (void)!open("/dev/null", file == 0 ? O_RDONLY : O_WRONLY);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  if (argc == 2 && std::string(argv[1]) == "--version") argv[1] += 2;  // the command of that name
  sinew::SplitArguments words = sinew::split_arguments(argc, argv);
  CLI::App app{"Sinew: parallel dynamics of large flexible multibody systems"};
  app.name("sinew");
  app.require_subcommand(1);
  app.footer(
      "Options with one dash (-sinew_snes_monitor, -log_view ...) go to PETSc. `sinew COMMAND --help` explains a command.");
  std::function<int()> job;
  sinew::add_run_command(app, std::vector<std::string>(argv, argv + argc), job);
  sinew::add_check_command(app, job);
  sinew::add_mesh_command(app, job);
  sinew::add_modes_command(app, std::vector<std::string>(argv, argv + argc), job);
  sinew::add_verify_command(app, job);
  sinew::add_plot_command(app, job);
  sinew::add_version_command(app, job);
  const std::string fault = sinew::first_fault(app, words.own, words.petsc);
  if (!fault.empty()) return sinew::refuse(fault);
  try {
    std::reverse(words.own.begin(), words.own.end());  // CLI11 takes the last word first
    app.parse(words.own);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return sinew::refuse(sinew::describe(app, error, words.petsc));
  }
  return sinew::run_session(words.petsc, job);
}
