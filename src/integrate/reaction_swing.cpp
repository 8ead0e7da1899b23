#include "integrate/reaction_swing.hpp"

#include "base/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Steps of a window: noise changes its sign so often in a row once in 4e9 times.
constexpr int window = 32;
/// A swing that keeps this part of its amplitude from one half of a window to the other is not on its way out.
constexpr double kept = 0.9;
/// What is said: a swing by this part of the largest reaction of the run.
constexpr double visible = 1e-2;

/// The factor by which the method damps the fastest swings in a step: of generalized-alpha, and of Newmark's method with the beta
/// that damps most, gamma - 1/2 = (1 - rho) / (1 + rho).
double radius_at_infinity(const AlphaCoefficients& c) {
  const double d = c.gamma - 0.5;
  return (1 - d) / (1 + d);
}

}  // namespace

bool keeps_swings(const AlphaCoefficients& c) { return std::pow(radius_at_infinity(c), window / 2) > kept; }

ReactionSwing::ReactionSwing(const DynamicSystem& system, const AlphaCoefficients& c, Method method)
    : system_(system), lasts_(keeps_swings(c)), is_used_(system.is_mechanical() && (lasts_ || method == Method::index3)) {}

void ReactionSwing::follow(Row& row, double x, double t) const {
  const double size = std::abs(x);
  const bool alternates = x * row.last < 0;
  row.last = x;
  if (!alternates) {
    row.count = 0;
    row.first_half = row.second_half = 0;
    return;
  }
  (row.count < window / 2 ? row.first_half : row.second_half) += size;
  if (++row.count < window) return;
  const double amplitude = row.second_half / (window / 2);
  if (row.second_half >= kept * row.first_half && amplitude > row.amplitude) {
    if (row.amplitude == 0) row.time = t;
    row.amplitude = amplitude;
  }
  row.count = 0;
  row.first_half = row.second_half = 0;
}

void ReactionSwing::observe(const State& s, double h, PetscVec lambda1) {
  if (!is_used_) return;
  if (!sizes_) {
    sizes_ = system_.make_row_vector();
    system_.reaction_sizes({s.t, &s.q, s.z, s.lambda}, sizes_);
    rows_.resize(static_cast<std::size_t>(system_.layout().num_rows));
  }
  const VecRead size(sizes_), now(lambda1), last(s.lambda), before(s.lambda_old);
  const double r = s.h_old > 0 ? h / s.h_old : 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto i = static_cast<PetscInt>(k);
    largest_ = std::max(largest_, std::abs(now[i]) * size[i]);
    const double x = r > 0 ? (now[i] - last[i] - r * (last[i] - before[i])) / (2 * (1 + r)) : 0.0;
    follow(rows_[k], x * size[i], s.t + h);
  }
}

void ReactionSwing::persist(Archive& archive) {
  auto& [system, lasts, is_used, sizes, rows, largest] = *this;
  if (!is_used) return;
  const Archive::Part part(archive, "swing");
  bool has_begun = static_cast<bool>(sizes);
  archive.pass("has_begun", has_begun);
  if (!has_begun) return;
  if (!sizes) {
    sizes = system.make_row_vector();
    rows.resize(static_cast<std::size_t>(system.layout().num_rows));
  }
  archive.pass_rows("sizes", sizes);
  archive.pass_largest("largest", largest);
  const auto pass = [&](const char* name, auto member) {
    std::vector<double> values;
    for (const Row& row : rows) values.push_back(static_cast<double>(row.*member));
    archive.pass_rows(name, values);
    for (std::size_t k = 0; k < rows.size(); ++k)
      rows[k].*member = static_cast<std::remove_reference_t<decltype(rows[k].*member)>>(values[k]);
  };
  pass("last", &Row::last);
  pass("count", &Row::count);
  pass("first_half", &Row::first_half);
  pass("second_half", &Row::second_half);
  pass("amplitude", &Row::amplitude);
  pass("time", &Row::time);
}

std::string ReactionSwing::verdict() const {
  if (!is_used_ || !sizes_) return {};
  VecHandle swings = system_.make_row_vector();
  double most[] = {largest_, 0.0}, first = HUGE_VAL;
  {
    VecWrite swing(swings);
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      swing[static_cast<PetscInt>(k)] = rows_[k].amplitude;
      most[1] = std::max(most[1], rows_[k].amplitude);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, system_.layout().comm);
  if (!(most[1] > visible * most[0])) return {};
  for (const Row& row : rows_)
    if (row.amplitude > visible * most[0]) first = std::min(first, row.time);
  first = least_of_all(system_.layout().comm, first);
  const std::string names = system_.names_of_largest(swings);
  return fmt::format("the reactions{} swing from step to step by {:.2g} of the largest one, seen first at t = {:.6g}{}",
                     names.empty() ? "" : " of " + names, most[1] / most[0], first,
                     lasts_
                         ? ", and nothing ends it: this method has no numerical damping; take `integrator: soi2` or `gen-alpha` "
                           "with `rho_inf` below 1 (0.8, say), or `newmark` with gamma above 1/2"
                         : ": with constraints at position level alone every change of the step throws them off, and "
                           "what Newton's method leaves of gaps; take `integrator: soi2`, steps of one size, or a smaller "
                           "`newton: {tolerance: ...}`");
}

}  // namespace sinew
