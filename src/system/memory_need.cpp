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
/// Of every entry of the whole: its number where slots are summed, its column and value, and as much in the factors; half of that
/// in incomplete ones of symmetric matrices.
constexpr double bytes_per_full_entry = sizeof(int) + 2 * (sizeof(PetscInt) + sizeof(PetscScalar));
constexpr double bytes_per_entry = sizeof(int) + 1.5 * (sizeof(PetscInt) + sizeof(PetscScalar));

/// Elements of a body, and what a run keeps of one.
struct Elements {
  double count = 0, bytes = 0;
};

/// `share`: entries of the whole over those of the elements, which have them together.
double bytes_of(int unknowns, double share, double of_entry) { return unknowns * unknowns * (bytes_per_slot + share * of_entry); }

Elements elements_of(const Model& model, const SolidMeshes& meshes, int body) {
  const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
  switch (item.kind()) {
    case BodyKind::rigid: return {1, 6 * bytes_per_full_entry};  // some have no more than the diagonal
    case BodyKind::point_mass: return {1, 3 * bytes_per_full_entry};
    case BodyKind::cable:  // an element shares a fourth of its entries with each neighbour
      return {static_cast<double>(std::get<CableItem>(item.shape).num_elements), bytes_of(12, 0.75, bytes_per_full_entry)};
    case BodyKind::beam: {  // of its nodes an element shares the outer two
      const BeamItem& beam = std::get<BeamItem>(item.shape);
      const int nodes = beam.order + 1;
      return {static_cast<double>(beam.num_elements), bytes_of(6 * nodes, 1 - 1.0 / (nodes * nodes), bytes_per_full_entry)};
    }
    case BodyKind::solid: break;
  }
  const bool is_box = std::get<SolidItem>(item.shape).box.has_value();  // of cells with 8 nodes; a mesh has cells with 4 at least
  // of a node's 27 neighbours in a lattice, 14 in tetrahedra, of which there are five to six a node
  const double bytes = is_box ? bytes_of(24, 243.0 / 576, bytes_per_entry) : bytes_of(12, 126.0 / (6 * 144), bytes_per_entry);
  return {static_cast<double>(meshes.known.at(body).num_cells), bytes};
}

std::string gigabytes(double bytes) { return fmt::format("{:.3g} GB", 1e-9 * bytes); }

}  // namespace

double least_memory(const Model& model, const SolidMeshes& meshes) {
  double bytes = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Elements e = elements_of(model, meshes, static_cast<int>(b));
    bytes += static_cast<double>(model.bodies[b].repeat.count()) * e.count * e.bytes;
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
