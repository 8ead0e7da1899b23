/// \file
/// Nodes, elements and places of open and closed cables at the start.
#pragma once

#include "base/error.hpp"
#include "bodies/cable.hpp"
#include "kernels/shape/hermite.hpp"

#include <fmt/format.h>

#include <iterator>

namespace sinew {

/// `Instance`: a CableInstance or a RingInstance.
template <class Instance>
class CableAtStart final : public BodyAtStart {
 public:
  CableAtStart(const OneBody& one, Instance numbers, int num_elements)
      : one_(one), numbers_(std::move(numbers)), num_elements_(num_elements) {}

  NodeAtStart node(int k) const override { return node_of_cable(numbers_.node(k / 2), k % 2 == 1); }
  ElementAtStart element(int k) const override {
    const std::array<int, 4> ends = numbers_.ends(k);
    return element_of_cable(numbers_, numbers_.element_length(k), {ends.begin(), ends.end()});
  }
  BodyPlace place(const PlaceRef& ref) const override {
    if (ref.anchor == Anchor::station)
      throw InputError(
          fmt::format("a place on '{}' lies inside an element; joints and forces take hold of nodes: choose a fraction k/{} "
                      "of the length",
                      one_.name(), num_elements_));
    Place place;
    place.frame.x = numbers_.node(ref.node).x;
    place.can_turn = false;
    return {2 * ref.node, place};
  }
  /// r(xi) = sum N_k(xi) r_k over the positions and slopes of the two ends of an element.
  InnerPlace inner_place(const CableStation& station) const override {
    const std::vector<double> shapes = line_shapes(station.element, station.xi);
    const std::array<int, 4> ends = numbers_.ends(station.element);
    InnerPlace inner;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      inner.nodes[k] = ends[k];
      inner.weights[k] = shapes[k];
      inner.start += shapes[k] * node(ends[k]).frame.x;
    }
    return inner;
  }
  LineElement line_element(int element) const override {
    const std::array<int, 4> ends = numbers_.ends(element);
    return {numbers_.element_length(element), {ends.begin(), ends.end()}};
  }
  std::vector<double> line_shapes(int element, double xi) const override {
    double shapes[CubicHermite::num_nodes];
    CubicHermite::values(xi, numbers_.element_length(element), shapes);
    return {std::begin(shapes), std::end(shapes)};
  }

 private:
  OneBody one_;
  Instance numbers_;
  int num_elements_;
};

}  // namespace sinew
