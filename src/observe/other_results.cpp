#include "observe/other_results.hpp"

#include "base/error.hpp"
#include "model/choices.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace sinew {

namespace {

/// The analysis that left results in a directory, as its run.json says; empty where none did. Quotes inside of texts are escaped
/// there, so that nothing else reads like this entry.
std::string analysis_in(const std::filesystem::path& directory) {
  std::ostringstream text;
  text << std::ifstream(directory / "run.json").rdbuf();
  const std::string json = text.str(), key = "\"analysis\": \"";
  if (json.find("\"program\": \"sinew\"") == std::string::npos) return {};
  const std::size_t start = json.find(key);
  if (start == std::string::npos) return {};
  const std::size_t first = start + key.size();
  return json.substr(first, json.find('"', first) - first);
}

}  // namespace

void protect_other_results(MPI_Comm comm, const std::filesystem::path& directory, AnalysisType analysis) {
  throw_together(comm, [&] {
    if (comm_rank(comm) != 0) return;
    const std::string earlier = analysis_in(directory), modes = name_of(AnalysisType::modes);
    if (earlier.empty() || (earlier == modes) == (analysis == AnalysisType::modes)) return;
    throw InputError(
        fmt::format("the output directory {} holds the results of a {} analysis, which those of a {} analysis would "
                    "replace; choose another with -o, or remove it",
                    directory.string(), earlier, name_of(analysis)));
  });
}

}  // namespace sinew
