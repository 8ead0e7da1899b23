#include "model/nearest_name.hpp"

#include <algorithm>
#include <cctype>

namespace sinew {
namespace {

/// Longer words are compared by their beginnings; nobody's key is longer.
constexpr std::size_t max_length = 64;
/// Lists up to this length are shown in full when no candidate is near.
constexpr std::size_t max_shown = 16;

std::string folded(const std::string& word) {
  std::string result = word.substr(0, max_length);
  for (char& c : result) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// The only one of them that goes on from this beginning, or an empty text.
std::string only_longer(const std::string& beginning, const std::vector<std::string>& candidates) {
  constexpr std::size_t shortest = 3;
  if (beginning.size() < shortest) return "";
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate == found || !folded(candidate).starts_with(folded(beginning))) continue;
    if (!found.empty()) return "";
    found = candidate;
  }
  return found;
}

}  // namespace

int edit_distance(const std::string& a_in, const std::string& b_in) {
  const std::string a = folded(a_in), b = folded(b_in);
  const std::size_t m = b.size();
  std::vector<int> before(m + 1), last(m + 1), now(m + 1);
  for (std::size_t j = 0; j <= m; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= m; ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[m];
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  int best_distance = std::max(1, static_cast<int>(std::min(name.size(), max_length)) / 2);
  if (name.size() <= 2) best_distance = 1;
  ++best_distance;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < static_cast<int>(std::max(name.size(), candidate.size()))) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? only_longer(name, candidates) : best;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& candidates) {
  return candidates.size() > max_shown && nearest_name(name, candidates).empty() ? "" : suggestion_or_all(name, candidates);
}

std::string suggestion_or_all(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return "did you mean '" + nearest + "'?";
  if (candidates.empty()) return "";
  std::string list;
  for (auto c = candidates.begin(); c != candidates.end(); ++c)
    if (std::find(candidates.begin(), c, *c) == c) list += (list.empty() ? "known here: " : ", ") + *c;
  return list;
}

}  // namespace sinew
