/// \file
/// The copies of other ranks' entries in ghosted vectors, brought up to date where they are not.
#pragma once

#include "base/star_forest.hpp"
#include "kernels/portability.hpp"

#include <array>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

namespace sinew {

/// Whether copies are up to date follows from the state that PETSc counts for every vector, so that asking for them again costs
/// nothing. This is why all ranks must write a vector where one of them does: one that has not would wait for nobody, and the
/// others for it. Several vectors travel together, in one message to each neighbour, which holds what it needs and no more; of
/// vectors that Kokkos works on nothing but the messages comes to the host.
class Halo {
 public:
  Halo() = default;
  /// For vectors of the layouts of these two, with copies of the entries of these global numbers. Collective.
  Halo(PetscVec dofs, const std::vector<PetscInt>& ghost_dofs, PetscVec rows, const std::vector<PetscInt>& ghost_rows);

  /// Brings the copies of dof and row vectors up to date; null pointers are passed over. Collective.
  void update(std::initializer_list<PetscVec> dofs, std::initializer_list<PetscVec> rows);

 private:
  /// What the vectors of a layout exchange.
  struct Side {
    PetscInt owned = 0;
    std::vector<PetscInt> boundary;  ///< own entries that others have copies of
    DeviceArray<PetscInt> boundary_on_device;
    std::vector<LeafRoot> source;  ///< of every copy: its owner, and its place in the owner's boundary
  };
  /// The messages that carry so many dof and row vectors, and their room.
  struct Plan {
    StarForest graph;
    std::vector<PetscScalar> sent, received;
    DeviceArray<double> sent_on_device, received_on_device;  ///< of vectors that Kokkos works on
  };
  /// The state of a vector when its copies were up to date.
  struct Noted {
    PetscObjectId vector = 0;
    PetscObjectState state = -1;
  };
  using Vectors = std::vector<PetscVec>;

  Vectors outdated(std::initializer_list<PetscVec>) const;
  void note(PetscVec);
  Plan& plan(std::size_t dofs, std::size_t rows);
  void exchange_on_host(const Vectors& dofs, const Vectors& rows, Plan&);
  void exchange_on_device(const Vectors& dofs, const Vectors& rows, Plan&);

  MPI_Comm comm_ = MPI_COMM_NULL;
  Side dofs_, rows_;
  std::vector<PetscInt> dof_boundary_of_owner_;  ///< of every copied row: how many dofs its owner's boundary has
  std::map<std::pair<std::size_t, std::size_t>, Plan> plans_;
  std::array<Noted, 16> noted_;  ///< the last ones
  std::size_t next_ = 0;
};

}  // namespace sinew
