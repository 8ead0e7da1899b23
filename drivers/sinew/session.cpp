#include "session.hpp"

#include "command_line.hpp"
#include "petsc_options.hpp"
#include "standard_output.hpp"

#include "base/blas_threads.hpp"
#include "base/error.hpp"
#include "base/flush_to_zero.hpp"
#include "base/gpu_aware_mpi.hpp"
#include "base/lone_process.hpp"
#include "base/petsc.hpp"
#include "kernels/portability.hpp"
#include "kernels/sweep/device.hpp"
#include "observe/hdf5_file.hpp"
#include "partition/collective_error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <sstream>
#include <type_traits>

namespace sinew {

SplitArguments split_arguments(int argc, char** argv) {
  const auto is_petsc = [](const std::string& word) {
    return word.size() > 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
  };
  const auto is_value = [](const std::string& word) {
    return word.empty() || word[0] != '-' ||
           (word.size() > 1 && (std::isdigit(static_cast<unsigned char>(word[1])) != 0 || word[1] == '.'));
  };
  SplitArguments split;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!is_petsc(word)) {
      split.own.push_back(word);
      continue;
    }
    split.petsc.push_back(word);
    if (i + 1 < argc && is_value(argv[i + 1])) split.petsc.emplace_back(argv[++i]);
  }
  return split;
}

namespace {

int report(int code, const std::string& what) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", what.c_str());
    std::fflush(stderr);
  }
  if (!all_ranks_arrive(MPI_COMM_WORLD)) {
    if (rank != 0) std::fprintf(stderr, "rank %d: %s\n", rank, what.c_str());
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  return code;
}

constexpr const char* out_of_memory =
    "error: out of memory: the model is too large for this machine; spread it over ranks on more machines, or make it smaller";

/// Faults of a model file bring their line and the word themselves.
std::string as_error(const std::string& what) { return what.find("error: ") == std::string::npos ? "error: " + what : what; }

int guarded(const std::function<int()>& job) {
  try {
    return job();
  } catch (const InputError& fault) {
    return report(2, as_error(fault.what()));
  } catch (const SolveError& fault) {
    return report(3, std::string("error: ") + fault.what());
  } catch (const EnvironmentError& fault) {
    return report(4, std::string("error: ") + fault.what());
  } catch (const std::bad_alloc&) {
    return report(4, out_of_memory);
  } catch (const std::exception& fault) {
    if (std::string(fault.what()).rfind("Kokkos failed to allocate", 0) == 0) return report(4, out_of_memory);
    return report(4, std::string("internal error: ") + fault.what());
  }
}

/// What SIGHUP does when the program starts: nothing, under `nohup`. Libraries that MPI brings (UCX) take it for themselves as
/// soon as they are loaded, so it is asked before that, where the system knows how.
struct sigaction hangup_at_start {};
bool knows_hangup = false;
#if defined(__linux__) && defined(__ELF__)
void note_hangup() { knows_hangup = sigaction(SIGHUP, nullptr, &hangup_at_start) == 0; }
[[maybe_unused]] __attribute__((section(".preinit_array"), used)) void (*const before_libraries)() = note_hangup;
#endif

/// PETSc takes signals for crashes that are none: a reader who has seen enough (`| head`) or a file at its limit of size must not
/// end a run, the functions that write say what has happened. A terminal that closes ends what was not started with `nohup`.
class Signals {
 public:
  /// Before the libraries start: MPI writes files as it does.
  Signals() {
    if (!knows_hangup) sigaction(SIGHUP, nullptr, &hangup_at_start);
    ignore_what_writing_tells();
  }
  /// After they have.
  void settle() const {
    ignore_what_writing_tells();
    sigaction(SIGHUP, &hangup_at_start, nullptr);
  }

 private:
  static void ignore_what_writing_tells() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
  }
};

