#include "model/cell_faces.hpp"

#include <cmath>
#include <map>

namespace sinew {

namespace {

std::vector<std::vector<int>> corners_of_faces(CellShape shape) {
  switch (shape_info(shape).reference) {
    case ReferenceCell::simplex: return {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    case ReferenceCell::prism: return {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    case ReferenceCell::cube: break;
  }
  return {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 3, 2, 1}, {4, 5, 6, 7}};
}

/// The node in the mean of some corners, -1 if there is none.
int node_between(CellShape shape, const std::vector<int>& corners) {
  const auto nodes = reference_nodes(shape);
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    double distance = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double mean = 0;
      for (const int corner : corners) mean += nodes[static_cast<std::size_t>(corner)][k] / static_cast<double>(corners.size());
      distance += std::fabs(nodes[a][k] - mean);
    }
    if (distance < 1e-9) return static_cast<int>(a);
  }
  return -1;
}

CellShape shape_of_face(std::size_t num_nodes) {
  switch (num_nodes) {
    case 3: return CellShape::tri3;
    case 6: return CellShape::tri6;
    case 4: return CellShape::quad4;
    case 8: return CellShape::quad8;
    default: return CellShape::quad9;
  }
}

std::vector<CellFace> make_faces(CellShape shape) {
  std::vector<CellFace> faces;
  for (const std::vector<int>& corners : corners_of_faces(shape)) {
    CellFace face;
    face.nodes = corners;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const int middle = node_between(shape, {corners[k], corners[(k + 1) % corners.size()]});
      if (middle >= 0) face.nodes.push_back(middle);
    }
    if (const int centre = node_between(shape, corners); corners.size() == 4 && centre >= 0) face.nodes.push_back(centre);
    face.shape = shape_of_face(face.nodes.size());
    faces.push_back(std::move(face));
  }
  return faces;
}

}  // namespace

const std::vector<CellFace>& cell_faces(CellShape shape) {
  static const std::map<CellShape, std::vector<CellFace>> all = [] {
    std::map<CellShape, std::vector<CellFace>> made;
    for (int k = 0; k < num_cell_shapes; ++k)
      if (shape_info(static_cast<CellShape>(k)).dimension == 3)
        made.emplace(static_cast<CellShape>(k), make_faces(static_cast<CellShape>(k)));
    return made;
  }();
  return all.at(shape);
}

}  // namespace sinew
