/// \file
/// Where something stands in the text that a user wrote, so that every message can name it.
#pragma once

#include <string>
#include <vector>

namespace sinew {

/// A position in the model file, or in one of the command line's `--set` options. Lines and columns count from 1; 0 means
/// unknown.
struct SourceMark {
  int line = 0;
  int column = 0;
  int override_index = -1;  ///< -1: the model file; k: the k-th `--set`
};

/// The texts that marks point into.
struct SourceNames {
  std::string file;                    ///< as given by the user
  std::vector<std::string> overrides;  ///< `analysis.step=1e-4`, as given with `--set`

  /// `file:line:column`, or `--set analysis.step=1e-4`.
  std::string locate(const SourceMark& mark) const;
};

}  // namespace sinew
