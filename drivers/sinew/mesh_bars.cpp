#include "mesh_bars.hpp"

#include "standard_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace sinew {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The series in the order of these columns, which it has.
SensorSeries in_order(const LevelSeries& level, const std::vector<std::string>& columns) {
  std::vector<std::size_t> places;
  for (const std::string& column : columns)
    places.push_back(
        static_cast<std::size_t>(std::find(level.columns.begin(), level.columns.end(), column) - level.columns.begin()));
  return level.series.chosen(places);
}

}  // namespace

MeshBars::MeshBars(const MeshLevels& levels, const LevelSeries& finest, const std::vector<LevelSeries>& coarser)
    : levels_(levels), columns_(finest.columns) {
  std::vector<std::string> common;
  for (const std::string& column : finest.columns)
    if (std::all_of(coarser.begin(), coarser.end(), [&](const LevelSeries& level) { return has(level.columns, column); }))
      common.push_back(column);
  bars_.emplace(common, levels.rule);
  const SensorSeries judged = in_order(finest, common), other = in_order(coarser.back(), common);
  std::optional<SensorSeries> coarsest;
  if (coarser.size() > 1) coarsest = in_order(coarser.front(), common);
  verdict_ = bars_->compare(judged, other, coarsest ? &*coarsest : nullptr, levels.sizes);
}

BarSum MeshBars::sum(const ErrorBars* of_steps) const {
  BarSum sum(columns_);
  if (of_steps) sum.add(*of_steps);
  sum.add(*bars_);
  return sum;
}

std::vector<std::string> MeshBars::warnings(const BarSum& sum) const {
  std::vector<std::string> list;
  if (!verdict_.doubts.empty())
    list.push_back(
        fmt::format("warning: finer meshes bring the runs no closer to each other in {}: their bars are not to be trusted (waves "
                    "or layers that the "
                    "meshes do not carry, chaotic motion, a sensor at another place)",
                    fmt::join(verdict_.doubts, ", ")));
  if (const auto unknown = sum.unknown(); !unknown.empty())
    list.push_back(fmt::format("warning: not all levels record {}: they have no error bars", fmt::join(unknown, ", ")));
  if (!levels_.left_alone.empty())
    list.push_back(fmt::format("warning: --refine leaves the elements of {} as they are: the bars say nothing of their errors",
                               levels_.left_alone));
  return list;
}

void MeshBars::tell(MPI_Comm comm, const ErrorBars* of_steps, RunReport& report, bool quiet) const {
  const BarSum sum = this->sum(of_steps);
  const WorstBar worst = sum.worst();
  auto& figures = report.error_bars;
  figures["worst"] = worst.share;
  figures["quantity"] = worst.quantity;
  figures["time_of_worst"] = worst.time;
  if (of_steps && !worst.parts.empty()) figures["worst_by_steps"] = worst.parts.front();
  if (!worst.parts.empty()) figures["worst_by_mesh"] = worst.parts.back();
  figures["mesh_levels"] = static_cast<double>(levels_.coarser.size() + 1);
  figures["mesh_ratio"] = levels_.sizes.other;
  if (verdict_.order > 0) figures["mesh_observed_order"] = verdict_.order;
  const std::string most = verdict_.quantity.empty() ? "no quantity changes by more than rounding"
                                                     : fmt::format("at most {:.2g} of a quantity's size, that of {} at {:.4g}",
                                                                   verdict_.worst, verdict_.quantity, verdict_.time);
  std::string text = fmt::format("error bars of the mesh: {} ({}; elements {:.3g} times smaller)\n", most,
                                 levels_.coarser.size() > 1 ? fmt::format("observed order {:.2f}", verdict_.order)
                                                            : fmt::format("order {:g} assumed", levels_.rule.assumed),
                                 levels_.sizes.other);
  if (of_steps && !worst.parts.empty())
    text +=
        fmt::format("error bars of steps and mesh: at most {:.2g}, that of {} at {:.4g}: {:.2g} by steps, {:.2g} by the mesh\n",
                    worst.share, worst.quantity, worst.time, worst.parts.front(), worst.parts.back());
  if (!quiet) print_once(comm, text);
  for (const std::string& warning : warnings(sum)) {
    report.warnings.push_back(warning);
    warn_once(comm, warning);
  }
}

}  // namespace sinew
