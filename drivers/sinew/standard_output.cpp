#include "standard_output.hpp"

#include "partition/exchange.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace sinew {

namespace {

int first_fault = 0;  ///< errno of the first write that failed

void note(bool is_written) {
  if (!is_written && first_fault == 0) first_fault = errno;
}

/// Is standard output a pipe that nobody reads any more?
bool has_no_reader() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

}  // namespace

void print_once(MPI_Comm comm, const std::string& text) {
  if (comm_rank(comm) != 0) return;
  errno = 0;
  note(std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0);
}

void warn_once(MPI_Comm comm, const std::string& warning) {
  if (comm_rank(comm) == 0) std::fprintf(stderr, "%s\n", warning.c_str());
}

std::string fault_of_standard_output() {
  errno = 0;
  std::cout.flush();
  note(std::fflush(stdout) == 0);
  if (first_fault == 0 && std::ferror(stdout) != 0) first_fault = has_no_reader() ? EPIPE : EIO;
  if (first_fault == 0 || first_fault == EPIPE) return {};
  return fmt::format("standard output does not take what there is to say: {}", std::strerror(first_fault));
}

}  // namespace sinew
