#include "session.hpp"

#include "command_line.hpp"

#include "base/error.hpp"
#include "base/petsc.hpp"
#include "kernels/portability.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

#include <cctype>

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

/// Waits until all ranks have come here; false when some do not within a few seconds.
bool all_ranks_arrive() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int i = 0; i < 500; ++i) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

int report(int code, const char* what) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", what);
    std::fflush(stderr);
  }
  if (!all_ranks_arrive()) {
    if (rank != 0) std::fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  return code;
}

int guarded(const std::function<int()>& job) {
  try {
    return job();
  } catch (const InputError& fault) {
    return report(2, fault.what());
  } catch (const SolveError& fault) {
    return report(3, (std::string("error: ") + fault.what()).c_str());
  } catch (const EnvironmentError& fault) {
    return report(4, (std::string("error: ") + fault.what()).c_str());
  } catch (const std::exception& fault) {
    return report(4, (std::string("internal error: ") + fault.what()).c_str());
  }
}

}  // namespace

int run_session(const std::vector<std::string>& petsc_arguments, const std::function<int()>& job) {
  std::vector<std::string> words = petsc_arguments;
  words.insert(words.begin(), "sinew");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  char** arguments = argv.data();
  petsc(PetscInitialize(&argc, &arguments, nullptr, nullptr));
  int code = 0;
  {
    int kokkos_argc = 1;
    Kokkos::ScopeGuard kokkos(kokkos_argc, argv.data());
    code = guarded([&] {
      const int result = job();
      warn_of_unused_options();
      return result;
    });
  }
  PetscFinalize();
  return code;
}

}  // namespace sinew
