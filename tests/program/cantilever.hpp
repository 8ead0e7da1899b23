/// \file
/// Models and tables that analyses of rest, modes and buckling share.
#pragma once

#include "tests/program/refusals.hpp"

#include <algorithm>
#include <vector>

namespace sinew::test {

/// A column under a load on its end.
inline const std::string cantilever = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 8}, section: s, material: m}
joints:
  foot: {type: clamp, connect: [ground, c.start]}
forces:
  press: {type: force, on: c.end, vector: [0.1, 0, -2]}
sensors:
  tip: {type: point, of: c.end, record: [displacement]}
)";

/// The numbers of a table with a header, row by row.
inline std::vector<std::vector<double>> rows_of(const std::filesystem::path& file) {
  std::istringstream text(file_text(file));
  std::string line;
  std::getline(text, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

inline int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace sinew::test
