#include "command_line.hpp"

#include "model/nearest_name.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace sinew {

namespace {

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  return names;
}

/// The options with two dashes of a command, with them.
std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The command that was chosen, or the program.
const CLI::App& chosen(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

bool looks_like_a_model(const std::string& word) {
  const std::string ending = std::filesystem::path(word).extension().string();
  return ending == ".yaml" || ending == ".yml";
}

/// Does `-output` mean `--output`? Options of PETSc have names of their own.
std::string meant_with_two_dashes(const CLI::App& app, const std::string& word) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    for (const std::string& name : names_of_options(*command))
      if (name == "-" + word) return name;
  return {};
}

/// `-oDIR` and `-n20`: the short form of an option with its value, which is due as a word of its own, since words with one dash
/// are PETSc's. Empty where PETSc has options that begin so.
std::string with_a_space(const CLI::App& app, const std::string& word) {
  if (word.size() < 3 || word[0] != '-') return {};  // a value of one of PETSc's
  const std::string letter = word.substr(1, 1), value = word.substr(2);
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (letter == "n" && !std::all_of(value.begin(), value.end(), is_digit)) return {};
  for (const char* of_petsc : {"-options", "-on_error", "-object", "-omp", "-openmp"})
    if (word.rfind(of_petsc, 0) == 0) return {};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_snames())
        if (name == letter && option->get_items_expected_min() > 0) return fmt::format("-{} {}", letter, value);
  return {};
}

/// The option that a word which is none may mean: one that begins with it, else the nearest by its letters.
std::string meant_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const std::string& option : names_of_options(command)) {
    if (word.size() > 3 && option.rfind(word, 0) == 0) return option;
    names.push_back(option.substr(2));
  }
  const std::string near = nearest_name(word.substr(2), names);
  return near.empty() ? near : "--" + near;
}

/// `; its short form is -o` where it has one.
std::string short_form_of(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& full : option->get_lnames())
      if ("--" + full == name && !option->get_snames().empty()) return "; its short form is -" + option->get_snames().front();
  return "";
}

std::string about_unexpected(const CLI::App& app) {
  const CLI::App& command = chosen(app);
  std::string text = "not understood:";
  std::string hint;
  for (const std::string& word : app.remaining(true)) {
    text += " " + word;
    const std::string option = word.substr(0, word.find('='));
    const std::string near = option.rfind("--", 0) == 0 ? meant_option(command, option) : std::string();
    if (hint.empty() && !near.empty()) hint = fmt::format(" (did you mean {}?{})", near, short_form_of(command, near));
  }
  return text + hint;
}

/// Where the model is missing: ` (...)` if it stands behind an option of PETSc, which took it for the option's value.
std::string taken_model(const std::vector<std::string>& petsc) {
  for (std::size_t k = 1; k < petsc.size(); ++k)
    if (looks_like_a_model(petsc[k]) && petsc[k - 1].rfind('-', 0) == 0)
      return fmt::format(" ({0} is taken for the value of PETSc's option {1}: write {0} before it)", petsc[k], petsc[k - 1]);
  return {};
}

}  // namespace

std::string check_directory(const std::string& word) { return word.empty() ? "a directory is due, but the name is empty" : ""; }
std::string check_file(const std::string& word) { return word.empty() ? "a file is due, but the name is empty" : ""; }

std::string first_fault(const CLI::App& app, const std::vector<std::string>& own, const std::vector<std::string>& petsc) {
  if (own.empty() && petsc.empty()) return fmt::format("a command is missing ({})", suggestion("", names_of_commands(app)));
  for (const std::string& word : petsc) {
    std::string meant = meant_with_two_dashes(app, word);
    if (meant.empty()) meant = with_a_space(app, word);
    if (!meant.empty()) return fmt::format("{}: write {}; options with one dash are PETSc's", word, meant);
  }
  if (own.empty() || own.front().rfind('-', 0) == 0) return {};
  const std::vector<std::string> commands = names_of_commands(app);
  if (std::find(commands.begin(), commands.end(), own.front()) != commands.end()) return {};
  if (looks_like_a_model(own.front())) return fmt::format("what is to be done with {0}? For example: sinew run {0}", own.front());
  return fmt::format("there is no command '{}' ({})", own.front(), suggestion(own.front(), commands));
}

std::string describe(const CLI::App& app, const CLI::Error& fault, const std::vector<std::string>& petsc) {
  if (dynamic_cast<const CLI::ExtrasError*>(&fault) != nullptr) return about_unexpected(app);
  const CLI::App& command = chosen(app);
  if (dynamic_cast<const CLI::RequiredError*>(&fault) != nullptr && &command != &app)
    return fmt::format("sinew {0} needs more: {1}{2}", command.get_name(), fault.what(), taken_model(petsc));
  return fault.what();
}

namespace {

/// Before MPI has started, its launcher's environment tells which rank this is: only one need speak.
bool is_first_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK"})
    if (const char* rank = std::getenv(name)) return std::string(rank) == "0";
  return true;
}

}  // namespace

/// The others wait a moment: a launcher that sees one rank fail ends the rest, and the first one might not have spoken yet.
int refuse(const std::string& fault) {
  if (is_first_rank())
    std::fprintf(stderr, "sinew: error: %s\n`sinew --help` and `sinew COMMAND --help` say what there is.\n", fault.c_str());
  else
    std::this_thread::sleep_for(std::chrono::seconds(1));
  return 2;
}

}  // namespace sinew
