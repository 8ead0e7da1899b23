#include "observe/output_directory.hpp"

#include "base/error.hpp"
#include "observe/text_file.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace sinew {

namespace {

namespace fs = std::filesystem;

/// Did a run of Sinew leave this directory? Its run.json says so in its first lines.
bool is_of_a_run(const fs::path& directory) {
  std::ifstream file(directory / "run.json");
  std::array<char, 200> start{};
  file.read(start.data(), start.size() - 1);
  return std::string(start.data()).find("\"program\": \"sinew\"") != std::string::npos;
}

/// Is this one of the files that a run, or `sinew plot`, leaves?
bool is_of_ours(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const char* ours : {"sensors.csv", "steps.csv", "modes.csv", "buckling.csv", "run.json", "fields.h5", "fields.xdmf"})
    if (name == ours) return true;
  return name.rfind("checkpoint-", 0) == 0 && file.extension() == ".h5";
}

/// What is wrong with the path; sets `replaces` where an earlier run is there.
std::string input_fault(const fs::path& path, bool& replaces) {
  std::error_code code;
  if (path.empty()) return "the output directory has no name";
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return fmt::format("the output directory {} is a file; choose another with -o", path.string());
  if (fs::is_empty(path, code) && !code) return {};
  replaces = is_of_a_run(path);
  if (replaces) return {};
  return fmt::format(
      "the output directory {} is not empty and no earlier run left it (it has no run.json of Sinew); choose another with -o, "
      "or empty it",
      path.string());
}

/// What keeps us from writing there.
std::string environment_fault(const fs::path& path) {
  fs::path existing = fs::absolute(path).lexically_normal();
  std::error_code code;
  while (!fs::exists(existing, code) && existing.has_parent_path() && existing != existing.parent_path())
    existing = existing.parent_path();
  if (!fs::is_directory(existing, code))
    return fmt::format("cannot make the output directory {}: {} is not a directory", path.string(), existing.string());
  if (access(existing.c_str(), W_OK | X_OK) != 0)
    return fmt::format("cannot make the output directory {}: no permission to write in {}", path.string(), existing.string());
  return {};
}

/// Removes what an earlier run left, run.json last: a directory that is half cleared is still known as ours.
void remove_run(const fs::path& directory) {
  for (const auto& entry : fs::directory_iterator(directory))
    if (is_of_ours(entry.path()) && entry.path().filename() != "run.json") fs::remove(entry.path());
  const fs::path plots = directory / "plots";
  if (fs::is_directory(plots)) {
    for (const auto& entry : fs::directory_iterator(plots))
      if (entry.path().extension() == ".png") fs::remove(entry.path());
    std::error_code not_empty;
    fs::remove(plots, not_empty);
  }
}

}  // namespace

OutputDirectory::OutputDirectory(MPI_Comm comm, std::filesystem::path path) : comm_(comm), path_(std::move(path)) {
  std::string wrong_input, fault;
  bool replaces = false;
  if (comm_rank(comm_) == 0) {
    wrong_input = input_fault(path_, replaces);
    if (wrong_input.empty()) fault = environment_fault(path_);
  }
  int flags[2] = {wrong_input.empty() ? 0 : 1, replaces ? 1 : 0};
  MPI_Bcast(flags, 2, MPI_INT, 0, comm_);
  if (flags[0] != 0) {
    try {
      throw_from_first_rank(comm_, wrong_input);
    } catch (const EnvironmentError& error) {
      throw InputError(error.what());
    }
  }
  throw_from_first_rank(comm_, fault);
  if (flags[1] != 0) notice_ = fmt::format("the earlier run in {} is replaced", path_.string());
}

void OutputDirectory::create() {
  std::string fault;
  if (comm_rank(comm_) == 0) {
    try {
      fs::create_directories(path_);
      remove_run(path_);
    } catch (const fs::filesystem_error& error) {
      fault = fmt::format("cannot prepare the output directory {}: {}", path_.string(), error.code().message());
    }
  }
  throw_from_first_rank(comm_, fault);
}

}  // namespace sinew
