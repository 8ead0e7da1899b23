#include "observe/output_directory.hpp"

#include "base/error.hpp"
#include "observe/checkpoints.hpp"
#include "observe/directory_entries.hpp"
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

/// Is this one of the files that a run leaves? What merely looks like one is the user's.
bool is_of_ours(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const char* ours :
       {"sensors.csv",   "errors.csv",   "steps.csv",       "modes.csv",        "buckling.csv",     "run.json",
        "run.json.part", "fields.h5",    "fields.xdmf",     "matrix_M.mtx",     "matrix_D.mtx",     "matrix_K.mtx",
        "matrix_G.mtx",  "matrix_H.mtx", "matrix_dofs.csv", "matrix_rows.csv",  "state_A.mtx",      "state_B.mtx",
        "state_C.mtx",   "state_D.mtx",  "state_T.mtx",     "state_inputs.csv", "state_outputs.csv"})
    if (name == ours) return true;
  return checkpoint_step(file) >= 0 || (file.extension() == ".part" && checkpoint_step(file.stem()) >= 0);
}

/// Is this one of the pictures that `sinew plot` draws?
bool is_picture_of_ours(const fs::path& file) {
  if (file.extension() != ".png") return false;
  const std::string name = file.stem().string();
  for (const char* ours : {"steps", "motion", "modes", "energy-budget"})
    if (name == ours) return true;
  for (const std::string start : {"sensor-", "energy-", "constraints-"})
    if (name.starts_with(start)) return true;
  const std::string sheet = "modes-";
  return name.starts_with(sheet) && name.find_first_not_of("0123456789", sheet.size()) == std::string::npos;
}

/// Is nothing there, apart from the lock of a run that was ended before it wrote anything?
bool is_bare(const fs::path& directory) {
  std::error_code code;
  for (const fs::path& entry : entries_of(directory, code))
    if (entry.filename() != DirectoryLock::file_name) return false;
  return !code;
}

std::string in_use(const fs::path& path, const std::string& holder) {
  return fmt::format(
      "another run writes into the output directory {} at present ({}); wait for its end, or choose another with -o",
      path.string(), holder);
}

/// What is wrong with the path; sets `replaces` where an earlier run is there.
std::string input_fault(const fs::path& path, bool& replaces) {
  std::error_code code;
  if (path.empty()) return "the output directory has no name";
  if (const std::size_t length = path.native().size(); length > longest_path)
    return fmt::format(
        "the path of the output directory {} has {} letters, more than this MPI opens files with ({}); start the "
        "run from a directory on its way and give what is left with -o, or choose a shorter one",
        path.string(), length, longest_path);
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status) && fs::is_symlink(fs::symlink_status(path, code)))
    return fmt::format("the output directory {} is a link to what is not there; choose another with -o", path.string());
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return fmt::format("the output directory {} is a file; choose another with -o", path.string());
  const std::string holder = DirectoryLock::holder(path);
  if (!holder.empty()) return in_use(path, holder);
  if (is_bare(path)) return {};
  replaces = is_of_a_run(path);
  if (replaces) return {};
  return fmt::format(
      "the output directory {} is not empty and no earlier run left it (it has no run.json of Sinew); choose another with -o, "
      "or empty it",
      path.string());
}

/// What keeps us from writing there.
std::string environment_fault(const fs::path& path) {
  std::error_code code;
  fs::path existing = fs::absolute(path, code).lexically_normal();
  if (code) return fmt::format("cannot make the output directory {}: {}", path.string(), code.message());
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
      if (is_picture_of_ours(entry.path())) fs::remove(entry.path());
    std::error_code not_empty;
    fs::remove(plots, not_empty);
  }
}

/// Throws InputError on all ranks if rank 0 has a text. Collective.
void refuse(MPI_Comm comm, const std::string& text) {
  int is_refused = text.empty() ? 0 : 1;
  MPI_Bcast(&is_refused, 1, MPI_INT, 0, comm);
  if (is_refused == 0) return;
  try {
    throw_from_first_rank(comm, text);
  } catch (const EnvironmentError& error) {
    throw InputError(error.what());
  }
}

}  // namespace

OutputDirectory::OutputDirectory(MPI_Comm comm, std::filesystem::path path, Existing existing)
    : comm_(comm), path_(std::move(path)), existing_(existing) {
  std::string wrong_input, fault;
  bool replaces = false;
  if (comm_rank(comm_) == 0) {
    wrong_input = input_fault(path_, replaces);
    if (wrong_input.empty()) fault = environment_fault(path_);
  }
  refuse(comm_, wrong_input);
  throw_from_first_rank(comm_, fault);
  int is_replacing = replaces ? 1 : 0;
  MPI_Bcast(&is_replacing, 1, MPI_INT, 0, comm_);
  if (existing_ == Existing::continued)
    notice_ = fmt::format("the run in {} goes on", path_.string());
  else if (is_replacing != 0)
    notice_ = fmt::format("the earlier run in {} is replaced", path_.string());
}

void OutputDirectory::create() {
  std::string fault, holder;
  if (comm_rank(comm_) == 0) {
    try {
      fs::create_directories(path_);
      holder = lock_.take(path_);
      if (holder.empty() && existing_ == Existing::replaced) remove_run(path_);
    } catch (const fs::filesystem_error& error) {
      fault = fmt::format("cannot prepare the output directory {}: {}", path_.string(), error.code().message());
    } catch (const EnvironmentError& error) {
      fault = error.what();
    }
  }
  throw_from_first_rank(comm_, fault);
  refuse(comm_, holder.empty() ? holder : in_use(path_, holder));
}

}  // namespace sinew
