/// \file
/// What a Gmsh file says, before node numbers are resolved and groups are put together.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/row_run.hpp"
#include "input/gmsh_source.hpp"
#include "model/mesh.hpp"

namespace sinew {

/// A numbered thing of a dimension in a Gmsh file: an elementary entity or a physical group.
using GmshLabel = std::pair<int, int>;

/// Which part of a file's nodes and elements a rank keeps of `size` parts: a run of the nodes, and of each shape's elements one
/// chunk after the other in turn, so that every rank has its share of every shape whatever the order of the file.
struct FilePart {
  int rank = 0;
  int size = 1;

  /// The first of `total` nodes that is kept; the parts are those of Homes (partition/exchange.hpp).
  std::int64_t begin(std::int64_t total) const { return total / size * rank + std::min<std::int64_t>(rank, total % size); }

  /// The first node behind those that are kept.
  std::int64_t end(std::int64_t total) const { return FilePart{rank + 1, size}.begin(total); }

  /// Elements of a chunk where the file has `total`: each part gets 16 chunks of a file of one shape, so that the parts differ by
  /// a sixteenth at most.
  std::int64_t chunk(std::int64_t total) const { return size == 1 ? std::max<std::int64_t>(1, total) : total / (16 * size) + 1; }

  /// Whether the element `index` of its shape is kept.
  bool keeps(std::int64_t index, std::int64_t total) const { return size == 1 || index / chunk(total) % size == rank; }

  /// Those that are kept of `count` elements of a shape.
  RowRuns runs(std::int64_t count, std::int64_t total) const;
};

/// The elements of one shape that are kept, in the file's order and with the file's node numbers.
struct GmshElements {
  std::int64_t total = 0;            ///< how many the file has
  std::vector<std::int64_t> orders;  ///< [size] place in the file's order of the shape, from 0
  std::vector<std::int64_t> tags;    ///< [size] element numbers
  std::vector<std::int64_t> places;  ///< [size] lines or bytes; -1 in a stored mesh
  std::vector<std::int64_t> nodes;   ///< [size * num_nodes] node numbers
  std::vector<int> sets;             ///< [size] index into GmshContent::sets
};

/// The sections of a file that Sinew uses. Nodes and elements are those of `part`; the rest is the same for every part.
struct GmshContent {
  MeshOrigin origin;
  FilePart part;
  std::int64_t num_nodes = 0;                           ///< of the file; kept are those from part.begin(num_nodes) on
  std::int64_t num_elements = 0;                        ///< of the file, of all shapes
  std::vector<std::int64_t> node_tags;                  ///< [nodes] node numbers, positive
  std::vector<std::int64_t> node_places;                ///< [nodes] lines or bytes; -1 in a stored mesh
  std::vector<Point3> points;                           ///< [nodes] finite coordinates
  std::array<GmshElements, num_cell_shapes> elements;   ///< by shape
  std::vector<GmshLabel> sets;                          ///< what elements refer to: entities (4.1), physical groups (2.2)
  std::map<GmshLabel, std::vector<int>> physical_tags;  ///< of the sets; none if a set is missing here
  std::map<GmshLabel, std::string> names;               ///< of the physical groups that have one
  std::map<GmshLabel, int> set_index;                   ///< position in `sets`
  std::set<GmshLabel> turned;                           ///< entities (4.1) whose groups take them turned round

  /// The index of a set, which is added if it is new.
  int set_of(GmshLabel label);
};

/// The shape of Gmsh's element type number `type`, whose node order is also ours; fails at the last item read, naming the
/// type, if Sinew does not read it.
CellShape gmsh_shape(const GmshSource& source, int type);

/// One element as it stands in the file.
struct GmshElement {
  std::int64_t order = 0;                ///< place in the file's order of its shape
  std::int64_t tag = 0;                  ///< its number
  std::int64_t place = 0;                ///< line or byte
  int set = 0;                           ///< index into GmshContent::sets
  std::array<std::int64_t, 27> nodes{};  ///< node numbers in Gmsh's order; as many as its type has
};

/// Turns a line or an element of a surface round: its nodes in the order that Gmsh gives them in the other direction.
void turn_round(CellShape shape, GmshElement& element);

/// Appends an element with `num_nodes` nodes.
void add_element(GmshElements& elements, int num_nodes, const GmshElement& element);

/// Sections $Nodes, $ParametricNodes and $Elements of format 2.2, from behind the line that opens them.
void read_nodes_22(GmshSource& source, GmshContent& content, bool parametric);
/// \copydoc read_nodes_22
void read_elements_22(GmshSource& source, GmshContent& content);

/// Sections $Entities, $Nodes and $Elements of format 4.1, from behind the line that opens them.
void read_entities_41(GmshSource& source, GmshContent& content);
/// \copydoc read_entities_41
void read_nodes_41(GmshSource& source, GmshContent& content);
/// \copydoc read_entities_41
void read_elements_41(GmshSource& source, GmshContent& content);

/// Reads a mesh file and keeps a part of its nodes and elements: of Gmsh, where binary data of other parts is not read and text
/// is passed over, or a stored mesh (input/stored_mesh.hpp). Throws InputError.
GmshContent read_mesh_part(const std::filesystem::path& path, FilePart part);

/// The physical groups of a file, without their cells, by falling dimension, then by number.
struct GmshGroups {
  std::vector<PhysicalGroup> groups;
  std::vector<std::vector<int>> of_set;  ///< [sets] indices of the groups that the elements of a set are in
};

/// Those with a name (even if empty), then those that elements are in.
GmshGroups make_groups(const GmshContent& content);

/// What is wrong with a node number that is not positive, or that was there before, at `first`.
std::string bad_node_number(const MeshOrigin& origin, std::int64_t tag, std::int64_t first);

/// What is wrong with an element that names a node which is not there.
std::string missing_node(const MeshOrigin& origin, CellShape shape, std::int64_t tag, std::int64_t node);

/// Resolves node numbers of a file that was read whole, makes groups, lists each cell once and drops unused points. Fails on a
/// node number that occurs twice, or that an element uses and no node has.
Mesh assemble_mesh(GmshContent&& content);

}  // namespace sinew
