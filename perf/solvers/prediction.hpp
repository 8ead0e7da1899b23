/// \file
/// What a factorisation and a solution by substructures would take on as many cores as there are ranks, from the work of every
/// rank measured one after the other and a model of messages.
#pragma once

#include "system/system.hpp"

#include <string>
#include <vector>

namespace sinew::perf {

/// Seconds that a message takes, and bytes a second that it moves.
struct MessageModel {
  double latency = 1e-6, bandwidth = 10e9;
  double seconds(double bytes) const { return latency + bytes / bandwidth; }
};

/// CPU seconds of one step of the elimination, of the rank where it takes longest, and what comes for it in one message.
struct LevelCost {
  double factorisation = 0, solution = 0;
  double factor_bytes = 0, solution_bytes = 0;
};

/// The whole elimination on `ranks` ranks.
struct Prediction {
  int ranks = 1;
  double unknowns = 0, largest_part = 0;  ///< of all, and of the rank that has most
  LevelCost part;                         ///< the interiors of the ranks, with the entries that they fetch from each other
  std::vector<LevelCost> levels;          ///< the fronts above them, upwards

  double factorisation(const MessageModel&) const;
  double solution(const MessageModel&) const;
  double seconds(const MessageModel& messages) const { return factorisation(messages) + solution(messages); }
  /// A model that grows with its ranks to so many more: further levels cost what the dearest of these does.
  Prediction extended_to(int more_ranks) const;
};

/// Measures with the numbers of a matrix; ranks must be a power of two. Throws InputError where they are not, and SolveError
/// where the matrix cannot be solved by substructures. Collective.
Prediction measure_prediction(const System&, PetscMat A, int repeats);

/// For people, the efficiency against one rank's own time for so many unknowns.
std::string to_text(const Prediction&, const MessageModel&, const Prediction& one_rank);
/// The same for programs: one JSON object.
std::string to_json(const Prediction&, const MessageModel&, const Prediction& one_rank);

}  // namespace sinew::perf
