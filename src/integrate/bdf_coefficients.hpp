/// \file
/// Backward differentiation formulas on any grid: weights from the distances d_j = t1 - t_j > 0 of past points (newest first) to
/// the new time. Source: the Lagrange form of the interpolating polynomial; on equal steps these are the classical formulas.
#pragma once

#include <span>
#include <vector>

namespace sinew {

/// p_j = prod_{i != j} d_i / (d_i - d_j): the polynomial through the past points has the value sum p_j y_j at t1.
inline std::vector<double> extrapolation_weights(std::span<const double> d) {
  std::vector<double> p(d.size(), 1.0);
  for (std::size_t j = 0; j < d.size(); ++j)
    for (std::size_t i = 0; i < d.size(); ++i)
      if (i != j) p[j] *= d[i] / (d[i] - d[j]);
  return p;
}

/// Weights of the derivative at t1 of the polynomial through the past points: p_j sum_{i != j} 1/d_i.
inline std::vector<double> extrapolated_rate_weights(std::span<const double> d) {
  std::vector<double> weights = extrapolation_weights(d);
  for (std::size_t j = 0; j < d.size(); ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i)
      if (i != j) sum += 1 / d[i];
    weights[j] *= sum;
  }
  return weights;
}

/// y1 = b y1' + sum past_j y_j.
struct BdfFormula {
  double b = 0;
  std::vector<double> past;
};

/// The formula of as many steps as there are distances: the polynomial through the new and the past points has the slope y1' at
/// t1.
inline BdfFormula bdf_formula(std::span<const double> d) {
  BdfFormula formula{0, extrapolation_weights(d)};
  for (const double distance : d) formula.b += 1 / distance;
  formula.b = 1 / formula.b;
  for (std::size_t j = 0; j < d.size(); ++j) formula.past[j] *= formula.b / d[j];
  return formula;
}

/// Weights with which values for the parts n = 1 ... count of a step are extrapolated to n = infinity, errors being polynomials
/// in 1/n.
inline std::vector<double> subdivision_weights(int count) {
  std::vector<double> inverse(count);
  for (int n = 0; n < count; ++n) inverse[n] = 1.0 / (n + 1);
  return extrapolation_weights(inverse);
}

}  // namespace sinew
