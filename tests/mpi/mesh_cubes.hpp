/// \file
/// Mesh files that all ranks read, and what goes wrong there.
#pragma once

#include "base/error.hpp"
#include "partition/exchange.hpp"
#include "tests/src/input/mesh_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

namespace sinew::test {

/// A file of that content, written by rank 0 for all. Collective.
inline std::filesystem::path shared_file(const std::string& bytes, const std::string& name) {
  const std::string file = fmt::format("{}_{}.msh", name, comm_size(MPI_COMM_WORLD));
  if (comm_rank(MPI_COMM_WORLD) == 0) write_scratch(file, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  return scratch_path(file);
}

/// Whether it is so on all ranks. Collective.
inline bool on_all(bool here) {
  int all = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

/// What the work says when it throws InputError; empty if it does not.
inline std::string complaint(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// n x n x n cubes in two halves, "left" and "right" of "body", with a face each on two sides, "end" and "skin", which overlap.
/// Some cells and faces are listed twice, some points and a face hang on nothing; nodes come in no order and `spread` tells how
/// far their numbers lie apart.
inline FileMesh cubes(int n, int spread) {
  FileMesh mesh;
  const auto number = [&](int i, int j, int k) { return 1 + spread * (i + (n + 1) * (j + (n + 1) * k)); };
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) mesh.nodes.push_back({number(i, j, k), {1.0 * i, 1.0 * j + 0.1 * i, 1.0 * k}});
  for (int i = 0; i < n; ++i) mesh.nodes.push_back({number(n, n, n) + spread * (i + 1), {-1.0, 1.0 * i, i * i * 1.0}});
  std::shuffle(mesh.nodes.begin(), mesh.nodes.end(), std::mt19937(7));
  const int loose = number(n, n, n) + spread;
  mesh.elements.push_back({2, 2, 1, {loose, loose + spread, number(0, 0, 0)}});
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) {
      mesh.elements.push_back({3, 2, 1, {number(0, j, k), number(0, j, k + 1), number(0, j + 1, k + 1), number(0, j + 1, k)}});
      mesh.elements.push_back({3, 2, 2, {number(j, 0, k), number(j + 1, 0, k), number(j + 1, 0, k + 1), number(j, 0, k + 1)}});
    }
  mesh.elements.push_back({3, 2, 2, {number(0, 1, 0), number(0, 0, 0), number(0, 0, 1), number(0, 1, 1)}});
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        std::vector<int> nodes;
        for (const int z : {k, k + 1})
          for (const auto& [x, y] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}) nodes.push_back(number(x, y, z));
        mesh.elements.push_back({5, 3, 2 * i < n ? 1 : 2, nodes});
        if ((i + j + k) % 5 == 0) mesh.elements.push_back({5, 3, 2, nodes});
      }
  mesh.physicals = {{{2, 1}, {1, 2}}, {{2, 2}, {2}}, {{3, 1}, {1, 2}}, {{3, 2}, {1, 3}}};
  mesh.names = {{{2, 1}, "end"}, {{2, 2}, "skin"}, {{3, 1}, "body"}, {{3, 2}, "left"}, {{3, 3}, "right"}, {{2, 9}, "nobody"}};
  return mesh;
}

}  // namespace sinew::test
