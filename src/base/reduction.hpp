/// \file
/// Numbers that all ranks need of all ranks, in one message.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>

namespace sinew {

/// Collects sums and maxima of this rank's numbers, then `share`s them: one reduction, however many there are. What is no number
/// on some rank is none on all.
class Reduction {
 public:
  explicit Reduction(MPI_Comm comm) : comm_(comm) {}
  /// Place of the sum, respectively the largest, of all ranks' numbers. The same calls in the same order on all ranks.
  std::size_t sum(double number);
  std::size_t largest(double number);
  /// Collective.
  void share();
  /// Of this rank before `share`, of all ranks behind it.
  double operator[](std::size_t place) const { return numbers_.values[place]; }

  static constexpr std::size_t capacity = 14;
  /// As it travels.
  struct Numbers {
    std::array<double, capacity> values{};
    double count = 0, sums = 0;  ///< sums: a bit for every place that holds one
  };

 private:
  MPI_Comm comm_;
  Numbers numbers_;
};

/// The largest, respectively the least, of all ranks' numbers; none where one is no number. Collective.
double largest_of_all(MPI_Comm, double number);
double least_of_all(MPI_Comm, double number);

/// Is it so on every rank, respectively on one at least? The same answer on all. Collective.
bool is_so_on_all(MPI_Comm, bool own);
bool is_so_on_any(MPI_Comm, bool own);

}  // namespace sinew
