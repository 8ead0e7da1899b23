#include "run/run_verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// Prescribed steps that Newton's method mostly cannot solve, and cuts until it can, are too long for what goes on in them,
/// though what each of its pieces leaves may be small: energy drifts from piece to piece. Empty where few attempts fail. The
/// limit is what error control keeps below as well (docs/theory/error-control.md).
std::string failed_attempts(const SimulationSummary& s) {
  constexpr double most_failures = 0.15;  // of all attempts
  const auto failed = static_cast<double>(s.rejected - s.inaccurate), attempts = static_cast<double>(s.steps + s.rejected);
  if (s.inaccurate > 0 || failed <= most_failures * attempts) return {};
  return fmt::format(
      "the steps do not resolve the motion: Newton's method has failed in {} of {} attempts at them, which were cut to {:.2g} at "
      "worst; shorter steps would do better",
      s.rejected, s.steps + s.rejected, s.shortest);
}

}  // namespace

std::vector<std::string> verdicts_of_run(const Integrator& integrator, const System& system, const State& end,
                                         const SimulationSummary& summary, bool has_error_bars) {
  std::vector<std::string> sentences;
  bool is_unresolved = false;
  for (const RunVerdict& verdict : integrator.verdicts()) {
    is_unresolved = is_unresolved || (verdict.is_unresolved && !verdict.sentence.empty());
    sentences.push_back(verdict.sentence);
  }
  for (const std::string& sentence :
       {failed_attempts(summary), summary.chatter, summary.singular, summary.hidden, system.outgrown(), system.folded(end.q)})
    sentences.push_back(sentence);
  if (is_unresolved && has_error_bars)
    sentences.push_back(
        "the runs that the error bars compare may all have missed what is not resolved, and bars are too small then");
  std::erase(sentences, std::string());
  return sentences;
}

}  // namespace sinew
