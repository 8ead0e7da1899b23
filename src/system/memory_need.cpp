#include "system/memory_need.hpp"

#include "base/error.hpp"
#include "base/machine_memory.hpp"
#include "partition/exchange.hpp"
#include "system/slot_sums.hpp"

#include <fmt/format.h>
#include <petscsys.h>

#include <algorithm>
#include <string>

namespace sinew {

namespace {

/// Of every entry of an element's matrix: the number of its slot.
constexpr double bytes_per_slot = sizeof(SlotSums::SlotIndex);
/// Of every entry of the whole: its number where slots are summed; and its column and value, as in the factors.
constexpr double bytes_per_number = sizeof(int), bytes_per_entry = sizeof(PetscInt) + sizeof(PetscScalar);

double bytes_of(const MatrixNeed& need) {
  return need.slots * bytes_per_slot + need.entries * (bytes_per_number + (1 + need.in_factors) * bytes_per_entry);
}

std::string gigabytes(double bytes) { return fmt::format("{:.3g} GB", 1e-9 * bytes); }

}  // namespace

double least_memory(const Model& model, const SolidMeshes& meshes) {
  double bytes = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b].body();
    const std::int64_t elements = body.meshed() ? meshes.known.at(static_cast<int>(b)).num_cells : body.size().elements;
    bytes += static_cast<double>(model.bodies[b].repeat.count()) * static_cast<double>(elements) * bytes_of(body.matrix_need());
  }
  return bytes;
}

void require_memory(MPI_Comm comm, const Model& model, const SolidMeshes& meshes) {
  MPI_Comm neighbours = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &neighbours);
  const double share = least_memory(model, meshes) / comm_size(comm), here = comm_size(neighbours);
  MPI_Comm_free(&neighbours);
  // how often what there is would have to be had, on the rank that lacks most
  struct {
    double excess;
    int rank;
  } worst{std::max(share * here / machine_memory(), share / process_memory_limit()), comm_rank(comm)};
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  if (!(worst.excess > 1)) return;
  const bool is_machine = share * here > machine_memory();
  double figures[4] = {share, is_machine ? machine_memory() : process_memory_limit(), is_machine ? here : 1,
                       is_machine ? 1.0 : 0.0};
  MPI_Bcast(figures, 4, MPI_DOUBLE, worst.rank, comm);
  throw EnvironmentError(fmt::format(
      "out of memory before anything is built: the model needs at least {} on a machine with {} of its ranks, and there {} {}; "
      "make it smaller, or spread it over more machines",
      gigabytes(figures[0] * figures[2]), figures[2], figures[3] > 0 ? "are" : "is a limit of", gigabytes(figures[1])));
}

}  // namespace sinew
