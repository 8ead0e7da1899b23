/// \file
/// What cables, rings and beams read alike whose line is a curve of a mesh.
#pragma once

#include "input/body_type.hpp"
#include "model/line_path.hpp"

#include <memory>
#include <vector>

namespace sinew {

/// A curve of a mesh as the model file has it. All instances share the path.
struct MeshLine {
  bool is_given = false;                 ///< the body names a mesh, be it one that cannot be read
  std::shared_ptr<const LinePath> path;  ///< null without one
  Placement placement;                   ///< position and orientation of the mesh

  /// Where the mesh's origin and axes of an instance lie.
  Frame<double> frame(const Indices& indices) const { return evaluate(placement, indices).frame; }

  /// The keys `mesh`, `group`, `position`, `orientation`; `required`: of `mesh`.
  static std::vector<BodyKey> keys(const char* required);
  /// `mesh` and `group` of a body's map, or of its `line`. Reads the file; a fault of it is one of the key `mesh`. Returns
  /// whether the map names a mesh. Collective where the readers of the context are.
  bool read(MapReader&, const ValueReader&, ReadContext&, LineEnds);
  /// `position` and `orientation` of a body's map, behind `read`: refused where no mesh is placed by them.
  void read_placement(MapReader&, const ValueReader&);
};

/// Reports the keys of a map with a mesh that say the line in another way.
void refuse_beside_mesh(MapReader&, const std::vector<const char*>& keys, const ValueReader&);

/// The position of a place of the mesh.
inline Vec3<double> placed(const Frame<double>& frame, const Vec3<double>& x) { return frame.x + frame.R * x; }

}  // namespace sinew
