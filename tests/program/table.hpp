/// \file
/// The tables that a run leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace sinew::test {

/// A CSV file of numbers under a line of names.
class Table {
 public:
  explicit Table(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line, cell;
    std::vector<std::string> names;
    std::getline(file, line);
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
    for (; std::getline(file, line); ++rows_) {
      std::istringstream cells(line);
      for (const std::string& name : names) {
        std::getline(cells, cell, ',');
        columns_[name].push_back(std::stod(cell));
      }
    }
  }
  std::size_t rows() const { return rows_; }
  /// Throws where there is no such column or row.
  double at(const std::string& column, std::size_t row) const { return columns_.at(column).at(row); }

 private:
  std::size_t rows_ = 0;
  std::map<std::string, std::vector<double>> columns_;
};

/// The largest amount of a column, or of what it is more than another.
inline double largest(const Table& table, const std::string& column, const std::string& less = {}) {
  double most = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    most = std::max(most, std::abs(table.at(column, row) - (less.empty() ? 0.0 : table.at(less, row))));
  return most;
}

}  // namespace sinew::test
