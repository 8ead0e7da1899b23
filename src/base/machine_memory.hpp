/// \file
/// How much memory there is.
#pragma once

namespace sinew {

/// Bytes that all processes on this machine together can have: what is built in, or the limit of the group of processes that this
/// one belongs to (containers, batch systems) where that is less.
double machine_memory();

/// Bytes that this process may have by its own limits (`ulimit -v`); infinite without one.
double process_memory_limit();

/// Hands memory that was freed, and that the C library keeps for what comes, back to the machine, where the library can. For the
/// ends of phases that need much which does not last.
void return_freed_memory();

}  // namespace sinew
