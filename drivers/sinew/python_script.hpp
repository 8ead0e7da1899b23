/// \file
/// Runs the scripts of plotting/ with an interpreter that has what they need.
#pragma once

#include <string>
#include <vector>

namespace sinew {

/// A script of plotting/ and what it needs.
struct PythonScript {
  std::string command;                ///< `sinew plot`, for messages
  std::string file;                   ///< plot_run.py
  std::vector<std::string> packages;  ///< that it imports
};

/// Runs the script with arguments on rank 0 and waits for it. `python` names an interpreter; empty: the first one with the
/// packages. Throws EnvironmentError where Python, a package or the script is missing, or the script fails. Collective.
void run_python_script(const PythonScript&, const std::vector<std::string>& arguments, const std::string& python = {});

}  // namespace sinew
