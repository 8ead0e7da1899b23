/// \file
/// Faces of solids that bodies carry: their dofs and reactions follow from the border's unknowns and the solids' forces.
#pragma once

#include "linear/solid_split.hpp"

namespace sinew {

/// Takes the block `rows` by `columns` of A; into the same matrix again for other numbers. Collective.
void take_block(PetscMat A, IS rows, IS columns, MatHandle& block);

/// A pin p with the row a p + c y = r_m, y the border's unknowns, and the multiplier m that acts on p as f m and on the border as
/// e m. With T = -c/a and L = -e/f, p = T y + r_m/a, and m takes what is left of the equation of p; of the others there remain,
/// with J the solids' matrix, and B, C, D its blocks at the border,
///   B' = B + J_up T,   C' = C + L J_pu,   D' = D + C_p T + L (B_p + J_pp T),
/// u the dofs without pins. So thousands of nodes that a rigid body carries give the border the six dofs of this body, and not
/// their rows. Where a is zero nothing follows from a row; who uses this has to know that it is not.
class CarriedPins {
 public:
  /// Of a matrix by its unknowns; `bulk`, `border`: those of its numbers. Collective.
  CarriedPins(PetscMat A, const SolidSplit&, IS bulk, IS border);
  /// Are there any, on whatever rank?
  bool exist() const { return exist_; }
  /// Takes the numbers of A: B', C' and D', or its own blocks where there are none. The same three every time. Collective.
  void take(PetscMat A, MatHandle& B, MatHandle& C, MatHandle& D);
  /// u += L r, of the equations of the pins. Collective.
  void reduce(PetscVec r, PetscVec u) const;
  /// The pins of x take T y. Collective.
  void follow(PetscVec y, PetscVec x) const;

 private:
  /// A block of the matrix, found again in the same place for other numbers.
  struct Block {
    IS rows, columns;
    MatHandle matrix;
  };
  void scale(PetscMat A);

  bool exist_ = false;
  std::vector<PetscInt> pins_, pin_rows_, pins_by_row_;  ///< of this rank: rising pins with their rows; pins of rising rows
  std::vector<PetscInt> rows_;                           ///< rising
  PetscInt first_ = 0;
  IsHandle by_pin_, rows_by_pin_, by_row_, rows_by_row_;
  Block B_, C_, D_, T_, L_, J_up_, J_pu_, J_pp_, B_p_, C_p_;
  VecHandle inverse_a_, inverse_f_, pin_values_, row_values_;
};

}  // namespace sinew
