/// \file
/// The motion of one element as a whole, which strains nothing in it.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "kernels/sweep/family.hpp"
#include "partition/local_model.hpp"

#include <vector>

namespace sinew {

/// A motion x of an element's nodes is one of the whole, v + w x (X_a - X_0), and what is left of it, which is far smaller where
/// elements are many. Stiffness against deformation answers to what is left alone. K x of the whole motion is known without K:
/// forces f turn with the element, and moments in body axes stay, so that its rows are -w x f_a and 0.
class ElementMotion {
 public:
  /// Of element e at a host copy of the local configuration.
  ElementMotion(const LocalModel&, const double* config, const Family&, int e);

  /// Can it move as a whole? Not where one of its nodes is the ground, or is seen as another kind of node than it is.
  bool is_free() const { return is_free_; }
  /// The motion of the whole in x: x_0 of the first place and a turn w that fits the others; w is left in `turn`.
  std::vector<double> whole(const std::vector<double>& x, Vec3<double>& turn) const;
  /// K times that motion where the element's forces are f.
  std::vector<double> turned_forces(const Vec3<double>& turn, const std::vector<double>& f) const;
  /// The largest distance of a place from the first one, m.
  double span() const;

 private:
  struct Node {
    int first_dof = 0;  ///< of the element's
    bool is_place = false, turns = false;
    Vec3<double> arm;  ///< from the first place; of a slope itself
    Mat3<double> R;
  };

  Vec3<double> fitted_turn(const std::vector<double>& x) const;

  std::vector<Node> nodes_;
  int base_ = 0;  ///< dof of the first place
  int num_dofs_ = 0;
  bool is_free_ = false;
};

}  // namespace sinew
