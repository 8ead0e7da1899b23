/// \file
/// How a beam's length is divided into elements.
#pragma once

#include "model/bodies.hpp"

#include <vector>

namespace sinew {

/// The elements of a beam and their nodes by parts of its length, 0 to 1. Elements of order p have p + 1 nodes at Lobatto points
/// and share the outer ones. They are equally long, unless a place that needs a node has none then: all such places become ends
/// of elements, and between two of them elements are equally long again, as short as their number allows.
class BeamDivision {
 public:
  BeamDivision() = default;
  /// `nodes`: parts of the length that need a node; `ends`: those that need an end of an element. Throws InputError where there
  /// are too few elements for that.
  BeamDivision(int num_elements, int order, std::vector<double> nodes = {}, std::vector<double> ends = {});

  int num_elements() const { return num_elements_; }
  int order() const { return order_; }
  int num_nodes() const { return num_elements_ * order_ + 1; }
  /// The part of the length before element `element` begins; num_elements(): 1.
  double start(int element) const;
  /// The part before a place inside an element, 0 <= xi <= 1.
  double at(const CableStation& station) const;
  double node(int node) const;
  /// The station of a part of the length, and the node there, -1 where there is none.
  CableStation station(double at, int& node) const;

 private:
  /// Equally long elements, from one place to the next.
  struct Piece {
    double start = 0;
    int first = 0;  ///< element
  };
  double end_of(std::size_t piece) const { return piece + 1 < pieces_.size() ? pieces_[piece + 1].start : 1.0; }
  int past(std::size_t piece) const { return piece + 1 < pieces_.size() ? pieces_[piece + 1].first : num_elements_; }

  int num_elements_ = 0, order_ = 1;
  std::vector<Piece> pieces_ = std::vector<Piece>(1);
};

}  // namespace sinew