/// Files of options that cannot be read, named on the command line or in PETSC_OPTIONS; empty if there is nothing wrong. PETSc
/// would end in the middle of its start, on the rank that reads alone.
std::string unreadable_options(std::vector<std::string> words) {
  const char* more = std::getenv("PETSC_OPTIONS");
  std::istringstream text(more ? more : "");
  for (std::string word; text >> word;) words.push_back(word);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "-options_file" && words[i] != "-options_file_yaml") continue;
    const std::string file = words[i + 1].substr(0, words[i + 1].rfind(":yaml"));  // how PETSc is told of the format
    std::error_code code;
    const bool is_directory = std::filesystem::is_directory(file, code);
    if (is_directory || access(file.c_str(), R_OK) != 0)
      return fmt::format("{} {}: this file of options cannot be read: {}", words[i], file,
                         std::strerror(is_directory ? EISDIR : errno));
  }
  return {};
}

/// PETSc has not started: its options are wrong. A rank that knows it alone ends the others.
int refuse_start() {
  const int code = refuse("PETSc does not start with these options: " + petsc_error_text());
  int is_running = 0, size = 1;
  MPI_Initialized(&is_running);
  if (is_running == 0) return code;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
  return code;
}

/// Would PETSc hand memory of a GPU to MPI?
#if defined(PETSC_HAVE_KOKKOS_KERNELS)
constexpr bool may_send_from_device = !std::is_same_v<MemorySpace, HostSpace>;
#else
constexpr bool may_send_from_device = false;
#endif

/// MPI, started ahead of PETSc where it has to be asked first whether it can send from the memory of a GPU: where it cannot,
/// PETSc is told to copy messages to the host, unless somebody has said what to do. Else PETSc starts and ends MPI.
class EarlyMpi {
 public:
  explicit EarlyMpi(std::vector<std::string>& petsc_words) {
    if (!may_send_from_device) return;
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    const std::string option = "-use_gpu_aware_mpi";
    const char* more = std::getenv("PETSC_OPTIONS");
    const bool is_said = std::find(petsc_words.begin(), petsc_words.end(), option) != petsc_words.end() ||
                         (more && std::string(more).find(option) != std::string::npos);
    if (!is_said && !is_mpi_gpu_aware()) petsc_words.insert(petsc_words.end(), {option, "0"});
  }
  ~EarlyMpi() {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (may_send_from_device && !is_over) MPI_Finalize();
  }
  EarlyMpi(const EarlyMpi&) = delete;
  EarlyMpi& operator=(const EarlyMpi&) = delete;
};

int run_job(const std::function<int()>& job) {
  const int code = guarded([&] {
    settle_blas_threads();
    take_blas_memory();
    check_petsc_options();
    if (const std::string fault = device_fault(); !fault.empty()) throw EnvironmentError(fault);
    const int result = job();
    warn_of_unused_options();
    return result;
  });
  const std::string lost = fault_of_standard_output();
  if (code != 0 || lost.empty()) return code;
  std::fprintf(stderr, "error: %s\n", lost.c_str());
  return 4;
}

}  // namespace

int run_session(const std::vector<std::string>& petsc_arguments, const std::function<int()>& job) {
  std::vector<std::string> words = petsc_arguments;
  words.insert(words.begin(), "sinew");
  const std::string unreadable = unreadable_options(words);
  if (!unreadable.empty()) return refuse(unreadable);
  flush_to_zero();
  const Signals signals;
  prepare_lone_process();
  const EarlyMpi mpi(words);
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  char** arguments = argv.data();
  keep_petsc_errors();
  if (PetscInitialize(&argc, &arguments, nullptr, nullptr) != 0) return refuse_start();
  signals.settle();
  int code = 0;
  {
    int kokkos_argc = 1;
    Kokkos::ScopeGuard kokkos(kokkos_argc, argv.data());
    code = run_job(job);
    // HDF5 closes its files when MPI ends
    if (Hdf5File::any_is_stuck()) {
      if (code == 0) std::fputs("error: a file could not be closed (is the disk full?)\n", stderr);
      MPI_Abort(MPI_COMM_WORLD, code != 0 ? code : 4);
    }
    PetscFinalize();  // Kokkos lives longer: PETSc may have memory of it
  }
  return code;
}

}  // namespace sinew
