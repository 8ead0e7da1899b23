#include "verify_command.hpp"

#include "base/error.hpp"
#include "verify/cases.hpp"

#include <fmt/format.h>
#include <petscsys.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <memory>

namespace sinew {

namespace {

bool is_first_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

/// Writes a file of figures on the first rank; nothing when no file was asked for. Collective: all ranks learn of a failure.
template <class Write>
void write_file(const std::string& file, const Write& write) {
  if (file.empty()) return;
  int good = 1;
  if (is_first_rank()) {
    std::ofstream out(file);
    if (out) write(out);
    good = out.flush().good() ? 1 : 0;
  }
  MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (good == 0)
    throw EnvironmentError("cannot write " + file + ": does its directory exist, may you write there, is the disk full?");
}

std::vector<verify::Case> chosen_cases(const VerifyOptions& options) {
  if (options.cases.empty()) return verify::cases();
  std::vector<verify::Case> chosen;
  for (const std::string& name : options.cases) chosen.push_back(verify::find_case(name));
  return chosen;
}

void print_list() {
  for (const verify::Case& c : verify::cases()) std::cout << fmt::format("{:<20} {}\n", c.name, c.summary);
}

}  // namespace

int run_verify(const VerifyOptions& options) {
  const bool first = is_first_rank();
  if (options.list) {
    if (first) print_list();
    return 0;
  }
  const std::vector<verify::Case> chosen = chosen_cases(options);
  const auto nothing = [](std::ostream&) {};
  write_file(options.csv, nothing);  // fail before the work, not after it
  write_file(options.json, nothing);
  std::vector<verify::Report> reports;
  std::string failed;
  for (const verify::Case& c : chosen) {
    reports.push_back(verify::run_case(c));
    if (first) {
      verify::print_report(std::cout, reports.back());
      std::cout.flush();
    }
    if (!reports.back().passed()) failed += " " + c.name;
  }
  write_file(options.csv, [&](std::ostream& out) { verify::write_csv(out, reports); });
  write_file(options.json, [&](std::ostream& out) { verify::write_json(out, reports); });
  if (first) {
    if (failed.empty())
      std::cout << fmt::format("{} of {} cases pass\n", reports.size(), reports.size());
    else
      std::cout << fmt::format("FAIL:{}\n", failed);
  }
  return failed.empty() ? 0 : 3;
}

void add_verify_command(CLI::App& app, std::function<int()>& job) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "integrate problems with known answers and judge errors and observed orders");
  command->add_option("case", options->cases, "names of cases; all when none is given")->type_name("CASE");
  command->add_option("--csv", options->csv, "write every error and order to this file")->type_name("FILE");
  command->add_option("--json", options->json, "the same as JSON")->type_name("FILE");
  command->add_flag("--list", options->list, "name the cases and stop");
  command->callback([options, &job] { job = [options] { return run_verify(*options); }; });
}

}  // namespace sinew
