/// \file
/// Which joints constraint rows belong to, for messages about residuals and redundancies.
#pragma once

#include "system/system.hpp"

#include <string>
#include <vector>

namespace sinew {

/// A joint, or the surfaces of a body that joints take hold of, and how much of something its rows have.
struct RowOwner {
  Origin origin;
  std::int64_t first = -1;  ///< natural number of its first row
  double amount = 0;        ///< sum over its rows
};

/// The owners of rows that together have more than `threshold`, in the order of the model file, the same on all ranks; of very
/// many only the largest. `amount`: a number for every row that this rank owns, none negative. Collective.
std::vector<RowOwner> owners_of_rows(const System&, const std::vector<double>& amount, double threshold);

/// `'hinge', 'slider'`; of many the first ones, then `and others`.
std::string names_of(const Model&, const std::vector<RowOwner>&);

/// Where the first one stands in the model file: `file:line:column`.
std::string place_of_first(const Model&, const std::vector<RowOwner>&);

}  // namespace sinew
