/// \file
/// CSV files that a run has left.
#pragma once

#include "tests/program/refusals.hpp"

#include <cmath>
#include <map>

namespace sinew::test {

/// The rows of a CSV file by their time in milliseconds, rounded.
inline std::map<long, std::map<std::string, double>> read_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line, word;
  std::getline(file, line);
  std::vector<std::string> header;
  for (std::istringstream words(line); std::getline(words, word, ',');) header.push_back(word);
  std::map<long, std::map<std::string, double>> table;
  while (std::getline(file, line)) {
    std::map<std::string, double> row;
    std::size_t k = 0;
    for (std::istringstream words(line); std::getline(words, word, ',');) row[header.at(k++)] = std::stod(word);
    table[std::lround(1000 * row.at("time"))] = row;
  }
  return table;
}

}  // namespace sinew::test
