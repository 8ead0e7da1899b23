#include "partition/exchange.hpp"

#include "base/petsc.hpp"

#include <petscsys.h>

namespace sinew {

std::vector<Parcel> announce(MPI_Comm comm, const std::vector<Parcel>& outgoing) {
  std::vector<PetscMPIInt> to;
  std::vector<std::int64_t> counts;
  for (const Parcel& p : outgoing) {
    to.push_back(p.rank);
    counts.push_back(p.count);
  }
  PetscMPIInt num_from = 0, *from = nullptr;
  std::int64_t* from_counts = nullptr;
  petsc(PetscCommBuildTwoSided(comm, 1, MPI_INT64_T, static_cast<PetscMPIInt>(to.size()), to.data(), counts.data(), &num_from,
                               &from, static_cast<void*>(&from_counts)));
  std::vector<Parcel> incoming;
  for (PetscMPIInt i = 0; i < num_from; ++i) incoming.push_back({from[i], from_counts[i]});
  petsc(PetscFree(from));
  petsc(PetscFree(from_counts));
  std::sort(incoming.begin(), incoming.end(), [](const Parcel& a, const Parcel& b) { return a.rank < b.rank; });
  return incoming;
}

}  // namespace sinew
