/// \file
/// Runs of models whose laws switch.
#pragma once

#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

namespace sinew::test::switching_runs {

inline constexpr const char* controlled = "{tolerance: 1e-4, per: unit-step}";

/// What a model records with these steps, in a run that must end well.
inline Table run(const std::filesystem::path& folder, const std::string& model, const std::string& step, int ranks = 0,
                 const std::string& more = "") {
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --set 'analysis.step=" + step + "' " + more, ranks);
  INFO(step << ' ' << more << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return Table(folder / "model.out" / "sensors.csv");
}

inline double last(const Table& t, const std::string& column) { return t.at(column, t.rows() - 1); }

/// The text with the first such word replaced.
inline std::string with(std::string text, const std::string& word, const std::string& value) {
  text.replace(text.find(word), word.size(), value);
  return text;
}

}  // namespace sinew::test::switching_runs
