/// \file
/// Error bars of different origin, of the steps and of the mesh, added up.
#pragma once

#include "observe/error_bars.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

/// The largest bar over the size of its quantity, and what it is made of.
struct WorstBar {
  double share = 0;
  std::string quantity;
  double time = 0;
  std::vector<double> parts;  ///< the shares of the bars that were added, in their order
};

/// Sums in the columns of sensors.csv. On rank 0, the only one that knows them.
class BarSum {
 public:
  explicit BarSum(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  /// Columns that the bars do not know have none from now on (NaN). The bars are copied.
  void add(const ErrorBars&);
  bool is_empty() const { return parts_.empty(); }

  /// Of all columns at that time.
  std::vector<double> at(double time) const;
  WorstBar worst() const;
  /// Columns without bars.
  std::vector<std::string> unknown() const;
  /// errors.csv: the rows and columns of sensors.csv, whose times are given. `first`: the name of its first column. Throws
  /// EnvironmentError. Collective.
  void write(MPI_Comm comm, const std::filesystem::path& path, const std::vector<double>& times,
             const std::string& first = "time") const;

 private:
  struct Part {
    ErrorBars bars;
    std::vector<int> columns;  ///< of the bars, for every one of the sum's; -1: unknown
  };

  static std::vector<double> in_columns(const Part&, const std::vector<double>& known);

  std::vector<std::string> columns_;
  std::vector<Part> parts_;
};

}  // namespace sinew
