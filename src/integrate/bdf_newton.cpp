#include "integrate/bdf_newton.hpp"

#include "integrate/bdf_coefficients.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Corrections below this, in the units of the stopping test, are round-off: some tens of roundings of the largest speed.
constexpr double round_off = 1e-14;

}  // namespace

NewtonSettings formula_settings(const NewtonOptions& options, double b, double furthest) {
  return newton_settings(options, b / furthest);
}

NewtonSettings start_settings(const NewtonOptions& options, int order, double change) {
  NewtonSettings settings = newton_settings(options, 1.0 / (order + 1));
  double gain = 0;
  const std::vector<double> weights = subdivision_weights(order);
  for (int n = 1; n <= order; ++n) gain += n * std::abs(weights[n - 1]);
  if (settings.share > 0) settings.tolerance = std::min(settings.tolerance, settings.share * std::pow(change, (order + 1) / 2.0));
  settings.tolerance = std::max(round_off, settings.tolerance / gain);
  settings.share = 0;
  return settings;
}

}  // namespace sinew
