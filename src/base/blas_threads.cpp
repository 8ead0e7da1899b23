#include "base/blas_threads.hpp"

#include "base/petsc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <petscblaslapack.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <vector>

namespace sinew {

namespace {

/// The functions of a BLAS library, where it is the one that the program has loaded.
struct Library {
  const char* name;
  const char* set;
  const char* get;
};
constexpr Library libraries[] = {{"OpenBLAS", "openblas_set_num_threads", "openblas_get_num_threads"},
                                 {"MKL", "MKL_Set_Num_Threads", "MKL_Get_Max_Threads"},
                                 {"BLIS", "bli_thread_set_num_threads", "bli_thread_get_num_threads"}};

/// The loaded library that has both functions.
const Library* loaded() {
  for (const Library& library : libraries)
    if (dlsym(RTLD_DEFAULT, library.set) != nullptr && dlsym(RTLD_DEFAULT, library.get) != nullptr) return &library;
  return nullptr;
}

bool is_blis(const Library& library) { return std::string(library.name) == "BLIS"; }  // its integers have 64 bits

void set_threads(const Library& library, int count) {
  void* function = dlsym(RTLD_DEFAULT, library.set);
  if (is_blis(library))
    reinterpret_cast<void (*)(long)>(function)(count);
  else
    reinterpret_cast<void (*)(int)>(function)(count);
}

int get_threads(const Library& library) {
  void* function = dlsym(RTLD_DEFAULT, library.get);
  if (is_blis(library)) return static_cast<int>(reinterpret_cast<long (*)()>(function)());
  return reinterpret_cast<int (*)()>(function)();
}

std::string choosing_variable() {
  for (const char* name :
       {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return name;
  }
  return {};
}

}  // namespace

void settle_blas_threads() {
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 0);
  const Library* library = loaded();
  if (library != nullptr && choosing_variable().empty()) set_threads(*library, 1);
}

void take_blas_memory() {
  constexpr std::size_t room = std::size_t{160} << 20;  // OpenBLAS takes 128 MiB
  void* const there = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (there == MAP_FAILED) throw std::bad_alloc();
  munmap(there, room);
  constexpr int n = 64;  // beyond what is multiplied without buffers
  std::vector<PetscScalar> a(n * n, 0.0), b(n * n, 0.0), c(n * n, 0.0);
  const PetscBLASInt size = n;
  const PetscScalar one = 1;
  BLASgemm_("N", "N", &size, &size, &size, &one, a.data(), &size, b.data(), &size, &one, c.data(), &size);
}

BlasThreads blas_threads() {
  BlasThreads threads;
  threads.chosen_by = choosing_variable();
  if (const Library* library = loaded()) {
    threads.library = library->name;
    threads.count = get_threads(*library);
  }
  return threads;
}

std::string to_text(const BlasThreads& threads) {
  if (threads.count == 0) return "as its library chooses";
  return fmt::format("{} thread{} a rank ({}{}{})", threads.count, threads.count == 1 ? "" : "s", threads.library,
                     threads.chosen_by.empty() ? "" : ", by ", threads.chosen_by);
}

}  // namespace sinew
