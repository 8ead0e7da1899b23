#include "observe/bar_sum.hpp"

#include "observe/text_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace sinew {

void BarSum::add(const ErrorBars& bars) {
  std::map<std::string, int> known;
  for (const BarColumn& column : bars.columns()) known.emplace(column.name, static_cast<int>(known.size()));
  Part part{bars, {}};
  for (const std::string& column : columns_) {
    const auto found = known.find(column);
    part.columns.push_back(found == known.end() ? -1 : found->second);
  }
  parts_.push_back(std::move(part));
}

/// `known`: bars of a part.
std::vector<double> BarSum::in_columns(const Part& part, const std::vector<double>& known) {
  std::vector<double> result;
  for (const int c : part.columns)
    result.push_back(c < 0 ? std::numeric_limits<double>::quiet_NaN() : known[static_cast<std::size_t>(c)]);
  return result;
}

std::vector<double> BarSum::at(double time) const {
  std::vector<double> sum(columns_.size(), 0.0);
  for (const Part& part : parts_) {
    const std::vector<double> more = in_columns(part, part.bars.at(time));
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += more[c];
  }
  return sum;
}

WorstBar BarSum::worst() const {
  WorstBar worst;
  worst.parts.resize(parts_.size());
  std::set<double> times;
  for (const Part& part : parts_) times.insert(part.bars.recorded().begin(), part.bars.recorded().end());
  for (const double time : times) {
    std::vector<std::vector<double>> rows;
    for (const Part& part : parts_) rows.push_back(in_columns(part, part.bars.apart_from_switches(time)));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const int known = parts_.back().columns[c];
      if (known < 0) continue;
      const BarColumn& column = parts_.back().bars.columns()[static_cast<std::size_t>(known)];
      double sum = 0;
      for (const auto& row : rows) sum += row[c];
      if (!(column.size > 0) || !(sum > worst.share * column.size)) continue;
      worst.share = sum / column.size;
      worst.quantity = column.quantity;
      worst.time = time;
      for (std::size_t p = 0; p < rows.size(); ++p) worst.parts[p] = rows[p][c] / column.size;
    }
  }
  return worst;
}

std::vector<std::string> BarSum::unknown() const {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    for (const Part& part : parts_)
      if (part.columns[c] < 0) {
        names.push_back(columns_[c]);
        break;
      }
  return names;
}

void BarSum::write(MPI_Comm comm, const std::filesystem::path& path, const std::vector<double>& times,
                   const std::string& first) const {
  TextFile file(comm, path);
  fmt::memory_buffer text;
  if (file.is_writer()) {
    fmt::format_to(std::back_inserter(text), "{}", first);
    for (const std::string& name : columns_) fmt::format_to(std::back_inserter(text), ",{}", name);
    text.push_back('\n');
    for (const double time : times) {
      fmt::format_to(std::back_inserter(text), "{:.17g}", time);
      for (const double bar : at(time)) fmt::format_to(std::back_inserter(text), ",{:.6g}", bar);
      text.push_back('\n');
    }
  }
  file.write(fmt::to_string(text));
}

}  // namespace sinew
