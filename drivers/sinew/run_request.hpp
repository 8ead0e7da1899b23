/// \file
/// What the command line says of a run whose model is built.
#pragma once

#include <string>
#include <vector>

namespace sinew {

struct RunRequest {
  std::string model;
  std::vector<std::string> command_line;
  std::string restart;  ///< a checkpoint to go on from; empty: from the start
  bool quiet = false;
  bool no_output = false;
  bool is_level = false;  ///< a coarser level of a model: another run has the files, the record and the signals
};

}  // namespace sinew
