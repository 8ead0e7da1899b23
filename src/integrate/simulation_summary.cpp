#include "integrate/simulation_summary.hpp"

#include <algorithm>

namespace sinew {

void SimulationSummary::count(const StepOutcome& outcome, double h) {
  newton += outcome.newton;
  factorizations += outcome.factorizations;
  if (!outcome.accepted) {
    ++rejected;
    if (outcome.error > 1) ++inaccurate;
    return;
  }
  shortest = steps == 0 ? h : std::min(shortest, h);
  longest = std::max(longest, h);
  most_newton = std::max(most_newton, outcome.newton);
  ++steps;
}

void persist(Archive& archive, SimulationSummary& summary) {
  auto& [steps, rejected, newton, factorizations, inaccurate, shortest, longest, most_newton, switches, cut, end_time, chatter,
         singular, hidden, stopped, is_over] = summary;
  archive.pass("steps", steps);
  archive.pass("rejected", rejected);
  archive.pass("newton", newton);
  archive.pass("factorizations", factorizations);
  archive.pass("inaccurate", inaccurate);
  archive.pass("shortest", shortest);
  archive.pass("longest", longest);
  archive.pass("most_newton", most_newton);
  archive.pass("switches", switches);
  archive.pass("cut", cut);
  archive.pass("end_time", end_time);
}

}  // namespace sinew
