/// \file
/// Suggestions for misspelt names.
#pragma once

#include <string>
#include <vector>

namespace sinew {

/// The smallest number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other;
/// upper and lower case count as equal, so do `-` and `_`.
int edit_distance(const std::string& a, const std::string& b);

/// The candidate nearest to `name`, or an empty text if none is near enough to be meant.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

/// `did you mean 'step'?`, or `known: a, b, c` for a short list without a near one, or an empty text.
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);
/// The same, where a list of any length is worth its space.
std::string suggestion_or_all(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace sinew
