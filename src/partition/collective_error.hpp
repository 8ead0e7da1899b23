/// \file
/// Errors are gathered, then thrown together: every rank reaches every collective.
#pragma once

#include "base/error.hpp"

#include <mpi.h>

#include <cstdint>
#include <string>

namespace sinew {

/// Throws InputError on every rank when any rank has a text; the texts of all ranks are joined, each line once, in the order of
/// ranks. Collective.
void throw_if_any(MPI_Comm comm, const std::string& text);

/// Runs a local piece of work that may throw InputError, then throws on all ranks if any did. Collective.
template <class Work>
void throw_together(MPI_Comm comm, Work work) {
  std::string text;
  try {
    work();
  } catch (const InputError& error) {
    text = error.what();
    if (text.empty()) text = "unknown input error";
  }
  throw_if_any(comm, text);
}

/// The text of the rank that has the smallest key, on all ranks, which learn the key too; empty if no rank has a text.
/// Collective.
std::string first_text(MPI_Comm comm, std::int64_t& key, const std::string& text);

/// Throws InputError with that text on every rank, if there is one. Collective.
void throw_first(MPI_Comm comm, std::int64_t key, const std::string& text);

/// Waits until all ranks have come here; false when some do not within a few seconds: they know nothing of what has happened on
/// this one. Then it is false from the first on, without waiting again. Collective, where it is true.
bool all_ranks_arrive(MPI_Comm comm);

}  // namespace sinew
