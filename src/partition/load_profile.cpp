#include "partition/load_profile.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace sinew {

LoadProfile::LoadProfile(const FieldValues& fields) {
  if (!fields.has("profile")) {
    rows_ = {{0, 1}, {1, 1}};
    return;
  }
  const std::vector<double>& numbers = fields.at("profile");
  for (std::size_t k = 0; k + 1 < numbers.size(); k += 2) {
    const Row row{numbers[k], numbers[k + 1]};
    if (!(row.part >= 0 && row.part <= 1))
      throw std::invalid_argument(fmt::format(
          "a row of `profile` names {:g}, and parts of the length lie between 0, its start, and 1, its end", row.part));
    if (!rows_.empty() && row.part < rows_.back().part)
      throw std::invalid_argument(
          fmt::format("`profile` names {:g} after {:g}: parts of the length rise; one may stand twice, where the load jumps",
                      row.part, rows_.back().part));
    if (rows_.size() > 1 && row.part == rows_[rows_.size() - 2].part)
      throw std::invalid_argument(
          fmt::format("`profile` names {:g} three times: one part may stand twice, where the load jumps, and a row between the "
                      "two says nothing",
                      row.part));
    rows_.push_back(row);
  }
  if (rows_.front().part == rows_.back().part)
    throw std::invalid_argument(fmt::format(
        "`profile` covers no length: all its rows are at {:g} (a load in one place is a `force`)", rows_.front().part));
}

}  // namespace sinew
