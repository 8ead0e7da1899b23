#include "partition/shared_surfaces.hpp"

#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

namespace sinew {

namespace {

/// What this rank has of the surface of a body; null without a shape.
const TriangleSurface* surface_here(const Model& model, int body) {
  const RigidShape* shape = model.body_at(body).carried_shape();
  return shape ? &shape->surface : nullptr;
}

/// Rank 0's surface on the ranks that want it. Collective.
TriangleSurface fetch(MPI_Comm comm, const TriangleSurface& own, const std::array<std::int64_t, 2>& size, bool is_wanted) {
  const bool is_first = comm_rank(comm) == 0;
  MPI_Comm members = MPI_COMM_NULL;
  MPI_Comm_split(comm, is_first || is_wanted ? 0 : MPI_UNDEFINED, comm_rank(comm), &members);
  if (members == MPI_COMM_NULL) return {};
  TriangleSurface copy;
  if (!is_first) {
    copy.points.resize(static_cast<std::size_t>(size[0]));
    copy.triangles.resize(static_cast<std::size_t>(size[1]));
  }
  // rank 0 only sends
  auto& surface = is_first ? const_cast<TriangleSurface&>(own) : copy;
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double) && sizeof(std::array<int, 3>) == 3 * sizeof(int));
  MPI_Bcast(surface.points.data(), static_cast<int>(3 * size[0]), MPI_DOUBLE, 0, members);
  MPI_Bcast(surface.triangles.data(), static_cast<int>(3 * size[1]), MPI_INT, 0, members);
  MPI_Comm_free(&members);
  return copy;
}

}  // namespace

BodySurfaces::BodySurfaces(MPI_Comm comm, const Model& model, const std::vector<char>& is_wanted) : model_(model) {
  std::vector<int> is_lacking;  // on some rank that wants it
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const TriangleSurface* here = surface_here(model, b);
    sizes_.push_back({here ? static_cast<std::int64_t>(here->points.size()) : 0,
                      here ? static_cast<std::int64_t>(here->triangles.size()) : 0});
  }
  const std::vector<std::array<std::int64_t, 2>> own = sizes_;
  const int count = static_cast<int>(sizes_.size());
  MPI_Bcast(sizes_.data(), 2 * count, MPI_INT64_T, 0, comm);
  for (std::size_t b = 0; b < own.size(); ++b) is_lacking.push_back(is_wanted[b] && own[b] != sizes_[b] ? 1 : 0);
  const std::vector<int> lacks = is_lacking;
  MPI_Allreduce(MPI_IN_PLACE, is_lacking.data(), count, MPI_INT, MPI_MAX, comm);
  for (int b = 0; b < count; ++b) {
    const auto at = static_cast<std::size_t>(b);
    if (!is_lacking[at]) continue;
    TriangleSurface found = fetch(comm, *surface_here(model, b), sizes_[at], lacks[at] != 0);
    if (lacks[at]) fetched_.emplace(b, std::move(found));
  }
}

const TriangleSurface& BodySurfaces::of(int body) const {
  const auto found = fetched_.find(body);
  return found != fetched_.end() ? found->second : *surface_here(model_, body);
}

}  // namespace sinew
