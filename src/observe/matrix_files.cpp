#include "observe/matrix_files.hpp"

#include "observe/text_file.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sinew {

namespace {

/// Messages stay below this, bytes.
constexpr std::size_t longest_message = std::size_t{1} << 26;

/// The texts of all ranks, one rank after the other.
void write_in_turn(MPI_Comm comm, TextFile& file, const std::string& mine) {
  const int rank = comm_rank(comm), size = comm_size(comm);
  file.write(mine);
  for (int from = 1; from < size; ++from) {
    unsigned long long length = mine.size();
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, from, comm);
    for (std::size_t start = 0; start < length; start += longest_message) {
      const auto part = static_cast<int>(std::min<std::size_t>(longest_message, length - start));
      std::string text;
      if (rank == from) MPI_Send(mine.data() + start, part, MPI_CHAR, 0, 0, comm);
      if (rank == 0) {
        text.resize(static_cast<std::size_t>(part));
        MPI_Recv(text.data(), part, MPI_CHAR, from, 0, comm, MPI_STATUS_IGNORE);
      }
      file.write(text);
    }
  }
}

void write_sparse(MPI_Comm comm, const std::filesystem::path& path, const std::vector<MatrixEntry>& mine, std::int64_t rows,
                  std::int64_t columns) {
  std::int64_t count = static_cast<std::int64_t>(mine.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, comm);
  fmt::memory_buffer text;
  if (comm_rank(comm) == 0)
    fmt::format_to(std::back_inserter(text), "%%MatrixMarket matrix coordinate real general\n{} {} {}\n", rows, columns, count);
  for (const MatrixEntry& e : mine) fmt::format_to(std::back_inserter(text), "{} {} {:.17g}\n", e.row + 1, e.column + 1, e.value);
  TextFile file(comm, path);
  write_in_turn(comm, file, fmt::to_string(text));
}

void write_dense(MPI_Comm comm, const std::filesystem::path& path, const Dense& A) {
  fmt::memory_buffer text;
  if (comm_rank(comm) == 0) {
    fmt::format_to(std::back_inserter(text), "%%MatrixMarket matrix array real general\n{} {}\n", A.rows, A.columns);
    for (const double value : A.values) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
  }
  TextFile(comm, path).write(fmt::to_string(text));
}

/// Lines that belong to natural numbers, in their order: rank 0 sorts what all ranks have.
void write_names(MPI_Comm comm, const std::filesystem::path& path, const std::string& header,
                 const std::vector<std::pair<std::int64_t, std::string>>& mine) {
  std::string text;
  for (const auto& [number, name] : mine) text += fmt::format("{},{}\n", number + 1, name);
  std::vector<std::vector<char>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  outgoing[0].assign(text.begin(), text.end());
  std::vector<std::pair<std::int64_t, std::string>> lines;
  for (const std::vector<char>& part : all_to_all(comm, outgoing))
    for (auto from = part.begin(); from != part.end();) {
      const auto to = std::find(from, part.end(), '\n');
      lines.emplace_back(std::stoll(std::string(from, to)), std::string(from, to + 1));
      from = to + 1;
    }
  std::sort(lines.begin(), lines.end());
  std::string sorted = header;
  for (const auto& line : lines) sorted += line.second;
  TextFile(comm, path).write(sorted);
}

void write_list(MPI_Comm comm, const std::filesystem::path& path, const char* header, const std::vector<std::string>& names) {
  std::string text = header;
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("{},{}\n", i + 1, names[i]);
  TextFile(comm, path).write(text);
}

}  // namespace

void write_matrices(const System& system, const NaturalUnknowns& unknowns, const LinearisedSystem& s,
                    const std::filesystem::path& directory) {
  const MPI_Comm comm = system.layout().comm;
  const std::int64_t n = unknowns.num_dofs(), m = unknowns.num_rows();
  write_sparse(comm, directory / "matrix_M.mtx", unknowns.dof_block(s.M), n, n);
  write_sparse(comm, directory / "matrix_D.mtx", unknowns.dof_block(s.D), n, n);
  write_sparse(comm, directory / "matrix_K.mtx", unknowns.dof_block(s.K), n, n);
  // rows with rates: what stands in front of w' is in D, what stands in front of w in K
  const auto& is_velocity = system.layout().row_is_velocity;
  std::vector<std::int64_t> rate_rows;
  for (std::size_t i = 0; s.has_rates && i < is_velocity.size(); ++i)
    if (is_velocity[i]) rate_rows.push_back(unknowns.rows()[i]);
  std::sort(rate_rows.begin(), rate_rows.end());
  std::vector<MatrixEntry> G, H;
  for (const MatrixEntry& e : unknowns.constraint_block(s.K))
    (std::binary_search(rate_rows.begin(), rate_rows.end(), e.row) ? H : G).push_back(e);
  if (s.has_rates) {
    const std::vector<MatrixEntry> rates = unknowns.constraint_block(s.D);
    G.insert(G.end(), rates.begin(), rates.end());
    write_sparse(comm, directory / "matrix_H.mtx", H, m, n);
  }
  write_sparse(comm, directory / "matrix_G.mtx", G, m, n);
  std::vector<std::pair<std::int64_t, std::string>> dofs, rows;
  for (std::size_t i = 0; i < unknowns.dofs().size(); ++i)
    dofs.emplace_back(unknowns.dofs()[i], unknowns.dof_name(static_cast<int>(i)));
  for (std::size_t i = 0; i < unknowns.rows().size(); ++i) {
    const bool is_rate = std::binary_search(rate_rows.begin(), rate_rows.end(), unknowns.rows()[i]);
    rows.emplace_back(unknowns.rows()[i], unknowns.row_name(static_cast<int>(i)) + (is_rate ? ",velocity" : ",position"));
  }
  write_names(comm, directory / "matrix_dofs.csv", "dof,body,node,component\n", dofs);
  write_names(comm, directory / "matrix_rows.csv", "row,joint,component,level\n", rows);
}

void write_state_space(MPI_Comm comm, const StateSpace& s, const std::filesystem::path& directory) {
  const std::pair<const char*, const Dense*> matrices[] = {{"A", &s.A}, {"B", &s.B}, {"C", &s.C}, {"D", &s.D}, {"T", &s.T}};
  for (const auto& [name, matrix] : matrices) write_dense(comm, directory / fmt::format("state_{}.mtx", name), *matrix);
  write_list(comm, directory / "state_inputs.csv", "input,name\n", s.inputs);
  write_list(comm, directory / "state_outputs.csv", "output,name\n", s.outputs);
}

}  // namespace sinew
