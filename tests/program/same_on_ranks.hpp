/// \file
/// A run on one rank, compared with the same on more, and with one that goes on from its checkpoint on another number.
#pragma once

#include "tests/program/run_program.hpp"
#include "tests/program/table.hpp"

#include <string>
#include <vector>

namespace sinew::test {

/// What stands in the last rows of `model.yaml` of a folder, which has been run into `one` on one rank: the same columns, but for
/// a part `epsilon`, on 2 and 3 ranks, and from a checkpoint of `one` on 2.
inline void check_same_on_ranks(const std::filesystem::path& folder, const std::string& checkpoint,
                                const std::vector<std::string>& columns, double epsilon) {
  const Table one(folder / "one" / "sensors.csv");
  const auto check_same = [&](const std::string& arguments, int ranks) {
    INFO(arguments << " on " << ranks << " ranks");
    REQUIRE(run_sinew(folder, "run model.yaml " + arguments, ranks).code == 0);
    const Table other(folder / "more" / "sensors.csv");
    CHECK(other.at("time", other.rows() - 1) == one.at("time", one.rows() - 1));
    for (const std::string& column : columns)
      CHECK(other.at(column, other.rows() - 1) == Approx(one.at(column, one.rows() - 1)).epsilon(epsilon));
  };
  check_same("-o more", 2);
  check_same("-o more", 3);
  check_same("-o more --restart one/" + checkpoint, 2);
}

}  // namespace sinew::test
