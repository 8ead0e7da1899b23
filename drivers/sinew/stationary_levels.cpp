#include "stationary_levels.hpp"

#include "observe/largest_reaction.hpp"
#include "observe/text_file.hpp"

#include <fmt/format.h>

#include <iterator>

namespace sinew {

namespace {

/// Frequencies are roots: what rounding leaves of their squares, 1e-12 of the largest, shows as so much.
constexpr double noise_of_roots = 1e-6;

/// errors.csv of modes: a row for each of them. Collective.
void write_modes(MPI_Comm comm, const std::filesystem::path& path, const std::string& what, const std::vector<double>& bars) {
  TextFile file(comm, path);
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "mode,{}\n", what);
  for (std::size_t k = 0; k < bars.size(); ++k) fmt::format_to(std::back_inserter(text), "{},{:.6g}\n", k + 1, bars[k]);
  file.write(fmt::to_string(text));
}

}  // namespace

StationaryLevels::StationaryLevels(const RunRequest& request, MeshLevels& levels, StationaryRun& finest)
    : levels_(levels),
      finest_(finest),
      is_static_(finest.built().model.analysis.type == AnalysisType::statics),
      series_(finest.comm(), finest.sensors()) {
  if (levels.is_empty()) return;
  const Analysis& analysis = finest.built().model.analysis;
  if (is_static_ && finest.sensors().is_empty())
    throw InputError("--refine compares what sensors record, and there are none: add sensors to the model");
  if (analysis.type == AnalysisType::modes && analysis.about == ModesAbout::motion)
    throw InputError("--refine compares modes about rest, not those about a motion: take `about: static` or `about: initial`");
  if (is_static_) {
    series_.watch_reactions(largest_reaction_of(*finest.built().system));
    finest.add_observer(series_);
  } else {
    levels.rule.noise = std::max(levels.rule.noise, noise_of_roots);
  }
  for (const auto& built : levels.coarser) {
    Analysis& same = built->model.analysis;
    same.type = analysis.type;
    same.about = analysis.about;
    same.count = analysis.count;
    same.matrices = false;
    runs_.push_back(std::make_unique<StationaryRun>(RunRequest{request.model, {}, {}, true, true, true}, *built));
  }
}

LevelSeries StationaryLevels::modes_of(const StationaryRun& run) const {
  LevelSeries level{{}, SensorSeries(finest_.comm(), finest_.sensors())};
  std::vector<double> row;
  for (const auto& mode : run.report().modes) {
    const bool vibrates = mode.count("frequency") != 0;
    level.columns.push_back(fmt::format("mode {}.{}", row.size() + 1, vibrates ? "frequency" : "load_factor"));
    row.push_back(mode.at(vibrates ? "frequency" : "load_factor"));
  }
  level.series.add(0, std::move(row));
  return level;
}

/// The first row of statics is the model as it is drawn, moved onto its joints: no state of rest, and another one for every mesh.
LevelSeries StationaryLevels::analyse_level(StationaryRun& run) const {
  LevelSeries level{run.sensors().header(), SensorSeries(run.comm(), run.sensors())};
  if (is_static_) {
    level.series.watch_reactions(largest_reaction_of(*run.built().system));
    run.add_observer(level.series);
  }
  analyse(run);
  heed_signals(run.comm());
  if (!is_static_) return modes_of(run);
  level.series = level.series.without_start();
  return level;
}

void StationaryLevels::compare() {
  if (levels_.is_empty()) return;
  std::vector<LevelSeries> series;
  for (const auto& run : runs_) series.push_back(analyse_level(*run));
  const LevelSeries finest = is_static_ ? LevelSeries{finest_.sensors().header(), series_.without_start()} : modes_of(finest_);
  const MeshBars bars(levels_, finest, series);
  bars.tell(finest_.comm(), nullptr, finest_.report(), finest_.is_quiet());
  if (!finest_.writes()) return;
  const std::filesystem::path path = finest_.file("errors.csv");
  const BarSum sum = bars.sum(nullptr);
  if (is_static_) {
    if (finest_.rows()) sum.write(finest_.comm(), path, finest_.rows()->times());
  } else {
    const bool vibrates = finest_.built().model.analysis.type == AnalysisType::modes;
    write_modes(finest_.comm(), path, vibrates ? "frequency" : "load_factor", sum.at(0));
  }
}

}  // namespace sinew
