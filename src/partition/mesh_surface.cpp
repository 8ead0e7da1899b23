#include "partition/mesh_surface.hpp"

#include "model/mesh_measure.hpp"
#include "partition/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sinew {

namespace {

/// The integrals of a node's shape function over one face, by itself and times the place.
struct FaceWeight {
  int node = -1;
  int shape = 0;
  std::int64_t order = 0;
  double weight = 0;
  Point3 moment{};
};

/// What the faces of this rank give to the nodes of the group, by the ranks that hold the nodes.
std::vector<std::vector<FaceWeight>> face_weights(MPI_Comm comm, const MeshSlice& slice, int group) {
  std::vector<std::vector<FaceWeight>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  for (const auto* blocks : {&slice.faces, &slice.volumes})  // cells themselves, of a surface mesh
    for (const CellSlice& faces : *blocks)
      for (std::size_t c = 0; c < faces.size(); ++c) {
        if (!slice.is_in(faces, c, group)) continue;
        const std::vector<Point3> places = slice.places(faces, c);
        const std::vector<double> integrals = shape_integrals(places, faces.shape);
        const std::vector<Point3> moments = shape_moments(places, faces.shape);
        for (std::size_t a = 0; a < integrals.size(); ++a) {
          const int node = slice.near[static_cast<std::size_t>(faces.nodes[c * integrals.size() + a])].number;
          outgoing[static_cast<std::size_t>(slice.home(node))].push_back(
              {node, static_cast<int>(faces.shape), faces.orders[c], integrals[a], moments[a]});
        }
      }
  return outgoing;
}

/// Area, mean and radius of gyration over all ranks. Collective.
void measure(MPI_Comm comm, const MeshSlice& slice, SurfaceSlice& surface) {
  const std::int64_t first = slice.first_points[static_cast<std::size_t>(comm_rank(comm))];
  const auto sum = [&](auto term) {
    double total = 0;
    for (const SurfaceNode& n : surface.nodes) total += term(n.weight, slice.points[static_cast<std::size_t>(n.node - first)]);
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, comm);
    return total;
  };
  measure_group(sum, surface.known);
  for (SurfaceNode& n : surface.nodes) n.moment -= n.weight * surface.known.mean;
}

}  // namespace

SurfaceSlice make_surface(MPI_Comm comm, const MeshSlice& slice, int group, const std::string& name) {
  std::vector<FaceWeight> weights;
  for (const auto& part : all_to_all(comm, face_weights(comm, slice, group)))
    weights.insert(weights.end(), part.begin(), part.end());
  // In the order of the file, so that the sums are the same on any number of ranks.
  std::sort(weights.begin(), weights.end(), [](const FaceWeight& a, const FaceWeight& b) {
    return std::tie(a.node, a.shape, a.order) < std::tie(b.node, b.shape, b.order);
  });
  SurfaceSlice surface;
  surface.known.name = name;
  for (const FaceWeight& w : weights) {
    if (surface.nodes.empty() || surface.nodes.back().node != w.node) surface.nodes.push_back({w.node, 0, {}});
    surface.nodes.back().weight += w.weight;
    surface.nodes.back().moment += vec3_at(w.moment.data());
  }
  const auto own = static_cast<std::int64_t>(surface.nodes.size());
  std::int64_t end = 0, total = 0;
  MPI_Scan(&own, &end, 1, MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(&own, &total, 1, MPI_INT64_T, MPI_SUM, comm);
  surface.first = end - own;
  surface.known.num_nodes = static_cast<int>(total);
  measure(comm, slice, surface);
  return surface;
}

}  // namespace sinew
