#include "base/reduction.hpp"

#include <cmath>

namespace sinew {

namespace {

/// MPI_Op on Reduction::Numbers.
void join(void* from, void* into, int* count, MPI_Datatype* /*type*/) {
  const auto* others = static_cast<const Reduction::Numbers*>(from);
  auto* mine = static_cast<Reduction::Numbers*>(into);
  for (int n = 0; n < *count; ++n) {
    const auto sums = static_cast<unsigned>(mine[n].sums);
    for (std::size_t k = 0; k < static_cast<std::size_t>(mine[n].count); ++k) {
      double& own = mine[n].values[k];
      const double other = others[n].values[k];
      if ((sums >> k & 1U) != 0)
        own += other;
      else if (!(other <= own) && !std::isnan(own))
        own = other;
    }
  }
}

struct Messages {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Messages() {
    MPI_Op_create(join, 1, &op);
    MPI_Type_contiguous(static_cast<int>(sizeof(Reduction::Numbers) / sizeof(double)), MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
  }
};

}  // namespace

std::size_t Reduction::sum(double number) {
  const std::size_t place = largest(number);
  numbers_.sums += static_cast<double>(1U << place);
  return place;
}

std::size_t Reduction::largest(double number) {
  const auto place = static_cast<std::size_t>(numbers_.count);
  numbers_.values.at(place) = number;
  numbers_.count += 1;
  return place;
}

void Reduction::share() {
  int size = 1;
  MPI_Comm_size(comm_, &size);
  if (size == 1) return;
  static const Messages messages;  // until MPI ends
  MPI_Allreduce(MPI_IN_PLACE, &numbers_, 1, messages.type, messages.op, comm_);
}

double largest_of_all(MPI_Comm comm, double number) {
  Reduction all(comm);
  all.largest(number);
  all.share();
  return all[0];
}

double least_of_all(MPI_Comm comm, double number) { return -largest_of_all(comm, -number); }

bool is_so_on_all(MPI_Comm comm, bool own) { return !is_so_on_any(comm, !own); }

bool is_so_on_any(MPI_Comm comm, bool own) {
  int any = own ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

}  // namespace sinew
