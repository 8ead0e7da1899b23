/// \file
/// The Schur complement of the border of solids: of rigid bodies, frames and joints, with the solids' matrix replaced by its
/// preconditioner.
#pragma once

#include "linear/kkt_solver.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace sinew {

/// With [P B; C D] and W = P^-1 B it holds S = D - C W, where only columns of B that are not zero count: of what touches a solid.
/// Columns that touch different bodies, with no row in common, share one solution with P: they have one *colour*. S is small and
/// is factorised by every rank, by MUMPS where it is full. Any W makes x = t - W y fulfil C x + D y = u, if S y = u - C t: an old
/// one serves for another B.
class BorderComplement {
 public:
  using Inverse = std::function<void(PetscVec r, PetscVec z)>;  ///< z = P^-1 r; may change r

  /// Of bulk and border as B has them in rows and columns. `body`: of every three of the bulk. Collective.
  BorderComplement(PetscMat B, PetscMat D, const std::vector<std::int64_t>& body);

  /// W, of these columns. Collective.
  void find_columns(PetscMat B, const Inverse& inverse);
  /// S, with the W at hand. False: it is singular. Collective.
  bool factorise(PetscMat C, PetscMat D);
  /// y = S^-1 u, by the layout of the border; keeps y for `subtract`. False: the factors do not solve. Collective.
  bool solve(PetscVec u, PetscVec y);
  /// t -= W y with the y that was solved for last. Collective.
  void subtract(PetscVec t);
  int num_colours() const { return num_colours_; }
  PetscInt size() const { return size_; }

 private:
  struct Entry {
    PetscInt row, column;
  };
  void find_contacts(PetscMat B, const std::vector<std::int64_t>& body);
  void choose_colours();
  void prepare(PetscMat D);
  std::size_t place_of(int body, int colour) const {
    return static_cast<std::size_t>(body) * static_cast<std::size_t>(num_colours_) + static_cast<std::size_t>(colour);
  }

  MPI_Comm comm_;
  PetscInt size_ = 0, first_ = 0, num_own_ = 0;
  std::vector<int> body_;  ///< of every three of the bulk, among those that the border touches; -1: others
  int num_bodies_ = 0, num_colours_ = 0;
  std::vector<std::vector<int>> touches_;  ///< bodies, of every unknown of the border
  std::vector<int> colour_;                ///< of every unknown of the border, -1: touches none
  std::vector<PetscInt> column_;           ///< of a colour and a body: at place_of(body, colour), -1 where there is none
  std::vector<VecHandle> W_;               ///< of every colour; empty where there are too many to keep
  Inverse inverse_;                        ///< that W was found with
  MatHandle B_;                            ///< in place of W, that of its columns
  std::vector<PetscInt> read_rows_;        ///< of this rank's bulk: those that the border reads
  std::vector<std::vector<double>> read_;  ///< of every colour of W, there
  VecHandle bulk_, right_, product_, everything_, solution_;
  ScatterHandle to_all_;
  std::vector<std::vector<PetscInt>> filled_;  ///< of every colour, rows of this rank's border in which C W has an entry
  MatHandle S_;
  std::unique_ptr<KktSolver> solver_;
};

}  // namespace sinew
