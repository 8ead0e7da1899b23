#include "system/memory_need.hpp"

#include "base/error.hpp"
#include "base/machine_memory.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>
#include <petscsys.h>

#include <algorithm>
#include <string>

namespace sinew {

namespace {

constexpr double bytes_per_entry = 2 * sizeof(int) + 2 * sizeof(PetscInt) + sizeof(PetscCount);

/// Elements of a body and the unknowns of each.
struct Elements {
  double count = 0;
  int unknowns = 0;
};

Elements elements_of(const Model& model, const SolidMeshes& meshes, int body) {
  const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
  switch (item.kind()) {
    case BodyKind::rigid: return {1, 6};
    case BodyKind::point_mass: return {1, 3};
    case BodyKind::cable: return {static_cast<double>(std::get<CableItem>(item.shape).num_elements), 12};
    case BodyKind::solid: break;
  }
  const bool is_box = std::get<SolidItem>(item.shape).box.has_value();  // of cells with 8 nodes; a mesh has cells with 4 at least
  return {static_cast<double>(meshes.known.at(body).num_cells), is_box ? 24 : 12};
}

std::string gigabytes(double bytes) { return fmt::format("{:.3g} GB", 1e-9 * bytes); }

}  // namespace

double least_memory(const Model& model, const SolidMeshes& meshes) {
  double entries = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Elements e = elements_of(model, meshes, static_cast<int>(b));
    entries += static_cast<double>(model.bodies[b].repeat.count()) * e.count * e.unknowns * e.unknowns;
  }
  return bytes_per_entry * entries;
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
