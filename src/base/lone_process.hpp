/// \file
/// How MPI starts in a process that no mpiexec has started.
#pragma once

namespace sinew {

/// Has Open MPI leave out what a process alone has no use for: a daemon for others that it might spawn (Sinew spawns none), and
/// the search for fast networks, of which one library measures its clock for a fifth of a second. Such a start takes .12 s in
/// place of .5. Without the daemon all such processes would share one session directory, which the first to end removes while
/// another starts in it, and that one fails: each has a directory of its own here, which Open MPI makes and removes.
///
/// Nothing happens where a launcher has started the process, and nothing that the environment sets already is changed. Call it
/// before MPI starts.
void prepare_lone_process();

}  // namespace sinew
