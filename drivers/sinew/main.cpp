/// \file
/// The program `sinew`: reads the command line, starts the libraries, runs one command.
#include "base/error.hpp"
#include "check_command.hpp"
#include "plot_command.hpp"
#include "run_command.hpp"
#include "session.hpp"
#include "verify_command.hpp"
#include "version_command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

int main(int argc, char** argv) {
  sinew::SplitArguments words = sinew::split_arguments(argc, argv);
  CLI::App app{"Sinew: parallel dynamics of large flexible multibody systems"};
  app.name("sinew");
  app.require_subcommand(1);
  app.footer("Options with one dash (-snes_monitor, -log_view ...) go to PETSc. `sinew COMMAND --help` explains a command.");
  std::function<int()> job;
  sinew::add_run_command(app, std::vector<std::string>(argv, argv + argc), job);
  sinew::add_check_command(app, job);
  sinew::add_verify_command(app, job);
  sinew::add_plot_command(app, job);
  sinew::add_version_command(app, job);
  try {
    std::reverse(words.own.begin(), words.own.end());  // CLI11 takes the last word first
    app.parse(words.own);
  } catch (const CLI::ParseError& fault) {
    const int code = app.exit(fault);
    return code == 0 ? 0 : 2;
  }
  return sinew::run_session(words.petsc, job);
}
