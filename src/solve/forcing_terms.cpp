#include "solve/forcing_terms.hpp"

#include "linear/kkt_solver.hpp"
#include "solve/kept_tangent.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Where linear equations are iterated on they leave so much of a correction when nothing is known, else this part of what may be
/// left.
constexpr double first_linear_share = 1e-6, linear_part = 0.3;
/// They never leave more than this: residuals say less of long waves than of short ones. Less than the second is not asked for.
constexpr double most = 1e-3, least = default_linear_tolerance;

}  // namespace

double ForcingTerms::next(int iterations, const Asked& asked) const {
  const bool is_first = iterations == 0;
  const std::vector<double>& last = asked.continues ? last_continued_ : last_;
  const double last_first = last.empty() ? 0.0 : last.front();
  const double expected = is_first ? last_first : expected_;
  if (!(expected > 0)) return first_linear_share;
  double allowed = asked.limit;
  if (is_first) allowed = asked.share > 0 ? std::min(asked.tolerance, asked.share * expected) : asked.tolerance;
  // What the tangent leaves of a correction all the same, as seen in the last solve, is no reason to solve better for it. One
  // that goes on has a tangent of this very configuration: what was left there was the linear solver's.
  const auto k = static_cast<std::size_t>(iterations);
  const bool is_known = !asked.continues && k + 1 < last.size() && last[k] > 0;
  const double usual = is_known ? last[k + 1] / last[k] : 0.0;
  return std::clamp(linear_part * std::max(usual, remaining_part * allowed / expected), least, most);
}

}  // namespace sinew
